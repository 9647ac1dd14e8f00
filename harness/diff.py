"""What changed between two reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.model import Report, Result, Verdict
from harness.reports import Shown
from harness.reports.escape import json_text, line, markdown
from harness.reports.text import one_line
from harness.selection import file_of

BAD = (Verdict.FAIL, Verdict.ERROR)

KINDS = {
    "newly failing": "newly failing",
    "no longer played": "no longer played",
    "newly passing": "newly passing",
    "other": "otherwise different",
    "reason": "failing for another reason",
    "changed": "scenario changed",
    "renamed": "renamed",
    "new": "new",
    "gone": "gone",
}
"""The kinds of changes and their headings, in the order in which they are told."""

COLORS = {"newly failing": "red", "no longer played": "yellow", "newly passing": "green"}


class NothingInCommonError(ValueError):
    """Reports that have no engine to compare."""


@dataclass(frozen=True, slots=True)
class Change:
    """One scenario whose result is another now; `old` is None for a new one, `new` for one gone.

    `kind` is a key of `KINDS`. A change of the scenario itself, seen by its digest, is told as
    such, whatever the verdicts are: it is not the engine that changed.
    """

    engine: str
    id: str
    kind: str
    old: Result | None
    new: Result | None

    @property
    def worse(self) -> bool:
        """Say whether the engine got worse: a scenario gone, new or changed never says so."""
        return self.kind in ("newly failing", "no longer played")

    def to_json(self) -> dict[str, Any]:
        """Give the change for machines."""
        return {
            "engine": self.engine,
            "id": self.id,
            "kind": self.kind,
            "worse": self.worse,
            "old": None if self.old is None else self.old.to_json(),
            "new": None if self.new is None else self.new.to_json(),
        }


def between(old: Sequence[Report], new: Sequence[Report]) -> list[Change]:
    """Give what changed, engine by engine, in the order of the new reports.

    Engines are paired by name; one report on each side is a pair whatever the names, so that two
    engines can be compared too. Raises `NothingInCommonError`.
    """
    if len(old) == len(new) == 1:
        pairs = [(old[0], new[0])]
    else:
        before = {report.engine.name: report for report in old}
        pairs = [(before[r.engine.name], r) for r in new if r.engine.name in before]
    if not pairs:
        raise NothingInCommonError("the reports have no engine in common")
    return [change for one, other in pairs for change in _changes(one, other)]


def _changes(old: Report, new: Report) -> list[Change]:
    engine = new.engine.name
    before = {result.id: result for result in old.results}
    after = {result.id: result for result in new.results}
    lost = {r.digest: r for r in old.results if r.id not in after}
    changes = []
    moved = set()
    for result in new.results:
        was = before.get(result.id)
        if was is None and result.digest in lost:
            was = lost[result.digest]
            moved.add(was.id)
            kind = _kind(was, result) or "renamed"
        elif was is None:
            kind = "new"
        elif was.digest != result.digest:
            kind = "changed"
        else:
            found = _kind(was, result)
            if found is None:
                continue
            kind = found
        changes.append(Change(engine, result.id, kind, was, result))
    for result in old.results:
        if result.id not in after and result.id not in moved:
            changes.append(Change(engine, result.id, "gone", result, None))
    order = list(KINDS)
    return sorted(changes, key=lambda change: order.index(change.kind))


def _kind(old: Result, new: Result) -> str | None:
    """Give what a change of verdict is, or None where nothing changed."""
    if old.verdict == new.verdict:
        return "reason" if old.verdict in BAD and _why(old) != _why(new) else None
    if new.verdict in BAD:
        return "reason" if old.verdict in BAD else "newly failing"
    if old.verdict is Verdict.PASS:
        return "no longer played"
    return "newly passing" if new.verdict is Verdict.PASS else "other"


def _why(result: Result) -> Any:
    """Give the reason of a failure without what differs from run to run."""
    detail = dict(result.detail or {})
    detail.pop("log", None)
    return detail


def render(form: str, changes: Sequence[Change], shown: Shown) -> str:
    """Give the changes as text, markdown or JSON."""
    if form == "json":
        return as_json(changes)
    return as_markdown(changes) if form == "markdown" else as_text(changes, shown)


def as_json(changes: Sequence[Change]) -> str:
    """Give the changes with their counts first."""
    data = {
        "format": 1,
        "summary": {kind: sum(c.kind == kind for c in changes) for kind in KINDS},
        "worse": any(change.worse for change in changes),
        "changes": [change.to_json() for change in changes],
    }
    return json_text(data)


def as_text(changes: Sequence[Change], shown: Shown) -> str:
    """Give the changes for a terminal, the worst first, the summary line last."""
    page = shown.page()
    lines: list[str] = []
    several = len({change.engine for change in changes}) > 1
    for kind, heading in KINDS.items():
        its = [change for change in changes if change.kind == kind]
        if not its:
            continue
        lines.append(page.rule(f"{heading} ({len(its)})", COLORS.get(kind)))
        for change in its:
            who = f"{line(change.engine, 30)}: " if several else ""
            file, _, name = line(change.id).partition("#")
            lines += page.paragraph(who + file, 2, 2, dim=True)
            lines += page.paragraph(name, 2, 2)
            lines += page.paragraph(_told(change), 4, 2, dim=True)
        lines.append("")
    lines += [*page.paragraph(_summary(changes), 0, 0, bold=True)]
    return page.text(lines)


def as_markdown(changes: Sequence[Change]) -> str:
    """Give the changes for a pull request; what did not get worse is folded."""
    lines = [f"### {_summary(changes)}", ""]
    for kind, heading in KINDS.items():
        its = [change for change in changes if change.kind == kind]
        if not its:
            continue
        opened = " open" if its[0].worse else ""
        lines += [f"<details{opened}><summary>{heading} ({len(its)})</summary>", ""]
        for change in its:
            lines.append(f"- {markdown(file_of(change.id))} · {markdown(_name(change.id))}")
            lines.append(f"  <br>{markdown(change.engine)}: {markdown(_told(change))}")
        lines += ["", "</details>", ""]
    return "\n".join(lines)


def _name(scenario_id: str) -> str:
    return scenario_id.partition("#")[2]


def _told(change: Change) -> str:
    """Give the verdicts before and after, and the reason now."""
    old = "not there" if change.old is None else _verdict(change.old)
    new = "not there" if change.new is None else _verdict(change.new)
    moved = ""
    if change.old is not None and change.new is not None and change.old.id != change.new.id:
        moved = f" (was {line(change.old.id)})"
    why = one_line(change.new) if change.new is not None else ""
    said = old if old == new else f"{old} → {new}"
    return said + moved + (f": {why}" if why else "")


def _verdict(result: Result) -> str:
    return result.verdict.value.replace("_", " ")


def _summary(changes: Sequence[Change]) -> str:
    if not changes:
        return "nothing changed"
    counts = {kind: sum(c.kind == kind for c in changes) for kind in KINDS}
    return ", ".join(f"{number} {KINDS[kind]}" for kind, number in counts.items() if number)
