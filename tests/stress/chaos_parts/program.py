"""The recorder as a process that can be killed and started again, as often as one likes."""

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
    """Where recorders are born (see `recorder`). clock: theirs may be set, which needs the program faketime."""

    def __init__(self, clock: bool) -> None:
        self._orders, theirs = socket.socketpair()
        fake = ("faketime", "-f", "+0d") if clock else ()
        self._process = subprocess.Popen(
            [*fake, sys.executable, "-m", "tests.stress.chaos_parts.recorder", str(theirs.fileno())],
            cwd=ROOT, pass_fds=(theirs.fileno(),), env=os.environ | {"FAKETIME_NO_CACHE": "1"},
        )  # fmt: skip
        theirs.close()

    def bear(self, **order: str | None) -> tuple[int, socket.socket]:
        """A new recorder: its process id and the connection to it."""
        ours, theirs = socket.socketpair()
        socket.send_fds(self._orders, [json.dumps(order).encode()], [theirs.fileno()])
        theirs.close()
        return int(self._orders.recv(64)), ours


@cache
def nursery(clock: bool = False) -> Nursery:
    """The one of this process."""
    return Nursery(clock)


class Program:
    """The recorder as a process. Its answers are what the page would show.

    clock: what faketime calls an offset, "+30d"; None leaves the clock alone.
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
        """Begin, or resume after a death; returns the seconds until the game is shown again."""
        began = time.monotonic()
        self._pid, self._line = self._nursery.bear(url=self._url, game=self.game, clock=self.clock)
        self._answers = self._line.makefile("r", encoding="utf-8")
        self._read()
        return time.monotonic() - began

    def send(self, message: Mapping[str, Any]) -> None:
        """Tell, without waiting for the answer."""
        self._line.sendall(json.dumps(message).encode() + b"\n")

    def tell(self, message: Mapping[str, Any]) -> None:
        """Tell, and wait for what is shown then."""
        self.send(message)
        self._read()

    def kill(self) -> None:
        """As the power cut does it. What it had still shown counts as shown."""
        with suppress(ProcessLookupError):  # it may have ended with a sentence
            os.kill(self._pid, signal.SIGKILL)
        try:
            for line in self._answers:  # ends when the process is gone
                if line.endswith("\n"):
                    self._take(line)
        except ConnectionResetError:
            pass  # it died with something unread, which is what we wanted
        self._answers.close()
        self._line.close()
        with suppress(ProcessLookupError):
            while True:  # until it is quite gone: what it held open keeps a disk busy
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
