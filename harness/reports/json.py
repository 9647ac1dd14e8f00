"""The report for machines, and the only one that can be read back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import __version__
from harness.model import FORMAT, CorpusInfo, Engine, Report, Result
from harness.reports import Shown
from harness.reports.escape import json_text

LARGEST = 256 * 1024 * 1024
"""A report of more bytes than this is not read."""


class BadReportError(ValueError):
    """A file that is not a report this version can read."""


def to_json(report: Report, shown: Shown) -> dict[str, Any]:
    """Give a report as `schema/report.json` describes it; `complete` comes last.

    What is in quarantine keeps its verdict and is marked; the summary says only how many there are.
    """
    counted = shown.counted(report)
    doubted = len(report.results) - len(counted.results)
    return {
        "format": FORMAT,
        "tool": {"name": "card-rulings", "version": __version__},
        "engine": report.engine.to_json(),
        "corpus": report.corpus.to_json(),
        "results": [
            {**result.to_json(), **({"quarantined": True} if shown.doubts(result) else {})}
            for result in report.results
        ],
        "summary": {**counted.summary, **({"quarantined": doubted} if doubted else {})},
        "seconds": round(report.seconds, 3),
        "complete": report.complete,
    }


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give one report as an object, several as an array."""
    every = [to_json(report, shown) for report in reports]
    return json_text(every[0] if len(every) == 1 else every)


def read(path: Path) -> list[Report]:
    """Read the reports in a file.

    A report without its ending is read as incomplete. Raises `BadReportError` saying what is wrong.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise BadReportError(f"{path}: larger than {LARGEST // 2**20} MiB")
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadReportError(f"{path}: {error.strerror or error}") from error
    except RecursionError as error:
        raise BadReportError(f"{path}: not a report (nested too deeply)") from error
    except ValueError as error:
        raise BadReportError(f"{path}: not JSON ({error})") from error
    every = data if isinstance(data, list) else [data]
    return [from_json(one, str(path)) for one in every]


def from_json(data: Any, where: str = "report") -> Report:
    """Read one report. Raises `BadReportError`."""
    if not isinstance(data, Mapping) or "results" not in data or "engine" not in data:
        raise BadReportError(f"{where}: not a report of card-rulings")
    version = data.get("format")
    if not isinstance(version, int) or not 1 <= version <= FORMAT:
        raise BadReportError(
            f"{where}: a report of format {version!r}; this version reads formats up to {FORMAT}"
        )
    try:
        engine = dict(data["engine"])
        for listed in ("capabilities", "cards"):
            engine[listed] = None if engine.get(listed) is None else tuple(engine[listed])
        engine["capabilities"] = engine["capabilities"] or ()
        known = {key: engine[key] for key in Engine.__dataclass_fields__ if key in engine}
        corpus = data["corpus"]
        return Report(
            engine=Engine(**known),
            corpus=CorpusInfo(corpus["version"], corpus["digest"], corpus["edition"]),
            results=tuple(Result.from_json(result) for result in data["results"]),
            seconds=float(data.get("seconds", 0.0)),
            complete=data.get("complete") is True,
        )
    except KeyError as error:
        raise BadReportError(f"{where}: {error.args[0]!r} is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise BadReportError(f"{where}: not a report of card-rulings ({error})") from error
