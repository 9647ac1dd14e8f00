"""`rulings check`: one class a check, each with a code, a page and a fixture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness import sources
from harness.cache import Cache
from harness.checks import data, expectations, reading, references, shape
from harness.checks.base import Check
from harness.files import File, Shelf, data_of, gather, no_collecting
from harness.problem import Problem

CHECKS: tuple[Check, ...] = (
    *reading.CHECKS,
    *shape.CHECKS,
    *references.CHECKS,
    *expectations.CHECKS,
    *data.CHECKS,
)
"""All checks, in the order of their codes."""

BLOCKING: tuple[Check, ...] = tuple(check for check in CHECKS if check.blocking)
"""The checks whose problems keep a file from being played."""


def check_paths(
    paths: Sequence[Path] = (), *, select: Sequence[str] = (), ignore: Sequence[str] = ()
) -> list[Problem]:
    """Check files and folders (the corpus that comes with the tool when there are none).

    `select` and `ignore` hold beginnings of codes: only what is selected and not ignored is
    checked. The problems come sorted by place, each once.
    """
    checks = [check for check in CHECKS if _chosen(check.code, select, ignore)]
    with no_collecting():
        return sorted(set(_problems(gather(paths or [sources.root()]), checks)))


def _problems(files: Sequence[File], checks: Sequence[Check]) -> Iterator[Problem]:
    """Check files, those of each corpus with what belongs to it."""
    groups: dict[Path | None, list[File]] = {}
    for file in files:
        groups.setdefault(file.root, []).append(file)
    cache = Cache.open()
    for root, group in groups.items():
        facts = gather(data_of(root or sources.root()))
        for file in facts:
            file.recall(cache)
        shelf = Shelf.of(facts)
        for check in checks:
            yield from check.check(group, shelf)


def _chosen(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """Say whether a code is wanted; the longer beginning decides, as in ruff."""
    wanted = max((len(each) for each in select if code.startswith(each)), default=-1)
    unwanted = max((len(each) for each in ignore if code.startswith(each)), default=-1)
    return (wanted if select else 0) > unwanted and (not select or wanted >= 0)


def page(code: str) -> str:
    """Give the page that explains a check, in Markdown. Raises `KeyError` for no check's code."""
    if all(check.code != code for check in CHECKS):
        raise KeyError(code)
    return (Path(__file__).parent / "pages" / f"{code}.md").read_text(encoding="utf-8")
