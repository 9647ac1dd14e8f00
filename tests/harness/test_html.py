"""The site says what the reports say, wherever its links lead, whatever an engine puts into it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from posixpath import join, normpath
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from harness.corpus import Corpus, load_corpus
from harness.coverage import coverage
from harness.model import CorpusInfo, Engine, Report, Result, Verdict
from harness.problem import BadCorpus
from harness.quarantine import Entry, Quarantine, load, usual
from harness.reports import Shown
from harness.reports.html import breakable, mana, pages, percent
from harness.reports.html.agreement import agreements, family
from harness.reports.html.names import Names, slug
from harness.reports.html.timeline import timeline
from harness.reports.html.view import site_of
from harness.scenario import Scenario

MakeScenario = Callable[..., Scenario]

HOSTILE = "\"'><img src=x onerror=alert(1)><script>alert(2)</script>\u202e../../etc\x1b[31m"
MISMATCH = {
    "kind": "mismatch",
    "step": 1,
    "path": "designation",
    "expected": "night",
    "got": "day",
    "rule": "728.2a",
    "reason": None,
    "mismatches": [{"path": "designation", "expected": "night", "got": "day"}],
}
CRASH = {"kind": "crash", "reason": f"ended {HOSTILE}", "log": f"Traceback {HOSTILE}"}
LACKS = {"kind": "card", "name": HOSTILE, "reason": "not there"}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_corpus()


@pytest.fixture(scope="module")
def few(corpus: Corpus) -> tuple[Scenario, ...]:
    return load_corpus(select=["day-to-night", "curse-of-leeches-becomes-unattached"]).scenarios


def result(scenario: Scenario, verdict: Verdict = Verdict.PASS, detail: Any = None) -> Result:
    return Result(
        id=scenario.id,
        digest=scenario.digest,
        verdict=verdict,
        ruling=scenario.ruling,
        rules=scenario.rules,
        level=scenario.level,
        file=scenario.file,
        line=scenario.line,
        detail=detail,
    )


def report(name: str, results: Sequence[Result], **more: Any) -> Report:
    engine = Engine(name, "1.0", more.pop("how", f"cmd:{name}"), **more.pop("engine", {}))
    info = CorpusInfo("0.1.0", "ab" * 32, more.pop("edition", "2024-06-07"))
    return replace(Report(engine, info, tuple(results), seconds=0.5), **more)


def shown(scenarios: Sequence[Scenario]) -> Shown:
    return Shown(scenarios={scenario.id: scenario for scenario in scenarios})


def every_verdict(few: Sequence[Scenario]) -> list[Result]:
    details = [
        (Verdict.FAIL, MISMATCH),
        (Verdict.ERROR, CRASH),
        (Verdict.UNSUPPORTED, LACKS),
        (Verdict.NOT_RUN, {"kind": "not_run", "reason": "the run ended before it"}),
    ]
    odd = [result(one, *rest) for one, rest in zip(few, details, strict=False)]
    return odd + [result(one) for one in few[len(odd) :]]


@pytest.fixture(scope="module")
def files(corpus: Corpus, few: tuple[Scenario, ...]) -> dict[str, str]:
    hostile = report(
        HOSTILE,
        every_verdict(few),
        engine={"homepage": "javascript:alert(3)", "language": HOSTILE, "license": HOSTILE},
        complete=False,
    )
    good = report("good", [result(one) for one in few], engine={"homepage": "https://example.org/"})
    return dict(pages([good, hostile], shown(few), corpus, Quarantine()))


class Page(HTMLParser):
    """Notes what a page links to, loads, and can be linked to by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def of(self, attribute: str, *tags: str) -> list[str]:
        return [
            str(attributes[attribute])
            for tag, attributes in self.tags
            if attribute in attributes and (not tags or tag in tags)
        ]


def test_every_link_leads_somewhere(files: dict[str, str]) -> None:
    parsed = {name: Page(text) for name, text in files.items() if name.endswith(".html")}
    ids = {name: set(page.of("id")) for name, page in parsed.items()}
    followed = 0
    for name, page in parsed.items():
        for href in (*page.of("href", "a", "link"), *page.of("src")):
            parts = urlsplit(href)
            if parts.scheme:
                assert href == "https://example.org/", name
                continue
            here = normpath(join(name, "..", unquote(parts.path))) if parts.path else name
            assert here in files, f"{name} links to {href}"
            if parts.fragment:
                assert unquote(parts.fragment) in ids[here], f"{name} links to {href}"
            followed += 1
    assert followed > 100


def test_no_id_is_given_twice_on_a_page(files: dict[str, str]) -> None:
    for name, text in files.items():
        ids = Page(text).of("id") if name.endswith(".html") else []
        assert len(ids) == len(set(ids)), name


def test_nothing_an_engine_says_becomes_markup(files: dict[str, str]) -> None:
    for name, text in files.items():
        if not name.endswith(".html"):
            continue
        page = Page(text)
        assert not page.of("onerror") and not page.of("style"), name
        assert all(tag != "img" or "icon.svg" in str(a["src"]) for tag, a in page.tags), name
        assert [a.get("src") is None for tag, a in page.tags if tag == "script"] == [False], name
        assert not [href for href in page.of("href") if href.startswith("javascript")], name
        assert "\u202e" not in text and "\x1b" not in text, name
    assert "&lt;img src=x onerror=alert(1)&gt;" in files["engines.html"].replace("<wbr>", "")


def test_nothing_is_loaded_from_elsewhere(files: dict[str, str]) -> None:
    for name, text in files.items():
        if name.endswith(".html"):
            assert "default-src 'none'" in text
            assert not [src for src in Page(text).of("src") if urlsplit(src).netloc], name
        else:
            text = text.replace("http://www.w3.org/2000/svg", "").replace("url(#d)", "")
            assert not re.search(r"https?:|@import|url\(|import\(|fetch\(", text), name


def test_a_hostile_name_names_no_file_elsewhere(files: dict[str, str]) -> None:
    for name in files:
        assert re.fullmatch(r"(?:[a-z]+/)?[a-z0-9-]+\.(?:html|css|js|svg)", name), name


def test_a_run_that_ended_early_says_so(files: dict[str, str]) -> None:
    assert "Incomplete." in files["index.html"]


def test_each_verdict_has_a_sign_and_a_word(files: dict[str, str]) -> None:
    for word in ("passed", "failed", "error", "unsupported", "not run"):
        assert f"<b>{word}</b>" in files["index.html"], word


def test_the_ruling_page_tells_what_was_expected_and_what_came(
    files: dict[str, str], few: tuple[Scenario, ...]
) -> None:
    failed = few[0]
    text = next(files[f"rulings/{slug(failed.id.partition('#')[0])}.html"] for _ in "x")
    assert '<td class="want">night</td>' in text and '<td class="got">day</td>' in text
    assert "rulings run --engine" in text
    assert failed.why in text.replace("&#39;", "'")


def test_the_ruling_page_has_the_numbers_of_other_editions(
    corpus: Corpus, few: tuple[Scenario, ...]
) -> None:
    made = report("one", [result(one) for one in few], edition="2022-02-18")
    site = site_of([made], shown(few), corpus, Quarantine())
    assert site.number("728.2a") == "724.2a"
    numbers = dict(site.numbers("728.2a"))
    assert numbers["728.2a"].startswith("20") and "724.2a" in numbers
    assert "724.2a" in site.rulings[-1].rules or "724.2a" in site.rulings[0].rules


def test_figures_leave_out_what_was_not_played_and_what_is_in_doubt(
    corpus: Corpus, few: tuple[Scenario, ...]
) -> None:
    made = report("one", every_verdict(few))
    sure = site_of([made], shown(few), corpus, Quarantine()).engines[0]
    count = len(few)
    assert (sure.sum.passed, sure.sum.played, sure.sum.every) == (count - 4, count - 2, count)
    assert sure.compliance == (count - 4) / (count - 2)
    assert sure.supported == (count - 2) / count
    doubt = Quarantine((Entry((few[0].id,), "two engines say otherwise"),))
    unsure = site_of([made], shown(few), corpus, doubt)
    assert unsure.engines[0].compliance == (count - 4) / (count - 3)
    assert [each.id for _, each in unsure.quarantined] == [few[0].id]
    text = dict(pages([made], shown(few), corpus, doubt))
    assert "two engines say otherwise" in text["disagreements.html"]
    assert "in quarantine" in text["index.html"]


def test_a_scenario_that_has_changed_since_is_not_told(
    corpus: Corpus, few: tuple[Scenario, ...]
) -> None:
    old = replace(result(few[0]), digest="0" * 64)
    site = site_of([report("one", [old])], shown(few), corpus, Quarantine())
    view = site.rulings[0].scenarios[0]
    assert view.scenario is None and view.cells[0].stale


def test_reports_with_different_scenarios_stand_side_by_side(
    corpus: Corpus, few: tuple[Scenario, ...]
) -> None:
    one, other = report("a", [result(few[0])]), report("b", [result(few[1])])
    site = site_of([one, other], shown(few), corpus, Quarantine())
    letters = [each.letters for _, each in site.scenarios]
    assert letters == ["pa", "ap"]
    assert not any(each.differs for _, each in site.scenarios)


# -- disagreements


def test_engines_of_one_family_are_not_independent() -> None:
    reference = Engine("reference", "1", "reference")
    assert family(reference) == family(Engine("fault:x", "1", "fault:x"))
    assert family(Engine("Forge", "1", "cmd:a")) == family(Engine("forge", "2", "cmd:b"))
    assert family(Engine("forge", "1", "cmd:a")) != family(reference)


@pytest.mark.parametrize(
    ("engines", "got", "agree"),
    [
        (("forge", "xmage"), ("day", "day"), True),
        (("forge", "xmage"), ("day", "neither"), False),
        (("forge", "forge"), ("day", "day"), False),
        (("reference", "fault:x"), ("day", "day"), False),
        (("reference", "xmage"), ("day", "day"), True),
    ],
)
def test_independent_engines_agree_against_the_suite(
    scenario: MakeScenario, engines: tuple[str, str], got: tuple[str, str], agree: bool
) -> None:
    one = scenario({"expect": {"designation": "night"}})
    results = {
        place: result(one, Verdict.FAIL, {**MISMATCH, "got": value})
        for place, value in enumerate(got)
    }
    found = agreements([Engine(name, "1", name) for name in engines], results)
    assert bool(found) is agree
    assert [each.engines for each in found] == ([(0, 1)] if agree else [])


def test_errors_and_what_is_unsupported_are_no_agreement(scenario: MakeScenario) -> None:
    one = scenario({"expect": {"designation": "night"}})
    results = {place: result(one, Verdict.ERROR, CRASH) for place in (0, 1)}
    assert not agreements([Engine("a", "1", "a"), Engine("b", "1", "b")], results)


# -- the timeline


def test_the_timeline_follows_turns_and_steps(scenario: MakeScenario) -> None:
    one = scenario(
        {"advance": {"to": "end"}},
        {"advance": {"to": "upkeep", "of": "bob"}},
        {"expect": {"designation": "night"}},
        {"attack": {"attackers": {}}},
        {"expect": {"turn": {"active": "alice", "step": "draw"}}},
        given={"designation": "day"},
    )
    stages = timeline(one)
    assert [(stage.whose, stage.step, stage.new_turn) for stage in stages] == [
        ("alice", "precombat main", False),
        ("alice", "end", False),
        ("bob", "upkeep", True),
        ("bob", "declare attackers", False),
        ("alice", "draw", True),
    ]
    assert [len(stage.moments) for stage in stages] == [0, 1, 2, 1, 1]
    assert [moment.light for stage in stages for moment in stage.moments] == [
        "day",
        "day",
        "night",
        "night",
        "night",
    ]
    dusk = stages[2].moments
    assert (dusk[0].leads, dusk[1].changes) == ("night", True)


@pytest.mark.parametrize(
    ("step", "light"),
    [
        ({"directive": {"become": "night"}}, "night"),
        ({"expect": {"events": [{"became": "night"}, {"became": "day"}]}}, "day"),
        ({"expect": {"no events": [{"became": "night"}]}}, "neither"),
    ],
)
def test_the_light_is_what_the_scenario_says(
    scenario: MakeScenario, step: dict[str, Any], light: str
) -> None:
    assert timeline(scenario(step))[0].moments[0].light == light


def test_every_scenario_can_be_set_in_time(corpus: Corpus) -> None:
    for scenario in corpus.scenarios:
        numbers = [moment.number for stage in timeline(scenario) for moment in stage.moments]
        assert numbers == list(range(1, len(scenario.steps) + 1)), scenario.id


# -- small things


def test_names_are_never_given_twice() -> None:
    names = Names()
    assert [names.of(key) for key in ("a/b", "a b", "A-B", "a/b")] == [
        "a-b",
        "a-b-2",
        "a-b-3",
        "a-b",
    ]


@pytest.mark.parametrize(
    ("share", "said"),
    [(None, "–"), (1, "100 %"), (0, "0 %"), (0.9999, "99.9 %"), (0.0001, "0.1 %"), (0.954, "95 %")],
)
def test_a_hundred_is_said_only_of_all(share: float | None, said: str) -> None:
    assert percent(share) == said


def test_names_break_and_stay_text() -> None:
    assert breakable("fault:a-b<c>") == "fault:<wbr>a-<wbr>b&lt;c&gt;"
    assert mana("{2}{B}").count("</span>") == 2
    assert "<b>" not in mana("{<b>}")


# -- quarantine


def test_a_quarantine_file_is_read_with_its_patterns(tmp_path: Path) -> None:
    path = tmp_path / "doubts.yaml"
    path.write_text(
        'quarantine:\n  - scenarios: ["a/b#*"]\n    reason: no\n    issue: "12"\n', encoding="utf-8"
    )
    found = load(path)
    assert found.entry_for(["a/b#one"]) == Entry(("a/b#*",), "no", "12")
    assert found.entry_for(["a/c#one"]) is None
    assert found.entry_for(["new", "a/b#old"]) is not None


@pytest.mark.parametrize(
    "text", ["quarantine: 1\n", "quarantine:\n  - scenarios: [a]\n", "x: []\n", "quarantine: [\n"]
)
def test_a_bad_quarantine_file_is_told_by_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "doubts.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadCorpus) as caught:
        load(path)
    assert caught.value.problems[0].line >= 1


def test_the_corpus_has_a_list_that_names_only_scenarios_there_are(corpus: Corpus) -> None:
    for entry in usual().entries:
        single = Quarantine((entry,))
        assert any(single.entry_for((one.id, *one.aliases)) for one in corpus.scenarios)


# -- coverage and the command line


def test_rules_that_are_only_named_stand_apart(corpus: Corpus, few: tuple[Scenario, ...]) -> None:
    found = coverage(corpus, few, frozenset({"728.2a"}))
    rules = [{"number": rule.number, "witnessed": rule.witnessed} for rule in found.rules]
    made = [report("one", [result(one) for one in few])]
    text = dict(pages(made, shown(few), corpus, Quarantine(), {"rules": rules}))["coverage.html"]
    assert "Named, not witnessed" in text
    unknown = dict(pages(made, shown(few), corpus, Quarantine()))["coverage.html"]
    assert "Named, not witnessed" not in unknown and "was not looked into" in unknown


def rulings(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_run_and_report_write_the_same_site(tmp_path: Path) -> None:
    args = ["day-to-night", "--engine", "reference", "--engine", "fault:lurker-stays-attached"]
    ran = rulings("run", *args, "--format", "html", "-o", "site", "-qq", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "site/index.html" in ran.stderr
    for number, engine in enumerate(("reference", "fault:lurker-stays-attached")):
        rulings("run", "day-to-night", "-e", engine, "-o", f"{number}.json", cwd=tmp_path)
    told = rulings("report", "0.json", "1.json", "--format", "html", "-o", "again", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    both = [(tmp_path / name / "index.html").read_text("utf-8") for name in ("site", "again")]
    assert both[0] == both[1]


def test_a_site_needs_a_folder(tmp_path: Path) -> None:
    ran = rulings("run", "day-to-night", "--format", "html", cwd=tmp_path)
    assert ran.returncode == 2 and "--output FOLDER" in ran.stderr
    (tmp_path / "file").write_text("x", encoding="utf-8")
    ran = rulings("run", "day-to-night", "--format", "html", "-o", "file", cwd=tmp_path)
    assert ran.returncode == 2 and "cannot write file" in ran.stderr


def test_what_is_in_quarantine_does_not_fail_a_run(tmp_path: Path) -> None:
    args = ["run", "day-to-night", "-e", "fault:counts-every-players-spells", "-o", "r.json", "-q"]
    assert rulings(*args, cwd=tmp_path).returncode == 1
    failed = [
        one["id"]
        for one in json.loads((tmp_path / "r.json").read_text("utf-8"))["results"]
        if one["verdict"] == "fail"
    ]
    (tmp_path / "doubts.yaml").write_text(
        json.dumps({"quarantine": [{"scenarios": failed, "reason": "to see"}]}), encoding="utf-8"
    )
    ran = rulings(*args, "--quarantine", "doubts.yaml", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert f"({len(failed)} in quarantine)" in ran.stdout and failed[0] not in ran.stdout
    bad = rulings(*args, "--coverage", "r.json", cwd=tmp_path)
    assert bad.returncode == 2 and "rulings coverage" in bad.stderr
