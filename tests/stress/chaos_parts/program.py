"""The recorder as a process that can be killed and restarted."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


class Nursery:
    """A parent process that forks recorders (see `recorder`). `clock`: the time of the recorders can be set; needs
    faketime."""

    def __init__(self, clock: bool) -> None:
        self._orders, theirs = socket.socketpair()
        fake = ("faketime", "-f", "+0d") if clock else ()
        self._process = subprocess.Popen(
            [*fake, sys.executable, "-m", "tests.stress.chaos_parts.recorder", str(theirs.fileno())],
            cwd=ROOT, pass_fds=(theirs.fileno(),), env=os.environ | {"FAKETIME_NO_CACHE": "1"},
        )  # fmt: skip
        theirs.close()

    def bear(self, **order: str | None) -> tuple[int, socket.socket]:
        """Forks a new recorder; returns its process id and the connection to it."""
        ours, theirs = socket.socketpair()
        socket.send_fds(self._orders, [json.dumps(order).encode()], [theirs.fileno()])
        theirs.close()
        return int(self._orders.recv(64)), ours


@cache
def nursery(clock: bool = False) -> Nursery:
    """The parent process of recorders that this process shares."""
    return Nursery(clock)


class Program:
    """The recorder as a process. Its answers are what the page would show.

    Attributes:
        clock: Offset of its clock in the format of faketime, "+30d"; None for the real time.
    """

    def __init__(self, url: str, clock: str | None = None) -> None:
        self._url = url
        self.clock = clock
        self._nursery = nursery(clock is not None)
        self.game: str | None = None
        self.shown: list[str] = []
        self.notices: list[str] = []
        self.start()

    def start(self) -> float:
        """Starts, or resumes after a kill; returns the seconds until the game is shown again."""
        began = time.monotonic()
        self._pid, self._line = self._nursery.bear(url=self._url, game=self.game, clock=self.clock)
        self._answers = self._line.makefile("r", encoding="utf-8")
        self._read()
        return time.monotonic() - began

    def send(self, message: Mapping[str, Any]) -> None:
        """Sends a message without waiting for the answer."""
        self._line.sendall(json.dumps(message).encode() + b"\n")

    def deliver(self, message: Mapping[str, Any]) -> None:
        """Sends a message and waits for the answer."""
        self.send(message)
        self._read()

    def kill(self) -> None:
        """Kills the process, as a power cut does. Answers that it had already sent count as shown."""
        with suppress(ProcessLookupError):  # it may have ended with an error message
            os.kill(self._pid, signal.SIGKILL)
        try:
            for line in self._answers:  # ends when the process is gone
                if line.endswith("\n"):
                    self._take(line)
        except ConnectionResetError:
            pass  # it was killed with an unread message, as intended
        self._answers.close()
        self._line.close()
        with suppress(ProcessLookupError):
            while True:  # until it has ended: its open files keep a disk busy
                os.kill(self._pid, 0)
                time.sleep(0.001)

    def _read(self) -> None:
        line = self._answers.readline()
        if not line.endswith("\n"):
            raise RuntimeError("the program has ended by itself")
        self._take(line)

    def _take(self, line: str) -> None:
        body = json.loads(line)
        self.shown, self.notices = body["lines"], body["notices"]
        self.game = body.get("game", self.game)
