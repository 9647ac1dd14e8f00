"""Rulings and rules × scenarios, gaps first, for the people who document rulings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.model import Verdict
from harness.reports import Shown
from harness.reports.escape import json_text, line, markdown
from harness.telling import listed

if TYPE_CHECKING:
    from harness.corpus import Corpus
    from harness.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Entry:
    """One official ruling of the catalogue and the scenarios that show it."""

    key: str
    dates: tuple[str, ...]
    cards: tuple[str, ...]
    gist: str
    untestable: str | None
    superseded: str | None
    scenarios: tuple[str, ...]

    @property
    def state(self) -> str:
        """Say how it stands: uncovered, untestable or covered."""
        if self.scenarios:
            return "covered"
        return "untestable" if self.untestable else "uncovered"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule that scenarios cite; `witnessed` is None where nobody has broken it to see."""

    number: str
    scenarios: tuple[str, ...]
    witnessed: bool | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """The catalogue and the rules, each with its scenarios."""

    entries: tuple[Entry, ...]
    rules: tuple[Rule, ...]

    @property
    def summary(self) -> dict[str, int | None]:
        """The figures: each official ruling is covered, untestable or uncovered."""
        states = [entry.state for entry in self.entries]
        known = [rule.witnessed for rule in self.rules if rule.witnessed is not None]
        return {
            "official": len(states),
            "covered": states.count("covered"),
            "untestable": states.count("untestable"),
            "uncovered": states.count("uncovered"),
            "rules": len(self.rules),
            "witnessed": sum(known) if known else None,
        }


def coverage(
    corpus: Corpus, scenarios: Sequence[Scenario], witnessed: frozenset[str] | None = None
) -> Coverage:
    """Set the catalogue and the rules cited against the scenarios."""
    shown_by: dict[str, list[str]] = {}
    cited_by: dict[str, list[str]] = {}
    for scenario in scenarios:
        keys = scenario.proves
        if scenario.source == "official":
            keys = (scenario.ruling, *keys)
        for key in dict.fromkeys(keys):
            shown_by.setdefault(key, []).append(scenario.id)
        for rule in scenario.rules:
            cited_by.setdefault(rule, []).append(scenario.id)
    entries = tuple(
        Entry(
            key=key,
            dates=tuple(map(str, entry["dates"])),
            cards=tuple(entry.get("cards") or ()),
            gist=" ".join(entry["gist"].split()),
            untestable=entry.get("untestable"),
            superseded=_superseded(entry),
            scenarios=tuple(shown_by.get(key, ())),
        )
        for key, entry in corpus.catalog.items()
    )
    rules = tuple(
        Rule(number, tuple(ids), None if witnessed is None else number in witnessed)
        for number, ids in sorted(cited_by.items(), key=lambda item: _order(item[0]))
    )
    return Coverage(entries, rules)


def _superseded(entry: Any) -> str | None:
    over = entry.get("superseded")
    return f"by {over['by']} since {over['since']}" if over else None


def _order(number: str) -> tuple[int, int, str]:
    """Sort rules as the Comprehensive Rules do: 702.9 comes before 702.145a."""
    section, _, rest = number.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(section), int(digits or 0), rest[len(digits) :]


def gaps_first(found: Coverage) -> list[Entry]:
    """Give the rulings with what is missing first, then what cannot be shown, then the rest."""
    order = ["uncovered", "untestable", "covered"]
    return sorted(found.entries, key=lambda entry: order.index(entry.state))


def unwitnessed_first(found: Coverage) -> list[Rule]:
    """Give the rules that are merely named first."""
    return sorted(found.rules, key=lambda rule: rule.witnessed is not False)


def render(form: str, found: Coverage, shown: Shown) -> str:
    """Give the coverage as text, markdown or JSON."""
    if form == "json":
        return as_json(found)
    return as_markdown(found) if form == "markdown" else as_text(found, shown)


def as_json(found: Coverage) -> str:
    """Give the figures first, then the lists, gaps first."""
    data = {
        "summary": found.summary,
        "rulings": [
            {
                "key": entry.key,
                "state": entry.state,
                "dates": list(entry.dates),
                "cards": list(entry.cards),
                "gist": entry.gist,
                "untestable": entry.untestable,
                "superseded": entry.superseded,
                "scenarios": list(entry.scenarios),
            }
            for entry in gaps_first(found)
        ],
        "rules": [
            {
                "number": rule.number,
                "witnessed": rule.witnessed,
                "scenarios": list(rule.scenarios),
            }
            for rule in unwitnessed_first(found)
        ],
    }
    return json_text(data)


def as_text(found: Coverage, shown: Shown) -> str:
    """Give the coverage for a terminal, the figures last."""
    page = shown.page()
    signs = {
        "uncovered": page.sign(Verdict.FAIL),
        "untestable": page.sign(Verdict.UNSUPPORTED),
        "covered": page.sign(Verdict.PASS),
    }
    lines: list[str] = []
    state = None
    for entry in gaps_first(found):
        if entry.state != state:
            state = entry.state
            number = sum(one.state == state for one in found.entries)
            color = {"uncovered": "red", "untestable": "yellow"}.get(state)
            lines += [""] if lines else []
            lines.append(page.rule(f"official rulings, {state} ({number})", color))
        count = len(entry.scenarios)
        right = _scenarios(count) if count else entry.dates[0]
        row = page.row(line(entry.key), right, page.paint(right, dim=True), 4)
        lines.append(f"  {signs[entry.state]} {row[4:]}")
        if state != "covered" or shown.verbosity > 0:
            lines += page.paragraph(line(entry.gist), 6, 0, dim=True)
        if entry.untestable:
            lines += page.paragraph(line(f"Not shown: {entry.untestable}"), 6, 0)
        if entry.superseded:
            lines += page.paragraph(line(f"Superseded {entry.superseded}"), 6, 0)
    lines += ["", page.rule(f"rules ({len(found.rules)})")]
    for rule in unwitnessed_first(found):
        word = {True: "witnessed", False: "named only", None: ""}[rule.witnessed]
        right = ", ".join(filter(None, (word, _scenarios(len(rule.scenarios)))))
        sign = signs[{True: "covered", False: "untestable", None: "covered"}[rule.witnessed]]
        row = page.row(line(rule.number), right, page.paint(right, dim=True), 4)
        lines.append(f"  {sign} {row[4:]}")
    lines += ["", page.paint(_figures(found), bold=True)]
    return page.text(lines)


def as_markdown(found: Coverage) -> str:
    """Give the coverage for a pull request or a page: figures, gaps, then the rest folded."""
    lines = [f"## Coverage: {_figures(found)}", ""]
    for state, opened in (("uncovered", " open"), ("untestable", ""), ("covered", "")):
        its = [entry for entry in found.entries if entry.state == state]
        if not its:
            continue
        lines += [
            f"<details{opened}><summary>{state} ({len(its)})</summary>",
            "",
            "| ruling | dates | gist | scenarios |",
            "| --- | --- | --- | --: |",
        ]
        for entry in its:
            gist = entry.gist if not entry.untestable else f"{entry.gist} ({entry.untestable})"
            lines.append(
                f"| {markdown(entry.key)} | {markdown(', '.join(entry.dates))} | "
                f"{markdown(gist)} | {len(entry.scenarios)} |"
            )
        lines += ["", "</details>", ""]
    lines += [
        "<details><summary>rules</summary>",
        "",
        "| rule | scenarios | |",
        "| --- | --: | --- |",
    ]
    for rule in unwitnessed_first(found):
        word = {True: "witnessed", False: "named only", None: ""}[rule.witnessed]
        lines.append(f"| {markdown(rule.number)} | {len(rule.scenarios)} | {word} |")
    return "\n".join([*lines, "", "</details>", ""])


def _figures(found: Coverage) -> str:
    summary = found.summary
    told = [f"{summary[word]} {word}" for word in ("covered", "untestable", "uncovered")]
    text = f"{summary['official']} official rulings: {listed(told)}; {summary['rules']} rules cited"
    if summary["witnessed"] is not None:
        text += f", {summary['witnessed']} witnessed"
    return text


def _scenarios(number: int) -> str:
    return f"{number} scenario{'' if number == 1 else 's'}"
