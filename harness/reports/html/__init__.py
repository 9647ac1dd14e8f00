"""The report as a site: static files that load nothing from elsewhere, read from a disk as well.

Everything that engines say is escaped, and a content security policy lets no script run but ours.
Without scripts the site is whole; they only filter and unfold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from harness import __version__
from harness.coverage import Coverage, gaps_first
from harness.coverage import coverage as coverage_of
from harness.quarantine import Quarantine
from harness.reports import Shown
from harness.reports.escape import plain
from harness.reports.html.names import slug
from harness.reports.html.timeline import STEPS
from harness.reports.html.view import (
    LETTERS,
    WORDS,
    Cell,
    EngineView,
    RulingView,
    ScenarioView,
    Site,
    site_of,
)
from harness.reports.page import SIGNS
from harness.telling import shown as worded

if TYPE_CHECKING:
    from harness.corpus import Corpus
    from harness.model import Report

HERE = Path(__file__).parent
LONGEST = 20_000
"""More than this of one text is never shown."""


def write(
    folder: Path,
    reports: Sequence[Report],
    shown: Shown,
    corpus: Corpus,
    quarantine: Quarantine | None = None,
    coverage: Mapping[str, Any] | None = None,
    only: tuple[str, ...] = ("",),
) -> Path:
    """Write the site into a folder, which may be there already, and give its first page.

    `only` leaves out what does not begin with any of these. Raises `OSError` when that cannot be
    done.
    """
    for name, text in pages(reports, shown, corpus, quarantine or Quarantine(), coverage, only):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder / "index.html"


def pages(
    reports: Sequence[Report],
    shown: Shown,
    corpus: Corpus,
    quarantine: Quarantine,
    coverage: Mapping[str, Any] | None = None,
    only: tuple[str, ...] = ("",),
) -> Iterator[tuple[str, str]]:
    """Give the path of each file of the site and what is in it; `only` is as for `write`."""
    site = site_of(reports, shown, corpus, quarantine, coverage)
    environment = _environment(site)
    for file in sorted((HERE / "static").iterdir()):
        if file.suffix in (".css", ".js", ".svg"):
            yield f"static/{file.name}", file.read_text(encoding="utf-8")

    for template, path, more in _plan(site, shown):
        if path.startswith(only):
            root = "../" * path.count("/")
            yield path, environment.get_template(template).render(root=root, path=path, **more)


def _plan(site: Site, shown: Shown) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Give template, path and content of each page.

    The first page comes last, so that whoever finds it finds all that it leads to.
    """
    yield "engines.html.j2", "engines.html", {}
    yield "cards.html.j2", "cards.html", {}
    yield "coverage.html.j2", "coverage.html", {"coverage": _coverage(site, shown)}
    yield "disagreements.html.j2", "disagreements.html", {}
    for ruling in site.rulings:
        yield "ruling.html.j2", ruling.page, {"ruling": ruling}
    for card in site.cards:
        yield "card.html.j2", card.page, {"card": card}
    for engine in site.engines:
        yield "engine.html.j2", engine.page, {"engine": engine, "groups": _groups(site, engine)}
    yield "matrix.html.j2", "index.html", {}


def _coverage(site: Site, shown: Shown) -> Coverage:
    """Set the catalogue against all scenarios at hand, whether they were played or not."""
    witnessed = None
    if site.coverage is not None:
        witnessed = frozenset(
            str(rule["number"]) for rule in site.coverage["rules"] if rule["witnessed"]
        )
    found = coverage_of(site.corpus, list(shown.scenarios.values()), witnessed)
    return replace(found, entries=tuple(gaps_first(found)))


Found = tuple[RulingView, ScenarioView, Cell]


def _groups(site: Site, engine: EngineView) -> dict[str, list[tuple[str, list[Found]]]]:
    """Group what an engine fails by rule, its errors by kind, what it lacks by what that is.

    The largest groups come first; the keys are the verdicts' letters.
    """
    groups: dict[str, dict[str, list[Found]]] = {"f": {}, "e": {}, "u": {}}
    for ruling, each in site.scenarios:
        cell = each.cells[engine.place]
        detail = cell.detail
        names = {
            "f": str(detail.get("rule") or (each.rules[0] if each.rules else "none")),
            "e": cell.said or str(detail.get("kind")),
            "u": f"{detail.get('kind')}: {detail.get('name')}",
        }
        if cell.letter in names:
            groups[cell.letter].setdefault(names[cell.letter], []).append((ruling, each, cell))
    return {
        letter: sorted(found.items(), key=lambda group: -len(group[1]))
        for letter, found in groups.items()
    }


def _environment(site: Site) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )
    environment.filters.update(
        breakable=breakable, worded=worded, mana=mana, slug=slug, keyword=keyword, yaml=_yaml
    )
    environment.globals.update(
        site=site,
        engines=site.engines,
        version=__version__,
        verdicts=[(LETTERS[verdict], word, SIGNS[verdict][0]) for verdict, word in WORDS.items()],
        turn=STEPS,
        percent=percent,
    )
    return environment


def _clean(value: Any) -> Any:
    """Write out whatever a text hides: control characters, and signs that reorder others."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return plain(value, LONGEST)
    return value


def breakable(text: Any) -> Markup:
    """Let a name break after the signs that join its parts, as it would between words."""
    parts = re.split(r"(?<=[-_/:.#])", plain(text, LONGEST))
    return Markup("<wbr>").join(escape(part) for part in parts)


def percent(share: float | None) -> str:
    """Give a share as people say it; a hundred is said only of all, nought only of none."""
    if share is None:
        return "–"
    if 0.99 < share < 1:
        return f"{min(share * 100, 99.9):.1f} %"
    return f"{max(share * 100, 0.1):.1f} %" if 0 < share < 0.01 else f"{share * 100:.0f} %"


def mana(cost: Any) -> Markup:
    """Give a mana cost as symbols."""
    symbols = re.findall(r"\{([^{}]{1,8})\}", str(cost))
    return Markup("").join(
        Markup('<span class="mana mana-{0}">{1}</span>').format(slug(symbol), symbol)
        for symbol in symbols
    )


def keyword(value: Any) -> str:
    """Give a keyword as it is spoken of: `ward {1}`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{word} {worded(of)}" for word, of in value.items())
    return str(value)


def _yaml(value: Any) -> str:
    import yaml

    return str(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=72)).strip()
