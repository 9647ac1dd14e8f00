"""A summary for pull requests and `GITHUB_STEP_SUMMARY`: figures, failures, the rest folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from harness.model import Report, Result, Verdict
from harness.reports import Shown, wrong
from harness.reports.escape import code, markdown, plain
from harness.reports.page import SIGNS
from harness.reports.text import WORDS, failure, one_line
from harness.selection import file_of

LARGEST = 1024 * 1024
"""So many bytes a step's summary may have; what is longer is not shown at all there."""

ROOM = 64 * 1024
"""Kept free of details for what must not be missing."""


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give the summary, failures first, never larger than `LARGEST` bytes."""
    budget = (LARGEST - ROOM) // max(1, len(reports))
    return "\n".join(_one(report, shown, budget) for report in reports)


def _one(report: Report, shown: Shown, budget: int) -> str:
    counted = shown.counted(report)
    engine, summary = report.engine, counted.summary
    head = [
        f"## {markdown(engine.name, 60)} {markdown(engine.version, 40)}: {_verdict(counted)}",
        "",
        "| " + " | ".join(f"{SIGNS[v][0]} {word}" for v, word in WORDS.items()) + " | scenarios |",
        "|" + " --: |" * (len(WORDS) + 1),
        "| "
        + " | ".join(str(summary[verdict.value]) for verdict in WORDS)
        + f" | {len(counted.results)} |",
        "",
    ]
    if not report.complete:
        head += ["**Incomplete:** the run ended before every scenario was played.", ""]
    parts = list(head)
    bad = wrong(report, shown)
    if bad:
        parts += [f"### {len(bad)} to look at", ""]
    used = sum(len(part.encode()) + 1 for part in parts)
    left = 0
    for number, result in enumerate(bad):
        block = _failure(report, result, shown)
        size = len(block.encode()) + 1
        if used + size > budget:
            left = len(bad) - number
            break
        parts.append(block)
        used += size
    if left:
        parts += [f"… and {left} more, left out to stay within the size that is shown.", ""]
    for block in (
        _listed(report, shown),
        _doubted(report, shown),
        _lacking(counted),
        _table(counted),
    ):
        if block and used + len(block.encode()) < budget + ROOM // 2:
            parts.append(block)
            used += len(block.encode())
    where = (
        f"<sub>{code(engine.how, 200)}, corpus {markdown(report.corpus.version, 20)} "
        f"({markdown(report.corpus.digest[:12])}), rules of "
        f"{markdown(report.corpus.edition, 20)}, {report.seconds:.2f} s</sub>"
    )
    return "\n".join([*parts, where, ""])


def _verdict(report: Report) -> str:
    """Say in words how it went; what was not played does not count as passed."""
    summary, every = report.summary, len(report.results)
    if not report.complete:
        return "incomplete"
    if summary["pass"] == every and every:
        return f"all {every} passed"
    return f"{summary['pass']} of {every} passed"


def _failure(report: Report, result: Result, shown: Shown) -> str:
    """Give one failure, folded: the scenario's name and what differed show at once."""
    sign = SIGNS[result.verdict][0]
    name = result.id.partition("#")[2] or result.id
    told = failure(report, result, replace(shown, color=False, unicode=True, width=80))
    text = plain("\n".join(told), 8000).replace("&", "&amp;").replace("<", "&lt;")
    why = one_line(result) or "passes, and is known not to"
    return "\n".join(
        (
            f"<details><summary>{sign} <b>{markdown(name)}</b><br>"
            f"{markdown(file_of(result.id))}<br>{code(why, 400)}</summary>",
            "",
            f"<pre>{text}</pre>",
            "",
            "</details>",
            "",
        )
    )


def _listed(report: Report, shown: Shown) -> str:
    """Give what is wrong with the list of known failures, and the known failures, folded."""
    account = shown.account_of(report)
    if account is None:
        return ""
    out = [f"- {markdown(fault)}" for fault in account.faults]
    if account.faults:
        out = ["### The list of known failures", "", *out, ""]
    if account.known:
        rows = [
            f"| {markdown(item.result.id)} | {markdown(item.entry.reason if item.entry else '')} |"
            for item in account.known[:500]
        ]
        out += [
            f"<details><summary>{len(account.known)} known failures</summary>",
            "",
            "| scenario | reason |",
            "| --- | --- |",
            *rows,
            "",
            "</details>",
            "",
        ]
    return "\n".join(out)


def _doubted(report: Report, shown: Shown) -> str:
    """Give what is in quarantine, folded: no figure has it."""
    doubted = [(result, entry) for result in report.results if (entry := shown.doubt(result))]
    if not doubted:
        return ""
    rows = [
        f"| {markdown(result.id)} | {SIGNS[result.verdict][0]} "
        f"{result.verdict.value.replace('_', ' ')} | {markdown(entry.reason)} |"
        for result, entry in doubted[:500]
    ]
    return "\n".join(
        (
            f"<details><summary>{len(doubted)} in quarantine, not counted</summary>",
            "",
            "| scenario | verdict | why in doubt |",
            "| --- | --- | --- |",
            *rows,
            "",
            "</details>",
            "",
        )
    )


def _lacking(report: Report) -> str:
    """Give what the engine does not have, folded."""
    lacks = Counter(
        f"{(r.detail or {}).get('kind')} {(r.detail or {}).get('name')}"
        for r in report.results
        if r.verdict is Verdict.UNSUPPORTED
    )
    if not lacks:
        return ""
    rows = [f"| {number} | {code(name, 200)} |" for name, number in lacks.most_common(200)]
    return "\n".join(
        (
            f"<details><summary>○ {sum(lacks.values())} unsupported</summary>",
            "",
            "| scenarios | what |",
            "| --: | --- |",
            *rows,
            "",
            "</details>",
            "",
        )
    )


def _table(report: Report) -> str:
    """Give every ruling's counts, folded."""
    files: dict[str, Counter[Verdict]] = {}
    for result in report.results:
        files.setdefault(file_of(result.id), Counter())[result.verdict] += 1
    rows = [
        f"| {markdown(file)} | " + " | ".join(str(tally[v] or "") for v in WORDS) + " |"
        for file, tally in files.items()
    ]
    return "\n".join(
        (
            f"<details><summary>All {len(files)} ruling{'' if len(files) == 1 else 's'}</summary>",
            "",
            "| ruling | " + " | ".join(WORDS.values()) + " |",
            "| --- |" + " --: |" * len(WORDS),
            *rows,
            "",
            "</details>",
            "",
        )
    )
