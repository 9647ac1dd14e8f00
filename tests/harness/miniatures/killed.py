"""Is killed by a signal while it plays bob's scenario, as native code is."""

import os
import signal

from mini import Message, serve


def crash(request: Message) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


serve(crash)
