"""Answers hello and then reads nothing any more, so that a large request does not fit the pipe."""

import sys
import time

from mini import hello, say

sys.stdin.readline()
say(hello())
time.sleep(60)
