"""One engine under one roof: in this process, or a process group of its own behind pipes.

Both speak lines, so that both give the same answers byte for byte. What an engine does is never
trusted: a line is bounded, so are the seconds, so is standard error, and when a connection is
closed nothing that the engine started is left.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import termios
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from harness.messages import (
    LONGEST_LINE,
    BadMessageError,
    read_hello,
    read_line,
    shown,
)
from harness.model import Engine
from harness.protocol.sdk import PROTOCOL, Adapter, reply_to, to_line

TAIL = 4096
"""So many bytes of standard error are kept."""

LAST_LINES = 20
"""So many lines of them are shown."""

START_TIMEOUT = 60.0
"""Seconds for an engine to answer `hello`, where nobody says otherwise."""

GRACE = 2.0
"""Seconds an engine has to end by itself after `bye`."""

MARK = "CARD_RULINGS_ENGINE"
"""Environment variable by which descendants that left the process group are found again."""


class BrokenError(Exception):
    """The engine is of no more use on this connection.

    `kind` is "crash", "timeout" or "protocol"; `log` the last lines of its standard error.
    `unread` says that it was gone before it read any of the request, which then is not to blame.
    """

    def __init__(self, kind: str, reason: str, log: str = "", *, unread: bool = False) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.log = log
        self.unread = unread


class CannotStartError(Exception):
    """The engine could not be started, or did not answer `hello` as it must."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.log = log


class Connection(ABC):
    """A line goes out, a line comes back."""

    start_timeout: float | None = None
    """Seconds that its maker gives it to start; None if nobody said."""
    _answered: int | None = None

    @abstractmethod
    def exchange(self, line: bytes, timeout: float) -> bytes:
        """Send a line (with its end) and return the reply (without). Raises `BrokenError`."""

    @abstractmethod
    def log(self) -> str:
        """Give the last lines the engine wrote on standard error since the last request."""

    @abstractmethod
    def close(self) -> None:
        """Say `bye` and leave nothing behind. May be called twice."""

    @abstractmethod
    def kill(self) -> None:
        """End it at once, and let go of it."""

    def interrupt(self) -> None:  # noqa: B027 - what runs in this process cannot be
        """End it from another thread; the one that waits for it sees that it is gone."""

    def greet(self, how: str, timeout: float | None = None) -> Engine:
        """Say `hello`; how long it may take the user says, or its maker.

        Raises `CannotStartError`.
        """
        timeout = timeout or self.start_timeout or START_TIMEOUT
        hello = to_line({"type": "hello", "protocol": [PROTOCOL]})
        try:
            return read_hello(read_line(self.exchange(hello, timeout)), how)
        except BrokenError as problem:
            self.kill()
            raise CannotStartError(problem.reason, problem.log) from None
        except BadMessageError as problem:
            log = self.log()
            self.kill()
            raise CannotStartError(str(problem), log) from None

    def ask(self, request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """Send one `run` and return its reply. Raises `BrokenError`.

        A second answer to the request before is passed over: it has cost nobody anything.
        """
        number = request["id"]
        line = to_line(request)
        deadline = time.monotonic() + timeout
        left = timeout
        passed_over = ""
        while True:
            try:
                answer = self.exchange(line, left)
                reply = read_line(answer)
            except BadMessageError as problem:
                raise BrokenError("protocol", str(problem), self.log()) from None
            except BrokenError as problem:
                if passed_over:
                    late = problem.kind == "timeout"
                    problem.reason = (_late(timeout) if late else problem.reason) + passed_over
                raise
            said = reply.get("id")
            if said == number and not isinstance(said, bool):
                self._answered = number
                return reply
            if said is not None and said == self._answered and not passed_over:
                line, passed_over = b"", f" (it answered {said} again)"
                left = max(0.0, deadline - time.monotonic())
                continue
            if said is None and reply.get("type") == "error":
                return reply
            raise BrokenError(
                "protocol", f"asked for {number}, it answered {shown(said)}", self.log()
            )


class InProcess(Connection):
    """An adapter called as a function, through the same lines as over a pipe.

    In the main thread a time-out ends the adapter's Python code by an exception; elsewhere there
    is none, so several jobs take processes instead (see `engines`).
    """

    def __init__(self, adapter: Adapter[Any]) -> None:
        self._adapter: Adapter[Any] | None = adapter
        self._log = bytearray()

    @property
    def adapter(self) -> Adapter[Any] | None:
        """The adapter itself; None once it is closed."""
        return self._adapter

    def exchange(self, line: bytes, timeout: float) -> bytes:
        """Answer the line here and now."""
        if self._adapter is None:
            raise BrokenError("crash", "the adapter has been closed")
        del self._log[:]
        if not line:
            raise BrokenError("timeout", "no second answer")
        try:
            with _alarm(timeout), contextlib.redirect_stdout(sys.stderr):
                reply, _ = reply_to(self._adapter, line, self._write)
        except _TimeUp:
            raise BrokenError("timeout", _late(timeout), self.log()) from None
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            reason = f"{type(problem).__name__}: {problem}"
            raise BrokenError("crash", reason, self.log()) from None
        if len(reply) > LONGEST_LINE:
            raise BrokenError("protocol", _too_long(), self.log())
        return reply.rstrip(b"\n")

    def log(self) -> str:
        """Give the last lines of the traceback, if there was one."""
        return last_lines(self._log)

    def close(self) -> None:
        """Close the adapter; what it raises then is of no interest any more."""
        adapter, self._adapter = self._adapter, None
        if adapter is not None:
            with contextlib.suppress(Exception):
                adapter.close()

    def kill(self) -> None:
        """Close the adapter."""
        self.close()

    def _write(self, text: str) -> None:
        self._log += text.encode("utf-8", "backslashreplace")
        del self._log[:-TAIL]


class Pipe(Connection):
    """An engine in a process group of its own, asked in lockstep over its standard streams."""

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        start_timeout: float | None = None,
    ) -> None:
        """Start it. Raises `CannotStartError`."""
        self.start_timeout = start_timeout
        self._log = bytearray()
        self._said = bytearray()
        self._sent = 0
        self._asked = False
        self._lock = threading.Lock()
        self._ended = False
        outer = os.environ.get(MARK)
        self._mark = f"{outer}/{uuid.uuid4().hex}" if outer else uuid.uuid4().hex
        try:
            self._process = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                cwd=cwd,
                env={**os.environ, **(env or {}), MARK: self._mark},
            )
        except (OSError, ValueError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else str(problem)
            raise CannotStartError(f"{argv[0] if argv else 'it'}: {reason}") from None
        except BaseException:
            _end_marked(self._mark)
            raise
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._end_of_leader = -1
        if sys.platform == "linux":
            # Its children may hold its pipes open, so that only this shows that it has ended.
            with contextlib.suppress(OSError):
                self._end_of_leader = os.pidfd_open(self._process.pid)
                self._poll.register(self._end_of_leader, select.POLLIN)

    @property
    def pid(self) -> int:
        """The number of the engine's process, which is also that of its group."""
        return self._process.pid

    def exchange(self, line: bytes, timeout: float) -> bytes:
        """Send the line and wait for one line; what is wrong with it otherwise is said."""
        del self._log[:]
        end = self._said.find(b"\n")
        deadline = time.monotonic() + timeout
        self._sent = 0
        self._asked = bool(line)
        rest = self._write(line) if line else b""
        sending = bool(rest)
        if sending:
            self._poll.register(self._in, select.POLLOUT)
        try:
            searched = 0
            while end < 0 or rest:
                remaining = deadline - time.monotonic()
                events = self._poll.poll(max(0, int(remaining * 1000) + 1)) if remaining > 0 else []
                if not events:
                    raise self._late(timeout)
                for descriptor, _ in events:
                    if descriptor == self._err:
                        self._read_log()
                    elif descriptor == self._in:
                        rest = self._write(rest)
                        if not rest:
                            self._poll.unregister(self._in)
                            sending = False
                for descriptor, _ in events:
                    if descriptor == self._out:
                        self._read(deadline)
                        if end < 0:
                            end = self._said.find(b"\n", searched)
                            searched = len(self._said)
                    elif descriptor == self._end_of_leader and all(
                        other != self._out for other, _ in events
                    ):
                        raise self._gone(deadline)  # and all that it said has been read
        finally:
            if sending:
                self._poll.unregister(self._in)
        if end > LONGEST_LINE:
            raise self._too_long()
        reply = bytes(self._said[:end])
        del self._said[: end + 1]
        return reply

    def more(self, seconds: float) -> bytes:
        """Give what it says without having been asked, waiting at most so long for it to begin."""
        deadline = time.monotonic() + seconds
        said = self._said
        while not said:
            remaining = deadline - time.monotonic()
            ready = [descriptor for descriptor, _ in self._poll.poll(max(0, remaining * 1000))]
            if self._err in ready:
                self._read_log()
            if self._out in ready:
                with contextlib.suppress(OSError):
                    said += os.read(self._out, 65536)
                if not said:
                    break
            elif self._end_of_leader in ready or remaining <= 0:
                break
        self._said = bytearray()
        return bytes(said)

    def end(self, line: bytes, seconds: float) -> Ending:
        """Send a last line (or none), close its input and see how it ends; then leave nothing."""
        try:
            said = bytearray()
            self._write(line)
            self._close(self._process.stdin)
            deadline = time.monotonic() + seconds
            while True:
                status = _status(self._process.pid)
                more = self.more(0.0 if status else 0.01)
                said += more
                if not more and not status:
                    time.sleep(0.005)  # it may have closed its output without ending
                if (status and not more) or time.monotonic() > deadline or len(said) > LONGEST_LINE:
                    break
            return Ending(bytes(said), status, tuple(_marked(self._mark, self.pid)), self.log())
        finally:
            self.kill()

    def log(self) -> str:
        """Give the last lines of standard error."""
        with contextlib.suppress(OSError, ValueError):
            self._read_log()
        return last_lines(self._log)

    def close(self) -> None:
        """Say `bye`, wait a little, then end what is still there."""
        if self._ended:
            return
        try:
            with contextlib.suppress(BrokenError):
                self.exchange(to_line({"type": "bye"}), GRACE)
                self._close(self._process.stdin)
                self._wait_unreaped(GRACE)
        finally:
            self.kill()

    def kill(self) -> None:
        """End the whole process group and what left it, then let go of the pipes."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
            self._end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                self._close(stream)
            if self._end_of_leader >= 0:
                os.close(self._end_of_leader)

    def interrupt(self) -> None:
        """End the whole process group; its pipes are left to the thread that reads them."""
        with self._lock:
            if not self._ended:
                self._end()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.kill()

    def _end(self) -> None:
        # The group's number is ours until its leader is reaped: first kill, then reap.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        _end_marked(self._mark)

    def _write(self, rest: bytes) -> bytes:
        """Write what the pipe takes now, return the rest; that an engine is gone shows later."""
        try:
            written = os.write(self._in, rest)
            self._sent += written
            return rest[written:]
        except BlockingIOError:
            return rest
        except OSError:
            return b""

    def _read(self, deadline: float) -> None:
        try:
            chunk = os.read(self._out, 65536)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            raise self._gone(deadline)
        self._said += chunk
        if len(self._said) > LONGEST_LINE and b"\n" not in self._said:
            raise self._too_long()

    def _read_log(self) -> None:
        """Take what is on standard error now, but never stay for one who does not stop."""
        for _ in range(16):
            try:
                chunk = os.read(self._err, 65536)
            except BlockingIOError:
                return
            if not chunk:
                with contextlib.suppress(KeyError):
                    self._poll.unregister(self._err)
                return
            self._log += chunk
            del self._log[:-TAIL]

    def _late(self, timeout: float) -> BrokenError:
        reason = _late(timeout)
        if self._said:
            reason += f"; half a line came: {shown(bytes(self._said))}"
        return self._broken("timeout", reason)

    def _too_long(self) -> BrokenError:
        return self._broken("protocol", f"{_too_long()}: {shown(bytes(self._said[:200]))}")

    def _gone(self, deadline: float) -> BrokenError:
        """Its standard output has ended: say how it died, or that it did not."""
        self._wait_unreaped(min(GRACE, max(0.2, deadline - time.monotonic())))
        status = _status(self._process.pid)
        reason = status or "closed its standard output and went on running"
        if self._said:
            reason += f", in the middle of a line: {shown(bytes(self._said))}"
        unread = self._asked and not self._said and self._waiting() >= self._sent
        return self._broken("crash", reason, unread)

    def _waiting(self) -> int:
        """How many bytes that we wrote the engine has not read."""
        count = bytearray(4)
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._in, termios.FIONREAD, count)
        return int.from_bytes(count, sys.byteorder)

    def _broken(self, kind: str, reason: str, unread: bool = False) -> BrokenError:
        log = self.log()
        self.kill()
        return BrokenError(kind, reason, log, unread=unread)

    def _wait_unreaped(self, seconds: float) -> None:
        """Wait for the leader to end without reaping it, so that its number stays taken."""
        if self._end_of_leader >= 0:
            ending = select.poll()
            ending.register(self._end_of_leader, select.POLLIN)
            ending.poll(int(seconds * 1000))
            return
        deadline = time.monotonic() + seconds
        pause = 0.0005
        while _status(self._process.pid) is None and time.monotonic() < deadline:
            time.sleep(pause)
            pause = min(pause * 2, 0.02)

    @staticmethod
    def _close(stream: Any) -> None:
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


@dataclass(frozen=True, slots=True)
class Ending:
    """How an engine ended: what it still said, its status (None: it did not end), who is left."""

    said: bytes
    status: str | None
    left: tuple[int, ...]
    log: str


def last_lines(log: bytes | bytearray) -> str:
    """Give the last lines of standard error as text."""
    text = bytes(log).decode("utf-8", "replace")
    return "\n".join(text.splitlines()[-LAST_LINES:])


class _TimeUp(BaseException):  # not an Exception, so that no engine's `except` takes it
    pass


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise `_TimeUp` in this thread after so many seconds, if it is the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _time_up)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _time_up(number: int, frame: FrameType | None) -> None:
    raise _TimeUp


def _late(timeout: float) -> str:
    return f"no answer within {timeout:g} s"


def _too_long() -> str:
    return f"a line of more than {LONGEST_LINE} bytes"


def _status(pid: int) -> str | None:
    """Say how our child ended without reaping it; None while it runs."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return "ended"
    if ended is None:
        return None
    if ended.si_code == os.CLD_EXITED:
        return f"ended with exit status {ended.si_status}"
    try:
        return f"was killed by {signal.Signals(ended.si_status).name}"
    except ValueError:
        return f"was killed by signal {ended.si_status}"


def _end_marked(mark: str) -> None:
    """End descendants that have left the process group: they still carry our mark.

    Where there is no /proc this does nothing, and the process group has to do.
    """
    for _ in range(3):  # one that forks while we look is found the next time
        found = False
        for pid in _marked(mark, os.getpid()):
            found = True
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _marked(mark: str, but: int) -> Iterator[int]:
    """Find the processes that carry a mark, all but one."""
    wanted = f"{MARK}={mark}".encode()
    try:
        entries = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return
    for entry in entries:
        try:
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(entry.name) != but and any(
            each == wanted or each.startswith(wanted + b"/") for each in environment
        ):
            yield int(entry.name)
