"""JUnit XML as the common viewers take it: one suite an engine, one case a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from harness.model import Report, Result, Verdict
from harness.reports import Shown
from harness.reports.escape import xml
from harness.reports.text import one_line
from harness.selection import file_of

if TYPE_CHECKING:
    from harness.expectations import Item
    from harness.quarantine import Entry


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give the reports as one XML document."""
    root = ET.Element("testsuites", {"name": "card-rulings", **_counts(reports, shown)})
    for report in reports:
        root.append(_suite(report, shown))
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=False).join(
        ('<?xml version="1.0" encoding="UTF-8"?>\n', "\n")
    )


Case = tuple[Result, "Item | None", "Entry | None"]
"""A result, what it is set against the known failures where they are listed, and its quarantine."""


def _cases(report: Report, shown: Shown) -> list[Case]:
    """Give every result; an account has none of those in quarantine."""
    account = shown.account_of(report)
    items = {item.result.id: item for item in account.items} if account else {}
    return [(r, items.get(r.id), shown.doubt(r)) for r in report.results]


def _counts(reports: Sequence[Report], shown: Shown) -> dict[str, str]:
    """Give the counts that JUnit knows: only what passed and counts is not in one of them."""
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for report in reports:
        totals["tests"] += len(report.results)
        for case in _cases(report, shown):
            outcome = _outcome(*case)
            if outcome != "passed":
                totals[outcome] += 1
    seconds = sum(report.seconds for report in reports)
    return {**{key: str(value) for key, value in totals.items()}, "time": f"{seconds:.3f}"}


def _outcome(result: Result, item: Item | None, doubt: Entry | None) -> str:
    """Give what JUnit makes of a result: a known failure is skipped, an unexpected pass fails.

    What is in quarantine is skipped, a pass too: none of it counts.
    """
    if doubt is not None:
        return "skipped"
    if item is not None and item.standing == "known":
        return "skipped"
    if result.verdict is Verdict.ERROR:
        return "errors"
    if result.verdict is Verdict.FAIL or (item is not None and item.standing in _ASTRAY):
        return "failures"
    return "passed" if result.verdict is Verdict.PASS else "skipped"


_ASTRAY = ("passes", "new", "otherwise")


def _suite(report: Report, shown: Shown) -> ET.Element:
    engine, corpus = report.engine, report.corpus
    suite = ET.Element("testsuite", {"name": xml(engine.name, 200), **_counts([report], shown)})
    properties = ET.SubElement(suite, "properties")
    for name, value in (
        ("engine.version", engine.version),
        ("engine.language", engine.language),
        ("engine.how", engine.how),
        ("corpus.version", corpus.version),
        ("corpus.digest", corpus.digest),
        ("corpus.edition", corpus.edition),
        ("complete", str(report.complete).lower()),
    ):
        if value is not None:
            ET.SubElement(properties, "property", name=name, value=xml(value, 2000))
    for case in _cases(report, shown):
        suite.append(_case(report, case, shown))
    return suite


def _case(report: Report, one: Case, shown: Shown) -> ET.Element:
    """Give one scenario; what is not a pass says why in its message and in full in its text."""
    result, item, doubt = one
    name = result.id.partition("#")[2] or result.id
    case = ET.Element(
        "testcase",
        classname=xml(file_of(result.id).replace("/", ".")),
        name=xml(name),
        file=xml(result.file),
        line=str(result.line),
        time="0.000",
    )
    properties = ET.SubElement(case, "properties")
    for key, value in (
        ("id", result.id),
        ("ruling", result.ruling),
        ("rules", ", ".join(result.rules)),
        ("level", result.level),
    ):
        ET.SubElement(properties, "property", name=key, value=xml(value))
    detail = result.detail or {}
    kind = xml(detail.get("kind", result.verdict.value))
    message = xml(one_line(result))
    outcome = _outcome(*one)
    if doubt is not None:
        told = message if result.verdict is Verdict.NOT_RUN else result.verdict.value
        why = f": {message}" if message != told and message else ""
        said = f"{told}, in quarantine ({xml(doubt.reason, 400)}){why}"
        ET.SubElement(case, "skipped", message=said)
    elif outcome in ("failures", "errors"):
        tag = outcome.removesuffix("s")
        said = message or "passes, and is known not to"
        problem = ET.SubElement(case, tag, type=kind, message=said)
        problem.text = xml(_full(report, result, shown), 20000)
        if detail.get("log"):
            ET.SubElement(case, "system-err").text = xml(detail["log"], 20000)
    elif item is not None and item.standing == "known" and item.entry is not None:
        reason = xml(item.entry.reason)
        ET.SubElement(case, "skipped", message=f"known: {reason} ({message})")
    elif result.verdict is Verdict.UNSUPPORTED:
        ET.SubElement(case, "skipped", message=f"unsupported: {message}")
    elif result.verdict is Verdict.NOT_RUN:
        ET.SubElement(case, "skipped", message="not run")
    return case


def _full(report: Report, result: Result, shown: Shown) -> str:
    """Tell a failure as the text report does."""
    from dataclasses import replace

    from harness.reports.text import failure

    return "\n".join(failure(report, result, replace(shown, color=False, unicode=True)))
