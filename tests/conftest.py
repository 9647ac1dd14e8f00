"""What all tests share: a cache folder of their own, so that none writes into the user's."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the whole run share one cache, as the runs of a user do."""
    before = os.environ.get("RULINGS_CACHE")
    os.environ["RULINGS_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if before is None:
        del os.environ["RULINGS_CACHE"]
    else:
        os.environ["RULINGS_CACHE"] = before
