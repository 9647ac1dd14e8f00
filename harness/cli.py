"""The command line. Nothing but click is imported before a command runs: `--version` is instant."""

from __future__ import annotations

import difflib
import errno
import math
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from harness import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from harness.comparison import Comparison
    from harness.connection import CannotStartError
    from harness.corpus import Corpus, Scenario
    from harness.expectations import Account, Expectations
    from harness.faults import Fault, Matrix
    from harness.model import Report
    from harness.problem import Problem
    from harness.quarantine import Quarantine
    from harness.reports import Shown
    from harness.selection import Chosen

UNEXPECTED, USAGE, NO_START, INTERRUPTED = 1, 2, 3, 130
"""Exit statuses, and the shell's for Ctrl-C."""

MOST_PROBLEMS = 50
"""So many problems of the corpus are shown where it was not `check` that was asked for."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""What the system says when standard output takes no more."""

REPORTS = ("text", "json", "junit", "markdown", "html", "badge", "shields", "github")


class Stop(click.ClickException):
    """Ends the command with one line on standard error and the status of bad usage."""

    exit_code = USAGE

    def show(self, file: Any = None) -> None:
        """Write the message as one line, with nothing in it that a terminal would obey."""
        from harness.reports.escape import line

        click.echo(f"rulings: {line(self.message)}", err=True)


class Seconds(click.FloatRange):
    """A time-out: more than nothing and at most an hour. NaN is within no range, nor outside."""

    def __init__(self) -> None:
        super().__init__(0, 3600, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Give the seconds."""
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return seconds


class Rulings(click.Group):
    """The commands; a usage error is one line with what was probably meant."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and exit with its status."""
        try:
            value = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            if not standalone_mode:
                return value
            sys.exit(value if isinstance(value, int) else 0)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()  # nothing was asked for: the overview, in its own lines
            sys.exit(USAGE)
        except click.UsageError as error:
            Stop(_one_line(error)).show()
            sys.exit(USAGE)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt):
            click.echo("rulings: interrupted", err=True)
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader has gone (`rulings list | head`): nothing is left to say, at exit too.
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
            sys.exit(141)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            # What is still buffered cannot be written at exit either.
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
            Stop(f"cannot write the output: {os.strerror(error.errno).lower()}").show()
            sys.exit(USAGE)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one is nearest."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise click.UsageError(
                f"no command {name!r}{_meant(name, self.list_commands(ctx))}", ctx
            )
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the commands in the order in which a reader needs them."""
        return list(self.commands)


def _one_line(error: click.UsageError) -> str:
    """Give a usage error as one line that ends with where to look."""
    text = error.format_message().strip()
    if isinstance(error, click.NoSuchOption):
        near = error.possibilities or ()
        text = f"no option {error.option_name!r}"
        if near:
            text += f"; did you mean {_either(near)}?"
    text = " ".join(text.split()).rstrip(".")
    text = text[:1].lower() + text[1:]
    if text.endswith("?"):
        return text
    where = error.ctx.command_path if error.ctx else "rulings"
    return f"{text} (see {where} --help)"


def _either(words: Iterable[str]) -> str:
    every = [f"{word}" for word in words]
    return " or ".join(filter(None, (", ".join(every[:-1]), every[-1])))


def _meant(word: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=2, cutoff=0.5)
    return f"; did you mean {_either(near)}?" if near else ""


# -- completion


def _complete_scenarios(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Offer files and, once a `#` is typed, their scenarios, as words that need no quotes."""
    from click.shell_completion import CompletionItem

    from harness.selection import file_of, slug

    try:
        scenarios = _corpus().scenarios
    except Exception:  # completion must never print a traceback into somebody's prompt
        return []
    if "#" in incomplete:
        return [
            CompletionItem(slug(s.id), help=s.name)
            for s in scenarios
            if slug(s.id).startswith(slug(incomplete)) or s.id.startswith(incomplete)
        ]
    files = dict.fromkeys(file_of(s.id) for s in scenarios)
    return [CompletionItem(file) for file in files if file.startswith(incomplete)]


def _complete_engines(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Offer the engines that are installed, and the ways to name another."""
    from click.shell_completion import CompletionItem

    from harness.engines import listing

    try:
        known = [*(engine.name for engine in listing()), "cmd:", "python:"]
    except Exception:
        return []
    return [CompletionItem(name) for name in known if name.startswith(incomplete)]


# -- what several commands share


def _corpus(words: Sequence[str] = ()) -> Corpus:
    """Load the corpus and the files that the words name, or stop with what is wrong with them.

    The whole corpus is wanted even where a part of it is played, to know what else is near; only
    when some file of it cannot be used does the selection decide what is needed.
    """
    from harness.corpus import load_corpus
    from harness.problem import BadCorpus
    from harness.selection import files_named

    try:
        try:
            return load_corpus(files=files_named(words))
        except BadCorpus:
            if not words:
                raise
            return load_corpus(select=words)
    except BadCorpus as error:
        raise _bad(error.problems, "the corpus") from None


def _bad(problems: Sequence[Problem], where: str) -> Stop:
    """Show what is wrong with files; what is returned ends the command."""
    from harness.reports.escape import line

    for problem in problems[:MOST_PROBLEMS]:
        click.echo(line(problem), err=True)
    count = len(problems)
    return Stop(f"{count} problem{'' if count == 1 else 's'} in {where}")


def _chosen(
    words: Sequence[str],
    expression: str | None = None,
    part: str | None = None,
    edition: str | None = None,
    playing: bool = False,
) -> Chosen:
    """Give the scenarios that a command line asks for; none of them is a usage error."""
    from harness.selection import BadExpressionError, NothingSelectedError, choose

    try:
        return choose(_corpus(words), words, expression, part, edition, playing)
    except NothingSelectedError as error:
        near = f"; near it: {', '.join(error.near)}" if error.near else ""
        raise Stop(f"nothing selected: {error}{near}") from None
    except BadExpressionError as error:
        raise Stop(str(error)) from None


def _shown(scenarios: Iterable[Scenario], color: str | None, verbosity: int = 0) -> Shown:
    """Give how the terminal at hand wants a report."""
    from harness.reports import Shown
    from harness.terminal import colored, columns, writes_unicode

    return Shown(
        scenarios={scenario.id: scenario for scenario in scenarios},
        width=columns(),
        color=colored(color),
        unicode=writes_unicode(),
        verbosity=verbosity,
    )


select_argument = click.argument(
    "select", nargs=-1, shell_complete=_complete_scenarios, metavar="[SELECT]..."
)
expression_option = click.option(
    "-k", "expression", metavar="EXPR", help="Only scenarios whose names match, as in pytest."
)
edition_option = click.option(
    "--edition", metavar="DATE", help="Comprehensive Rules edition to play and cite by."
)
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour the text (default: on a terminal, and not with NO_COLOR).",
)
output_option = click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the report there instead; with several, one for each --format.",
)
format_option = click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(REPORTS),
    help="Form of the report (default: text, or what the name of the output says).",
)


quarantine_option = click.option(
    "--quarantine",
    "doubted",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Scenarios in doubt: shown, not counted (default: the corpus' quarantine.yaml).",
)
coverage_option = click.option(
    "--coverage",
    "covered",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="JSON",
    help="What `rulings coverage --format json` said, for the site to show.",
)


OVERVIEW = """Official rulings of Magic: The Gathering, run against any engine.

\b
rulings run                     the reference engine, every scenario
rulings run --engine 'cmd:…'    another engine, behind a pipe
rulings show ID                 one scenario, told as a person would
"""

COMPLETION = """Print the completion script of a shell.

\b
bash   eval "$(rulings completion bash)"      in ~/.bashrc
zsh    eval "$(rulings completion zsh)"       in ~/.zshrc
fish   rulings completion fish | source       in config.fish
"""


@click.group(cls=Rulings, help=OVERVIEW, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="card-rulings", message="%(prog)s %(version)s")
def cli() -> None:
    """Hold the commands."""


# -- rulings run


@cli.command()
@select_argument
@click.option(
    "-e",
    "--engine",
    "engines",
    multiple=True,
    default=("reference",),
    metavar="ENGINE",
    shell_complete=_complete_engines,
    help="A name of `rulings engines`, cmd:COMMAND or python:MODULE:FACTORY; may be repeated.",
)
@format_option
@output_option
@click.option(
    "--expectations",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Failures that are known and expected.",
)
@click.option(
    "--write-expectations",
    "written",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the list of failures that expects just what came.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    metavar="N",
    help="Play with N of the engine side by side.",
)
@click.option(
    "--timeout",
    type=Seconds(),
    default=10.0,
    metavar="S",
    help="Seconds for one scenario (default: 10).",
)
@click.option(
    "--repeat",
    type=click.IntRange(1, 1000),
    default=1,
    metavar="N",
    help="Play each scenario N times; different answers are a failure.",
)
@click.option("--shard", metavar="I/N", help="Only part I of N, for machines side by side.")
@quarantine_option
@coverage_option
@expression_option
@edition_option
@click.option("-x", "--exitfirst", is_flag=True, help="End with the first failure.")
@click.option("--watch", is_flag=True, help="Run again whenever a file is saved, until Ctrl-C.")
@click.option("-q", "--quiet", count=True, help="Say less; twice: only the summary line.")
@click.option("-v", "--verbose", count=True, help="Say more: each scenario by name.")
@color_option
def run(
    select: tuple[str, ...],
    engines: tuple[str, ...],
    formats: tuple[str, ...],
    outputs: tuple[Path, ...],
    expectations: Path | None,
    written: Path | None,
    jobs: int,
    timeout: float,
    repeat: int,
    shard: str | None,
    doubted: Path | None,
    covered: Path | None,
    expression: str | None,
    edition: str | None,
    exitfirst: bool,
    watch: bool,
    quiet: int,
    verbose: int,
    color: str,
) -> int:
    """Run scenarios on engines and report which rulings each gets right.

    SELECT is an id, a file, FILE:LINE, a folder, the key of a ruling, a rule number, a card's name
    or a pattern with *; without one, everything runs.

    Exits 0 when all is as expected, 1 when something is not, 2 on bad usage or when nothing is
    selected, 3 when an engine cannot be started.
    """
    if watch:
        return _watch(select, engines, expectations)
    import dataclasses

    from harness.connection import CannotStartError
    from harness.engines import UnknownEngineError, resolve
    from harness.runner import run as play
    from harness.terminal import Progress

    places = _places(formats, outputs)
    known = _expectations(expectations)
    doubts = _quarantine(doubted)
    coverage = _coverage(covered)
    try:
        reachable = [resolve(engine) for engine in engines]
    except UnknownEngineError as error:
        raise Stop(str(error)) from None
    chosen = _chosen(select, expression, shard, edition, playing=True)
    scenarios = chosen.scenarios
    reports: list[Report] = []
    status = 0
    for engine in reachable:
        try:
            with Progress(len(scenarios), engine.how) as progress:
                report = play(
                    scenarios,
                    engine,
                    corpus=chosen.info,
                    jobs=jobs,
                    timeout=timeout,
                    repeat=repeat,
                    fail_fast=exitfirst,
                    on_result=progress,
                )
        except CannotStartError as error:
            _cannot_start(engine.how, error)
            status = NO_START
            continue
        reports.append(report)
        if not report.complete and not exitfirst:
            status = status or INTERRUPTED
            break
    if reports:
        accounts = [_settled(report, chosen.corpus, known, doubts) for report in reports]
        shown = _shown(chosen.corpus.scenarios, color, verbose - quiet)
        shown = dataclasses.replace(
            shown, corpus=chosen.corpus, quarantine=doubts, coverage=coverage
        )
        if known is not None:
            shown = dataclasses.replace(shown, accounts=list(zip(reports, accounts, strict=True)))
        _publish(reports, places, shown)
        for report, account in zip(reports, accounts, strict=True):
            if not account.is_balanced or _nothing_played(report):
                status = status or UNEXPECTED
    if written is not None and reports:
        _write_expectations(written, reports[0], known)
    return status


def _watch(select: Sequence[str], engines: Sequence[str], expectations: Path | None) -> int:
    """Run the command line that this is, again and again."""
    from harness import watching
    from harness.terminal import is_terminal

    arguments = [word for word in sys.argv[1:] if word != "--watch"]
    paths = watching.watched(select, engines, [expectations])
    return watching.again(
        arguments,
        paths,
        say=lambda text: click.echo(text, err=True),
        clear=is_terminal(sys.stdout) and is_terminal(sys.stderr),
    )


def _expectations(path: Path | None) -> Expectations | None:
    """Read a list of known failures, or stop with what is wrong with it."""
    if path is None:
        return None
    from harness.expectations import load
    from harness.problem import BadCorpus

    try:
        return load(path)
    except BadCorpus as error:
        raise _bad(error.problems, str(path)) from None


def _quarantine(path: Path | None) -> Quarantine:
    """Read a list of scenarios in doubt, the corpus' own where none is named."""
    from harness import quarantine
    from harness.problem import BadCorpus

    try:
        return quarantine.usual() if path is None else quarantine.load(path)
    except BadCorpus as error:
        raise _bad(error.problems, str(path or "the corpus")) from None


def _coverage(path: Path | None) -> dict[str, Any] | None:
    """Read what `rulings coverage --format json` wrote."""
    import json

    if path is None:
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        witnessed = [rule["number"] for rule in data["rules"] if rule["witnessed"]]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise Stop(f"{path}: not what `rulings coverage --format json` writes") from None
    return data if witnessed else None


def _settled(
    report: Report, corpus: Corpus, known: Expectations | None, doubts: Quarantine
) -> Account:
    """Set a report against what was expected; where nothing is listed, all should pass.

    What is in quarantine is not counted.
    """
    from harness.expectations import Expectations, settle

    names = {scenario.id: scenario.aliases for scenario in corpus.scenarios}
    counted = [
        result
        for result in report.results
        if doubts.entry_for((result.id, *names.get(result.id, ()))) is None
    ]
    return settle(known or Expectations(), counted, names)


def _write_expectations(path: Path, report: Report, known: Expectations | None) -> None:
    """Write the list that expects just what came, with the reasons that were on the old one."""
    from harness.expectations import written
    from harness.reports import write

    try:
        write(path, written(report.results, report.engine, known))
    except OSError as error:
        raise Stop(f"cannot write {path}: {error.strerror or error}") from None


def _nothing_played(report: Report) -> bool:
    """Say whether a run proved nothing: that is never as it should be."""
    summary = report.summary
    return not summary["pass"] + summary["fail"] + summary["error"]


def _places(formats: Sequence[str], outputs: Sequence[Path]) -> list[tuple[str, Path | None]]:
    """Pair forms with files: `-o a.json -o b.xml`, or as many --format as --output."""
    from harness.reports import SUFFIXES

    if not outputs:
        if len(formats) > 1:
            raise Stop("several --format need an --output for each")
        if "html" in formats:
            raise Stop("a site is written into a folder: give --output FOLDER")
        return [(formats[0] if formats else "text", None)]
    if formats and len(formats) != len(outputs):
        raise Stop(f"{len(formats)} --format for {len(outputs)} --output; give one for each")
    if formats:
        return list(zip(formats, outputs, strict=True))
    return [(SUFFIXES.get(output.suffix.lower(), "text"), output) for output in outputs]


def _publish(
    reports: Sequence[Report], places: Sequence[tuple[str, Path | None]], shown: Shown
) -> None:
    """Write the reports where they are wanted; a person who sent them to files sees a summary."""
    import dataclasses

    from harness.reports import append, render, write

    on_paper = dataclasses.replace(shown, color=False, unicode=True)
    for form, path in places:
        if form == "html":
            _site(path, reports, on_paper)
            continue
        if path is None:
            _say(render(form, reports, shown), shown.color)
            continue
        try:
            write(path, render(form, reports, on_paper))
        except OSError as error:
            raise Stop(f"cannot write {path}: {error.strerror or error}") from None
    if all(path is not None for _, path in places):
        brief = dataclasses.replace(shown, verbosity=min(shown.verbosity, 0) - 1)
        _say(render("text", reports, brief), shown.color)
    elif os.environ.get("GITHUB_ACTIONS") == "true" and places[0][0] == "text":
        _say(render("github", reports, shown), False)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        try:
            append(Path(summary), render("markdown", reports, shown))
        except OSError as error:
            raise Stop(f"cannot write {summary}: {error.strerror or error}") from None


def _site(folder: Path | None, reports: Sequence[Report], shown: Shown) -> None:
    """Write reports as a site, and say where its first page is."""
    from harness.reports import html

    if folder is None:
        raise Stop("a site is written into a folder: give --output FOLDER")
    assert shown.corpus is not None
    try:
        first = html.write(folder, reports, shown, shown.corpus, shown.quarantine, shown.coverage)
    except OSError as error:
        raise Stop(f"cannot write {folder}: {error.strerror or error}") from None
    click.echo(f"site: {first}", err=True)


def _say(text: str, color: bool) -> None:
    """Write to standard output and make sure that it arrived."""
    click.echo(text, nl=False, color=color)


# -- rulings list, show


@cli.command("list")
@select_argument
@expression_option
@edition_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("-q", "--quiet", is_flag=True, help="Only the ids, one a line.")
@color_option
def list_(
    select: tuple[str, ...],
    expression: str | None,
    edition: str | None,
    form: str,
    quiet: bool,
    color: str,
) -> None:
    """List the scenarios there are."""
    from harness import listing

    scenarios = _chosen(select, expression, edition=edition).scenarios
    shown = _shown(scenarios, color)
    if form == "json":
        _say(listing.as_json(scenarios), False)
    elif quiet:
        _say("".join(f"{scenario.id}\n" for scenario in scenarios), False)
    else:
        _say(listing.as_text(scenarios, shown), shown.color)


@cli.command()
@click.argument(
    "select", nargs=-1, required=True, metavar="ID...", shell_complete=_complete_scenarios
)
@edition_option
@click.option("--protocol", is_flag=True, help="The exact message that an engine would get.")
@color_option
def show(select: tuple[str, ...], edition: str | None, protocol: bool, color: str) -> None:
    """Tell scenarios as a person would."""
    from harness import listing

    chosen = _chosen(select, edition=edition)
    scenarios, corpus = chosen.scenarios, chosen.corpus
    if protocol:
        import json

        for number, scenario in enumerate(scenarios, 1):
            _say(json.dumps(scenario.request(number), ensure_ascii=False) + "\n", False)
        return
    shown = _shown(scenarios, color)
    _say("\n".join(listing.told(scenario, corpus, shown) for scenario in scenarios), shown.color)


@cli.command()
@click.argument(
    "select", nargs=-1, required=True, metavar="ID...", shell_complete=_complete_scenarios
)
@click.option(
    "-e",
    "--engine",
    default="reference",
    metavar="ENGINE",
    shell_complete=_complete_engines,
    help="A name of `rulings engines`, cmd:COMMAND or python:MODULE:FACTORY.",
)
@click.option(
    "--timeout",
    type=Seconds(),
    default=10.0,
    metavar="S",
    help="Seconds for one scenario (default: 10).",
)
@edition_option
@click.option("--every-step", is_flag=True, help="Ask after each step, not only at the looks.")
@click.option("--protocol", is_flag=True, help="Show the exact messages too, both ways.")
@color_option
def explain(
    select: tuple[str, ...],
    engine: str,
    timeout: float,
    edition: str | None,
    every_step: bool,
    protocol: bool,
    color: str,
) -> int:
    """Play scenarios on an engine and show, step by step, what it reported.

    Exits 0 when all of it is as the rules say, 1 when something is not, 3 when the engine cannot be
    started.
    """
    from harness.connection import CannotStartError
    from harness.engines import UnknownEngineError, resolve
    from harness.explaining import as_text, trace

    try:
        reachable = resolve(engine)
    except UnknownEngineError as error:
        raise Stop(str(error)) from None
    chosen = _chosen(select, edition=edition, playing=True)
    shown = _shown(chosen.corpus.scenarios, color)
    status = 0
    for number, scenario in enumerate(chosen.scenarios):
        try:
            found = trace(scenario, reachable, timeout, every_step)
        except CannotStartError as error:
            _cannot_start(engine, error)
            return NO_START
        _say("\n" * bool(number) + as_text(found, shown, protocol), shown.color)
        status = status or (0 if found.result.verdict.value == "pass" else UNEXPECTED)
    return status


# -- rulings new


@cli.command()
@click.option(
    "--source",
    type=click.Choice(["official", "comprehensive-rules", "regression", "card-text"]),
    help="What the ruling comes from (default: official with a date, else a rule).",
)
@click.option("--date", metavar="DATE", help="Date of an official ruling.")
@click.option("--card", metavar="NAME", help="A card that the first scenario is about.")
@click.option("--rule", "rules", multiple=True, metavar="NUMBER", help="A rule that decides it.")
@click.option("--key", metavar="KEY", help="Key of the ruling, as the catalogue has it.")
@click.option(
    "--into",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The corpus to write into (default: the one here, or else this folder).",
)
def new(
    source: str | None,
    date: str | None,
    card: str | None,
    rules: tuple[str, ...],
    key: str | None,
    into: Path | None,
) -> None:
    r"""Write a ruling file with a first scenario to fill in; what is not said is asked for.

    \b
    rulings new --date 2021-09-24 --card "Tavern Ruffian" --rule 702.145b
    rulings new --rule 728.2a
    """
    from harness import authoring, sources
    from harness.corpus import load_corpus
    from harness.problem import BadCorpus
    from harness.reports import write

    asks = not (date or rules or key or source)
    place = into or authoring.corpus_at(Path.cwd()) or Path.cwd()
    place = authoring.corpus_at(place) or place
    try:
        corpus = load_corpus(place) if sources.is_root(place) else load_corpus()
    except BadCorpus as error:
        raise _bad(error.problems, "the corpus") from None
    try:
        if asks:
            date = _asked("Date of the official ruling (none: it is about a rule)", "date", "")
        entry = corpus.catalog.get(key or "")
        source = source or ("official" if date or entry else "comprehensive-rules")
        if asks and card is None:
            card = _asked("Card (none: no card yet)", "card", "")
        card = authoring.card_of(card, corpus) if card else None
        if source == "official" and not date:
            date = entry["dates"][0] if entry else _asked("Date of the official ruling", "date")
        if source == "official" and key is None:
            key = _which(authoring.keys_of(corpus, date or "", card))
        if not rules and not (source == "comprehensive-rules" and key):
            rules = tuple((_asked("Rule that decides it, such as 702.145b", "rule")).split())
        what = authoring.wanted(corpus, source, key, date, card, rules)
    except authoring.CannotWriteError as error:
        raise Stop(str(error)) from None
    draft = authoring.draft(what, corpus, place)
    shown = os.path.relpath(draft.path)
    if draft.path.exists():
        raise Stop(f"{shown} is there already: add a scenario to it")
    try:
        write(draft.path, draft.text)
    except OSError as error:
        raise Stop(f"cannot write {shown}: {error.strerror or error}") from None
    click.echo(f"{shown}\nNext: fill it in, with `rulings run {shown} --watch` beside it.")


def _asked(question: str, option: str, default: str | None = None) -> str:
    """Ask a person; where nobody answers, say which option is missing."""
    try:
        answer: str = click.prompt(question, default=default, show_default=bool(default), err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo(err=True)
        raise Stop(f"--{option} is missing, and nobody answers") from None
    return answer.strip()


def _which(keys: Sequence[tuple[str, str]]) -> str:
    """Let a person choose a ruling; where there is one only, that is it."""
    if len(keys) == 1:
        return keys[0][0]
    for number, (key, gist) in enumerate(keys, 1):
        click.echo(f"{number:>3}  {key}\n     {gist}", err=True)
    answer = _asked("Which of these", "key", "1")
    if answer in dict(keys):
        return answer
    if not answer.isdecimal() or not 1 <= int(answer) <= len(keys):
        raise Stop(f"{answer!r} is none of them; expected 1 to {len(keys)}")
    return keys[int(answer) - 1][0]


# -- rulings check


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--select", multiple=True, metavar="CODE", help="Only checks whose codes begin so.")
@click.option("--ignore", multiple=True, metavar="CODE", help="No checks whose codes begin so.")
@click.option("--explain", metavar="CODE", help="Explain a check instead.")
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text")
@click.option("-q", "--quiet", is_flag=True, help="Only the problems.")
@color_option
def check(
    paths: tuple[Path, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    explain: str | None,
    form: str,
    quiet: bool,
    color: str,
) -> int:
    """Say what is wrong with ruling files, cards, the catalogue and the editions.

    Without a path it looks at the corpus that comes with the tool. Exits 2 if anything is wrong.
    """
    from harness import checking

    if explain is not None:
        try:
            _say(checking.explain(explain), False)
        except KeyError:
            raise Stop(f"no check {explain!r}{_meant(explain, checking.codes())}") from None
        return 0
    for word in (*select, *ignore):
        if not any(code.startswith(word) for code in checking.codes()):
            raise Stop(f"no check begins with {word!r}{_meant(word, checking.codes())}")
    found = checking.check(paths, select, ignore)
    if not found.files:
        raise Stop(f"no YAML file in {', '.join(map(str, paths))}: nothing was checked")
    shown = _shown((), color)
    _say(checking.render(form, found, shown, quiet), shown.color)
    return USAGE if found.problems else 0


# -- rulings faults


@cli.command()
@select_argument
@expression_option
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes to use.")
@click.option("--fault", "names", multiple=True, metavar="NAME", help="Only this fault.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("-v", "--verbose", count=True, help="Name the scenarios that catch each fault.")
@click.option("-q", "--quiet", count=True, help="Only a line a fault.")
@color_option
def faults(
    select: tuple[str, ...],
    expression: str | None,
    jobs: int | None,
    names: tuple[str, ...],
    form: str,
    verbose: int,
    quiet: int,
    color: str,
) -> int:
    """Play scenarios on planted faults and say which scenario catches which.

    Exits 1 if a fault is caught by no scenario that cites a rule it breaks, if a scenario catches
    none and does not say why, or if the engine that does nothing passes anything.
    """
    from dataclasses import replace

    from harness.reports import matrix as shown_as

    chosen = _chosen(select, expression)
    every = _planted()
    known = [fault.name for fault in every]
    for name in names:
        if name not in known:
            raise Stop(f"no fault {name!r}{_meant(name, known)}")
    wanted = [fault for fault in every if not names or fault.name in names]
    found = _matrix(chosen, wanted, jobs)
    found = replace(found, every_scenario=not (select or expression), every_fault=not names)
    if form == "json":
        _say(shown_as.as_json(found), False)
    else:
        shown = _shown((), color, verbose - quiet)
        _say(shown_as.as_text(found, shown), shown.color)
    return UNEXPECTED if found.problems() else 0


def _planted() -> tuple[Fault, ...]:
    from harness.faults import planted

    return planted()


def _matrix(
    chosen: Chosen, faults: Sequence[Fault], jobs: int | None, about_only: bool = False
) -> Matrix:
    """Play the scenarios on faults, each in an edition where it holds."""
    from harness.engines import DEFAULT
    from harness.faults import play
    from harness.selection import in_its_edition
    from harness.terminal import Progress

    scenarios = [in_its_edition(one, chosen.corpus.editions) for one in chosen.scenarios]
    with Progress(len(faults), "faults") as progress:
        return play(
            scenarios,
            faults,
            base=DEFAULT,
            jobs=jobs or os.cpu_count() or 1,
            about_only=about_only,
            on_outcome=lambda outcome: progress.step(not outcome.good),
        )


# -- rulings engines, adapter-check


@cli.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@color_option
def engines(form: str, color: str) -> None:
    """List the engines that can be named."""
    from harness import listing
    from harness.engines import listing as found

    if form == "json":
        _say(listing.engines_as_json(found()), False)
    else:
        shown = _shown((), color)
        _say(listing.engines_as_text(found(), shown), shown.color)


@cli.command("adapter-check")
@click.argument("engine", shell_complete=_complete_engines)
@click.option(
    "--timeout",
    type=Seconds(),
    default=10.0,
    metavar="S",
    help="Seconds for one answer (default: 10).",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("-q", "--quiet", is_flag=True, help="Only what is wrong.")
@color_option
def adapter_check(engine: str, timeout: float, form: str, quiet: bool, color: str) -> int:
    """Examine an adapter: does it keep to the protocol, whatever its engine gets right?

    Exits 1 if it does not, 3 if it cannot be started.
    """
    from harness import listing
    from harness.adapter_check import CHECKS, check_adapter
    from harness.connection import CannotStartError
    from harness.engines import UnknownEngineError, resolve
    from harness.terminal import Progress

    try:
        reachable = resolve(engine)
    except UnknownEngineError as error:
        raise Stop(str(error)) from None
    scenarios = _chosen((), playing=True).scenarios
    try:
        with Progress(len(CHECKS), engine) as progress:
            found = check_adapter(
                reachable,
                scenarios,
                timeout=timeout,
                on_check=lambda checked: progress.step(bool(checked.findings)),
            )
    except CannotStartError as error:
        _cannot_start(engine, error)
        return NO_START
    shown = _shown((), color)
    if form == "json":
        _say(listing.checkup_as_json(found), False)
    else:
        _say(listing.checkup_as_text(found, shown, quiet), shown.color)
    return UNEXPECTED if found.findings else 0


def _cannot_start(engine: str, error: CannotStartError) -> None:
    """Say that an engine could not be started, with the last lines of its own log."""
    from harness.reports.escape import plain

    Stop(f"{engine} could not be started: {error.reason}").show()
    for said in plain(error.log).splitlines():
        click.echo(f"  | {said}", err=True)


# -- rulings coverage


@cli.command()
@select_argument
@expression_option
@edition_option
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes to use.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "html"]),
    help="Form of the coverage (default: text, or what the name of the output says).",
)
@output_option
@click.option(
    "--named/--witnessed",
    default=None,
    help="Play no faults to see which rules are witnessed, or do (default: do, but not with a "
    "file of official rulings).",
)
@click.option(
    "--official",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Official rulings to compare with: Scryfall's bulk rulings, MTGJSON, or JSON Lines.",
)
@click.option(
    "--previous",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="An older such file, to show which words of a ruling changed.",
)
@click.option(
    "--cards",
    "names",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A bulk file of cards, for the names of those in Scryfall's rulings.",
)
@click.option("--about", multiple=True, metavar="WORD", help="What new rulings are of interest.")
@click.option("--all", "everything", is_flag=True, help="All new rulings, whatever about.")
@click.option("-v", "--verbose", count=True, help="Say more: each ruling in our words.")
@color_option
def coverage(
    select: tuple[str, ...],
    expression: str | None,
    edition: str | None,
    jobs: int | None,
    form: str | None,
    outputs: tuple[Path, ...],
    named: bool | None,
    official: Path | None,
    previous: Path | None,
    names: Path | None,
    about: tuple[str, ...],
    everything: bool,
    verbose: int,
    color: str,
) -> None:
    """Show which rulings and rules have scenarios, gaps first.

    A rule is witnessed when a planted fault that breaks it is caught by a scenario that cites it;
    otherwise it is merely named. With --official, rulings of a file that the catalogue does not
    have are shown first, then those reworded and gone.
    """
    from harness import coverage as covering

    if official is None and (previous or names or about or everything):
        raise Stop("--previous, --cards, --about and --all need --official FILE")
    chosen = _chosen(select, expression, edition=edition)
    compared = (
        None
        if official is None
        else _compared(chosen.corpus, official, names, previous, about, everything)
    )
    witnessed = None
    if not (official is not None if named is None else named):
        planted = [fault for fault in _planted() if not fault.control]
        witnessed = _matrix(chosen, planted, jobs, about_only=True).witnessed()
    found = covering.coverage(chosen.corpus, chosen.scenarios, witnessed, compared)
    shown = _shown((), color, verbose)
    for path in outputs or (None,):
        suffix = path.suffix.lower() if path else ""
        text = covering.render(form or covering.SUFFIXES.get(suffix, "text"), found, shown)
        _deliver(text, (path,) if path else (), shown.color)


def _compared(
    corpus: Corpus,
    official: Path,
    cards: Path | None,
    previous: Path | None,
    about: Sequence[str],
    everything: bool,
) -> Comparison:
    """Read official rulings and set them against the catalogue, or stop with what is wrong."""
    from harness.comparison import ABOUT, compare
    from harness.official import NotRulingsError, card_names
    from harness.terminal import Progress

    try:
        names = None
        if cards is not None:
            with Progress(100, cards.name) as progress:
                names = card_names(cards, progress.up_to)
        with Progress(100, official.name) as progress:
            return compare(
                corpus.catalog,
                corpus.cards,
                official,
                names=names,
                previous=previous,
                about=about or ABOUT,
                everything=everything,
                on_read=progress.up_to,
            )
    except NotRulingsError as error:
        raise Stop(str(error)) from None


def _deliver(text: str, outputs: Sequence[Path], color: bool) -> None:
    """Write a text to files, or else to standard output."""
    from harness.reports import write

    for path in outputs:
        try:
            write(path, click.unstyle(text))
        except OSError as error:
            raise Stop(f"cannot write {path}: {error.strerror or error}") from None
    if not outputs:
        _say(text, color)


# -- rulings report, merge, diff


report_files = click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="REPORT.json...",
)


@cli.command()
@report_files
@format_option
@output_option
@quarantine_option
@coverage_option
@click.option("-q", "--quiet", count=True, help="Say less; twice: only the summary line.")
@click.option("-v", "--verbose", count=True, help="Say more: each scenario by name.")
@color_option
def report(
    files: tuple[Path, ...],
    formats: tuple[str, ...],
    outputs: tuple[Path, ...],
    doubted: Path | None,
    covered: Path | None,
    quiet: int,
    verbose: int,
    color: str,
) -> None:
    """Show stored JSON reports in any form.

    What a report has in quarantine stays there, besides what the corpus has, unless --quarantine
    says what is.
    """
    import dataclasses

    places = _places(formats, outputs)
    reports = _read(files)
    corpus = _corpus()
    shown = _shown(corpus.scenarios, color, verbose - quiet)
    doubts = _quarantine(doubted)
    if doubted is None:
        doubts = doubts.and_of(reports)
    shown = dataclasses.replace(
        shown, corpus=corpus, quarantine=doubts, coverage=_coverage(covered)
    )
    _publish(reports, places, shown)


@cli.command()
@report_files
@output_option
def merge(files: tuple[Path, ...], outputs: tuple[Path, ...]) -> None:
    """Join the reports of shards into one report an engine."""
    from harness.merge import CannotMergeError
    from harness.merge import merge as join
    from harness.quarantine import Quarantine
    from harness.reports import Shown

    parts = _read(files)
    try:
        joined = join(parts)
    except CannotMergeError as error:
        raise Stop(str(error)) from None
    shown = Shown(quarantine=Quarantine().and_of(parts))
    _publish(joined, [("json", path) for path in outputs or (None,)], shown)


@cli.command()
@click.argument("old", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("new", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text")
@output_option
@color_option
def diff(old: Path, new: Path, form: str, outputs: tuple[Path, ...], color: str) -> int:
    """Say what changed between two JSON reports; exits 1 if anything got worse."""
    from harness import diff as differences

    shown = _shown((), color)
    try:
        changes = differences.between(_read([old]), _read([new]))
    except differences.NothingInCommonError as error:
        raise Stop(str(error)) from None
    _deliver(differences.render(form, changes, shown), outputs, shown.color)
    return UNEXPECTED if any(change.worse for change in changes) else 0


def _read(files: Iterable[Path]) -> list[Report]:
    """Read stored reports, or stop with what is wrong with one."""
    from harness.reports.json import BadReportError, read

    try:
        return [report for file in files for report in read(file)]
    except BadReportError as error:
        raise Stop(str(error)) from None


# -- rulings completion


@cli.command(help=COMPLETION)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    _say(found(cli, {}, "rulings", "_RULINGS_COMPLETE").source() + "\n", False)


def main() -> NoReturn:
    """Run the command line of this process."""
    cli.main(prog_name="rulings")
    raise AssertionError("a command ended without a status")
