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
        command(
            "error",
            result.file,
            result.line,
            result.id,
            f"{report.engine.name}: {one_line(result) or 'passes, and is known not to'}",
        )
        for report in reports
        for result in wrong(report, shown)
    )


def command(
    level: str, file: str, line_number: int, title: str, text: str, column: int | None = None
) -> str:
    """Give one workflow command that points at a line of a file."""
    at = f",col={column}" if column is not None else ""
    return (
        f"::{level} file={_property(_relative(file))},line={line_number}{at},"
        f"title={_property(line(title))}::{_data(line(text))}\n"
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
