"""Answers hello with an error, because it is of another version."""

from mini import say

input()
say({"type": "error", "id": None, "reason": "I speak protocol 7"})
