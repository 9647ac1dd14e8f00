"""The reference engine plays the whole corpus, by the editions at whose borders results change."""

from __future__ import annotations

import subprocess
import sys

import pytest

EDITIONS = ("2021-11-15", "2022-07-08", "2023-04-14", "2024-06-07", "2025-07-25", "2025-09-19")


@pytest.mark.parametrize("edition", [*EDITIONS, "newest"])
def test_all_of_it_passes(edition: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "harness", "run", "-qq", "--edition", edition],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout
    assert "passed" in ran.stdout
    assert not {"failed", "error", "unsupported"} & set(ran.stdout.replace(",", "").split())
