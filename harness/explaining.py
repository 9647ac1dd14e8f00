"""One scenario on one engine, step by step: what was done, what the engine then reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.connection import Connection
from harness.engines import Reachable
from harness.judge import BadReplyError, Leaf, clip, leaves
from harness.model import Engine, Result, Verdict
from harness.reports import Shown
from harness.reports.escape import line, plain
from harness.reports.page import COLORS, wrap
from harness.reports.text import WORDS, one_line, value
from harness.runner import TIMEOUT, Player
from harness.scenario import ZONES, Step
from harness.telling import tell

if TYPE_CHECKING:
    from harness.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Trace:
    """What passed between the harness and an engine over one scenario.

    `said` has each line with whether it was the engine's; `reply` is the last of them, if it was an
    answer to the scenario; `log` is what the engine wrote on standard error meanwhile.
    `between` has what it reported after a step when it was asked after every one, in a play of its
    own.
    """

    scenario: Scenario
    engine: Engine
    result: Result
    said: tuple[tuple[bool, str], ...]
    reply: Mapping[str, Any]
    log: str
    between: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    def looks(self) -> dict[int, list[Leaf] | str]:
        """Give what each look saw, by its step; as a text where it has not the shape it must have.

        Looks that the engine did not answer are left out.
        """
        observations = self.reply.get("observations")
        observed = iter(observations if isinstance(observations, list) else ())
        found: dict[int, list[Leaf] | str] = {}
        for number, step in enumerate(self.scenario.steps, 1):
            if step.expect is None:
                continue
            observation = next(observed, self)
            if observation is self:
                break
            try:
                found[number] = leaves(step.expect, observation)
            except BadReplyError:
                found[number] = value(clip(observation))
        return found

    @property
    def refused(self) -> int | None:
        """The step that the engine refused."""
        step = self.reply.get("step") if self.reply.get("type") == "refused" else None
        return step if isinstance(step, int) else None


class Overheard(Connection):
    """A connection on which every line is noted down."""

    def __init__(self, inner: Connection, said: list[tuple[bool, str]]) -> None:
        self.inner = inner
        self.said = said
        self.start_timeout = inner.start_timeout

    def exchange(self, line: bytes, timeout: float) -> bytes:  # noqa: D102 - as inherited
        if line:
            self.said.append((False, line.decode("utf-8", "replace").rstrip("\n")))
        reply = self.inner.exchange(line, timeout)
        self.said.append((True, reply.decode("utf-8", "replace")))
        return reply

    def log(self) -> str:  # noqa: D102
        return self.inner.log()

    def close(self) -> None:  # noqa: D102
        self.inner.close()

    def kill(self) -> None:  # noqa: D102
        self.inner.kill()

    def interrupt(self) -> None:  # noqa: D102
        self.inner.interrupt()


@dataclass
class Listening(Reachable):
    """An engine whose every line is noted down."""

    inner: Reachable
    how: str = ""
    said: list[tuple[bool, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.how = self.inner.how

    def connect(self, *, apart: bool = False) -> Connection:
        """Start it."""
        return Overheard(self.inner.connect(apart=apart), self.said)


def trace(
    scenario: Scenario, engine: Reachable, timeout: float = TIMEOUT, every_step: bool = False
) -> Trace:
    """Play one scenario and keep all that was said. Raises `CannotStartError`.

    With `every_step` it is played once more, with a look after each step.
    """
    listening = Listening(engine)
    player = Player(listening, timeout)
    try:
        about = player.start()
        result = player.result(scenario)
        log = player.connection.log() if player.connection else ""
    finally:
        player.close()
    runs = [place for place, (engines, text) in enumerate(listening.said) if _is_run(engines, text)]
    after = listening.said[runs[-1] :] if runs else []
    replies = [text for engines, text in after if engines]
    log = log or str((result.detail or {}).get("log") or "")
    between = _between(scenario, engine, timeout) if every_step else {}
    return Trace(scenario, about, result, tuple(after), _object(replies[:1]), log, between)


def _between(scenario: Scenario, engine: Reachable, timeout: float) -> dict[int, Any]:
    """Play a scenario with a look after each step, and give what was seen there, by the step.

    Looks of our own would part the events between two of the scenario's, so it is not judged. An
    engine that cannot answer them has nothing to show.
    """
    steps: list[Step] = []
    asked: list[int | None] = []
    for number, step in enumerate(scenario.steps, 1):
        steps.append(step)
        if step.expect is not None:
            asked.append(None)
        elif step.word != "find":
            asked.append(number)
            steps.append(Step("expect", {}, expect=_everything(scenario)))
    found = trace(replace(scenario, steps=tuple(steps)), engine, timeout).reply
    observations = found.get("observations")
    return {
        number: observation
        for number, observation in zip(
            asked, observations if isinstance(observations, list) else (), strict=False
        )
        if number is not None and isinstance(observation, dict)
    }


def _everything(scenario: Scenario) -> dict[str, Any]:
    """Give an expectation that looks at all that has a name; what it expects is never compared."""
    ids = [
        item["id"]
        for player in scenario.given["players"]
        for zone in ZONES
        for item in scenario.given[player][zone]
        if not re.fullmatch(rf"{player}-{zone}-[0-9]+", item["id"])
    ]
    return {
        "designation": None,
        "turn": {"active": None, "step": None},
        "objects": {each: {"zone": None, "face": None} for each in ids},
        "stack": [],
    }


def _is_run(engines: bool, text: str) -> bool:
    return not engines and text.startswith('{"type":"run"')


def _object(replies: list[str]) -> Mapping[str, Any]:
    """Read a reply; what is no object has been judged already."""
    try:
        found = json.loads(replies[0]) if replies else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def as_text(one: Trace, shown: Shown, protocol: bool = False) -> str:
    """Tell a trace: each step, at each look each value with whether it is as it should be."""
    page = shown.page()
    scenario, engine = one.scenario, one.engine
    file, _, name = line(scenario.id).partition("#")
    how = f" · {line(engine.how, 200)}" if engine.how != engine.name else ""
    lines = [
        page.rule(),
        *page.paragraph(file, 0, 2, dim=True),
        *page.paragraph(name, 0, 2, bold=True),
        *page.paragraph(f"on {line(engine.name, 60)} {line(engine.version, 40)}{how}", 0, 2),
        "",
    ]
    telling, looks = tell(scenario), one.looks()
    for sentence in telling.setting:
        lines += page.paragraph(sentence, 6, 0, dim=True)
    # Without a reply to this scenario nothing is known of any step.
    over = 0 if not (one.reply.get("observations") is not None) else one.refused
    for told, step in zip(telling.steps, scenario.steps, strict=True):
        number = page.paint(f"{told.number:>4}", dim=True)
        if step.expect is None:
            lines += page.step(number, "", told.text, over is not None and told.number > over)
            if one.refused == told.number:
                sign = page.sign(Verdict.PASS if step.refused else Verdict.FAIL)
                reason = line(one.reply.get("reason") or "no reason given")
                lines += page.step("    ", f"{sign} ", f"refused: {reason}")
            elif step.refused and over is None:
                lines += page.step("    ", f"{page.sign(Verdict.FAIL)} ", "it was allowed")
            for text in _reported(one.between.get(told.number, {})):
                lines += page.step("    ", "  ", text, True)
            continue
        seen = looks.get(told.number)
        if isinstance(seen, list):
            lines += _seen(seen, number, shown)
            continue
        lines += page.step(number, f"{page.sign(Verdict.NOT_RUN)} ", told.text, True)
        if seen is not None:
            lines += page.step("    ", f"{page.sign(Verdict.ERROR)} ", f"reported {seen}")
    lines += ["", *_verdict(one, shown)]
    if one.log:
        lines += ["", page.rule("its log")]
        for said in plain(one.log).strip("\n").split("\n"):
            lines += [f"  {piece}" for piece in wrap(said, page.width - 2)]
    if protocol:
        lines += ["", page.rule("protocol")]
        for engines, text in one.said:
            lines.append(f"{'<' if engines else '>'} {line(text, len(text))}")
    return page.text(lines)


def _seen(seen: list[Leaf], number: str, shown: Shown) -> Iterator[str]:
    """Give what one look saw, a value a line."""
    page = shown.page()
    room = min(36, max((len(leaf.path) for leaf in seen), default=0))
    for place, leaf in enumerate(seen):
        sign = page.sign(Verdict.PASS if leaf.holds else Verdict.FAIL)
        if leaf.path == "no events":
            text = f"{'happened' if leaf.got else 'did not happen'}: {value(leaf.expected)}"
        else:
            text = value(leaf.got)
            text += "" if leaf.holds else f", expected {value(leaf.expected)}"
        yield from page.step(
            "    " if place else number, f"{sign} ", f"{line(leaf.path):<{room}}  {text}"
        )


def _reported(seen: Mapping[str, Any]) -> Iterator[str]:
    """Give what an engine said after a step, on as few lines as can be read."""
    turn = seen.get("turn")
    turn = turn if isinstance(turn, dict) else {}
    if seen:
        yield ", ".join(value(one) for one in (seen.get("designation"), *turn.values()))
    objects = seen.get("objects")
    for name, attributes in (objects if isinstance(objects, dict) else {}).items():
        yield f"{line(name, 40)}: {value(clip(attributes))}"
    if seen.get("stack"):
        yield f"stack: {value(clip(seen['stack']))}"


def _verdict(one: Trace, shown: Shown) -> Iterator[str]:
    """Say what it came to, and by which rule."""
    page, result = shown.page(), one.result
    sign = page.sign(result.verdict)
    word = {Verdict.ERROR: "error"}.get(result.verdict, WORDS[result.verdict])
    why = one_line(result)
    yield f"{sign} {page.paint(word, fg=COLORS[result.verdict], bold=True)}"
    if why:
        yield from page.labelled("why", why)
    yield from page.labelled("rule", line(", ".join(one.scenario.rules)))
    yield from page.labelled("file", line(f"{one.scenario.file}:{one.scenario.line}"))
