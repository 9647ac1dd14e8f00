"""Puts escape codes, HTML and control characters wherever a text goes."""

import json
import sys

from mini import behave, hello, is_bobs, say

RUDE = "\x1b]0;owned\x07\x1b[2J<script>alert(1)</script>\x00\x08\u202e]]>&"

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        about = dict.fromkeys(("name", "version", "language", "homepage", "license"), RUDE)
        say(hello(engine=about))
    elif is_bobs(message):
        sys.stderr.write(RUDE + "\n")
        sys.stderr.flush()
        say({"type": "error", "id": message["id"], "reason": RUDE})
    elif message["type"] == "run":
        refusal = {"type": "refused", "id": message["id"], "step": 1, "reason": RUDE}
        say({**refusal, "observations": []})
    else:
        behave(message)
