"""The JSON that an endpoint badge of shields reads."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.model import Report
from harness.reports import Shown
from harness.reports.badge import LABEL, standing


def render(reports: Sequence[Report], shown: Shown) -> str:
    """Give the badge's label, message and colour."""
    message, color = standing(reports, shown)
    data = {"schemaVersion": 1, "label": LABEL, "message": message, "color": color}
    return json.dumps(data) + "\n"
