"""The conformance test of adapters: is this one well behaved, whatever its engine gets right?

Every check says what an adapter has to do; every finding shows the line sent and received. The
engine always gets a process of its own, since how it starts and ends is checked too.
"""

from __future__ import annotations

import copy
import difflib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.connection import (
    GRACE,
    START_TIMEOUT,
    BrokenError,
    CannotStartError,
    Ending,
    Pipe,
)
from harness.engines import Reachable
from harness.judge import BadReplyError, all_leaves, judge
from harness.messages import (
    BadMessageError,
    fits,
    problems,
    read_hello,
    read_line,
    shown,
)
from harness.model import Engine
from harness.protocol.sdk import PROTOCOL, to_line
from harness.runner import TIMEOUT, falsely_unsupported, not_declared
from harness.scenario import CAPABILITIES

if TYPE_CHECKING:
    from harness.scenario import Scenario

Message = dict[str, Any]

SAMPLE = 12
"""So many scenarios of the corpus are played."""

LONGEST_SHOWN = 1000
"""A line is shown up to this many characters."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an adapter does not do as it should."""

    check: str
    message: str
    sent: str | None = None
    received: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the finding as it stands in JSON."""
        return {
            "check": self.check,
            "message": self.message,
            "sent": self.sent,
            "received": self.received,
        }

    def lines(self) -> list[str]:
        """Say it in lines: what is wrong, what was sent, what came back."""
        told = [f"{self.check}: {self.message}"]
        if self.sent is not None:
            told.append(f"  sent      {self.sent}")
        if self.received is not None:
            told.append(f"  received  {self.received}")
        return told


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that an adapter has to do."""

    name: str
    about: str
    run: Callable[[Examination], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Checked:
    """What one check found."""

    name: str
    about: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Checkup:
    """What all checks found, who was checked, and how many scenarios could be played."""

    engine: Engine | None
    checks: tuple[Checked, ...]
    played: int
    answered: int

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the checks."""
        return tuple(finding for checked in self.checks for finding in checked.findings)

    def to_json(self) -> dict[str, Any]:
        """Give the whole as JSON."""
        return {
            "engine": None if self.engine is None else self.engine.to_json(),
            "checks": [
                {
                    "name": checked.name,
                    "about": checked.about,
                    "findings": [finding.to_json() for finding in checked.findings],
                }
                for checked in self.checks
            ],
            "played": self.played,
            "answered": self.answered,
        }


def check_adapter(
    reachable: Reachable,
    scenarios: Sequence[Scenario],
    *,
    timeout: float = TIMEOUT,
    start_timeout: float | None = None,
    only: Collection[str] = (),
    on_check: Callable[[Checked], object] | None = None,
) -> Checkup:
    """Check an adapter with some of the scenarios that its engine can play.

    `only` names the checks to make; all are made if it names none. `on_check` is told of each.
    Raises `CannotStartError` if it does not start at all.
    """
    examined = Examination(reachable, scenarios, timeout, start_timeout)
    done: list[Checked] = []
    try:
        examined.engine = examined.start()
        for check in CHECKS:
            if only and check.name not in only:
                continue
            findings: list[Finding] = []
            try:
                for finding in check.run(examined):
                    findings.append(replace(finding, check=check.name))
            except _GoneError as gone:
                findings.append(replace(gone.finding, check=check.name))
            checked = Checked(check.name, check.about, tuple(findings))
            done.append(checked)
            if on_check is not None:
                on_check(checked)
    finally:
        examined.close()
    return Checkup(examined.engine, tuple(done), len(examined.sample), examined.answered)


class _GoneError(Exception):
    """The engine died or went silent where it should have answered."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Examination:
    """One adapter under examination: its process, made anew when it is gone."""

    def __init__(
        self,
        reachable: Reachable,
        scenarios: Sequence[Scenario],
        timeout: float,
        start_timeout: float | None,
    ) -> None:
        self.reachable = reachable
        self.timeout = timeout
        self.start_timeout = start_timeout
        self.engine: Engine | None = None
        self.answered = 0
        self._scenarios = scenarios
        self._pipe: Pipe | None = None
        self._number = 0
        self._sample: tuple[Scenario, ...] | None = None

    @property
    def sample(self) -> tuple[Scenario, ...]:
        """Scenarios that the engine declares to be able to play, from all over the corpus."""
        if self._sample is None:
            able = [
                scenario
                for scenario in self._scenarios
                if self.engine is not None and not_declared(scenario, self.engine) is None
            ]
            stride = max(1, len(able) // SAMPLE)
            self._sample = tuple(able[::stride][:SAMPLE])
        return self._sample

    def next_id(self) -> int:
        """Give a number that has not been used."""
        self._number += 1
        return self._number

    def connect(self) -> Pipe:
        """Start another process. Raises `CannotStartError`."""
        connection = self.reachable.connect(apart=True)
        if not isinstance(connection, Pipe):
            connection.close()
            raise CannotStartError(f"{self.reachable.how} cannot be given a process of its own")
        return connection

    def start(self) -> Engine:
        """Start the process that most checks talk to. Raises `CannotStartError`."""
        self._pipe = self.connect()
        return self._pipe.greet(self.reachable.how, self.start_timeout)

    def close(self) -> None:
        """End what is running."""
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.kill()

    def say(self, line: bytes) -> Message:
        """Send a line and read the reply, from a new process if the last one is gone."""
        if self._pipe is None:
            try:
                self.start()
            except CannotStartError as problem:
                self.close()
                raise _GoneError(
                    Finding("", f"it does not start any more: {problem.reason}")
                ) from None
        assert self._pipe is not None
        return self._exchange(self._pipe, line, self.timeout)

    def first(self, line: bytes) -> Message:
        """Send a line to a new process, as the first that it hears."""
        try:
            pipe = self.connect()
        except CannotStartError as problem:
            raise _GoneError(Finding("", f"it does not start: {problem.reason}")) from None
        try:
            seconds = self.start_timeout or pipe.start_timeout or START_TIMEOUT
            return self._exchange(pipe, line, seconds)
        finally:
            pipe.kill()

    def ask(self, request: Message) -> Message:
        """Send a request and read the reply."""
        return self.say(to_line(request))

    def run(self, scenario: Scenario, change: Callable[[Message], None] | None = None) -> Message:
        """Play a scenario; `change` may change the request before it is sent."""
        return self.ask(self.request(scenario, change))

    def request(
        self, scenario: Scenario, change: Callable[[Message], None] | None = None
    ) -> Message:
        """Make the request of a scenario, and change it if that is wanted."""
        request = json.loads(to_line(scenario.request(self.next_id())))
        if change is not None:
            change(request)
        return dict(request)

    def ending(self, line: bytes) -> Ending:
        """Greet a new process, let it play one scenario, send a last line and see it end."""
        pipe = self.connect()
        try:
            pipe.greet(self.reachable.how, self.start_timeout)
            if self.sample:
                self._exchange(pipe, to_line(self.sample[0].request(1)), self.timeout)
        except BaseException:
            pipe.kill()
            raise
        return pipe.end(line, GRACE)

    def _exchange(self, pipe: Pipe, line: bytes, timeout: float) -> Message:
        unasked = pipe.more(0)
        if unasked:
            self._drop(pipe)
            raise _GoneError(
                Finding("", "it says something that nobody asked for", None, text(unasked))
            )
        try:
            received = pipe.exchange(line, timeout)
        except BrokenError as problem:
            self._drop(pipe)
            message = f"it {problem.reason}" if problem.kind == "crash" else problem.reason
            if problem.log:
                message += f"; its log ends: {shown(problem.log.splitlines()[-1])}"
            raise _GoneError(Finding("", message, text(line))) from None
        try:
            return read_line(received)
        except BadMessageError as problem:
            raise _GoneError(Finding("", str(problem), text(line), text(received))) from None

    def _drop(self, pipe: Pipe) -> None:
        pipe.kill()
        if pipe is self._pipe:
            self._pipe = None


def text(line: bytes | Mapping[str, Any]) -> str:
    """Show a line or a message, cut, with nothing that a terminal would obey."""
    data = line if isinstance(line, bytes) else to_line(line)
    told = ascii(data.decode("utf-8", "backslashreplace").rstrip("\r\n"))[1:-1]
    told = told.replace("\\'", "'").replace("\\\\", "\\")
    if len(told) <= LONGEST_SHOWN:
        return told
    return f"{told[:LONGEST_SHOWN]}… ({len(data)} bytes)"


CHECKS: list[Check] = []


def check(
    name: str, about: str
) -> Callable[[Callable[[Examination], Iterator[Finding]]], Callable[..., Iterator[Finding]]]:
    """Make a check of a function."""

    def made(
        function: Callable[[Examination], Iterator[Finding]],
    ) -> Callable[..., Iterator[Finding]]:
        CHECKS.append(Check(name, about, function))
        return function

    return made


def _found(message: str, sent: Any = None, received: Any = None) -> Finding:
    return Finding(
        "",
        message,
        None if sent is None else text(sent),
        None if received is None else text(received),
    )


# -- hello


@check("hello", "hello is answered as the schema says")
def _hello(on: Examination) -> Iterator[Finding]:
    request: Message = {"type": "hello", "protocol": [PROTOCOL]}
    reply = on.ask(request)
    for problem in problems("reply", reply):
        yield _found(problem, request, reply)
    for key in ("language", "license"):
        about = reply.get("engine")
        if isinstance(about, dict) and not about.get(key):
            yield _found(f"it does not say its {key}, which reports show", request, reply)


@check("capabilities", "declares capabilities that there are, and nothing twice")
def _capabilities(on: Examination) -> Iterator[Finding]:
    assert on.engine is not None
    for name in on.engine.capabilities:
        if name not in CAPABILITIES:
            near = difflib.get_close_matches(name, CAPABILITIES, 1)
            meant = f"; did it mean {near[0]!r}?" if near else ""
            yield _found(f"there is no capability {name!r}{meant}")
    for what, names in (("capability", on.engine.capabilities), ("card", on.engine.cards or ())):
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield _found(f"it declares the {what} {name!r} {names.count(name)} times")


@check("versions", "chooses a version that was offered, and errors when it speaks none")
def _versions(on: Examination) -> Iterator[Finding]:
    for offered in ([PROTOCOL, 99], [99, PROTOCOL]):
        request: Message = {"type": "hello", "protocol": offered}
        reply = on.first(to_line(request))
        if reply.get("type") != "hello" or reply.get("protocol") != PROTOCOL:
            yield _found(f"it should choose version {PROTOCOL}", request, reply)
    for offered in ([99], []):
        request = {"type": "hello", "protocol": offered}
        reply = on.first(to_line(request))
        if reply.get("type") != "error":
            yield _found("no version that it speaks was offered: answer an error", request, reply)


@check("hello-again", "a second hello is answered like the first")
def _hello_again(on: Examination) -> Iterator[Finding]:
    request: Message = {"type": "hello", "protocol": [PROTOCOL]}
    for _ in range(2):
        reply = on.ask(request)
        try:
            again = read_hello(reply, on.reachable.how)
        except BadMessageError:
            again = None
        if again != on.engine:
            yield _found("it should answer as it did at first", request, reply)
            return


# -- requests that are not as they should be


@check("malformed", "a line that is no message is answered with an error, and it goes on")
def _malformed(on: Examination) -> Iterator[Finding]:
    lines = [
        b'{"type": "run", "id": 1',
        b"hello",
        b"[]",
        b"17",
        b"null",
        b'"hello"',
        b"{}",
        b'{"type": 17}',
        b'{"type": "hello", "protocol": [\xff\xfe]}',
        b'{"type": "run", "id": "x", "given": {}, "steps": [], "cards": {}}',
        b"[" * 5000,
    ]
    for line in lines:
        reply = on.say(line + b"\n")
        if reply.get("type") != "error":
            yield _found("it should answer an error", line, reply)
        else:
            yield from _by_schema(line, reply)
    yield from _is_well(on, "after lines that are no messages")


@check("unknown-type", "a request of an unknown type is answered with an error that has its id")
def _unknown_type(on: Examination) -> Iterator[Finding]:
    request: Message = {"type": "dance", "id": on.next_id()}
    reply = on.ask(request)
    if reply.get("type") != "error" or reply.get("id") not in (request["id"], None):
        yield _found("it should answer an error", request, reply)
    yield from _by_schema(request, reply)


@check("incomplete", "a run without given or steps is answered with an error")
def _incomplete(on: Examination) -> Iterator[Finding]:
    for missing in ("given", "steps"):
        request = _plain(on)
        del request[missing]
        reply = on.ask(request)
        if reply.get("type") != "error" or reply.get("id") not in (request["id"], None):
            yield _found(f"there is no {missing}: it should answer an error", request, reply)
        yield from _by_schema(request, reply)


@check("unknown-words", "what it does not know is unsupported or an error, never played")
def _unknown_words(on: Examination) -> Iterator[Finding]:
    step: Message = {"do": "dance", "player": "alice", "choices": []}
    nobody: Message = {"do": "cast", "player": "alice", "object": "nobody", "choices": []}
    nobody["targets"] = []
    look: Message = {"do": "look", "players": {"alice": ["smell"]}}
    for what, wrong in (
        ("an unknown step", step),
        ("an object that does not exist", nobody),
        ("an unknown attribute", look),
    ):
        request = _plain(on)
        request["steps"].insert(0, wrong)
        reply = on.ask(request)
        kinds = ["unsupported", "error"] + (["refused"] if wrong is nobody else [])
        if reply.get("type") not in kinds:
            yield _found(f"{what} should not be played", request, reply)
        yield from _by_schema(request, reply)


@check("unknown-card", "a card that it does not have is unsupported or an error")
def _unknown_card(on: Examination) -> Iterator[Finding]:
    request = _plain(on)
    request["given"]["alice"]["hand"] = [{"id": "strange", "card": "No Such Card"}]
    if on.engine is not None and on.engine.cards is not None:
        # It goes by names, and is sent facts all the same; with them others would make the card.
        faces = [{"name": "No Such Card", "types": ["artifact"]}]
        request["cards"] = {"No Such Card": {"layout": "normal", "faces": faces, "oracle": None}}
    reply = on.ask(request)
    if reply.get("type") not in ("unsupported", "error"):
        yield _found("it should say that the card is unsupported", request, reply)
    yield from _by_schema(request, reply)


@check("unknown-keys", "keys that it does not know are ignored")
def _unknown_keys(on: Examination) -> Iterator[Finding]:
    def add(request: Message) -> None:
        request["later"] = {"version": 2}
        request["given"]["weather"] = "rain"
        request["given"]["turn"]["hour"] = 12
        for step in request["steps"]:
            if step["do"] != "look":
                step["speed"] = "slow"

    yield from _changes_nothing(on, add, "keys that it does not know changed the answer")


@check("expected-values", "what is expected would change nothing, if it were sent")
def _expected_values(on: Examination) -> Iterator[Finding]:
    def bait(request: Message) -> None:
        for step in request["steps"]:
            if step["do"] == "look":
                step["expect"] = {"designation": "dusk", "objects": {}, "events": []}
            step["refused"] = True

    yield from _changes_nothing(on, bait, "expected values in the request changed the answer")


@check("large", "a request of a megabyte is answered like a small one")
def _large(on: Examination) -> Iterator[Finding]:
    def grow(request: Message) -> None:
        request["padding"] = "x" * 1_000_000

    yield from _changes_nothing(on, grow, "a large request changed the answer", 1)


@check("unicode", "text outside ASCII and escaped text are read alike")
def _unicode(on: Examination) -> Iterator[Finding]:
    for scenario in on.sample[:1]:
        request = on.request(scenario, lambda each: each.update(note="Déjà vu: ☽ 🌙"))
        reply = on.ask(request)
        escaped = {**request, "id": on.next_id()}
        again = on.say(json.dumps(escaped, ensure_ascii=True).encode() + b"\n")
        if _without_id(reply) != _without_id(again):
            yield _found("the same text, escaped, changed the answer", escaped, again)


# -- what it plays


@check("complete", "answers are valid and have exactly what was asked for")
def _complete(on: Examination) -> Iterator[Finding]:
    assert on.engine is not None
    if not on.sample:
        yield _found("no scenario of the corpus can be sent to it: nothing was played")
    for scenario in on.sample:
        request = on.request(scenario)
        reply = on.ask(request)
        invalid = list(_by_schema(request, reply))
        yield from invalid
        if reply.get("id") != request["id"]:
            yield _found(f"it should answer {request['id']}", request, reply)
        verdict, detail = judge(scenario, reply)
        if detail is not None and detail["kind"] == "protocol" and not invalid:
            yield _found(detail["reason"], request, reply)
        if reply.get("type") in ("observations", "refused"):
            on.answered += 1
            for message in _not_as_asked(request, reply):
                yield _found(message, request, reply)
        if verdict == "unsupported" and detail is not None:
            false = falsely_unsupported(detail, on.engine)
            if false is not None:
                yield _found(false["reason"], request, reply)
    if on.sample and not on.answered:
        yield _found(f"of {len(on.sample)} scenarios that it declares to support, it played none")


@check("deterministic", "the same scenario is answered alike, twice and in another order")
def _deterministic(on: Examination) -> Iterator[Finding]:
    first = {scenario.id: on.run(scenario) for scenario in on.sample}
    for scenario in (*on.sample, *reversed(on.sample)):
        request = on.request(scenario)
        reply = on.ask(request)
        if not _alike(scenario, first[scenario.id], reply):
            earlier = text(first[scenario.id])
            yield _found(f"the same was answered otherwise before: {earlier}", request, reply)
            return


@check("ids", "the id is given back, whatever it is")
def _ids(on: Examination) -> Iterator[Finding]:
    for scenario in on.sample[:1]:
        for number in (0, 7, 7, 3, 2**53 - 1):
            request = {**on.request(scenario), "id": number}
            reply = on.ask(request)
            if reply.get("id") != number or isinstance(reply.get("id"), bool):
                yield _found(f"it should give {number} back", request, reply)


@check("run-first", "a run before hello is answered and does no harm")
def _run_first(on: Examination) -> Iterator[Finding]:
    request = _plain(on)
    reply = on.first(to_line(request))
    yield from _by_schema(request, reply)


@check("lockstep", "it says nothing that nobody asked for")
def _lockstep(on: Examination) -> Iterator[Finding]:
    yield from _is_well(on, "at the end")
    if on._pipe is not None:
        unasked = on._pipe.more(0.1)
        if unasked:
            yield _found("after its answer it went on", None, unasked)


# -- how it ends


@check("bye", "bye is answered with bye, and the process exits with status 0")
def _bye(on: Examination) -> Iterator[Finding]:
    line = to_line({"type": "bye"})
    ending = on.ending(line)
    if ending.said.strip() == b"":
        yield _found("bye was not answered", line, b"")
    else:
        try:
            reply = read_line(ending.said.rstrip(b"\n"))
        except BadMessageError as problem:
            yield _found(str(problem), line, ending.said)
        else:
            if reply.get("type") != "bye":
                yield _found("it should answer bye", line, reply)
    yield from _ended(ending, line)


@check("end-of-input", "when its input ends, the process exits with status 0 without a word")
def _end_of_input(on: Examination) -> Iterator[Finding]:
    ending = on.ending(b"")
    if ending.said:
        yield _found("it should say nothing", None, ending.said)
    yield from _ended(ending, None)


def _ended(ending: Ending, line: bytes | None) -> Iterator[Finding]:
    if ending.status is None:
        yield _found(f"it was still running after {GRACE:g} s", line, ending.said)
    elif ending.status != "ended with exit status 0":
        log = ending.log.splitlines()
        said = f"; its log ends: {shown(log[-1])}" if log else ""
        yield _found(f"it {ending.status}{said}", line, ending.said)
    if ending.status is not None and ending.left:
        count = len(ending.left)
        yield _found(f"it left {count} process{'es' if count > 1 else ''} running", line)


# -- what several checks need


def _plain(on: Examination) -> Message:
    """Make a run that asks for next to nothing."""
    zones: Message = {"hand": [], "library": [], "graveyard": [], "exile": [], "battlefield": []}
    request: Message = {
        "type": "run",
        "id": on.next_id(),
        "given": {
            "players": ["alice", "bob"],
            "teams": None,
            "designation": "neither",
            "turn": {"active": "alice", "step": "precombat main", "number": 1},
            "alice": {"life": 20, "mana": None, **copy.deepcopy(zones)},
            "bob": {"life": 20, "mana": None, **copy.deepcopy(zones)},
        },
        "steps": [{"do": "look", "turn": ["active"]}],
        "cards": {},
    }
    assert fits("request", request)
    return request


def _is_well(on: Examination, when: str) -> Iterator[Finding]:
    """See that it still answers as it should."""
    for scenario in on.sample[:1]:
        request = on.request(scenario)
        reply = on.ask(request)
        if reply.get("id") != request["id"] or not fits("reply", reply):
            yield _found(f"{when} it does not answer as it should", request, reply)


def _by_schema(sent: Any, reply: Message) -> Iterator[Finding]:
    if not fits("reply", reply):
        for problem in problems("reply", reply)[:5]:
            yield _found(problem, sent, reply)


def _changes_nothing(
    on: Examination, change: Callable[[Message], None], message: str, most: int = SAMPLE
) -> Iterator[Finding]:
    for scenario in on.sample[:most]:
        plain = on.run(scenario)
        request = on.request(scenario, change)
        reply = on.ask(request)
        if not _alike(scenario, plain, reply):
            yield _found(f"{message}: before it was {text(plain)}", request, reply)
            return


def _without_id(reply: Message) -> Message:
    return {key: value for key, value in reply.items() if key != "id"}


def _alike(scenario: Scenario, one: Message, other: Message) -> bool:
    """Say whether two replies are the same, sets as sets."""
    if _without_id(one) == _without_id(other):
        return True
    try:
        seen = [
            [(place, leaf.path, leaf.seen) for place, leaf in all_leaves(scenario, reply)]
            for reply in (one, other)
        ]
    except BadReplyError:
        return False
    return one.get("type") == other.get("type") == "observations" and seen[0] == seen[1]


def _not_as_asked(request: Message, reply: Message) -> Iterator[str]:
    """Compare every look with its observation, key by key."""
    asked = [step for step in request["steps"] if step["do"] == "look"]
    observed = reply.get("observations")
    if not isinstance(observed, list):
        return
    for number, (look, seen) in enumerate(zip(asked, observed, strict=False), 1):
        where = f"observation {number}"
        if isinstance(seen, dict):
            yield from _keys(where, set(look) - {"do"}, seen)
            yield from _keys(f"{where}.turn", look.get("turn"), seen.get("turn"))
            for group in ("objects", "players"):
                yield from _keys(f"{where}.{group}", look.get(group), seen.get(group))
                for name, attributes in look.get(group, {}).items():
                    of = (seen.get(group) or {}).get(name)
                    yield from _keys(f"{where}.{group}.{name}", attributes, of)
            for place, item in enumerate(seen.get("stack") or (), 1):
                yield from _keys(f"{where}.stack.{place}", look.get("stack"), item)
            for place, event in enumerate(seen.get("events") or (), 1):
                if isinstance(event, dict) and set(event).isdisjoint(look.get("events", ())):
                    yield f"{where}.events.{place} is an event that was not asked for"


def _keys(where: str, wanted: Any, seen: Any) -> Iterator[str]:
    if wanted is None or not isinstance(seen, dict):
        return
    for key in sorted(set(wanted) - set(seen)):
        yield f"{where} lacks {key!r}, which was asked for"
    for key in sorted(set(seen) - set(wanted)):
        yield f"{where} has {key!r}, which was not asked for"
