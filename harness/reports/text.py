"""The report for a terminal: calm, failures told as a person would, the summary line last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from harness.model import Report, Result, Verdict
from harness.reports import Shown, wrong
from harness.reports.escape import line, plain
from harness.reports.page import COLORS, width, wrap
from harness.selection import file_of
from harness.telling import shown as worded
from harness.telling import tell

WORDS = {
    Verdict.FAIL: "failed",
    Verdict.ERROR: "errors",
    Verdict.PASS: "passed",
    Verdict.UNSUPPORTED: "unsupported",
    Verdict.NOT_RUN: "not run",
}
"""The words of the counts, in the order in which they are given."""

GRAVITY = (Verdict.ERROR, Verdict.FAIL, Verdict.NOT_RUN, Verdict.UNSUPPORTED, Verdict.PASS)


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give what a person reads after a run, the summary line last."""
    several = len(reports) > 1
    sheets = [_Sheet(report, shown, several) for report in reports]
    lines: list[str] = []
    for sheet in sheets:
        lines += [*sheet.lines(), ""]
    if several and shown.verbosity > -2:
        lines += [sheet.closing() for sheet in sheets]
    else:
        lines.pop()
    return sheets[0].page.text(lines) if sheets else ""


def failure(report: Report, result: Result, shown: Shown) -> list[str]:
    """Tell one failure, line by line, as the report does."""
    return _Sheet(report, shown, several=False).failure(result)


def one_line(result: Result) -> str:
    """Give a fail, an error or what is unsupported in one line, safe to show."""
    detail = result.detail or {}
    kind = detail.get("kind")
    if result.verdict is Verdict.FAIL:
        at = f"step {detail.get('step')}" if detail.get("step") else "no step"
        if kind == "mismatch":
            expected, got = value(detail.get("expected")), value(detail.get("got"))
            return line(f"{at}, {detail.get('path')}: expected {expected}, got {got}", 400)
        if kind == "refused":
            return line(f"{at}: the engine refused a legal action: {detail.get('reason')}", 400)
        if kind == "allowed":
            return line(f"{at}: the engine allowed what is not allowed", 400)
        return line(f"{at}: {detail.get('reason') or kind}", 400)
    if result.verdict is Verdict.UNSUPPORTED:
        return line(f"{kind} {detail.get('name')}", 400)
    if result.verdict is Verdict.ERROR:
        return line(f"{kind}: {detail.get('reason')}", 400)
    return result.verdict.value.replace("_", " ") if result.verdict is Verdict.NOT_RUN else ""


def value(one: Any) -> str:
    """Give a value of an expectation or an observation, safe to show."""
    return line(worded(one))


def counts(summary: Mapping[str, int]) -> list[tuple[Verdict, str]]:
    """Give the counts that are not zero as words, the ones to look at first."""
    told = []
    for verdict, word in WORDS.items():
        number = summary.get(verdict.value, 0)
        if number:
            plural = "error" if verdict is Verdict.ERROR and number == 1 else word
            told.append((verdict, f"{number} {plural}"))
    return told


class _Sheet:
    """One engine's report, line by line."""

    def __init__(self, report: Report, shown: Shown, several: bool) -> None:
        self.report = report
        self.shown = shown
        self.several = several
        self.page = shown.page()
        self.account = shown.account_of(report)

    def lines(self) -> list[str]:
        """Give every line, the summary last."""
        out: list[str] = []
        if self.shown.verbosity > -2:
            out += self.heading()
        if self.shown.verbosity >= 0:
            out += self.table()
        if self.shown.verbosity > -2:
            short = self.shown.verbosity < 0
            for result in wrong(self.report, self.shown):
                out += self.brief(result) if short else self.failure(result)
            out += self.listed()
            out += self.lacking()
            out += self.ending()
        return [*out, self.closing()]

    # -- pieces

    def heading(self) -> list[str]:
        """Say who was asked, about what."""
        engine, corpus = self.report.engine, self.report.corpus
        language = f", {line(engine.language, 40)}" if engine.language else ""
        name = f"{line(engine.name, 60)} {line(engine.version, 40)}".strip()
        how = f" · {line(engine.how, 200)}" if engine.how != engine.name else ""
        scenarios = len(self.report.results)
        return [
            *self.page.paragraph(f"{name}{language}{how}", 0, 2, bold=True),
            *self.page.paragraph(
                f"{scenarios} scenario{'' if scenarios == 1 else 's'}, corpus "
                f"{line(corpus.version, 20)} ({line(corpus.digest, 12)[:12]}), rules of "
                f"{line(corpus.edition, 20)}",
                0,
                2,
                dim=True,
            ),
            "",
        ]

    def table(self) -> list[str]:
        """Give the counts by ruling file, folder by folder."""
        out: list[str] = []
        files: dict[str, list[Result]] = {}
        for result in self.report.results:
            files.setdefault(file_of(result.id), []).append(result)
        folder = None
        for file, results in files.items():
            above, _, stem = file.rpartition("/")
            if above != folder:
                out += [""] if folder is not None else []
                out.append(self.page.paint(line(above) or ".", bold=True))
                folder = above
            out += self.row(stem, results)
        return [*out, ""] if out else out

    def row(self, stem: str, results: Sequence[Result]) -> list[str]:
        """Give one ruling's row, and its scenarios with -v."""
        tally = Counter(result.verdict for result in results)
        worst = next(verdict for verdict in GRAVITY if tally[verdict])
        told = counts({verdict.value: number for verdict, number in tally.items()})
        right = ", ".join(words for _, words in told)
        painted = ", ".join(
            self.page.paint(words, dim=True)
            if verdict is Verdict.PASS
            else self.page.paint(words, fg=COLORS[verdict])
            for verdict, words in told
        )
        out = [f"  {self.page.sign(worst)} {self.page.row(line(stem), right, painted, 4)[4:]}"]
        if self.shown.verbosity > 0:
            for result in results:
                first, *rest = wrap(line(result.id.partition("#")[2]), self.page.width - 8)
                out.append(f"      {self.page.sign(result.verdict)} {first}")
                out += [f"        {more}" for more in rest]
        return out

    def brief(self, result: Result) -> list[str]:
        """Give a failure in short: what, and why."""
        head = wrap(line(result.id), self.page.width - 2)
        out = [f"{self.page.sign(result.verdict)} {head[0]}", *(f"  {more}" for more in head[1:])]
        why = self.against(result) or one_line(result)
        return [*out, *self.page.paragraph(why, 4, 0, dim=True)]

    def failure(self, result: Result) -> list[str]:
        """Tell a failure: the scenario up to where it went wrong, and what went wrong there."""
        detail = result.detail or {}
        word = {Verdict.PASS: "passes, and is known not to"}.get(result.verdict, result.verdict)
        level = "" if result.level == "must" else f" ({result.level})"
        file, _, name = line(result.id).partition("#")
        out = [self.page.rule(f"{word}{level}", "red")]
        out += self.page.paragraph(file, 0, 2, dim=True)
        out += self.page.paragraph(name, 0, 2, bold=True)
        scenario = self.shown.scenario_of(result)
        if result.verdict is Verdict.PASS:
            pass
        elif scenario is not None:
            out += ["", *self.page.paragraph(scenario.why)]
            missed = tuple(str(miss.get("path")) for miss in detail.get("mismatches") or ())
            out += ["", *self.page.told(tell(scenario), detail.get("step"), missed)]
        elif result.id in self.shown.scenarios:
            out += [
                "",
                *self.page.paragraph("This scenario has changed since the report.", dim=True),
            ]
        return [*out, "", *self.verdict(result), ""]

    def verdict(self, result: Result) -> Iterator[str]:
        """Say what was expected, what came, why, and how to play it again."""
        detail = result.detail or {}
        kind = detail.get("kind")
        if result.verdict is Verdict.FAIL:
            yield from self.mismatches(detail)
            rule = detail.get("rule") or ", ".join(result.rules)
            yield from self.page.labelled("rule", line(rule))
        elif kind:
            name = f"{kind} {detail['name']}" if detail.get("name") else kind
            yield from self.page.labelled("kind", line(name), fg="red")
        against = self.against(result)
        if against:
            yield from self.page.labelled("list", against, fg="yellow")
        if detail.get("reason"):
            yield from self.page.labelled("reason", plain(detail["reason"]))
        if detail.get("log"):
            for at, said in enumerate(plain(detail["log"]).strip("\n").split("\n")[-20:]):
                for piece in wrap(said, self.page.width - 14):
                    bar = self.page.paint("│", dim=True)
                    label = f"{'its log' if at == 0 else '':<10}"
                    yield f"  {self.page.paint(label, dim=True)}{bar} {piece}".rstrip()
        yield from self.page.labelled("file", line(f"{result.file}:{result.line}"))
        yield from self.again(result)

    def mismatches(self, detail: Any) -> Iterator[str]:
        """Give each place that differs with expected and got."""
        at = f"step {detail.get('step')}" if detail.get("step") else None
        kind = detail.get("kind")
        every = detail.get("mismatches") or (
            [detail] if detail.get("path") or kind == "unstable" else []
        )
        if kind == "refused":
            yield from self.page.labelled("at", f"{at}: the engine refuses what the rules allow")
        elif kind == "allowed":
            yield from self.page.labelled("at", f"{at}: the engine allows what the rules do not")
        for number, one in enumerate(every):
            place = ", ".join(filter(None, (at, line(one.get("path") or ""))))
            if number:
                place = line(one.get("path") or "")
            if place:
                yield from self.page.labelled("at", place)
            yield from self.pair(one.get("expected"), one.get("got"))

    def pair(self, expected: Any, got: Any) -> Iterator[str]:
        """Give expected and got; two lists line by line, what only one of them has marked."""
        if not (isinstance(expected, list) and isinstance(got, list) and len(expected + got) > 2):
            yield from self.page.labelled("expected", value(expected), fg="green")
            yield from self.page.labelled("got", value(got), fg="red")
            return
        one, other = [value(item) for item in expected], [value(item) for item in got]
        same = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
        in_one = {block.a + n for block in same for n in range(block.size)}
        in_other = {block.b + n for block in same for n in range(block.size)}
        for label, items, common, sign, color in (
            ("expected", one, in_one, "-", "green"),
            ("got", other, in_other, "+", "red"),
        ):
            for number, item in enumerate(items or ["none"]):
                mark = " " if number in common or not items else sign
                style = {"dim": True} if mark == " " else {"fg": color}
                first, *rest = wrap(item, self.page.width - 14)
                label = self.page.paint(f"{'' if number else label:<10}", dim=True)
                yield f"  {label}{self.page.paint(f'{mark} {first}', **style)}"
                for more in rest:
                    yield " " * 14 + self.page.paint(more, **style)

    def again(self, result: Result) -> Iterator[str]:
        """Give the command that plays just this again, broken where a shell takes a break."""
        current = ""
        lines = []
        for word in self.shown.again(self.report, result):
            room = self.page.width - 12 - 2
            if current and width(current) + 1 + width(word) > room:
                lines.append(current + " \\")
                current = "  " + word
            else:
                current = f"{current} {word}" if current else word
        lines.append(current)
        for number, text in enumerate(lines):
            label = self.page.paint(f"{'again' if number == 0 else '':<10}", dim=True)
            yield f"  {label}{self.page.paint(line(text), fg='cyan')}"

    def against(self, result: Result) -> str:
        """Say what the list of known failures has to do with a result."""
        for item in self.account.unexpected if self.account else ():
            if item.result is result and item.entry is not None:
                return line(f"line {item.entry.line} expects {item.entry}: {item.entry.reason}")
        return ""

    def listed(self) -> list[str]:
        """Say what is known and what is wrong with the list; with -v, each known failure."""
        if self.account is None:
            return []
        out: list[str] = []
        known = self.account.known
        if known and self.shown.verbosity > 0:
            out.append(self.page.rule("known", "yellow"))
            for item in known:
                out += self.page.paragraph(line(item.result.id), 2, 2)
                reason = item.entry.reason if item.entry else ""
                out += self.page.paragraph(line(reason), 4, 0, dim=True)
            out.append("")
        if self.account.faults:
            out.append(self.page.rule("the list of known failures", "red"))
            for fault in self.account.faults:
                out += self.page.paragraph(line(fault), 2, 2)
            out.append("")
        return out

    def lacking(self) -> list[str]:
        """Say what the engine said that it does not have, most often named first."""
        lacks = Counter(
            (str((r.detail or {}).get("kind", "")), str((r.detail or {}).get("name", "")))
            for r in self.report.results
            if r.verdict is Verdict.UNSUPPORTED
        )
        if not lacks:
            return []
        out = [self.page.rule("unsupported", "yellow")]
        for (kind, name), number in lacks.most_common():
            first, *rest = wrap(line(f"{kind} {name}", 200), self.page.width - 8)
            out.append(f"  {self.page.paint(f'{number:>4}', fg='yellow')}  {first}")
            out += [f"        {more}" for more in rest]
        return [*out, ""]

    def ending(self) -> list[str]:
        """Say that a run was cut short, if it was."""
        summary = self.report.summary
        if self.report.results and summary["unsupported"] == len(self.report.results):
            text = "Nothing was played: the engine supports none of these scenarios."
            return [*self.page.paragraph(text, 0, 0, fg="yellow", bold=True), ""]
        if self.report.complete:
            return []
        left = summary["not_run"]
        text = f"Incomplete: the run ended early; {left} of its scenarios were not played."
        return [*self.page.paragraph(text, 0, 0, fg="yellow", bold=True), ""]

    def closing(self) -> str:
        """Give the summary line."""
        known = Counter(item.result.verdict for item in self.account.known) if self.account else {}
        doubts: Counter[Verdict] = Counter(
            result.verdict
            for result in self.report.results
            if result.verdict in (Verdict.FAIL, Verdict.ERROR) and self.shown.doubts(result)
        )
        told = [
            (verdict, _besides(words, known.get(verdict, 0), doubts[verdict]))
            for verdict, words in counts(self.report.summary)
        ] or [(Verdict.NOT_RUN, "nothing run")]
        color = COLORS[next(v for v in GRAVITY if any(v is verdict for verdict, _ in told))]
        if self.account is not None and color == "red":
            color = "yellow" if self.account.is_balanced else "red"
        elif self.account is not None and not self.account.is_balanced:
            color = "red"
        who = f"{line(self.report.engine.name, 30)}: " if self.several else ""
        partial = "" if self.report.complete else "incomplete, "
        seconds = f" in {self.report.seconds:.2f}s"
        text = who + partial + ", ".join(words for _, words in told) + seconds
        painted = ", ".join(self.page.paint(w, fg=COLORS[v], bold=True) for v, w in told)
        painted = self.page.paint(who, bold=True) + self.page.paint(partial, fg="yellow") + painted
        painted += self.page.paint(seconds, fg=color)
        room = self.page.width - width(text) - 2
        if room < 2:
            return painted
        bars = [self.page.paint("=" * n, fg=color) for n in (room // 2, room - room // 2)]
        return f"{bars[0]} {painted} {bars[1]}"


def _besides(words: str, known: int, doubts: int) -> str:
    """Say of a count how many of it are known, and how many are not counted."""
    told = [f"{known} known"] if known else []
    told += [f"{doubts} in quarantine"] if doubts else []
    return f"{words} ({', '.join(told)})" if told else words
