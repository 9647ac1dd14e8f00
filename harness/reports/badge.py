"""A badge as SVG: how many of the scenarios an engine gets right."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from harness.model import Report
from harness.reports import Shown
from harness.reports.escape import line
from harness.reports.page import width

LABEL = "card rulings"
COLORS = {"brightgreen": "#2f7d32", "yellow": "#8a6100", "red": "#b3261e", "lightgrey": "#5f6368"}
"""Names as shields knows them, and colours on which white text has a contrast of 4.5 and more."""


def standing(reports: Sequence[Report], shown: Shown) -> tuple[str, str]:
    """Give the words and the colour's name: passed of all, unsupported ones counted as not.

    Green is for an engine that passes everything, yellow for one that gets nothing wrong of what
    it plays, red for one that fails; a run that is not complete is grey. What is in quarantine is
    not counted.
    """
    reports = [shown.counted(report) for report in reports]
    passed = sum(report.summary["pass"] for report in reports)
    every = sum(len(report.results) for report in reports)
    wrong = sum(report.summary["fail"] + report.summary["error"] for report in reports)
    if not every or not all(report.complete for report in reports):
        return "incomplete", "lightgrey"
    color = "red" if wrong else "brightgreen" if passed == every else "yellow"
    return f"{passed} of {every}", color


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give the badge."""
    words, color = standing(reports, shown)
    label = LABEL if len(reports) != 1 else f"{LABEL}: {line(reports[0].engine.name, 30)}"
    left, right = (_columns(text) for text in (label, words))
    whole = left + right
    spoken, said, told = escape(f"{label}: {words}"), escape(label), escape(words)
    font = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"'
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" \
aria-label="{spoken}">
<title>{spoken}</title>
<clipPath id="r"><rect width="{whole}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)">
<rect width="{left}" height="20" fill="#444"/>
<rect x="{left}" width="{right}" height="20" fill="{COLORS[color]}"/>
</g>
<g fill="#fff" text-anchor="middle" {font}>
<text x="{left / 2:g}" y="14" textLength="{left - 12}">{said}</text>
<text x="{left + right / 2:g}" y="14" textLength="{right - 12}">{told}</text>
</g>
</svg>
"""


def _columns(text: str) -> int:
    """Give the pixels for a text with its margins, by a mean width of its signs."""
    return round(width(text) * 6.6) + 12
