"""Annotations of GitHub: each failure at the file and line of its scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.model import Report
from harness.reports import Shown, wrong
from harness.reports.escape import line
from harness.reports.text import one_line


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give one workflow command a line."""
    return "".join(
        f"::error file={_property(_relative(result.file))},line={result.line},"
        f"title={_property(line(result.id))}::"
        f"{_data(f'{line(report.engine.name, 60)}: {one_line(result)}')}\n"
        for report in reports
        for result in wrong(report)
    )


def _relative(file: str) -> str:
    """Give a path as the repository knows it, if it is below the current folder."""
    try:
        return str(Path(file).resolve().relative_to(Path.cwd()))
    except ValueError:
        return file


def _data(text: str) -> str:
    """Escape what ends or begins a command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape what ends a property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
