"""A page of text for a terminal: at most 80 columns, coloured only where that is wanted."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from harness.model import Verdict
from harness.telling import Telling

SIGNS = {
    Verdict.PASS: ("✓", "+"),
    Verdict.FAIL: ("✗", "x"),
    Verdict.ERROR: ("!", "!"),
    Verdict.UNSUPPORTED: ("○", "o"),
    Verdict.NOT_RUN: ("·", "-"),
}
"""The sign of each verdict, and the one where the terminal has only ASCII."""

COLORS = {
    Verdict.PASS: "green",
    Verdict.FAIL: "red",
    Verdict.ERROR: "red",
    Verdict.UNSUPPORTED: "yellow",
    Verdict.NOT_RUN: "yellow",
}

ASCII = str.maketrans({"─": "-", "│": "|", "…": "...", "·": "-", "›": ">", "✓": "+", "✗": "x"})


def width(text: str) -> int:
    """Give the columns that a text takes in a terminal.

    >>> width("day"), width("昼")
    (3, 2)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def wrap(text: str, room: int) -> list[str]:
    """Break a text into lines of at most `room` columns, between words where that is possible."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        current = ""
        for word in paragraph.split(" "):
            rest = word
            if current and width(current) + 1 + width(rest) <= room:
                current += " " + rest
                continue
            if current:
                lines.append(current)
            while width(rest) > room:
                cut = _cut(rest, room)
                lines.append(rest[:cut])
                rest = rest[cut:]
            current = rest
        lines.append(current)
    return lines


def _cut(word: str, room: int) -> int:
    """Give where to break a word too long for a line: after a sign that joins, if there is one."""
    at = used = 0
    while at < len(word) and used + width(word[at]) <= room:
        used += width(word[at])
        at += 1
    at = max(at, 1)
    joint = max(word.rfind(sign, room // 2, at) for sign in "-/#_.,")
    return joint + 1 if joint > 0 else at


def fit(text: str, room: int) -> str:
    """Give a text cut to `room` columns, with a sign that something was cut."""
    if width(text) <= room:
        return text
    while text and width(text) > room - 1:
        text = text[:-1]
    return text + "…"


@dataclass(frozen=True, slots=True)
class Page:
    """How lines are laid out and painted in one place."""

    width: int = 80
    color: bool = False
    unicode: bool = True

    def paint(self, text: str, **style: Any) -> str:
        """Colour a text, where colour is wanted."""
        return click.style(text, **style) if self.color and text else text

    def sign(self, verdict: Verdict) -> str:
        """Give a verdict's sign."""
        sign = SIGNS[verdict][0 if self.unicode else 1]
        return self.paint(sign, fg=COLORS[verdict])

    def rule(self, title: str = "", color: str | None = None) -> str:
        """Give a line across the page with a title near its beginning."""
        if not title:
            return self.paint("─" * self.width, dim=True)
        rest = "─" * max(0, self.width - width(title) - 4)
        head = self.paint(title, bold=True, fg=color)
        return f"{self.paint('──', dim=True)} {head} {self.paint(rest, dim=True)}"

    def paragraph(self, text: str, indent: int = 2, hang: int = 0, **style: Any) -> list[str]:
        """Give a text wrapped into the page."""
        first, *rest = wrap(text, self.width - indent - hang)
        out = [" " * indent + self.paint(first, **style)]
        return out + [" " * (indent + hang) + self.paint(more, **style) for more in rest]

    def labelled(self, label: str, text: str, **style: Any) -> list[str]:
        """Give `label  text`, the text wrapped beside its label."""
        first, *rest = wrap(text, self.width - 12)
        out = [f"  {self.paint(f'{label:<10}', dim=True)}{self.paint(first, **style)}"]
        return out + [" " * 12 + self.paint(more, **style) for more in rest]

    def row(self, left: str, right: str, painted: str | None = None, indent: int = 2) -> str:
        """Give a name on the left and words at the right edge; `left` is cut if need be."""
        room = self.width - indent - width(right) - 2
        left = fit(left, room)
        return f"{' ' * indent}{left}{' ' * (room - width(left) + 2)}{painted or right}".rstrip()

    def told(
        self, telling: Telling, failed: int | None = None, missed: tuple[str, ...] = ()
    ) -> Iterator[str]:
        """Give a scenario's steps, up to the failed one, with what it missed marked."""
        for sentence in telling.setting:
            yield from self.paragraph(sentence, 6, 0, dim=True)
        for told in telling.steps:
            if failed is not None and told.number > failed:
                return
            here = told.number == failed
            number = self.paint(f"{told.number:>4}", bold=here, dim=not here)
            if not told.is_look:
                mark = f"{self.sign(Verdict.FAIL)} " if here else ""
                yield from self.step(number, mark, told.text)
            for at, (path, words) in enumerate(told.looks):
                missing = here and any(_under(miss, path) for miss in missed)
                held = self.sign(Verdict.PASS) if here else "›"
                mark = self.sign(Verdict.FAIL) if missing else held
                yield from self.step("    " if at else number, f"{mark} ", words, not missing)

    def step(self, number: str, mark: str, text: str, dim: bool = False) -> Iterator[str]:
        """Give a step's number, its mark and its words beside them."""
        indent = 8 if mark else 6
        first, *rest = wrap(text, self.width - indent)
        yield f"{number}  {mark}{self.paint(first, dim=dim)}"
        for more in rest:
            yield f"{' ' * indent}{self.paint(more, dim=dim)}"

    def text(self, lines: list[str]) -> str:
        """Join lines in signs that the terminal's encoding has."""
        whole = "\n".join(lines) + "\n"
        if self.unicode:
            return whole
        return whole.translate(ASCII).encode("ascii", "replace").decode()


def _under(miss: str, path: str) -> bool:
    """Say whether a mismatch is part of what a look's words tell."""
    return miss == path or miss.startswith(path + ".")
