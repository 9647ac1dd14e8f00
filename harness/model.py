"""Value objects of a run: verdicts, results and the report they make up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

FORMAT = 1
"""Version of the JSON report."""


class Verdict(StrEnum):
    """What became of one scenario on one engine; only one of them is a pass."""

    PASS = "pass"
    FAIL = "fail"
    UNSUPPORTED = "unsupported"
    ERROR = "error"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict of one scenario, with what a reader needs to believe it.

    `detail` is None for a pass and otherwise a JSON object whose `kind` says which way it went.
    `quarantined` is what the stored report said that it was read from; it is no part of what came.
    """

    id: str
    digest: str
    verdict: Verdict
    ruling: str
    rules: tuple[str, ...]
    level: str
    file: str
    line: int
    detail: Mapping[str, Any] | None = None
    quarantined: bool = field(default=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """Give the result as it stands in a JSON report."""
        return {
            "id": self.id,
            "digest": self.digest,
            "verdict": self.verdict.value,
            "ruling": self.ruling,
            "rules": list(self.rules),
            "level": self.level,
            "file": self.file,
            "line": self.line,
            "detail": None if self.detail is None else dict(self.detail),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read a result of a JSON report.

        Raises `KeyError` or `ValueError` on a result that the schema would not take.
        """
        return cls(
            id=data["id"],
            digest=data["digest"],
            verdict=Verdict(data["verdict"]),
            ruling=data["ruling"],
            rules=tuple(data["rules"]),
            level=data["level"],
            file=data["file"],
            line=data["line"],
            detail=data["detail"],
            quarantined=data.get("quarantined") is True,
        )


@dataclass(frozen=True, slots=True)
class Engine:
    """Who was asked: what `hello` answered and how the engine was reached."""

    name: str
    version: str
    how: str
    language: str | None = None
    homepage: str | None = None
    license: str | None = None
    protocol: int = 1
    capabilities: tuple[str, ...] = ()
    cards: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Give the engine as it stands in a JSON report."""
        return {
            "name": self.name,
            "version": self.version,
            "language": self.language,
            "homepage": self.homepage,
            "license": self.license,
            "how": self.how,
            "protocol": self.protocol,
            "capabilities": list(self.capabilities),
            "cards": None if self.cards is None else list(self.cards),
        }


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """Which scenarios were played: the corpus' version and digest and the rules edition."""

    version: str
    digest: str
    edition: str

    def to_json(self) -> dict[str, Any]:
        """Give the corpus as it stands in a JSON report."""
        return {"version": self.version, "digest": self.digest, "edition": self.edition}


@dataclass(frozen=True, slots=True)
class Report:
    """All results of one engine, in the order of the corpus."""

    engine: Engine
    corpus: CorpusInfo
    results: Sequence[Result] = field(default_factory=tuple)
    seconds: float = 0.0
    complete: bool = True

    @property
    def summary(self) -> dict[str, int]:
        """How many results had which verdict, every verdict named."""
        counts = {verdict.value: 0 for verdict in Verdict}
        for result in self.results:
            counts[result.verdict.value] += 1
        return counts
