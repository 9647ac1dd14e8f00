"""Joins the reports of shards into one report an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.model import Report, Result, Verdict


class CannotMergeError(ValueError):
    """Reports that are not parts of one run; the text says why."""


def merge(reports: Sequence[Report]) -> list[Report]:
    """Join the reports that are of the same engine, in the order in which engines appear.

    A scenario that one report played and another did not is taken from the one that did. Raises
    `CannotMergeError` when parts are of different corpora or contradict each other.
    """
    groups: dict[tuple[str, str, str], list[Report]] = {}
    for report in reports:
        engine = report.engine
        groups.setdefault((engine.name, engine.version, engine.how), []).append(report)
    return [_join(parts) for parts in groups.values()]


def _join(parts: Sequence[Report]) -> Report:
    first = parts[0]
    for part in parts[1:]:
        if part.corpus != first.corpus:
            raise CannotMergeError(
                f"reports of {first.engine.name} are of different corpora: "
                f"{first.corpus.digest[:12]} and {part.corpus.digest[:12]}"
            )
    results: dict[str, Result] = {}
    for part in parts:
        for result in part.results:
            before = results.get(result.id)
            if before is None or before.verdict is Verdict.NOT_RUN:
                results[result.id] = result
            elif result.verdict is not Verdict.NOT_RUN and result != before:
                raise CannotMergeError(
                    f"two reports of {first.engine.name} disagree about {result.id}: "
                    f"{before.verdict} and {result.verdict}"
                )
    ordered = sorted(results.values(), key=lambda result: (result.file, result.line, result.id))
    complete = all(part.complete for part in parts) or not any(
        result.verdict is Verdict.NOT_RUN for result in ordered
    )
    return replace(
        first,
        results=tuple(ordered),
        seconds=sum(part.seconds for part in parts),
        complete=complete and not any(r.verdict is Verdict.NOT_RUN for r in ordered),
    )
