"""Mana costs, and what a player has to pay them with."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
_SYMBOL = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Cost:
    """A mana cost: generic mana, coloured mana by symbol, and how many {X} (CR 107.4)."""

    generic: int = 0
    colored: tuple[str, ...] = ()
    x: int = 0

    @classmethod
    @lru_cache(maxsize=512)
    def parse(cls, text: str) -> Cost:
        """Read `"{2}{B}"`; raises `ValueError` on a symbol that it does not know."""
        generic, xs, colored = 0, 0, []
        for symbol in _SYMBOL.findall(text):
            if symbol.isdigit():
                generic += int(symbol)
            elif symbol == "X":
                xs += 1
            elif symbol in COLORS or symbol == "C":
                colored.append(symbol)
            else:
                raise ValueError(f"no mana symbol {{{symbol}}} in {text!r}")
        return cls(generic, tuple(colored), xs)

    @property
    def colors(self) -> frozenset[str]:
        """The colours of an object with this mana cost (CR 202.2)."""
        return frozenset(COLORS[symbol] for symbol in self.colored if symbol in COLORS)

    def mana_value(self, x: int = 0) -> int:
        """Give the mana value, X counted as `x` (CR 202.3)."""
        return self.generic + len(self.colored) + self.x * x

    def with_x(self, x: int) -> Cost:
        """Give the cost with a value for X (CR 601.2b)."""
        return replace(self, generic=self.generic + self.x * x, x=0)

    def plus(self, other: Cost) -> Cost:
        """Add an additional cost (CR 601.2f)."""
        return Cost(self.generic + other.generic, self.colored + other.colored, self.x + other.x)

    def less(self, generic: int) -> Cost:
        """Reduce the generic part, never below nothing (CR 601.2f, 118.7c)."""
        return replace(self, generic=max(0, self.generic - generic))


class Mana:
    """The mana a player can spend in the whole scenario; `None` for without limit."""

    __slots__ = ("left",)

    def __init__(self, text: str | None) -> None:
        self.left: Counter[str] | None = None
        if text is not None:
            self.left = Counter()
            self.add(text)

    def add(self, text: str) -> None:
        """Put mana into what is left: `"{R}{G}"`; generic symbols count as colourless."""
        if self.left is not None:
            cost = Cost.parse(text)
            self.left.update(cost.colored)
            self.left["C"] += cost.generic

    def can_pay(self, cost: Cost) -> bool:
        """Say whether the cost could be paid now."""
        if self.left is None:
            return True
        needed = Counter(cost.colored)
        enough = all(self.left[symbol] >= n for symbol, n in needed.items())
        return enough and self.left.total() - needed.total() >= cost.generic

    def pay(self, cost: Cost) -> None:
        """Take the cost away, colourless first for its generic part; raises `ValueError`."""
        if not self.can_pay(cost):
            raise ValueError("not enough mana")
        if self.left is None:
            return
        self.left.subtract(cost.colored)
        generic = cost.generic
        for symbol in ("C", *COLORS):
            spent = min(generic, self.left[symbol])
            self.left[symbol] -= spent
            generic -= spent

    def total(self) -> int | None:
        """How much is left, or `None` where mana has no limit."""
        return None if self.left is None else self.left.total()
