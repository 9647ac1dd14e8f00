"""Chooses a version of the protocol that nobody offered."""

from mini import hello, say

input()
say(hello(protocol=99))
