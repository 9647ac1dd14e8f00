"""Takes no notice of bye, of the end of input or of SIGTERM."""

import json
import signal
import sys
import time

from mini import behave

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] != "bye":
        behave(message)
time.sleep(60)
