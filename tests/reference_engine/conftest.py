"""The card facts of the corpus, as they are sent to an engine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import yamlfile

CARDS = Path(__file__).resolve().parents[2] / "rulings" / "cards"


@pytest.fixture(scope="session")
def facts() -> dict[str, Mapping[str, Any]]:
    """Card facts by the name of the front face."""
    read = [yamlfile.read(path.read_bytes()) for path in sorted(CARDS.glob("*.yaml"))]
    assert [each.faults for each in read if each.faults] == []
    return {each.value["faces"][0]["name"]: each.value for each in read}
