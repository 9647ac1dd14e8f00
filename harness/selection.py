"""Which scenarios the words of a command line mean."""

from __future__ import annotations

import difflib
import fnmatch
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.model import CorpusInfo
from harness.sources import is_there

if TYPE_CHECKING:
    from harness.corpus import Corpus
    from harness.files import Editions
    from harness.scenario import Scenario


class NothingSelectedError(ValueError):
    """No scenario is meant; `near` holds what was nearest to what was wanted."""

    def __init__(self, why: str, near: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.near = tuple(near)


DEEPEST = 100
"""So many parentheses and `not`s may stand in a `-k` expression: far more than anybody means."""


class BadExpressionError(ValueError):
    """A `-k` expression, a `--shard` or an `--edition` that means nothing."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The scenarios that a command is about, and what they were chosen from."""

    corpus: Corpus
    scenarios: tuple[Scenario, ...]
    edition: str

    @property
    def info(self) -> CorpusInfo:
        """Which corpus it is, as reports say it."""
        return replace(self.corpus.info, edition=self.edition)


def choose(
    corpus: Corpus,
    words: Sequence[str] = (),
    expression: str | None = None,
    part: str | None = None,
    edition: str | None = None,
    playing: bool = False,
) -> Chosen:
    """Give the scenarios that a command line asks for.

    What is played holds in one edition, the base edition if none is named; what is only looked at
    need not. Raises `NothingSelectedError` and `BadExpressionError`.
    """
    scenarios = select(corpus.scenarios, words)
    if expression:
        scenarios = matching(scenarios, expression)
        if not scenarios:
            raise NothingSelectedError(f"-k {expression!r} matches no scenario")
    played = _known(corpus.editions, edition)
    if edition or playing:
        holds = tuple(s for s in scenarios if _holds(s, played))
        if scenarios and not holds:
            raise NothingSelectedError(
                f"none of this holds in the edition of {played} (see --edition)",
                [f"{_span(s)}: {slug(s.id)}" for s in scenarios[:3]],
            )
        scenarios = tuple(playing_by(citing(s, corpus.editions, played), played) for s in holds)
    if part:
        scenarios = shard(scenarios, part)
        if not scenarios:
            raise NothingSelectedError(f"shard {part} has no scenario")
    if not scenarios:
        raise NothingSelectedError("the corpus has no scenarios")
    return Chosen(corpus, scenarios, played)


def _known(editions: Editions, edition: str | None) -> str:
    """Give the date of the edition that is meant: `newest` is one too."""
    known = sorted({editions.base, *editions.sections})
    if edition is None:
        return editions.base
    if edition == "newest":
        return known[-1]
    if edition not in known:
        hint = f"known are {known[0]} to {known[-1]}, and newest"
        before = [date for date in known if date < edition]
        if before and re.fullmatch(r"\d{4}-\d\d-\d\d", edition):
            hint = f"the one in force then is that of {before[-1]}"
        raise BadExpressionError(f"no edition {edition!r}; {hint}")
    return edition


def _holds(scenario: Scenario, edition: str) -> bool:
    """Say whether a scenario's result holds in an edition; dates compare as text."""
    return (scenario.since or "") <= edition and edition <= (scenario.until or "9999")


def _span(scenario: Scenario) -> str:
    """Say in which editions a scenario holds."""
    since = f"since {scenario.since}" if scenario.since else ""
    until = f"until {scenario.until}" if scenario.until else ""
    return " ".join(filter(None, (since, until))) or "always"


def citing(scenario: Scenario, editions: Editions, edition: str) -> Scenario:
    """Give a scenario with its rules as an edition numbers them, without those it does not have."""
    if edition == editions.base:
        return scenario
    numbers = (editions.number_in(edition, rule) for rule in scenario.rules)
    rules = tuple(dict.fromkeys(number for number in numbers if number is not None))
    return replace(scenario, rules=rules)


def in_its_edition(scenario: Scenario, editions: Editions) -> Scenario:
    """Give a scenario to be played by an edition in which it holds: the base edition, or else the
    last one.
    """
    if _holds(scenario, editions.base):
        return playing_by(scenario, editions.base)
    return playing_by(scenario, scenario.until or max(editions.sections))


def playing_by(scenario: Scenario, edition: str) -> Scenario:
    """Give a scenario that tells the engine which edition it is played by."""
    return replace(scenario, given={**scenario.given, "edition": edition})


@cache
def slug(text: str) -> str:
    """Give an id as it can be typed without quotes: `folder/file#front-face-on-the-stack`."""
    parts = text.lower().split("#")
    return "#".join(re.sub(r"[^a-z0-9/.]+", "-", part).strip("-") for part in parts)


def files_named(words: Sequence[str]) -> list[Path]:
    """Give the files and folders that words name: `FILE`, `FILE:LINE`, `FILE#name`.

    The ending of a file's name may be left out before a `#`, as it is in ids.
    """
    found = []
    for word in words:
        head, mark, _ = re.sub(r":\d+$", "", word).partition("#")
        names = (head, f"{head}.yaml", f"{head}.yml") if mark else (head,)
        found += [Path(name) for name in names if name and is_there(name)]
    return found


def file_of(scenario_id: str) -> str:
    """Give the `<folder>/<file>` part of an id."""
    return scenario_id.partition("#")[0]


def select(scenarios: Sequence[Scenario], wanted: Sequence[str]) -> tuple[Scenario, ...]:
    """Give the scenarios that any of the words means, in the order of the corpus.

    A word is an id (as it stands, as a slug, or the beginning of one), a file, a file and a line,
    a folder, a ruling's key, a rule number, a card's name, or a pattern with `*`; no words mean
    every scenario. Raises `NothingSelectedError` for a word that means none.
    """
    if not wanted:
        return tuple(scenarios)
    chosen: set[str] = set()
    for word in wanted:
        found = {scenario.id for scenario in _meant(scenarios, word)}
        if not found:
            raise NothingSelectedError(f"no scenario matches {word!r}", near(scenarios, word))
        chosen |= found
    return tuple(scenario for scenario in scenarios if scenario.id in chosen)


def _meant(scenarios: Sequence[Scenario], word: str) -> list[Scenario]:
    """Give what one word means: the first reading that finds anything decides."""
    located = re.fullmatch(r"(.+):(\d+)", word)
    if located:
        line = int(located[2])
        above = [s for s in _meant(scenarios, located[1]) if s.line <= line]
        return [max(above, key=lambda s: s.line)] if above else []
    for reading in _readings(word):
        found = [scenario for scenario in scenarios if reading(scenario)]
        if found:
            return found
    return []


def _readings(word: str) -> Iterator[Callable[[Scenario], bool]]:
    """Give the ways to read a word, the most exact first."""
    yield lambda s: word == s.id or word in s.aliases

    plain = re.sub(r"\.ya?ml$", "", word).rstrip("/")
    resolved = Path(word).resolve() if is_there(word) else None

    def of_file(s: Scenario) -> bool:
        if resolved is not None:
            there = Path(s.path).resolve()
            if there == resolved or resolved in there.parents:
                return True
        named = (file_of(s.id), re.sub(r"\.ya?ml$", "", s.file))
        return any(name == plain or name.startswith(plain + "/") for name in named)

    yield of_file
    if "#" in word:
        here = {path.resolve() for path in files_named([word]) if path.is_file()}
        name = slug(f"#{word.partition('#')[2]}")
        yield (
            lambda s: (
                Path(s.path).resolve() in here
                and slug(f"#{s.id.partition('#')[2]}").startswith(name)
            )
        )
    if re.fullmatch(r"(CR )?\d{3}(\.\d+[a-z]?)?", word):
        number = word.removeprefix("CR ")
        yield lambda s: any(_within(rule, number) for rule in s.rules)
    yield lambda s: s.ruling == word
    yield lambda s: file_of(s.id).rpartition("/")[2] == plain
    if any(sign in word for sign in "*?["):
        yield lambda s: any(
            fnmatch.fnmatchcase(name, pattern)
            for name in (s.id, slug(s.id))
            for pattern in (word, f"*/{word}")
        )
    lower = word.lower()
    yield lambda s: any(lower == name.lower() for name in s.cards)
    short = slug(word)
    yield lambda s: slug(s.id) == short
    if "#" in word:
        yield lambda s: slug(s.id).startswith(short)
        yield lambda s: slug(s.id).rpartition("/")[2].startswith(short)


def _within(rule: str, number: str) -> bool:
    """Say whether a rule is the numbered one or a part of it: 702.145b is within 702.145."""
    return re.fullmatch(re.escape(number) + r"([.a-z].*)?", rule) is not None


def near(scenarios: Sequence[Scenario], word: str, most: int = 3) -> tuple[str, ...]:
    """Give the ids, files, keys and cards that look most like a word which means nothing."""
    known: dict[str, str] = {}
    for scenario in scenarios:
        for name in (
            file_of(scenario.id),
            file_of(scenario.id).rpartition("/")[2],
            scenario.ruling,
            slug(scenario.id),
            *scenario.rules,
            *scenario.cards,
        ):
            known.setdefault(name.lower(), name)
    lower = word.lower()
    close = difflib.get_close_matches(lower, known, n=most, cutoff=0.6)
    if not close and len(lower) > 2:
        close = [name for name in known if lower in name][:most]
    return tuple(known[name] for name in close)


def shortest(scenarios: Sequence[Scenario], scenario_id: str) -> str:
    """Give the shortest word, readable and in need of no quotes, that means just this scenario."""
    wanted = slug(scenario_id)
    others = [slug(s.id) for s in scenarios if s.id != scenario_id]
    head, mark, name = wanted.partition("#")
    rivals = [other for other in others if other.startswith(head + mark)]
    words = name.split("-")
    for count in range(min(3, len(words)), len(words) + 1):
        short = head + mark + "-".join(words[:count])
        if not any(rival.startswith(short) for rival in rivals):
            return short
    return wanted if wanted not in others and rivals.count(wanted) == 0 else scenario_id


def matching(scenarios: Sequence[Scenario], expression: str) -> tuple[Scenario, ...]:
    """Give the scenarios for which a `-k` expression holds.

    Words stand for themselves anywhere in the id, the ruling's key, the rules and the names of the
    cards, whatever their case; `and`, `or`, `not` and parentheses join them, and quotes keep words
    together. Raises `BadExpressionError`.
    """
    holds = _Expression(expression).read()
    return tuple(s for s in scenarios if holds(_haystack(s)))


def _haystack(scenario: Scenario) -> str:
    return "\n".join((scenario.id, scenario.ruling, *scenario.rules, *scenario.cards)).lower()


class _Expression:
    """Reads `not a and (b or "c d")` into a predicate over text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = re.findall(r"\"[^\"]*\"|'[^']*'|[()]|[^\s()]+", text)
        self.at = 0

    def read(self) -> Callable[[str], bool]:
        if sum(token in {"(", "not"} for token in self.tokens) > DEEPEST:
            raise BadExpressionError(
                f"-k has more than {DEEPEST} parentheses and `not`s; write it flatter"
            )
        holds = self._either()
        if self.at < len(self.tokens):
            raise BadExpressionError(
                f"-k {self.text!r}: {self.tokens[self.at]!r} is not expected there"
            )
        return holds

    def _next(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _either(self) -> Callable[[str], bool]:
        parts = [self._both()]
        while self._next() == "or":
            self.at += 1
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else lambda text: any(part(text) for part in parts)

    def _both(self) -> Callable[[str], bool]:
        parts = [self._one()]
        while self._next() == "and":
            self.at += 1
            parts.append(self._one())
        return parts[0] if len(parts) == 1 else lambda text: all(part(text) for part in parts)

    def _one(self) -> Callable[[str], bool]:
        token = self._next()
        if token is None or token in {")", "and", "or"}:
            raise BadExpressionError(f"-k {self.text!r}: a word is missing")
        self.at += 1
        if token == "not":
            inner = self._one()
            return lambda text: not inner(text)
        if token == "(":
            inner = self._either()
            if self._next() != ")":
                raise BadExpressionError(f"-k {self.text!r}: a closing parenthesis is missing")
            self.at += 1
            return inner
        word = token.strip("\"'").lower()
        return lambda text: word in text


def shard(scenarios: Sequence[Scenario], part: str) -> tuple[Scenario, ...]:
    """Give part I of N (`I/N`, from 1): parts differ by one scenario at most.

    The parts go by a digest of the ids, so they are the same on every machine and slow files are
    spread over all of them. Raises `BadExpressionError`.
    """
    found = re.fullmatch(r"(\d+)/(\d+)", part)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise BadExpressionError(f"--shard {part}: expected I/N with 1 <= I <= N, such as 1/4")
    index, count = int(found[1]), int(found[2])
    dealt = sorted(scenarios, key=lambda s: hashlib.sha256(s.id.encode()).digest())
    mine = {s.id for s in dealt[index - 1 :: count]}
    return tuple(s for s in scenarios if s.id in mine)
