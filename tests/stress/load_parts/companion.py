"""The companion under load: the real command in a process of its own, with its data in a folder of its own."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.stress.load_parts.browser import browser

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil")
COURTSIDE = Path(sys.executable).with_name("courtside")


@dataclass(frozen=True, slots=True)
class RunningCompanion:
    """A running companion: its port, its process, and the folder of its archive."""

    port: int
    secure: bool
    pid: int
    folder: Path
    browser: httpx.AsyncClient

    async def rate(self, seconds: float) -> float:
        """Images that its camera reads per second after waiting for these seconds: the mean of the last forty."""
        await asyncio.sleep(seconds)
        found = re.search(r"<dd>(\d+\.\d)</dd>", (await self.browser.get("/camera/state")).text)
        return float(found[1]) if found else 0.0

    async def version(self) -> str:
        """The name of the newest board."""
        return (await self.browser.get("/board")).headers["x-version"]

    async def record(self) -> str:
        """The record as the page shows it."""
        return (await self.browser.get("/record.txt")).text

    def kept_record(self) -> str:
        """The record in the archive, read by the command after the companion was closed."""
        games = self._courtside("games", "list", "--json")
        found = re.search(r'"id": *"([^"]+)"', games)
        assert found, games
        return self._courtside("games", "export", found[1])

    def processor_seconds(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _courtside(self, *words: str) -> str:
        done = subprocess.run([COURTSIDE, *words], env=_environment(self.folder), capture_output=True, text=True)
        return done.stdout


@contextmanager
def running_companion(folder: Path, players: int, secure: bool) -> Iterator[RunningCompanion]:
    """Runs the companion with a phone as its camera."""
    server = subprocess.Popen(
        [COURTSIDE, "play", "--source", "phone", "--players", ",".join(NAMES[:players]), "--port", "0",
         *(["--https"] if secure else [])],
        env=_environment(folder), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        found = next(match for line in server.stdout if (match := re.search(r"https?://127\.0\.0\.1:(\d+)/", line)))
        yield RunningCompanion(int(found[1]), secure, server.pid, folder, browser(int(found[1]), secure))
    finally:
        server.terminate()
        server.wait()


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {"XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
