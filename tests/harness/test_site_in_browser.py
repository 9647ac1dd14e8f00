"""The site in a browser: filters, links, keyboard, hostile names, both schemes, and axe-core.

Skipped where there is no Chromium. axe-core comes from `CARD_RULINGS_AXE`, a path, or from npm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from harness.corpus import load_corpus
from harness.engines import resolve
from harness.model import CorpusInfo, Engine, Report, Result, Verdict
from harness.quarantine import Entry, Quarantine
from harness.reports import Shown, html
from harness.runner import run

pytestmark = pytest.mark.browser

AXE = "axe-core@4.14.1"
ENGINES = (
    "reference",
    "fault:lurker-stays-attached",
    "fault:counts-every-players-spells",
    "fault:enters-front-face-up-then-transforms",
)
FILES = (
    "day-to-night",
    "night-to-day",
    "daybound-spell-at-night",
    "curse-of-leeches-becomes-unattached",
    "comprehensive-rules/502.2",
    "Moonmist",
)
HOSTILE = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
CRASH = {"kind": "crash", "reason": HOSTILE, "log": f"Traceback\n{HOSTILE}"}
LACKS = {"kind": "card", "name": HOSTILE, "reason": "not there"}
DEPARTS = {"kind": "mismatch", "step": 2, "path": HOSTILE, "expected": "night", "got": HOSTILE}

Browser = webdriver.Chrome


def chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    binary, driver = chromium(), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no Chromium with its driver here (Debian: chromium and chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield made
    finally:
        made.quit()


@pytest.fixture(autouse=True)
def as_usual(browser: Browser) -> Iterator[None]:
    """Begin with a light screen of the usual size; nothing may have gone wrong in the console."""
    screen(browser, 1280, 900)
    media(browser, scheme="light")
    browser.get_log("browser")
    yield
    assert browser.get_log("browser") == []


def screen(browser: Browser, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def media(browser: Browser, *, scheme: str = "light", medium: str = "") -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})


@pytest.fixture(scope="module")
def corpus() -> Any:
    return load_corpus()


@pytest.fixture(scope="module")
def reports(corpus: Any) -> list[Report]:
    """Play the reference engine and three planted faults; add two that nobody should trust."""
    scenarios = load_corpus(select=FILES).scenarios
    played = [run(scenarios, resolve(name), corpus=corpus.info) for name in ENGINES]
    cycle: list[tuple[Verdict, Any]] = [
        (Verdict.PASS, None),
        (Verdict.ERROR, CRASH),
        (Verdict.UNSUPPORTED, LACKS),
        (Verdict.FAIL, DEPARTS),
    ]
    for number in (1, 2):
        results = [
            Result(
                one.id,
                one.digest,
                *cycle[place % 4 if place % 8 != number else 0][:1],
                one.ruling,
                one.rules,
                one.level,
                one.file,
                one.line,
                cycle[place % 4 if place % 8 != number else 0][1],
            )
            for place, one in enumerate(scenarios)
        ]
        engine = Engine(HOSTILE * number, HOSTILE, f"cmd:{HOSTILE}", homepage="javascript:1")
        played.append(Report(engine, corpus.info, results, complete=number == 1))
    return played


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, corpus: Any, reports: list[Report]) -> Path:
    folder = tmp_path_factory.mktemp("site")
    scenarios = {one.id: one for one in corpus.scenarios}
    doubts = Quarantine((Entry((reports[0].results[0].id,), HOSTILE),))
    html.write(folder, reports, Shown(scenarios=scenarios), corpus, doubts)
    return folder


Open = Callable[[str], None]


@pytest.fixture
def show(browser: Browser, site: Path) -> Open:
    def go(address: str) -> None:
        browser.get(f"{site.as_uri()}/{address}")

    return go


def one(browser: Browser, css: str) -> Any:
    return browser.find_element(By.CSS_SELECTOR, css)


def seen(browser: Browser, css: str) -> list[str]:
    script = """return [...document.querySelectorAll(arguments[0])]
        .filter(one => one.checkVisibility()).map(one => one.textContent.trim())"""
    return list(browser.execute_script(script, css))


def count(browser: Browser) -> int:
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    return int(one(browser, "#found").text.split()[0])


def expected(reports: Sequence[Report], place: int, verdict: Verdict) -> int:
    return sum(result.verdict is verdict for result in reports[place].results)


# -- the matrix


def test_filters_find_and_live_in_the_address(
    browser: Browser, show: Open, reports: list[Report]
) -> None:
    show("index.html")
    every = len(reports[0].results)
    assert count(browser) == every
    Select(one(browser, "#f-verdict")).select_by_value("failed")
    Select(one(browser, "#f-engine")).select_by_visible_text(ENGINES[2])
    fails = expected(reports, 2, Verdict.FAIL)
    assert 0 < count(browser) == fails < every
    address = browser.current_url
    assert "verdict=failed" in address and "engine=fault-counts-every" in address
    browser.refresh()
    assert count(browser) == fails
    show("index.html?verdict=failed&q=no+such+thing+anywhere")
    assert count(browser) == 0
    assert seen(browser, "#nothing") and not seen(browser, "#matrix")
    one(browser, "#clear").click()
    assert count(browser) == every and "?" not in browser.current_url


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("q=curse+untap", lambda r: "curse" in r.id and "untap" in r.id),
        ("rule=502.2", lambda r: "502.2" in r.rules),
        ("date=2021-09-24", lambda r: r.id.startswith("2021-09-24/")),
        ("date=none", lambda r: r.id.startswith("comprehensive-rules/")),
    ],
)
def test_text_rule_and_date_narrow_the_matrix(
    browser: Browser, show: Open, reports: list[Report], query: str, holds: Any
) -> None:
    show(f"index.html?{query}")
    found = sum(map(holds, reports[0].results))
    assert count(browser) >= found > 0
    assert count(browser) < len(reports[0].results)


def test_a_card_narrows_the_matrix(browser: Browser, show: Open) -> None:
    show("index.html")
    one(browser, "#f-card").send_keys("curse of leeches")
    assert count(browser) > 0
    shown, hidden = (
        browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map(one => one.dataset.cards)", css
        )
        for css in ("tbody.ruling:not([hidden])", "tbody.ruling[hidden]")
    )
    assert shown and all("Curse of Leeches" in cards.split("|") for cards in shown)
    assert hidden and not any("Curse of Leeches" in cards.split("|") for cards in hidden)


def test_only_differences_hides_what_all_agree_on(
    browser: Browser, show: Open, reports: list[Report]
) -> None:
    show("index.html?differ=1&unfold=1")
    rows = browser.find_elements(By.CSS_SELECTOR, ".scenario")
    verdicts = [row.get_attribute("data-v") or "" for row in rows if row.is_displayed()]
    assert verdicts and all(len(set(one)) > 1 for one in verdicts)
    assert len(verdicts) == count(browser)


def test_the_keyboard_reaches_everything(browser: Browser, show: Open) -> None:
    show("index.html")
    active = lambda: browser.switch_to.active_element  # noqa: E731
    one(browser, "body").send_keys(Keys.TAB)
    assert active().text == "Skip to content"
    active().send_keys(Keys.ENTER)
    assert active().get_attribute("id") == "content"
    active().send_keys("/")
    assert active().get_attribute("id") == "f-q"
    first = one(browser, ".ruling .fold")
    browser.execute_script("arguments[0].focus()", first)
    first.send_keys(Keys.ENTER)
    assert first.get_attribute("aria-expanded") == "true" and seen(browser, ".scenario th")
    first.send_keys(Keys.ARROW_DOWN)
    second = active()
    assert second != first
    second.send_keys(Keys.ARROW_RIGHT)
    assert second.get_attribute("aria-expanded") == "true"
    second.send_keys(Keys.ARROW_LEFT)
    assert second.get_attribute("aria-expanded") == "false"
    second.send_keys(Keys.ARROW_UP)
    assert active() == first


def test_a_failed_cell_leads_to_what_was_expected_and_got(browser: Browser, show: Open) -> None:
    show("index.html?q=becomes+unattached+night+falls&unfold=1")
    count(browser)
    next(
        cell
        for cell in browser.find_elements(By.CSS_SELECTOR, ".scenario td.f a")
        if cell.is_displayed()
    ).click()
    assert "/rulings/" in browser.current_url
    target = one(browser, ":target")
    assert "Night falls" in target.find_element(By.CSS_SELECTOR, "h2").text
    assert seen(browser, ":target .want")[0] == "nothing"
    assert seen(browser, ":target .got")[0] == "bob"
    assert "night" in " ".join(seen(browser, ":target .timeline .light"))


def test_without_scripts_all_of_it_is_there(
    browser: Browser, show: Open, reports: list[Report]
) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show("index.html")
        rows = browser.find_elements(By.CSS_SELECTOR, ".scenario")
        assert len(rows) == len(reports[0].results)
        assert rows[-1].is_displayed() and not one(browser, "#filters").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_large_matrix_stays_smooth(browser: Browser, corpus: Any, tmp_path: Path) -> None:
    scenarios = corpus.scenarios
    verdicts = [(Verdict.PASS, None), (Verdict.UNSUPPORTED, LACKS)]
    reports = [
        Report(
            Engine(f"engine-{place}", "1", f"cmd:{place}"),
            CorpusInfo("1", "0" * 64, corpus.editions.base),
            [
                Result(
                    s.id, s.digest, verdicts[n % (place + 2) == 0][0], s.ruling, s.rules, s.level,
                    s.file, s.line, verdicts[n % (place + 2) == 0][1],
                )
                for n, s in enumerate(scenarios)
            ],
        )
        for place in range(8)
    ]  # fmt: skip
    shown = Shown(scenarios={s.id: s for s in scenarios})
    html.write(tmp_path, reports, shown, corpus, only=("index.html", "static/"))
    browser.get((tmp_path / "index.html").as_uri())
    assert count(browser) == len(scenarios) >= 300
    script = """
        const done = arguments[arguments.length - 1];
        const field = document.getElementById(arguments[0]);
        field.value = arguments[1];
        const start = performance.now();
        field.dispatchEvent(new Event("input", {bubbles: true}));
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
    """
    for field, value in (("f-q", "night"), ("f-verdict", "unsupported"), ("f-q", "")):
        took = browser.execute_async_script(script, field, value)
        assert took < 500, f"{field} took {took:.0f} ms"


# -- all pages


def kinds(site: Path) -> list[str]:
    """Give one page of each kind, and one about an engine with a hostile name."""
    top = sorted(path.name for path in site.glob("*.html"))
    hostile = min((site / "engines").glob("img-src*"), key=lambda path: len(path.name))
    return [
        *top,
        "rulings/2021-09-24-curse-of-leeches-becomes-unattached.html",
        "cards/curse-of-leeches.html",
        "engines/fault-lurker-stays-attached.html",
        f"engines/{hostile.name}",
    ]


def test_nothing_hostile_runs_or_hides(browser: Browser, show: Open, site: Path) -> None:
    for page in kinds(site):
        show(page)
        assert browser.title.endswith("card-rulings"), page
        assert not browser.find_elements(By.CSS_SELECTOR, "img[src='x']"), page
    show("engines.html")
    assert HOSTILE in seen(browser, "tbody th")
    show(next(page for page in kinds(site) if page.startswith("engines/img")))
    assert seen(browser, "h1") == [HOSTILE]
    assert not browser.find_elements(By.CSS_SELECTOR, "a[href^=javascript]")


def test_no_page_is_wider_than_a_phone(browser: Browser, show: Open, site: Path) -> None:
    screen(browser, 360, 740)
    for page in kinds(site):
        show(page)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= 360, f"{page} is {wide} wide"


def test_paper_is_white_and_has_nothing_to_press(browser: Browser, show: Open) -> None:
    media(browser, scheme="dark", medium="print")
    show("index.html")
    assert not seen(browser, "nav, .filters, .skip, .fold")
    assert seen(browser, "#matrix")
    colors = [one(browser, css).value_of_css_property("color") for css in ("body", "td.p")]
    assert colors == ["rgba(0, 0, 0, 1)", "rgba(27, 107, 73, 1)"], "dark is for screens"


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the source of axe-core."""
    given = os.environ.get("CARD_RULINGS_AXE")
    if given:
        return Path(given).read_text(encoding="utf-8")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("neither CARD_RULINGS_AXE nor npm is there to give axe-core")
    folder = tmp_path_factory.mktemp("axe")
    packed = subprocess.run(
        [npm, "pack", AXE], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    if packed.returncode:
        pytest.skip(f"npm cannot get {AXE}: {packed.stderr.strip()[-200:]}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        source = archive.extractfile("package/axe.min.js")
        assert source is not None
        return source.read().decode("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, show: Open, site: Path, axe: str, scheme: str) -> None:
    media(browser, scheme=scheme)
    for page in kinds(site):
        show(f"{page}?q=curse&unfold=1" if page == "index.html" else page)
        browser.execute_script(axe)
        found = browser.execute_async_script(
            """const done = arguments[arguments.length - 1];
            for (const one of document.querySelectorAll("details")) one.open = true;
            axe.run({preload: false, resultTypes: ["violations"], ...arguments[0]})
               .then(r => done(r.violations.map(v => [v.id, v.help,
                     v.nodes.slice(0, 3).map(n => n.html + " " + n.failureSummary)])),
                     error => done([["axe", String(error)]]))""",
            {"runOnly": ["color-contrast"]} if scheme == "dark" else {},
        )
        assert found == [], f"{page} in {scheme}"


def test_both_schemes_are_drawn(browser: Browser, show: Open) -> None:
    drawn = set()
    for scheme in ("light", "dark"):
        media(browser, scheme=scheme)
        show("index.html")
        drawn.add(one(browser, "body").value_of_css_property("background-color"))
    assert len(drawn) == 2
