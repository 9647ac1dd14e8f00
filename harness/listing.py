"""What there is: scenarios as a list, one scenario told, and the engines that have a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.model import Verdict
from harness.reports import Shown
from harness.reports.escape import json_text, line, plain
from harness.reports.page import wrap
from harness.selection import file_of
from harness.telling import listed, tell

if TYPE_CHECKING:
    from harness.adapter_check import Checkup
    from harness.corpus import Corpus, Scenario
    from harness.engines import Listed


def as_json(scenarios: Sequence[Scenario]) -> str:
    """Give the scenarios as a JSON array, in the order of the corpus."""
    every = [
        {
            "id": scenario.id,
            "digest": scenario.digest,
            "ruling": scenario.ruling,
            "source": scenario.source,
            "date": scenario.date,
            "rules": list(scenario.rules),
            "level": scenario.level,
            "since": scenario.since,
            "until": scenario.until,
            "needs": list(scenario.needs),
            "cards": list(scenario.cards),
            "why": scenario.why,
            "file": scenario.file,
            "line": scenario.line,
        }
        for scenario in scenarios
    ]
    return json_text(every)


def as_text(scenarios: Sequence[Scenario], shown: Shown) -> str:
    """Give the scenarios under their rulings, folder by folder."""
    page = shown.page()
    files: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        files.setdefault(file_of(scenario.id), []).append(scenario)
    lines: list[str] = []
    folder = None
    for file, its in files.items():
        above, _, stem = file.rpartition("/")
        if above != folder:
            lines += (
                ["", page.paint(line(above), bold=True)]
                if lines
                else [page.paint(line(above), bold=True)]
            )
            folder = above
        rules = listed(rule for rule in its[0].rules if all(rule in one.rules for one in its))
        lines.append(page.row(line(stem), rules, page.paint(rules, dim=True)))
        for scenario in its:
            lines += page.paragraph(line(scenario.name), 6, 2, dim=True)
    lines += ["", f"{_number(len(scenarios), 'scenario')} of {_number(len(files), 'ruling')}"]
    return page.text(lines)


def told(scenario: Scenario, corpus: Corpus, shown: Shown) -> str:
    """Tell one scenario: what it shows and why, then the game step by step."""
    page = shown.page()
    entry: Any = corpus.catalog.get(scenario.ruling, {})
    lines = [
        page.rule(),
        *page.paragraph(line(file_of(scenario.id)), 0, 2, dim=True),
        *page.paragraph(line(scenario.name), 0, 2, bold=True),
        "",
    ]
    ruling = scenario.ruling if scenario.date is None else f"{scenario.ruling}, {scenario.date}"
    lines += page.labelled(scenario.source.replace("comprehensive-rules", "rule"), ruling)
    if entry.get("gist"):
        lines += page.labelled("", plain(entry["gist"]), dim=True)
    lines += page.labelled("rules", listed(scenario.rules))
    lines += page.labelled("cards", "; ".join(scenario.cards))
    if scenario.needs:
        lines += page.labelled("needs", listed(scenario.needs))
    if scenario.level != "must":
        lines += page.labelled("level", scenario.level)
    if scenario.since or scenario.until:
        span = [f"since {scenario.since}"] if scenario.since else []
        span += [f"until {scenario.until}"] if scenario.until else []
        lines += page.labelled("editions", " ".join(span))
    lines += page.labelled("file", line(f"{scenario.file}:{scenario.line}"))
    lines += ["", *page.paragraph(line(scenario.why)), "", *page.told(tell(scenario))]
    return page.text(lines)


def engines_as_json(engines: Sequence[Listed]) -> str:
    """Give the engines as a JSON array."""
    every = [
        {
            "name": engine.name,
            "version": engine.version,
            "how": engine.how,
            "package": engine.package,
            "summary": engine.summary,
            "takes_argument": engine.takes_argument,
        }
        for engine in engines
    ]
    return json_text(every)


def engines_as_text(engines: Sequence[Listed], shown: Shown) -> str:
    """Give the engines, one a paragraph, and how to reach any other."""
    page = shown.page()
    lines: list[str] = []
    for engine in engines:
        name = f"{engine.name}:NAME" if engine.takes_argument else engine.name
        left, right = line(name, 60), line(engine.version or "not installed", 40)
        row = page.row(left, right, page.paint(right, dim=True))
        lines.append(row.replace(left, page.paint(left, bold=True), 1))
        if engine.summary:
            lines += page.paragraph(line(engine.summary, 300), 4, dim=True)
    lines += [
        "",
        "Any other engine:",
        "  cmd:COMMAND             a program that speaks the adapter protocol",
        "  python:MODULE:FACTORY   an adapter in this process",
    ]
    return page.text(lines)


def checkup_as_json(found: Checkup) -> str:
    """Give what was found out about an adapter as JSON."""
    return json_text(found.to_json())


def checkup_as_text(found: Checkup, shown: Shown, quiet: bool = False) -> str:
    """Give each check with its findings, the figures last."""
    page = shown.page()
    lines: list[str] = []
    if found.engine is not None and not quiet:
        who = f"{line(found.engine.name, 60)} {line(found.engine.version, 40)}"
        lines += [*page.paragraph(who, 0, 2, bold=True), ""]
    for checked in found.checks:
        if quiet and not checked.findings:
            continue
        sign = page.sign(Verdict.FAIL if checked.findings else Verdict.PASS)
        first, *rest = wrap(f"{checked.name}: {checked.about}", page.width - 4)
        lines += [f"  {sign} {first}", *(f"    {more}" for more in rest)]
        for finding in checked.findings:
            lines += page.paragraph(line(finding.message), 4, 2, fg="red")
            for label, said in (("sent", finding.sent), ("received", finding.received)):
                if said is not None:
                    lines += page.labelled(label, line(said, 400))
    wrong = sum(bool(checked.findings) for checked in found.checks)
    words = f"{len(found.checks) - wrong} of {len(found.checks)} checks passed"
    words += f", with {_number(found.played, 'scenario')}"
    lines += [
        *([] if quiet else [""]),
        page.paint(words, fg="red" if wrong else "green", bold=True),
    ]
    return page.text(lines)


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
