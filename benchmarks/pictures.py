"""Makes the pictures of the README: the matrix in both schemes, and a terminal.

    python benchmarks/pictures.py [FOLDER]

Needs Chromium with its driver, and selenium. What is drawn is what the commands give: the site of
the reference engine and three planted faults, and the text report of one of them.
"""

from __future__ import annotations

import argparse
import html
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from selenium import webdriver

HERE = Path(__file__).parent
FAULTS = (
    "fault:lurker-stays-attached",
    "fault:counts-every-players-spells",
    "fault:enters-front-face-up-then-transforms",
)
FILTER = "date=2021-09-24&differ=1&unfold=1"
SHOWN = ["run", "Curse of Leeches", "-k", "unattached and spell", "--engine", FAULTS[0]]
THEME = TerminalTheme(
    (18, 20, 31),
    (233, 230, 220),
    [(18, 20, 31), (240, 128, 116), (134, 214, 174), (242, 193, 78), (150, 160, 240),
     (220, 150, 210), (130, 200, 220), (233, 230, 220)],
)  # fmt: skip
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #12141f; color: #e9e6dc; }}
pre {{ margin: 0; padding: 22px 26px; font: 15px/1.4 "DejaVu Sans Mono", monospace; }}
</style><pre id="t"><b style="color:#f2c14e">$ {command}</b>\n{text}</pre>"""


def main() -> None:
    """Make all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE.parent / "docs" / "images")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        engines = [word for engine in ("reference", *FAULTS) for word in ("--engine", engine)]
        rulings("run", *engines, "--format", "html", "--output", str(scratch / "site"))
        (scratch / "terminal.html").write_text(terminal(), encoding="utf-8")
        browser = chromium(scratch / "profile")
        try:
            for scheme in ("light", "dark"):
                address = f"{(scratch / 'site' / 'index.html').as_uri()}?{FILTER}"
                draw(browser, address, folder / f"matrix-{scheme}.png", scheme, (1200, 1040))
            address = (scratch / "terminal.html").as_uri()
            draw(browser, address, folder / "terminal.png", "dark", (780, 200))
        finally:
            browser.quit()
    for path in sorted(folder.glob("*.png")):
        print(f"{path}: {path.stat().st_size // 1024} KiB")


def rulings(*words: str, **environment: str) -> str:
    """Run the command and give what it says."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *words],
        env={**os.environ, "COLUMNS": "80", **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout


def terminal() -> str:
    """Give a page that looks as the text report does in a terminal."""
    said = rulings(*SHOWN, "--color", "always").strip("\n")
    console = Console(record=True, width=80, file=Path(os.devnull).open("w"))  # noqa: SIM115
    console.print(Text.from_ansi(said), soft_wrap=True)
    text = console.export_html(theme=THEME, inline_styles=True, code_format="{code}")
    words = " ".join(f"'{word}'" if " " in word else word for word in SHOWN)
    command = f"rulings {words}".replace(" --engine", " \\\n    --engine")
    return PAGE.format(command=html.escape(command), text=text)


def chromium(profile: Path) -> webdriver.Chrome:
    """Start a browser that is not seen."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        raise SystemExit("Chromium and its driver are needed: apt install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(word)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


def draw(
    browser: webdriver.Chrome, address: str, path: Path, scheme: str, size: tuple[int, int]
) -> None:
    """Draw a page; one that is only a terminal is as high as its text."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    width, height = size
    for _ in range(2):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        browser.get(address)
        found = browser.execute_script(
            "const t = document.getElementById('t'); return t && t.getBoundingClientRect().height"
        )
        height = round(found) if found else height
    path.write_bytes(browser.get_screenshot_as_png())


if __name__ == "__main__":
    main()
