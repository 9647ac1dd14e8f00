"""Measures what is promised of speed, side by side in one run, and prints ratios.

    python benchmarks/run.py [--strict]

Makes a virtual environment of its own (in build/benchmarks) with bowtie-json-schema and pytest from
PyPI to compare with. Ratios of one run on one machine mean something; the seconds do not.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.connection import InProcess
from harness.corpus import Corpus, load_corpus
from harness.judge import judge
from harness.runner import run
from harness.scenario import CAPABILITIES, Scenario
from reference_engine.adapter import engine

HERE = Path(__file__).parent
ENVIRONMENT = HERE.parent / "build" / "benchmarks"
XMAGE = 0.0155
"""Seconds that XMage takes for a comparable game of three turns: the middle of 13-18 ms."""


@dataclasses.dataclass(frozen=True, slots=True)
class Measure:
    """One promise: what was measured against what, and the ratio that was promised."""

    what: str
    ours: str
    against: str
    ratio: float
    most: float

    @property
    def kept(self) -> bool:
        """Say whether the promise is kept."""
        return self.ratio <= self.most


def seconds(work: Callable[[], object], times: int) -> float:
    """Give the best of several times: what disturbs only ever makes it longer."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def process(*words: str, env: dict[str, str] | None = None) -> Callable[[], object]:
    """Give the work of running a program to its end."""

    def work() -> None:
        subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(env or {})},
            check=False,
        )

    return work


def environment() -> Path:
    """Give the folder of programs of the environment with what we compare with."""
    programs = ENVIRONMENT / "bin"
    if not (programs / "bowtie").exists() or not (programs / "pytest").exists():
        print("installing bowtie-json-schema and pytest into", ENVIRONMENT, file=sys.stderr)
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run(
            [
                programs / "python",
                "-m",
                "pip",
                "install",
                "--quiet",
                "bowtie-json-schema",
                "pytest",
            ],
            check=True,
        )
    return programs


def version(programs: Path) -> Measure:
    """`rulings --version` against `bowtie --version`."""
    ours = seconds(process(str(Path(sys.executable).parent / "rulings"), "--version"), 10)
    theirs = seconds(process(str(programs / "bowtie"), "--version"), 5)
    return Measure("--version", ms(ours), f"bowtie {ms(theirs)}", ours / theirs, 0.1)


def whole(programs: Path, scenarios: int) -> list[Measure]:
    """The whole corpus, loaded, validated, played and reported, against 1000 trivial tests."""
    with tempfile.TemporaryDirectory() as folder:
        tests = Path(folder) / "test_trivial.py"
        tests.write_text("".join(f"def test_{n}():\n    assert True\n" for n in range(1000)))
        words = [str(programs / "pytest"), "-q", "-p", "no:cacheprovider", str(tests)]
        theirs = seconds(process(*words), 3)
        program = str(Path(sys.executable).parent / "rulings")
        cache = {"RULINGS_CACHE": folder}
        process(program, "run", env=cache)()
        ours = seconds(process(program, "run", env=cache), 3)
        cold = seconds(process(program, "run", env={"RULINGS_CACHE": "off"}), 2)
    scaled = ours * 300 / scenarios
    against = f"1000 pytest tests {ms(theirs)}"
    return [
        Measure("300 scenarios, of that", ms(scaled), against, scaled / theirs, 1 / 1.07),
        Measure(f"all {scenarios} scenarios", ms(ours), against, ours / theirs, scenarios / 321),
        Measure("all, nothing cached", ms(cold), against, cold / theirs, float("inf")),
    ]


def pipe(scenarios: Sequence[Scenario]) -> Measure:
    """The reference engine over a pipe against the same in this process, once started."""

    def playing(how: str) -> float:
        began = [0.0]

        def start(_: object) -> None:
            began[0] = time.perf_counter()

        run(scenarios, how, on_start=start)
        return time.perf_counter() - began[0]

    piped = min(playing(f"cmd:{sys.executable} -m reference_engine") for _ in range(3))
    direct = min(playing("reference") for _ in range(3))
    return Measure("over a pipe", ms(piped), f"in process {ms(direct)}", piped / direct, 1.3)


def echo(scenarios: Sequence[Scenario]) -> Measure:
    """How many scenarios a second the pipe carries, to an adapter that plays nothing."""
    blind = [
        dataclasses.replace(
            scenario,
            steps=tuple(
                dataclasses.replace(step, refused=False)
                for step in scenario.steps
                if step.expect is None
            ),
            needs=(),
        )
        for scenario in scenarios
    ]
    many = blind * (4000 // len(blind) + 1)
    how = f"cmd:{sys.executable} {HERE / 'echo.py'} {' '.join(repr(one) for one in CAPABILITIES)}"
    report = run(many, how)
    assert report.summary["pass"] == len(many), report.summary
    rate = len(many) / report.seconds
    return Measure("echo adapter", f"{rate:,.0f}/s", "5,000/s", 5000 / rate, 1.0)


def warm(scenarios: Sequence[Scenario]) -> Measure:
    """One scenario of several turns on the warm engine, against a game of XMage."""
    turns = [
        one for one in scenarios if 2 <= sum(step.word == "advance" for step in one.steps) <= 3
    ]
    connection = InProcess(engine())
    connection.greet("reference", 10)
    taken = []
    for number, scenario in enumerate([*turns, *turns]):
        request = scenario.request(number)
        began = time.perf_counter()
        judge(scenario, connection.ask(request, 10))
        if number >= len(turns):  # the first round warms it
            taken.append(time.perf_counter() - began)
    median = statistics.median(taken)
    return Measure(
        "a game of 3 turns, warm", ms(median), f"XMage {ms(XMAGE)}", median / XMAGE, 1 / 20
    )


def ms(value: float) -> str:
    """Give seconds as milliseconds."""
    return f"{value * 1000:,.{2 if value < 0.01 else 0}f} ms"


def playable(corpus: Corpus) -> list[Scenario]:
    """Give the scenarios that pass, so that no failure is what takes time."""
    report = run(corpus.scenarios, "reference")
    passed = {result.id for result in report.results if result.verdict == "pass"}
    return [scenario for scenario in corpus.scenarios if scenario.id in passed]


def main() -> int:
    """Measure everything and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--strict", action="store_true", help="exit 1 when a promise is not kept")
    wanted = parser.parse_args()
    programs = environment()
    corpus = load_corpus()
    scenarios = playable(corpus)
    measures = [
        version(programs),
        *whole(programs, len(corpus.scenarios)),
        pipe(scenarios),
        echo(scenarios),
        warm(scenarios),
    ]
    print(f"{'':24} {'ours':>10}  {'against':<28} {'ratio':>6}  promised")
    for one in measures:
        promised = "" if one.most == float("inf") else f"<= {one.most:.2f}"
        sign = "" if one.kept else "  not kept"
        print(
            f"{one.what:<24} {one.ours:>10}  {one.against:<28} {one.ratio:>6.3f}  {promised}{sign}"
        )
    return int(wanted.strict and not all(one.kept for one in measures))


if __name__ == "__main__":
    sys.exit(main())
