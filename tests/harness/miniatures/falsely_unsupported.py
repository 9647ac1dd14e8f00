"""Declares a card and a capability, and then says that it has neither."""

import json
import sys

from mini import behave, hello, is_bobs, say

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(hello(capabilities=["choices"], cards=["Plains"]))
    elif is_bobs(message):
        choices = message["steps"][0]["choices"]
        what, name = ("capability", "choices") if choices else ("card", "Plains")
        say({"type": "unsupported", "id": message["id"], "what": what, "name": name})
    else:
        behave(message)
