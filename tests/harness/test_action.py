"""The action, as its own shell runs; and what docs/ci.md shows beside it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, RUN = ACTION["runs"]["steps"]
FILE = "2021-09-24/day-to-night"
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+) ?([\w-]*)\n(.*?)```", PAGE, re.S)


def shown(kind: str) -> Any:
    """Give the YAML that the page shows for one kind of pipeline."""
    [text] = [text for _, name, text in BLOCKS if name == kind]
    return yaml.safe_load(text)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Be a job in which card-rulings has been installed."""
    bin_folder = tmp_path / "temp" / "card-rulings" / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    (bin_folder / "python").symlink_to(sys.executable)
    script = bin_folder / "rulings"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m harness "$@"\n')
    script.chmod(0o755)
    (tmp_path / "work").mkdir()
    return tmp_path


def environment(place: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "RUNNER_TEMP": str(place / "temp"),
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(place / "output"),
        "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
    }


def step(place: Path, what: Any, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run one step's shell as the runner does: a file, given to bash, `env` filled in."""
    given = {name: spec.get("default", "") for name, spec in ACTION["inputs"].items()} | inputs
    env = {
        name: re.sub(
            r"\$\{\{ (.+?) \}\}",
            lambda found: (
                str(ROOT) if found[1] == "github.action_path" else given[found[1].split(".")[1]]
            ),
            value,
        )
        for name, value in what["env"].items()
    }
    script = place / "step.sh"
    script.write_text(what["run"], encoding="utf-8")
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=place / "work",
        env={**environment(place), **env},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def outputs(place: Path) -> dict[str, str]:
    lines = (place / "output").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


# -- its form


def test_every_input_is_used_and_none_stands_in_the_shell() -> None:
    used = {
        name
        for each in ACTION["runs"]["steps"]
        for value in each["env"].values()
        for name in re.findall(r"inputs\.(\w+)", value)
    }

    assert set(ACTION["inputs"]) == {"engine", "expectations", "selection", "edition", "version"}
    assert used == set(ACTION["inputs"])
    assert all("${{" not in each["run"] for each in ACTION["runs"]["steps"])


def test_each_variable_of_a_step_is_used_in_its_shell() -> None:
    for each in ACTION["runs"]["steps"]:
        assert all(f'"${name}"' in each["run"] for name in each["env"])


def test_it_uploads_nothing_and_runs_nobody_elses_action() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert [sorted(each) for each in ACTION["runs"]["steps"]] == [
        ["env", "name", "run", "shell"],
        ["env", "id", "name", "run", "shell"],
    ]


def test_the_outputs_are_those_of_the_step() -> None:
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.{RUN['id']}.outputs.{name} }}}}"


# -- its shell


def test_all_passing_gives_the_figures_and_the_summary(place: Path) -> None:
    ran = step(place, RUN, engine="reference", selection=f"{FILE}\n\n728.2b\n")

    found = outputs(place)
    report = json.loads(Path(found["report"]).read_text(encoding="utf-8"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert set(found) == set(ACTION["outputs"])
    assert {key: int(found[key]) for key in report["summary"]} == report["summary"]
    assert int(found["pass"]) > 7
    assert found["fail"] == "0"
    assert f"{found['pass']} passed in " in ran.stdout
    assert "::error" not in ran.stdout
    assert f"all {found['pass']} passed" in (place / "summary.md").read_text(encoding="utf-8")
    assert list((place / "work").iterdir()) == []


def test_a_failure_ends_the_step_after_the_figures_with_annotations(place: Path) -> None:
    ran = step(place, RUN, engine="fault:does-nothing", selection=FILE)

    found = outputs(place)
    assert ran.returncode == 1
    assert int(found["fail"]) > 4
    assert f"::error file={ROOT}/rulings/{FILE}.yaml,line=8" in ran.stdout or (
        f"::error file=rulings/{FILE}.yaml,line=8" in ran.stdout
    )
    assert "── fail ─" in ran.stdout
    assert "to look at" in (place / "summary.md").read_text(encoding="utf-8")


def test_known_failures_and_the_edition_are_handed_on(place: Path) -> None:
    (place / "work" / "known list.yaml").write_text(
        "engine: still 1\nexpectations:\n"
        f'  - {{reason: Known., verdict: fail, count: 7, scenarios: ["{FILE}#*"]}}\n'
    )

    ran = step(
        place,
        RUN,
        engine="fault:does-nothing",
        selection=FILE,
        expectations="known list.yaml",
        edition="2021-11-15",
    )

    report = json.loads(Path(outputs(place)["report"]).read_text(encoding="utf-8"))
    assert report["corpus"]["edition"] == "2021-11-15"
    assert ran.returncode == 0, ran.stdout


def test_an_engine_is_one_word_whatever_it_holds(place: Path) -> None:
    engine = f"cmd:{sys.executable} -c 'print(\"$(touch pwned)\"; `touch pwned`)'"

    ran = step(place, RUN, engine=engine, selection="--help; touch pwned\n$(touch pwned)")

    assert ran.returncode == 2
    assert "nothing selected: no scenario matches '--help; touch pwned'" in ran.stderr
    assert list((place / "work").iterdir()) == []


def test_an_engine_that_cannot_be_started_leaves_no_old_figures(place: Path) -> None:
    old = place / "temp" / "card-rulings" / "report.json"
    old.write_text("{}")

    ran = step(place, RUN, engine="cmd:no-such-program", selection=FILE)

    assert ran.returncode == 3
    assert "could not be started" in ran.stderr
    assert not old.exists()
    assert not (place / "output").exists()


def test_an_old_python_is_said_to_be_too_old(place: Path) -> None:
    old = place / "bin" / "python3"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    what = {**INSTALL, "run": f'PATH="{old.parent}:$PATH"\n{INSTALL["run"]}'}

    ran = step(place, what)

    assert (ran.returncode, ran.stdout) == (
        1,
        "::error::card-rulings needs Python 3.11 or later as python3\n",
    )


@pytest.mark.slow
def test_it_installs_itself(place: Path) -> None:
    installed = place / "temp" / "card-rulings" / "venv"
    for file in installed.glob("bin/*"):
        file.unlink()
    python = f'PATH="{Path(sys.executable).parent}:$PATH"'
    what = {**INSTALL, "run": f"{python}\n{INSTALL['run']}"}

    ran = step(place, what)

    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    about = subprocess.run(
        [installed / "bin" / "rulings", "--version"], capture_output=True, text=True, check=True
    )
    assert about.stdout.startswith("card-rulings ")


# -- what is shown beside it


def test_our_own_workflow_uses_it() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))

    [used] = [each for each in workflow["jobs"]["rulings"]["steps"] if each.get("uses") == "./"]
    assert set(used["with"]) <= set(ACTION["inputs"])
    assert used["with"]["engine"] == "reference"


def test_the_page_shows_the_inputs_and_outputs_there_are() -> None:
    steps = shown("workflow")["jobs"]["rulings"]["steps"]
    [used] = [each for each in steps if "card-rulings" in each.get("uses", "")]

    assert set(used["with"]) <= set(ACTION["inputs"])
    assert all(f"| `{name}` |" in PAGE for name in ACTION["inputs"])
    assert all(f"`{name}`" in PAGE for name in ACTION["outputs"])


@pytest.mark.parametrize("kind", ["gitlab", "shell"])
def test_what_the_page_runs_elsewhere_runs(kind: str, place: Path) -> None:
    adapter = place / "work" / "my-adapter"
    adapter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reference_engine\n')
    adapter.chmod(0o755)
    (place / "work" / "rulings-expectations.yaml").write_text("engine: mine\nexpectations: []\n")
    if kind == "gitlab":
        script = shown("gitlab")["rulings"]["script"][1]
    else:
        [script] = [text for name, _, text in BLOCKS if name == "sh" and ".rulings/bin/rul" in text]
        script = script.split("\n", 1)[1].replace(".rulings/bin/rulings", "rulings")
    bin_folder = place / "temp" / "card-rulings" / "venv" / "bin"
    env = environment(place)
    env["PATH"] = f"{bin_folder}{os.pathsep}{env['PATH']}"

    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{script.strip()} {FILE}"],
        cwd=place / "work",
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert {"rulings.json", "rulings.xml"} <= {path.name for path in (place / "work").iterdir()}


def test_the_pre_commit_hook_runs_what_it_says(place: Path) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    [used] = shown("pre-commit")["repos"]
    assert [each["id"] for each in used["hooks"]] == [hook["id"]]

    good = ROOT / "rulings" / f"{FILE}.yaml"
    bad = place / "rulings" / "bad.yaml"
    bad.parent.mkdir()
    bad.write_text("ruling: {}\n")
    assert re.search(hook["files"], f"rulings/{FILE}.yaml")
    assert re.search(hook["files"], "a/rulings/bad.yml")
    assert not re.search(hook["files"], "docs/bad.yml")
    statuses = [
        subprocess.run(
            [sys.executable, "-m", "harness", *hook["entry"].split()[1:], str(file)],
            env=environment(place),
            capture_output=True,
            check=False,
        ).returncode
        for file in (good, bad)
    ]
    assert statuses == [0, 2]
