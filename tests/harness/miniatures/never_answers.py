"""Loops for ever over bob's scenario, and takes no notice of SIGTERM and SIGHUP."""

import signal
import time

from mini import Message, serve

signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)


def loop(request: Message) -> None:
    while True:
        time.sleep(60)


serve(loop)
