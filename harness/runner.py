"""Plays scenarios on an engine and collects the verdicts; one bad scenario never costs another."""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from harness.connection import BrokenError, CannotStartError, Connection
from harness.engines import Reachable, resolve
from harness.judge import (
    BadReplyError,
    Detail,
    all_leaves,
    clip,
    error,
    fail,
    judge,
    unsupported,
)
from harness.messages import fits, problems
from harness.model import CorpusInfo, Engine, Report, Result, Verdict

if TYPE_CHECKING:
    from harness.scenario import Scenario

TIMEOUT = 10.0
"""Seconds for one scenario."""

STARTS = 3
"""After so many starts in a row that failed, an engine is not started again."""

NOBODY = CorpusInfo(version="", digest="", edition="")


class NothingToRunError(Exception):
    """A run of nothing would prove nothing, so it is an error."""


@dataclass(frozen=True, slots=True)
class Played:
    """What one play of one scenario came to; `seen` is what was observed, for comparing plays."""

    verdict: Verdict
    detail: Detail | None
    seen: Any = None

    def differs(self, other: Played) -> bool:
        """Say whether another play came out differently; reasons in words do not count."""
        return self._gist() != other._gist()

    def _gist(self) -> tuple[Any, ...]:
        detail = self.detail or {}
        kind = [detail.get(key) for key in ("kind", "step", "name")]
        return self.verdict, kind, self.seen


def run(
    scenarios: Sequence[Scenario],
    engine: str | Reachable,
    *,
    corpus: CorpusInfo = NOBODY,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    start_timeout: float | None = None,
    repeat: int = 1,
    fail_fast: bool = False,
    on_start: Callable[[Engine], object] | None = None,
    on_result: Callable[[Result], object] | None = None,
) -> Report:
    """Play the scenarios and report all of them, in their order.

    `on_result` is called in that order too, as soon as it can be. With `fail_fast` the run ends
    after the first fail or error. Ctrl-C (or SIGTERM) ends it early as well: what was not played
    is `not_run` and the report says that it is not complete.

    Raises `NothingToRunError`, `UnknownEngineError`, and `CannotStartError` if the engine does
    not start at all.
    """
    if not scenarios:
        raise NothingToRunError("no scenario was selected")
    reachable = resolve(engine) if isinstance(engine, str) else engine
    began = time.monotonic()
    jobs = max(1, min(jobs, len(scenarios)))
    with _terminated_like_interrupted():
        first = Player(reachable, timeout, start_timeout, repeat, apart=jobs > 1)
        about = first.start()
        order = _InOrder(scenarios, on_result, fail_fast)
        try:
            if on_start is not None:
                on_start(about)
            if jobs == 1:
                _play_all(first, scenarios, order)
            else:
                rest = [
                    Player(reachable, timeout, start_timeout, repeat, apart=True)
                    for _ in range(jobs - 1)
                ]
                _play_side_by_side([first, *rest], scenarios, order)
            first.close()
        except KeyboardInterrupt:
            order.stopped = True
        finally:
            first.kill()
    return Report(
        engine=about,
        corpus=corpus,
        results=order.results(),
        seconds=round(time.monotonic() - began, 3),
        complete=not order.missing,
    )


def not_declared(
    scenario: Scenario, engine: Engine, cards: Collection[str] | None = None
) -> Detail | None:
    """Say what the scenario needs and the engine did not declare; None if it can be asked.

    `cards` are the engine's in a form that is quicker to look into, where it has tens of thousands.
    """
    for need in scenario.needs:
        if need not in engine.capabilities:
            return unsupported("capability", need, "the engine does not declare this capability")
    if engine.cards is not None:
        known = engine.cards if cards is None else cards
        for card in scenario.cards:
            if card not in known:
                return unsupported("card", card, "the engine does not declare this card")
    return None


def falsely_unsupported(detail: Detail, engine: Engine) -> Detail | None:
    """Make an error of an `unsupported` for something that the engine declared in `hello`."""
    kind, name = detail["kind"], detail["name"]
    declared = (
        name in (engine.cards or ())
        if kind == "card"
        else kind != "look" and name in engine.capabilities
    )
    if not declared:
        return None
    reason = f"it declared the {kind} {name} and then said that it is unsupported"
    if detail["reason"]:
        reason += f": {detail['reason']}"
    return error("false-unsupported", reason)


class Player:
    """Plays scenarios on one connection, and makes a new one when it broke.

    `connection` is the one at hand; None before the start, after the end and after a break.
    """

    def __init__(
        self,
        reachable: Reachable,
        timeout: float = TIMEOUT,
        start: float | None = None,
        repeat: int = 1,
        *,
        apart: bool = False,
    ) -> None:
        self._reachable = reachable
        self._timeout = timeout
        self._start = start
        self._repeat = repeat
        self._apart = apart
        self.connection: Connection | None = None
        self._number = 0
        self._failed_starts = 0
        self._cards: frozenset[str] = frozenset()
        self.engine: Engine | None = None

    def start(self) -> Engine:
        """Start the engine and say hello. Raises `CannotStartError`."""
        self.connection = self._reachable.connect(apart=self._apart)
        try:
            greeted = self.connection.greet(self._reachable.how, self._start)
        except BaseException:
            self.kill()
            raise
        self._failed_starts = 0
        if self.engine is None:
            self.engine, self._cards = greeted, frozenset(greeted.cards or ())
        return self.engine

    def play(self, scenario: Scenario) -> tuple[Verdict, Detail | None]:
        """Play one scenario as often as is asked for; what differs is unstable."""
        if self.engine is not None:
            missing = not_declared(scenario, self.engine, self._cards)
            if missing is not None:
                return Verdict.UNSUPPORTED, missing
        plays = []
        for number in range(1, self._repeat + 1):
            played = self._play_once(scenario)
            if played.verdict is Verdict.ERROR:
                if self._repeat > 1 and played.detail is not None:
                    played.detail["reason"] += f" (play {number} of {self._repeat})"
                return played.verdict, played.detail
            plays.append(played)
        if any(played.differs(plays[0]) for played in plays):
            return Verdict.FAIL, _unstable(scenario, plays)
        return plays[0].verdict, plays[0].detail

    def result(self, scenario: Scenario) -> Result:
        """Play one scenario and give its result; the engine is started if it is not running."""
        return _result(scenario, *self.play(scenario))

    def close(self) -> None:
        """Say bye and leave nothing behind."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()

    def kill(self) -> None:
        """End the engine at once."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.kill()

    def interrupt(self) -> None:
        """End the engine from another thread; the one that plays then sees that it is gone."""
        connection = self.connection
        if connection is not None:
            connection.interrupt()

    def _ask(self, scenario: Scenario) -> tuple[Connection, dict[str, Any]]:
        """Send the request, to a new engine if need be.

        An engine that was gone before it read anything did not die of this scenario, so another
        one is asked, once. Raises `BrokenError` and `CannotStartError`.
        """
        again = False
        while True:
            if self.connection is None:
                if self._failed_starts >= STARTS:
                    raise CannotStartError(f"it did not start {STARTS} times in a row")
                self._failed_starts += 1
                self.start()
            assert self.connection is not None
            self._number += 1
            try:
                request = scenario.request(self._number)
                return self.connection, self.connection.ask(request, self._timeout)
            except BrokenError as problem:
                self.kill()
                if again or not problem.unread:
                    raise
                again = True

    def _play_once(self, scenario: Scenario) -> Played:
        try:
            connection, reply = self._ask(scenario)
        except BrokenError as problem:
            return Played(Verdict.ERROR, error(problem.kind, problem.reason, problem.log))
        except CannotStartError as problem:
            return Played(Verdict.ERROR, error("start", problem.reason, problem.log))
        assert self.engine is not None
        verdict, detail = judge(scenario, reply)
        if not fits("reply", reply) and (detail is None or detail["kind"] != "protocol"):
            verdict, detail = Verdict.ERROR, error("protocol", "the reply breaks its schema")
        if verdict is Verdict.UNSUPPORTED and detail is not None:
            false = falsely_unsupported(detail, self.engine)
            if false is not None:
                verdict, detail = Verdict.ERROR, false
        if verdict is Verdict.ERROR and detail is not None:
            if detail["kind"] == "protocol":
                detail["reason"] = _explained(detail["reason"], reply)
            detail["log"] = connection.log()
        if self._repeat == 1:
            return Played(verdict, detail)
        return Played(verdict, detail, _seen(scenario, reply))


class _InOrder:
    """Takes results as they come and hands them on in the order of the corpus."""

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        on_result: Callable[[Result], object] | None,
        fail_fast: bool,
    ) -> None:
        self._scenarios = scenarios
        self._on_result = on_result
        self._fail_fast = fail_fast
        self._done: list[Result | None] = [None] * len(scenarios)
        self._next = 0
        self.stopped = False

    @property
    def missing(self) -> bool:
        """Whether something was not played."""
        return self._next < len(self._scenarios)

    def put(self, place: int, verdict: Verdict, detail: Detail | None) -> None:
        """Take one result; every result that is now due is handed on."""
        self._done[place] = _result(self._scenarios[place], verdict, detail)
        while not self.stopped and self.missing:
            due = self._done[self._next]
            if due is None:
                return
            self._next += 1
            if self._fail_fast and due.verdict in (Verdict.FAIL, Verdict.ERROR):
                self.stopped = True
            if self._on_result is not None:
                self._on_result(due)

    def results(self) -> tuple[Result, ...]:
        """Give all results; what was not handed on was not run."""
        return tuple(
            result
            if result is not None and place < self._next
            else _result(self._scenarios[place], Verdict.NOT_RUN, None)
            for place, result in enumerate(self._done)
        )


def _play_all(player: Player, scenarios: Sequence[Scenario], order: _InOrder) -> None:
    for place, scenario in enumerate(scenarios):
        order.put(place, *player.play(scenario))
        if order.stopped:
            return


def _play_side_by_side(
    players: Sequence[Player], scenarios: Sequence[Scenario], order: _InOrder
) -> None:
    """Give each player the next scenario as it gets free; results are taken in this thread."""
    places = iter(range(len(scenarios)))
    taking = threading.Lock()
    done: queue.SimpleQueue[tuple[int, Verdict, Detail | None] | BaseException | None]
    done = queue.SimpleQueue()
    halt = threading.Event()

    def work(player: Player) -> None:
        try:
            while not halt.is_set():
                with taking:
                    place = next(places, None)
                if place is None:
                    break
                done.put((place, *player.play(scenarios[place])))
        except BaseException as problem:
            done.put(problem)
        finally:
            player.close()
            done.put(None)

    threads = [threading.Thread(target=work, args=(player,), daemon=True) for player in players]
    try:
        for thread in threads:
            thread.start()
        working = len(threads)
        while working and not order.stopped:
            item = done.get()
            if item is None:
                working -= 1
            elif isinstance(item, BaseException):
                raise item
            else:
                order.put(*item)
    finally:
        halt.set()
        while any(thread.is_alive() for thread in threads):
            with contextlib.suppress(KeyboardInterrupt):  # already on the way out
                if working:
                    for player in players:
                        player.interrupt()
                for thread in threads:
                    thread.join(0.05)


def _unstable(scenario: Scenario, plays: Sequence[Played]) -> Detail:
    """Describe plays that came out differently by the first that failed, and how many did what."""
    counts: dict[str, int] = {}
    for played in plays:
        counts[played.verdict.value] = counts.get(played.verdict.value, 0) + 1
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    failed = next((played for played in plays if played.verdict is Verdict.FAIL), None)
    detail = fail("unstable", scenario, None)
    if failed is not None and failed.detail is not None:
        detail.update({**failed.detail, "kind": "unstable"})
    else:
        other = next(played for played in plays if played.differs(plays[0]))
        detail.update(_difference(plays[0].seen, other.seen))
    detail["reason"] = f"{len(plays)} plays gave different answers: {told}"
    return detail


def _difference(one: Any, other: Any) -> dict[str, Any]:
    """Find the first place where two plays saw different things."""
    for first, second in zip(one or (), other or (), strict=False):
        if first != second:
            step, path, got = first
            return {"step": step, "path": path, "expected": clip(got), "got": clip(second[2])}
    return {}


def _seen(scenario: Scenario, reply: Any) -> list[tuple[int, str, Any]]:
    """Give what was looked at, for comparing one play with another."""
    try:
        return [(place, leaf.path, leaf.seen) for place, leaf in all_leaves(scenario, reply)]
    except BadReplyError:
        return []


def _explained(reason: str, reply: Any) -> str:
    """Add what the schema says of a reply whose shape is wrong, if it is small enough to ask."""
    found = problems("reply", reply) if len(str(reply)) < 65536 else []
    return clip("; ".join([reason, *found[:2]])) if found else reason


def _result(scenario: Scenario, verdict: Verdict, detail: Detail | None) -> Result:
    return Result(
        id=scenario.id,
        digest=scenario.digest,
        verdict=verdict,
        ruling=scenario.ruling,
        rules=tuple(scenario.rules),
        level=scenario.level,
        file=scenario.file,
        line=scenario.line,
        detail=detail,
    )


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, so that a cancelled pipeline leaves no process either."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
