"""The data files of the corpus, each read once."""

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2] / "rulings"


def read(path: Path) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def catalog() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = read(ROOT / "catalog.yaml")["rulings"]
    return entries


@pytest.fixture(scope="session")
def editions() -> dict[str, Any]:
    table: dict[str, Any] = read(ROOT / "editions.yaml")
    return table


@pytest.fixture(scope="session")
def cards() -> dict[str, dict[str, Any]]:
    """Card facts by file stem."""
    return {path.stem: read(path) for path in sorted((ROOT / "cards").glob("*.yaml"))}
