"""Plays one scenario and ends with status 0, without having been told bye."""

import json
import sys

from mini import behave

for line in sys.stdin:
    message = json.loads(line)
    behave(message)
    if message["type"] == "run":
        sys.exit(0)
