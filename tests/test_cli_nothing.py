"""What is not there: a fault of no such name, a folder with nothing to check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def rulings(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_fault_of_no_such_name_is_told_in_a_line() -> None:
    ran = rulings("run", "728.2a", "--engine", "fault:lurker-stays-atached")
    assert ran.returncode == 3
    assert "did you mean lurker-stays-attached?" in ran.stderr
    assert "Traceback" not in ran.stdout + ran.stderr


def test_a_check_of_nothing_is_no_success(tmp_path: Path) -> None:
    ran = rulings("check", str(tmp_path))
    assert ran.returncode == 2
    assert "nothing was checked" in ran.stderr
