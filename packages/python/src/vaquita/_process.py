"""A server's process. It ends with this one, however that ends: it reads the end of its standard input."""

import contextlib
import json
import os
import select
import subprocess
import tempfile
import time
import weakref
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional

from vaquita._program import find_program

START_SECONDS = 60.0
STOP_SECONDS = 10.0
LAST_LINES = 50


class StartError(RuntimeError):
    """The server did not start; the message has the end of its log."""


def _remove(log: str, owner: int) -> None:
    if os.getpid() == owner:  # a child made by fork has a copy of the object, but no file
        with contextlib.suppress(FileNotFoundError):
            os.unlink(log)


class Process:
    """A server that is ready. ``ready`` is what it said of itself then."""

    def __init__(self, properties: Mapping[str, str], data: Optional[Path]) -> None:
        where = ["--ephemeral"] if data is None else ["--data", str(data)]
        command = [str(find_program()), "standalone", *where, "--free-ports", "--test-control", "--exit-with-stdin", "--ready-line"]
        for name, value in properties.items():
            command += ["-D", f"{name}={value}"]
        environment = {name: value for name, value in os.environ.items() if name != "VAQUITA_BINARY"}  # it is for this package
        descriptor, log = tempfile.mkstemp(prefix="vaquita-", suffix=".log")
        self.log = Path(log)
        self._remove_log = weakref.finalize(self, _remove, log, os.getpid())
        self._owner = os.getpid()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=descriptor, env=environment
            )
        except OSError as error:
            self._remove_log()
            raise StartError(f"Vaquita did not start: {error}.\nCommand: {' '.join(command)}") from error
        finally:
            os.close(descriptor)
        _started.add(self)
        self.ready: Dict[str, Any] = self._wait_until_ready(command)

    def _wait_until_ready(self, command: List[str]) -> Dict[str, Any]:
        line = self._ready_line()
        if line.endswith(b"\n"):
            try:
                ready: Dict[str, Any] = json.loads(line)
                return ready
            except ValueError as error:
                problem = f"its ready line is not JSON ({error}): {line!r}"
        elif self._process.poll() is None:
            problem = f"it was not ready after {START_SECONDS:.0f} s"
        else:
            problem = self.end
        self._process.kill()
        lines = self.last_lines()
        self.stop()
        raise StartError(f"Vaquita did not start: {problem}.\nCommand: {' '.join(command)}\n{lines}")

    def _ready_line(self) -> bytes:
        """Returns what the server has printed, up to the first line's end, its own end or the time's."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        end = time.monotonic() + START_SECONDS
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
                return line
            part = os.read(descriptor, 65536)
            if not part:
                self._process.wait()
                return line
            line += part
        return line

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def end(self) -> str:
        """Says how it has ended; empty: it runs."""
        code = self._process.poll()
        if code is None:
            return ""
        return f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"

    def last_lines(self) -> str:
        try:
            lines = self.log.read_text(errors="replace").splitlines()
        except OSError as error:
            return f"Its log cannot be read: {error}"
        return "\n".join([f"Last lines of its log, {self.log}:", *lines[-LAST_LINES:]])

    def let_go(self) -> None:
        """In a child made by fork: the server is the parent's, and ends with that, also if the child lives longer."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def stop(self) -> None:
        """Ends the server; it takes some milliseconds. Nothing happens if it has ended, or in a child made by fork."""
        if os.getpid() != self._owner:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._remove_log()


_started: "weakref.WeakSet[Process]" = weakref.WeakSet()


def _let_go_of_all() -> None:
    for process in list(_started):
        process.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_all)
