"""Planted faults × scenarios, for a terminal and as JSON."""

from __future__ import annotations

import json

from harness.faults import Matrix, Outcome
from harness.model import Verdict
from harness.reports import Shown
from harness.reports.escape import line
from harness.reports.page import Page


def as_json(matrix: Matrix) -> str:
    """Give the whole matrix as JSON."""
    return json.dumps(matrix.to_json(), indent=1, ensure_ascii=False) + "\n"


def as_text(matrix: Matrix, shown: Shown) -> str:
    """Give a row for each fault, then what is wrong, then a summary."""
    page = shown.page()
    lines = [page.rule("planted faults"), ""]
    for outcome in matrix.outcomes:
        lines += _row(outcome, page, shown.verbosity)
    problems = matrix.problems()
    if problems:
        lines += ["", page.rule("problems", "red")]
        for problem in problems:
            lines += page.paragraph(line(problem), 2, 2)
    planted = matrix.planted
    caught = sum(1 for each in planted if each.caught_by)
    catching = sum(1 for names in matrix.catches().values() if names)
    excused = sum(1 for one in matrix.scenarios if one.catches_nothing is not None)
    words = f"{caught} of {len(planted)} faults caught"
    words += f", {catching} of {len(matrix.scenarios)} scenarios catch one"
    if excused:
        words += f", {excused} say why none can"
    if matrix.void:
        words = "the run is void: the engine that does nothing passes"
    color = "red" if problems else "green"
    return page.text([*lines, "", page.paint(words, fg=color, bold=True)])


def _row(outcome: Outcome, page: Page, verbosity: int) -> list[str]:
    fault = outcome.fault
    if fault.control:
        words = "fails everything" if outcome.good else f"passes {outcome.passed}"
    else:
        words = f"caught by {len(outcome.caught_by)}"
        if outcome.also:
            words += f" (+{len(outcome.also)})"
    sign = page.sign(Verdict.PASS if outcome.good else Verdict.FAIL)
    rules = ", ".join(fault.rules) or "control"
    lines = [f"{sign} " + page.row(line(fault.name), words, indent=0)]
    if verbosity >= 0:
        lines += page.paragraph(line(f"{fault.gist} ({rules})"), 4, 0, dim=True)
    if verbosity > 0:
        for name in outcome.caught_by:
            lines += page.paragraph(line(name), 6, 2)
    return lines
