"""Known failures: what is expected to go wrong, and the bookkeeping that finds what was not.

A pipeline is to fail on a new failure, on a failure of another kind, on a pass that the list does
not know of, and on entries that have become wrong. The bookkeeping is here; how it is shown is up
to the reports.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

from harness.model import Engine, Result, Verdict
from harness.problem import BadCorpus, Problem

KINDS: dict[str, frozenset[str]] = {
    "pass": frozenset(),
    "fail": frozenset({"mismatch", "refused", "allowed", "unstable"}),
    "unsupported": frozenset({"card", "capability", "step", "look", "given"}),
    "error": frozenset({"start", "crash", "timeout", "protocol", "false-unsupported", "engine"}),
}
"""Which kinds a verdict has."""

FAR_MORE = 2
"""An entry may match so many times the scenarios that it says, and no more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Scenarios that come out in a way that is known; None is "whatever"."""

    scenarios: tuple[str, ...]
    verdict: Verdict
    reason: str
    kind: str | None = None
    step: int | None = None
    path: str | None = None
    name: str | None = None
    count: int | None = None
    issue: str | None = None
    until: date | None = None
    line: int = 0

    def matches(self, ids: Iterable[str]) -> bool:
        """Say whether the entry is about the scenario that has these ids, its aliases too."""
        return any(fits(pattern, each) for pattern in self.scenarios for each in ids)

    def expects(self, result: Result) -> bool:
        """Say whether the result is just what the entry says."""
        if result.verdict is Verdict.PASS and self.kind == "unstable":
            return True
        if result.verdict is not self.verdict:
            return False
        detail = result.detail or {}
        # Chance decides what an unstable scenario shows in a single play.
        kind = None if self.kind == "unstable" else self.kind
        return (
            (kind is None or kind == detail.get("kind"))
            and (self.step is None or self.step == detail.get("step"))
            and (self.path is None or fits(self.path, str(detail.get("path"))))
            and (self.name is None or fits(self.name, str(detail.get("name"))))
        )

    def __str__(self) -> str:
        """Say what is expected: `fail (mismatch) at step 4, objects.ruffian.face`."""
        kind = f" ({self.kind})" if self.kind else ""
        name = f" {self.name}" if self.name else ""
        step = f" at step {self.step}" if self.step else ""
        path = f", {self.path}" if self.path else ""
        return f"{self.verdict.value}{kind}{name}{step}{path}"


@dataclass(frozen=True, slots=True)
class Expectations:
    """What a file of expectations says. The first entry that matches a scenario decides."""

    entries: tuple[Entry, ...] = ()
    unsupported_listed: bool = False
    """Whether what is unsupported has to be listed too."""

    def entry_for(self, ids: Iterable[str]) -> Entry | None:
        """Find the entry that decides about a scenario."""
        every = tuple(ids)
        return next((entry for entry in self.entries if entry.matches(every)), None)


class Standing(StrEnum):
    """What a result is, set against the expectations."""

    EXPECTED = "expected"
    """It passed, or nobody had to expect that it is unsupported."""
    KNOWN = "known"
    """It did not pass, and came out as an entry says."""
    NEW = "new"
    """It did not pass, and no entry speaks of it."""
    PASSES = "passes"
    """It passed, and an entry says that it does not: the list must be trimmed."""
    OTHERWISE = "otherwise"
    """It did not pass, and an entry says that it comes out in another way."""
    NOT_RUN = "not run"
    """The run ended before it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One result, the entry that decides about it, and what it is."""

    result: Result
    entry: Entry | None
    standing: Standing

    @property
    def is_unexpected(self) -> bool:
        """Whether somebody has to look at it."""
        return self.standing not in (Standing.EXPECTED, Standing.KNOWN)

    def __str__(self) -> str:
        """Say in one line what it is."""
        told = tell(self.result)
        if self.entry is None:
            end = ", and no entry expects it" if self.standing is Standing.NEW else ""
            return f"{self.result.id}: {told}{end}"
        where = f"line {self.entry.line}"
        if self.standing is Standing.KNOWN:
            return f"{self.result.id}: {told}, as {where} expects: {self.entry.reason}"
        if self.standing is Standing.PASSES:
            return f"{self.result.id}: {told}, and {where} expects {self.entry}: trim the list"
        if self.standing in (Standing.NEW, Standing.OTHERWISE):
            return f"{self.result.id}: {told}, and {where} expects {self.entry}"
        return f"{self.result.id}: {told}"


@dataclass(frozen=True, slots=True)
class Account:
    """A run set against the expectations: every result, and what is wrong with the list."""

    items: tuple[Item, ...]
    faults: tuple[str, ...]

    @property
    def is_balanced(self) -> bool:
        """Whether all is as expected, and the list with it."""
        return not self.faults and not self.unexpected

    @property
    def unexpected(self) -> tuple[Item, ...]:
        """The results that somebody has to look at."""
        return tuple(item for item in self.items if item.is_unexpected)

    @property
    def known(self) -> tuple[Item, ...]:
        """The results that are folded away in reports."""
        return tuple(item for item in self.items if item.standing is Standing.KNOWN)

    def lines(self) -> list[str]:
        """Give what is not as expected, a line each: results first, then faults of the list."""
        return [str(item) for item in self.unexpected] + list(self.faults)


def settle(
    expectations: Expectations,
    results: Sequence[Result],
    known: Mapping[str, Sequence[str]],
    today: date | None = None,
) -> Account:
    """Set results against expectations.

    `known` has every scenario of the corpus, whether it was run or not, and its aliases: an entry
    is not at fault because only a part of the corpus was run.
    """
    day = today or date.today()
    past = {entry for entry in expectations.entries if entry.until and entry.until < day}
    items = []
    for result in results:
        entry = expectations.entry_for((result.id, *known.get(result.id, ())))
        if entry in past:
            entry = None
        items.append(Item(result, entry, _standing(result, entry, expectations)))
    return Account(tuple(items), tuple(_faults(expectations, known, past)))


def load(path: Path) -> Expectations:
    """Read a file of expectations. Raises `BadCorpus` with all that is wrong with it."""
    from harness.checks import reading, shape
    from harness.files import File, Shelf

    file = File.open(path)
    file.kind = "expectations"
    problems = [
        problem
        for check in (*reading.CHECKS, *shape.CHECKS)
        for problem in check.check([file], Shelf())
    ]
    if not problems:
        entries = tuple(
            _entry(raw, file.document.position(("expectations", place))[0])
            for place, raw in enumerate(file.value["expectations"])
        )
        problems = [
            Problem(
                file.shown,
                *file.document.position(("expectations", place, key), key=True),
                code,
                f"expectations[{place}].{key}",
                message,
                hint,
            )
            for place, entry in enumerate(entries)
            for key, code, message, hint in _contradictions(entry)
        ]
    if problems:
        raise BadCorpus(sorted(problems))
    return Expectations(entries, file.value.get("unsupported") == "listed")


def written(results: Sequence[Result], engine: Engine, old: Expectations | None = None) -> str:
    """Write a file that expects just these results; unexplained entries say so.

    What is unsupported is left out unless the older list says that it has to be listed. Entries of
    that list that still tell the truth keep their reasons, issues and dates.
    """
    import yaml

    listed = old is not None and old.unsupported_listed
    groups: dict[Entry, list[str]] = {}
    for result in results:
        if result.verdict is Verdict.UNSUPPORTED and not listed:
            continue
        entry = _entry_of(result, old)
        if entry is not None:
            groups.setdefault(entry, []).append(result.id)
    raw: dict[str, Any] = {"engine": f"{engine.name} {engine.version}"}
    if listed:
        raw["unsupported"] = "listed"
    raw["expectations"] = [_raw(entry, ids) for entry, ids in groups.items()]
    text: str = yaml.safe_dump(raw, sort_keys=False, allow_unicode=True, width=96)
    return f"# Written by rulings run --write-expectations; each reason is for you to say.\n{text}"


def tell(result: Result) -> str:
    """Say in a few words how a scenario came out."""
    detail = result.detail or {}
    kind = detail.get("kind")
    if result.verdict is Verdict.PASS:
        return "passed"
    if result.verdict is Verdict.NOT_RUN:
        return "was not run"
    if result.verdict is Verdict.UNSUPPORTED:
        return f"is unsupported ({kind} {detail.get('name')})"
    if result.verdict is Verdict.ERROR:
        return f"ended in an error ({kind}: {_one_line(detail.get('reason'))})"
    step = f" at step {detail.get('step')}" if detail.get("step") else ""
    path = f", {detail['path']}" if detail.get("path") else ""
    if kind in ("refused", "allowed"):
        reason = f": {_one_line(detail['reason'])}" if detail.get("reason") else ""
        return f"failed{step}: the action was {kind}{reason}"
    seen = f": expected {_shown(detail.get('expected'))}, got {_shown(detail.get('got'))}"
    return f"{'is unstable' if kind == 'unstable' else 'failed'}{step}{path}{seen}"


def _standing(result: Result, entry: Entry | None, expectations: Expectations) -> Standing:
    if result.verdict is Verdict.NOT_RUN:
        return Standing.NOT_RUN
    passed = result.verdict is Verdict.PASS
    if entry is None:
        unlisted = result.verdict is Verdict.UNSUPPORTED and not expectations.unsupported_listed
        return Standing.EXPECTED if passed or unlisted else Standing.NEW
    if entry.expects(result):
        return Standing.EXPECTED if passed else Standing.KNOWN
    if passed:
        return Standing.PASSES
    return Standing.NEW if entry.verdict is Verdict.PASS else Standing.OTHERWISE


def _faults(
    expectations: Expectations, known: Mapping[str, Sequence[str]], past: set[Entry]
) -> Iterable[str]:
    """Find what is wrong with the list itself, whatever was run."""
    decided: dict[Entry, int] = {}
    matched: dict[Entry, int] = {}
    names = {id_: (id_, *aliases) for id_, aliases in known.items()}
    for ids in names.values():
        every = [entry for entry in expectations.entries if entry.matches(ids)]
        for entry in every:
            matched[entry] = matched.get(entry, 0) + 1
        if every:
            decided[every[0]] = decided.get(every[0], 0) + 1
    for entry in expectations.entries:
        where = f"line {entry.line}"
        if entry in past:
            yield f"{where}: its last day, {entry.until}, is over"
        for pattern in entry.scenarios:
            if not any(fits(pattern, each) for ids in names.values() for each in ids):
                yield f"{where}: matches no scenario: {pattern}"
        count = entry.count or len(entry.scenarios)
        found = matched.get(entry, 0)
        if found > FAR_MORE * count:
            yield f"{where}: matches {found} scenarios and says {count}"
        if found and not decided.get(entry):
            yield f"{where}: entries above it decide about all that it matches"


def _contradictions(entry: Entry) -> Iterable[tuple[str, str, str, str]]:
    """Find what a schema cannot say: key, code, message, hint."""
    kinds = KINDS[entry.verdict.value]
    if entry.kind is not None and entry.kind not in kinds:
        hint = f"write one of {', '.join(sorted(kinds))}" if kinds else "leave it out"
        yield "kind", "X001", f"no {entry.verdict.value} is of the kind {entry.kind}", hint
    if entry.verdict is Verdict.ERROR and entry.kind is None:
        message = "an entry that expects an error has to name its kind"
        yield "verdict", "X002", message, f"kind: one of {', '.join(sorted(kinds))}"
    wild = [pattern for pattern in entry.scenarios if "*" in pattern]
    if wild and entry.count is None:
        message = f"{wild[0]!r} may match any number of scenarios"
        yield "scenarios", "X003", message, "say how many are meant: count: 3"
    for key, verdict in (("step", "fail"), ("path", "fail"), ("name", "unsupported")):
        if getattr(entry, key) is not None and entry.verdict.value != verdict:
            yield key, "X004", f"only a {verdict} has a {key}", "leave it out"


def _entry(raw: Mapping[str, Any], line: int) -> Entry:
    until = raw.get("until")
    return Entry(
        scenarios=tuple(raw["scenarios"]),
        verdict=Verdict(raw["verdict"]),
        reason=raw["reason"],
        kind=raw.get("kind"),
        step=raw.get("step"),
        path=raw.get("path"),
        name=raw.get("name"),
        count=raw.get("count"),
        issue=raw.get("issue"),
        until=None if until is None else date.fromisoformat(until),
        line=line,
    )


def _entry_of(result: Result, old: Expectations | None) -> Entry | None:
    """Make the entry that expects a result; scenarios are left to who groups them."""
    if result.verdict in (Verdict.PASS, Verdict.NOT_RUN):
        return None
    detail = result.detail or {}
    before = old.entry_for((result.id,)) if old is not None else None
    kept = before if before is not None and before.expects(result) else None
    fail = result.verdict is Verdict.FAIL
    return Entry(
        scenarios=(),
        verdict=result.verdict,
        kind=detail.get("kind"),
        step=detail.get("step") if fail else None,
        path=detail.get("path") if fail else None,
        name=detail.get("name") if result.verdict is Verdict.UNSUPPORTED else None,
        reason=kept.reason if kept else _reason_of(result),
        issue=kept.issue if kept else None,
        until=kept.until if kept else None,
    )


def _reason_of(result: Result) -> str:
    """Say what happened, where nobody has said why yet."""
    if result.verdict is Verdict.UNSUPPORTED and (result.detail or {}).get("reason"):
        return _one_line((result.detail or {})["reason"])
    return f"not explained yet: {tell(result)}"


def _raw(entry: Entry, ids: Sequence[str]) -> dict[str, Any]:
    raw = {
        "scenarios": list(ids),
        "verdict": entry.verdict.value,
        "kind": entry.kind,
        "step": entry.step,
        "path": entry.path,
        "name": entry.name,
        "reason": entry.reason,
        "issue": entry.issue,
        "until": None if entry.until is None else entry.until.isoformat(),
    }
    return {key: value for key, value in raw.items() if value is not None}


def fits(pattern: str, text: str) -> bool:
    """Say whether a text fits a pattern in which * stands for any text."""
    if "*" not in pattern:
        return pattern == text
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None


def _shown(value: Any) -> str:
    return _one_line(json.dumps(value, ensure_ascii=False))


def _one_line(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 120 else text[:119] + "…"
