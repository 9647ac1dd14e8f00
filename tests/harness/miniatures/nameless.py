"""Answers hello without saying who it is."""

from mini import hello, say

input()
say(hello(engine={}))
