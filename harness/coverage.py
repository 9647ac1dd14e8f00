"""Rulings and rules × scenarios, gaps first, for the people who document rulings."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.model import Verdict
from harness.reports import Shown
from harness.reports.escape import json_text, line, markdown, plain
from harness.telling import listed

if TYPE_CHECKING:
    from harness.comparison import Comparison, New, Reworded
    from harness.corpus import Corpus
    from harness.official import Ruling
    from harness.reports.page import Page
    from harness.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Entry:
    """One official ruling of the catalogue and the scenarios that show it."""

    key: str
    dates: tuple[str, ...]
    cards: tuple[str, ...]
    gist: str
    untestable: str | None
    superseded: str | None
    scenarios: tuple[str, ...]

    @property
    def state(self) -> str:
        """Say how it stands: uncovered, untestable or covered."""
        if self.scenarios:
            return "covered"
        return "untestable" if self.untestable else "uncovered"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule that scenarios cite; `witnessed` is None where nobody has broken it to see."""

    number: str
    scenarios: tuple[str, ...]
    witnessed: bool | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """The catalogue and the rules, each with its scenarios."""

    entries: tuple[Entry, ...]
    rules: tuple[Rule, ...]
    official: Comparison | None = None
    """An official file of the user's, set against the catalogue."""

    def wording(self, key: str) -> str | None:
        """Give the official wording of an entry, as far as the user's file has it."""
        found = self.official.matched.get(key) if self.official else None
        return None if found is None else found.text

    @property
    def summary(self) -> dict[str, int | None]:
        """The figures: each official ruling is covered, untestable or uncovered."""
        states = [entry.state for entry in self.entries]
        known = [rule.witnessed for rule in self.rules if rule.witnessed is not None]
        return {
            "official": len(states),
            "covered": states.count("covered"),
            "untestable": states.count("untestable"),
            "uncovered": states.count("uncovered"),
            "rules": len(self.rules),
            "witnessed": sum(known) if known else None,
        }


def coverage(
    corpus: Corpus,
    scenarios: Sequence[Scenario],
    witnessed: frozenset[str] | None = None,
    official: Comparison | None = None,
) -> Coverage:
    """Set the catalogue and the rules cited against the scenarios."""
    shown_by: dict[str, list[str]] = {}
    cited_by: dict[str, list[str]] = {}
    for scenario in scenarios:
        keys = scenario.proves
        if scenario.source == "official":
            keys = (scenario.ruling, *keys)
        for key in dict.fromkeys(keys):
            shown_by.setdefault(key, []).append(scenario.id)
        for rule in scenario.rules:
            cited_by.setdefault(rule, []).append(scenario.id)
    entries = tuple(
        Entry(
            key=key,
            dates=tuple(map(str, entry["dates"])),
            cards=tuple(entry.get("cards") or ()),
            gist=" ".join(entry["gist"].split()),
            untestable=entry.get("untestable"),
            superseded=_superseded(entry),
            scenarios=tuple(shown_by.get(key, ())),
        )
        for key, entry in corpus.catalog.items()
    )
    rules = tuple(
        Rule(number, tuple(ids), None if witnessed is None else number in witnessed)
        for number, ids in sorted(cited_by.items(), key=lambda item: _order(item[0]))
    )
    return Coverage(entries, rules, official)


def _superseded(entry: Any) -> str | None:
    over = entry.get("superseded")
    return f"by {over['by']} since {over['since']}" if over else None


def _order(number: str) -> tuple[int, int, str]:
    """Sort rules as the Comprehensive Rules do: 702.9 comes before 702.145a."""
    section, _, rest = number.partition(".")
    digits = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(section), int(digits or 0), rest[len(digits) :]


def gaps_first(found: Coverage) -> list[Entry]:
    """Give the rulings with what is missing first, then what cannot be shown, then the rest."""
    order = ["uncovered", "untestable", "covered"]
    return sorted(found.entries, key=lambda entry: order.index(entry.state))


def unwitnessed_first(found: Coverage) -> list[Rule]:
    """Give the rules that are merely named first."""
    return sorted(found.rules, key=lambda rule: rule.witnessed is not False)


FORMS = ("text", "json", "markdown", "html")
"""How the coverage can be shown."""

SUFFIXES = {".json": "json", ".md": "markdown", ".html": "html", ".htm": "html"}
"""The form that a file's name asks for when none is named; text for all others."""


def render(form: str, found: Coverage, shown: Shown) -> str:
    """Give the coverage in one of `FORMS`."""
    if form == "text":
        return as_text(found, shown)
    return {"json": as_json, "markdown": as_markdown, "html": as_html}[form](found)


def as_json(found: Coverage) -> str:
    """Give the figures first, then the lists, gaps first."""
    data = {
        "summary": found.summary,
        **({"official": _compared(found.official)} if found.official else {}),
        "rulings": [
            {
                "key": entry.key,
                "state": entry.state,
                "dates": list(entry.dates),
                "cards": list(entry.cards),
                "gist": entry.gist,
                **({"wording": found.wording(entry.key)} if found.official else {}),
                "untestable": entry.untestable,
                "superseded": entry.superseded,
                "scenarios": list(entry.scenarios),
            }
            for entry in gaps_first(found)
        ],
        "rules": [
            {
                "number": rule.number,
                "witnessed": rule.witnessed,
                "scenarios": list(rule.scenarios),
            }
            for rule in unwitnessed_first(found)
        ],
    }
    return json_text(data)


def as_text(found: Coverage, shown: Shown) -> str:
    """Give the coverage for a terminal, the figures last."""
    page = shown.page()
    signs = {
        "uncovered": page.sign(Verdict.FAIL),
        "untestable": page.sign(Verdict.UNSUPPORTED),
        "covered": page.sign(Verdict.PASS),
    }
    lines = list(_official_text(found, page, shown.verbosity)) if found.official else []
    state = None
    for entry in gaps_first(found):
        if entry.state != state:
            state = entry.state
            number = sum(one.state == state for one in found.entries)
            color = {"uncovered": "red", "untestable": "yellow"}.get(state)
            lines += [""] if lines else []
            lines.append(page.rule(f"official rulings, {state} ({number})", color))
        count = len(entry.scenarios)
        right = _scenarios(count) if count else entry.dates[0]
        row = page.row(line(entry.key), right, page.paint(right, dim=True), 4)
        lines.append(f"  {signs[entry.state]} {row[4:]}")
        wording = found.wording(entry.key)
        if state != "covered" or shown.verbosity > 0 or wording:
            lines += page.paragraph(line(entry.gist), 6, 0, dim=True)
        if wording:
            lines += page.paragraph(f"Official: {line(wording)}", 6, 2)
        if entry.untestable:
            lines += page.paragraph(line(f"Not shown: {entry.untestable}"), 6, 0)
        if entry.superseded:
            lines += page.paragraph(line(f"Superseded {entry.superseded}"), 6, 0)
    lines += ["", page.rule(f"rules ({len(found.rules)})")]
    for rule in unwitnessed_first(found):
        word = {True: "witnessed", False: "named only", None: ""}[rule.witnessed]
        right = ", ".join(filter(None, (word, _scenarios(len(rule.scenarios)))))
        sign = signs[{True: "covered", False: "untestable", None: "covered"}[rule.witnessed]]
        row = page.row(line(rule.number), right, page.paint(right, dim=True), 4)
        lines.append(f"  {sign} {row[4:]}")
    lines += ["", *page.paragraph(_figures(found), 0, 0, bold=True)]
    if found.official:
        lines += page.paragraph(line(_official_figures(found.official)), 0, 0, bold=True)
    return page.text(lines)


def as_markdown(found: Coverage) -> str:
    """Give the coverage for a pull request or a page: figures, gaps, then the rest folded."""
    lines = [f"## Coverage: {_figures(found)}", ""]
    if found.official:
        lines += _official_markdown(found)
    column = " official |" if found.official else ""
    for state, opened in (("uncovered", " open"), ("untestable", ""), ("covered", "")):
        its = [entry for entry in found.entries if entry.state == state]
        if not its:
            continue
        lines += [
            f"<details{opened}><summary>{state} ({len(its)})</summary>",
            "",
            f"| ruling | dates | gist |{column} scenarios |",
            f"| --- | --- | --- |{' --- |' if column else ''} --: |",
        ]
        for entry in its:
            gist = entry.gist if not entry.untestable else f"{entry.gist} ({entry.untestable})"
            wording = f" {markdown(found.wording(entry.key) or '')} |" if column else ""
            lines.append(
                f"| {markdown(entry.key)} | {markdown(', '.join(entry.dates))} | "
                f"{markdown(gist)} |{wording} {len(entry.scenarios)} |"
            )
        lines += ["", "</details>", ""]
    lines += [
        "<details><summary>rules</summary>",
        "",
        "| rule | scenarios | |",
        "| --- | --: | --- |",
    ]
    for rule in unwitnessed_first(found):
        word = {True: "witnessed", False: "named only", None: ""}[rule.witnessed]
        lines.append(f"| {markdown(rule.number)} | {len(rule.scenarios)} | {word} |")
    return "\n".join([*lines, "", "</details>", ""])


def _figures(found: Coverage) -> str:
    summary = found.summary
    told = [f"{summary[word]} {word}" for word in ("covered", "untestable", "uncovered")]
    text = f"{summary['official']} official rulings: {listed(told)}; {summary['rules']} rules cited"
    if summary["witnessed"] is not None:
        text += f", {summary['witnessed']} witnessed"
    return text


def _scenarios(number: int) -> str:
    return f"{number} scenario{'' if number == 1 else 's'}"


# -- an official file beside the catalogue


def _compared(official: Comparison) -> dict[str, Any]:
    """Give the comparison as JSON has it, the figures first."""
    return {
        "summary": official.summary,
        "file": official.file,
        "form": official.form,
        "previous": official.previous,
        "new": [
            {**_ruling(new.ruling), "why": new.why, "in_previous": new.was_there}
            for new in official.new
        ],
        "reworded": [
            {
                "key": each.key,
                **_ruling(each.ruling),
                "likeness": round(each.likeness, 3),
                "old": each.old,
                "diff": [{"words": words, "are": kind} for kind, words in each.words] or None,
            }
            for each in official.reworded
        ],
        "gone": [
            {"key": gone.key, "cards": list(gone.cards), "whole": gone.whole, "old": gone.old}
            for gone in official.gone
        ],
        "elsewhere": list(official.elsewhere),
    }


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        "digest": ruling.digest,
        "text": ruling.text,
        "dates": sorted(ruling.dates),
        "cards": sorted(ruling.cards),
    }


def _official_figures(official: Comparison) -> str:
    figures = official.summary
    told = listed([f"{figures[word]} {word}" for word in ("new", "reworded", "gone")])
    return f"{official.file}: {figures['matched']} of the catalogue's rulings as they were; {told}"


MOST_CARDS = 6
"""So many cards of a ruling are named where people read; JSON names all."""


def _cards(cards: Sequence[str]) -> str:
    names = sorted(filter(None, cards))
    if not names:
        return "no card named"
    rest = len(names) - MOST_CARDS
    return ", ".join(names[:MOST_CARDS]) + (f" and {rest} more" if rest > 0 else "")


def _unsaid(each: Reworded, official: Comparison) -> str:
    """Say why there is no word diff of a rewording."""
    if official.previous:
        return "The older file does not have the old wording: judged by date, cards and our gist."
    return (
        "The catalogue has no wording, so this is judged by date, cards and our gist; "
        "with --previous FILE, an older file, the words that changed are shown."
    )


def _told_of(official: Comparison, verbosity: int) -> tuple[list[New], str]:
    """Give the new rulings to show in full, and a line on those that are not."""
    told = [new for new in official.new if new.why != "card" or verbosity > 0]
    rest = len(official.new) - len(told)
    if not rest:
        return told, ""
    return told, f"and {rest} on other matters, of cards that the suite knows (-v or JSON has them)"


def _official_text(found: Coverage, page: Page, verbosity: int) -> Iterator[str]:
    official = found.official
    assert official is not None
    gist = {entry.key: entry.gist for entry in found.entries}
    told, rest = _told_of(official, verbosity)
    if official.new:
        yield page.rule(f"new in the official file ({len(official.new)})", "red")
    for new in told:
        dates = max(new.ruling.dates, default="")
        was = "was there before, " if new.was_there else ""
        yield page.row(line(_cards(list(new.ruling.cards))), f"{was}{dates}")
        yield from page.paragraph(line(new.ruling.text), 6, 0)
    if rest:
        yield from page.paragraph(rest, 2, 0, dim=True)
    if official.reworded:
        yield from ([""] if official.new else [])
        yield page.rule(f"reworded ({len(official.reworded)})", "yellow")
    for each in official.reworded:
        right = f"{each.likeness:.0%} alike"
        yield page.row(line(each.key), right, page.paint(right, dim=True))
        yield from page.paragraph(line(gist[each.key]), 6, 0, dim=True)
        if each.old is None:
            yield from page.paragraph(f"Official: {line(each.ruling.text)}", 6, 2)
            yield from page.paragraph(_unsaid(each, official), 6, 0, dim=True)
        else:
            marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
            words = " ".join(marks[kind].format(line(run)) for kind, run in each.words)
            yield from page.paragraph(f"Official: {words}", 6, 2)
    if official.gone:
        yield from ([""] if official.new or official.reworded else [])
        yield page.rule(f"gone ({len(official.gone)})", "yellow")
    for gone in official.gone:
        yield page.row(line(gone.key), "" if gone.whole else "from some cards")
        yield from page.paragraph(line(gist[gone.key]), 6, 0, dim=True)
        if gone.cards:
            yield from page.paragraph(f"Cards: {line(_cards(gone.cards))}", 6, 2)
        if gone.old:
            yield from page.paragraph(f"Was: {line(gone.old)}", 6, 2)
    if official.elsewhere:
        count = len(official.elsewhere)
        whose = (
            f"{count} of the catalogue belong{'s' if count == 1 else ''} to no card of this file"
        )
        yield from page.paragraph(whose, 2, 0, dim=True)
    if official.new or official.reworded or official.gone or official.elsewhere:
        yield ""


def _official_markdown(found: Coverage) -> list[str]:
    official = found.official
    assert official is not None
    lines = [f"**{markdown(_official_figures(official))}**", ""]
    told, _ = _told_of(official, 1)
    if told:
        lines += ["### New", "", "| date | cards | official wording |", "| --- | --- | --- |"]
        for new in told:
            date = max(new.ruling.dates, default="")
            cards = markdown(_cards(list(new.ruling.cards)))
            lines.append(f"| {date} | {cards} | {markdown(new.ruling.text)} |")
        lines.append("")
    if official.reworded:
        lines += ["### Reworded", "", "| ruling | official wording |", "| --- | --- |"]
        marks = {"same": "{}", "removed": "~~{}~~", "added": "**{}**"}
        for each in official.reworded:
            words = " ".join(marks[kind].format(markdown(run)) for kind, run in each.words)
            text = words or f"{markdown(each.ruling.text)} *{markdown(_unsaid(each, official))}*"
            lines.append(f"| {markdown(each.key)} | {text} |")
        lines.append("")
    if official.gone:
        lines += ["### Gone", "", "| ruling | from |", "| --- | --- |"]
        lines += [
            f"| {markdown(gone.key)} | {markdown(_cards(gone.cards))} |" for gone in official.gone
        ]
        lines.append("")
    return lines


# -- a page for a browser

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 75rem; margin: auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; overflow-wrap: anywhere;
  border-bottom: 1px solid #8886; }
h2, body > details > summary { font-size: 1.25rem; font-weight: 600; }
.uncovered, .named { color: light-dark(#a40000, #ff8f8f); font-weight: 600; }
ins { background: light-dark(#c8f0c8, #1d4d1d); } del { background: light-dark(#f8d0d0, #5c2020); }
"""


def as_html(found: Coverage) -> str:
    """Give the coverage as one page that needs nothing else and runs nothing."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Coverage</title><style>{_STYLE}</style></head><body>",
        "<h1>Coverage</h1>",
        f"<p>{_h(_figures(found))}</p>",
    ]
    if found.official:
        parts += _official_html(found)
    both = found.official is not None
    for state in ("uncovered", "untestable", "covered"):
        its = [entry for entry in found.entries if entry.state == state]
        if not its:
            continue
        parts.append(f"<details open><summary>Rulings, {state} ({len(its)})</summary>")
        parts += _table(
            ["ruling", "dates", "our gist", *(["official wording"] if both else []), "scenarios"],
            [
                [
                    f'<span class="{state}">{_h(entry.key)}</span>',
                    _h(", ".join(entry.dates)),
                    "<br>".join(
                        _h(text)
                        for text in (
                            entry.gist,
                            f"Not shown: {entry.untestable}" if entry.untestable else "",
                            f"Superseded {entry.superseded}" if entry.superseded else "",
                        )
                        if text
                    ),
                    *([_h(found.wording(entry.key) or "")] if both else []),
                    _ids(entry.scenarios),
                ]
                for entry in its
            ],
        )
        parts.append("</details>")
    words = {True: "witnessed", False: "named only", None: ""}
    parts.append(f"<details open><summary>Rules ({len(found.rules)})</summary>")
    parts += _table(
        ["rule", "", "scenarios"],
        [
            [
                _h(rule.number),
                f'<span class="{"named" if rule.witnessed is False else ""}">'
                f"{words[rule.witnessed]}</span>",
                _ids(rule.scenarios),
            ]
            for rule in unwitnessed_first(found)
        ],
    )
    parts.append("</details></body></html>")
    return "\n".join(parts) + "\n"


def _official_html(found: Coverage) -> list[str]:
    official = found.official
    assert official is not None
    parts = [f"<p>{_h(_official_figures(official))}</p>"]
    if official.new:
        parts.append(f"<h2>New ({len(official.new)})</h2>")
        parts += _table(
            ["date", "cards", "official wording"],
            [
                [
                    _h(max(new.ruling.dates, default="")),
                    _h(_cards(list(new.ruling.cards))),
                    _h(new.ruling.text),
                ]
                for new in official.new
            ],
        )
    gist = {entry.key: entry.gist for entry in found.entries}
    if official.reworded:
        tags = {"same": "{}", "removed": "<del>{}</del>", "added": "<ins>{}</ins>"}
        parts.append(f"<h2>Reworded ({len(official.reworded)})</h2>")
        parts += _table(
            ["ruling", "our gist", "official wording"],
            [
                [
                    _h(each.key),
                    _h(gist[each.key]),
                    " ".join(tags[kind].format(_h(run)) for kind, run in each.words)
                    or f"{_h(each.ruling.text)}<br><em>{_h(_unsaid(each, official))}</em>",
                ]
                for each in official.reworded
            ],
        )
    if official.gone:
        parts.append(f"<h2>Gone ({len(official.gone)})</h2>")
        parts += _table(
            ["ruling", "our gist", "from"],
            [[_h(one.key), _h(gist[one.key]), _h(_cards(one.cards))] for one in official.gone],
        )
    return parts


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give a table; the cells are HTML already."""
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
    yield "</tbody></table>"


def _ids(scenarios: Sequence[str]) -> str:
    """Give how many scenarios there are, and their ids folded below."""
    if not scenarios:
        return "0"
    ids = "".join(f"<li>{_h(one)}</li>" for one in scenarios)
    return f"<details><summary>{len(scenarios)}</summary><ul>{ids}</ul></details>"


def _h(text: str) -> str:
    return html.escape(plain(text))
