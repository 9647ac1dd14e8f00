"""What `rulings check` says: the problems of files, and what each check is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import checks
from harness.problem import Problem
from harness.reports import Shown
from harness.reports.escape import json_text, line
from harness.reports.github import command

PAGES = Path(checks.__file__).parent / "pages"


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found in which files."""

    problems: tuple[Problem, ...]
    files: int


def check(paths: Sequence[Path], select: Sequence[str], ignore: Sequence[str]) -> Checked:
    """Check files and folders, or the corpus that comes with the tool."""
    from harness import sources
    from harness.files import gather

    problems = checks.check_paths(paths, select=select, ignore=ignore)
    return Checked(tuple(problems), len(gather(paths or [sources.root()])))


def codes() -> list[str]:
    """Give the codes of all checks."""
    return [check.code for check in checks.CHECKS]


def explain(code: str) -> str:
    """Give the page of a check, named by its code or its slug. Raises `KeyError`."""
    for check in checks.CHECKS:
        if code.lower() in (check.code.lower(), check.slug):
            for name in (check.slug, check.code, f"{check.code}-{check.slug}"):
                page = PAGES / f"{name}.md"
                if page.exists():
                    return page.read_text(encoding="utf-8")
    raise KeyError(code)


def render(form: str, found: Checked, shown: Shown, quiet: bool) -> str:
    """Give what was found as text, JSON or annotations of GitHub."""
    if form == "json":
        return as_json(found)
    if form == "github":
        return "".join(
            command("error", p.file, p.line, f"{p.code}", _words(p), column=p.column)
            for p in found.problems
        )
    return as_text(found, shown, quiet)


def as_json(found: Checked) -> str:
    """Give the problems as a JSON array, sorted by place."""
    every = [
        {
            "file": problem.file,
            "line": problem.line,
            "column": problem.column,
            "code": problem.code,
            "path": problem.path,
            "message": problem.message,
            "hint": problem.hint,
        }
        for problem in found.problems
    ]
    return json_text(every)


def as_text(found: Checked, shown: Shown, quiet: bool) -> str:
    """Give a problem a line, as compilers do, so that editors can jump to it; the count last."""
    page = shown.page()
    lines = []
    for problem in found.problems:
        place = line(f"{problem.file}:{problem.line}:{problem.column}:")
        code = page.paint(line(problem.code), fg="red", bold=True)
        at = page.paint(line(f" (at {problem.path})"), dim=True) if problem.path else ""
        lines.append(f"{page.paint(place, bold=True)} {code} {line(_words(problem))}{at}")
    if not quiet:
        files = f"{found.files} file{'' if found.files == 1 else 's'}"
        count = len(found.problems)
        words = f"{count} problem{'' if count == 1 else 's'}" if count else "no problems"
        text = f"{words} in {files}"
        lines.append(page.paint(text, fg="red" if count else "green", bold=True))
    return page.text(lines) if lines else ""


def _words(problem: Problem) -> str:
    return f"{problem.message}; {problem.hint}" if problem.hint else problem.message
