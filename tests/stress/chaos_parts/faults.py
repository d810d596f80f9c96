"""Faults of a games night. Each function injects one fault into the real program and returns what it cost."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.kit.postgresql_server import PostgresServer
from tests.stress.chaos_parts.program import Program
from tests.stress.chaos_parts.world import World


@dataclass(slots=True)
class EveningTally:
    """The result of one evening.

    Attributes:
        tried: Number of faults injected.
        shown: Number of events that had been shown.
        lost: Shown events missing from the record.
        doubled: Events recorded twice.
        recovered: Seconds from the end of each fault until the game was shown again.
        unseen: Rolls that ended while the program was down, so players had to enter them.
        unsaid: Faults that kept an event from being recorded without informing the players.
    """

    tried: int
    shown: int
    lost: int
    doubled: int
    recovered: list[float]
    unseen: int = 0
    unsaid: int = 0


Evening = Callable[[int], EveningTally]


def killed(seed: int) -> EveningTally:
    """SIGKILL at random moments while a roll, a die set aside or a purchase is being recorded."""
    with _folder() as folder:
        return kills(f"sqlite:///{folder / 'archive.sqlite3'}", seed, often=0.4)


def killed_on_postgresql(seed: int) -> EveningTally:
    """SIGKILL at random moments; the archive is a PostgreSQL server."""
    server = PostgresServer()
    try:
        return kills(server.url, seed, often=0.2)
    finally:
        server.close()


def clock_jumped(seed: int) -> EveningTally:
    """SIGKILL at random moments; at every start the clock has jumped by years, backwards or forwards."""
    with _folder() as folder:
        return kills(
            f"sqlite:///{folder / 'archive.sqlite3'}",
            seed,
            often=0.15,
            clock=lambda dice: f"{dice.randint(-3000, 3000):+d}d",
        )


def disk_full(seed: int) -> EveningTally:
    """The disk is full for a while, in the middle of a game."""
    with _small_disk() as folder:
        ballast = folder / "ballast"

        def fill() -> None:
            with ballast.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(b"\0" * 4096)
                except OSError:
                    pass

        return _hindered(f"sqlite:///{folder / 'archive.sqlite3'}", seed, fill, ballast.unlink)


def folder_read_only(seed: int) -> EveningTally:
    """The program restarts while the data folder is read-only; then the folder becomes writable again.

    A restart is needed, because no system revokes write access to an open file.
    """
    with _small_disk() as folder:
        world, dice = World(seed), random.Random(seed)
        program, tally = Program(f"sqlite:///{folder / 'archive.sqlite3'}"), EveningTally(0, 0, 0, 0, [])
        for message in world.messages():
            if tally.tried < 3 and "enter" in message and dice.random() < 0.2:
                shown = program.shown
                program.kill()
                _mount("-o", "remount,ro", str(folder))
                program.start()
                if not program.notices:  # the archive is readable, so the game must be shown
                    program.deliver(world.look())
                    program.deliver(message)
                    tally.unsaid += program.shown == shown and not program.notices
                program.kill()
                _mount("-o", "remount,rw", str(folder))
                tally.recovered.append(program.start())
                program.deliver(world.look())
                tally.tried += 1
                tally.lost += _missing(shown, program.shown)
            program.deliver(message)
        return _counted(tally, program, world)


def database_locked(seed: int) -> EveningTally:
    """Another program holds the database locked for a while."""
    with _folder() as folder:
        holder = sqlite3.connect(folder / "archive.sqlite3", isolation_level=None)
        return _hindered(
            f"sqlite:///{folder / 'archive.sqlite3'}",
            seed,
            lambda: holder.execute("BEGIN IMMEDIATE"),
            lambda: holder.execute("ROLLBACK"),
            times=1,  # every refused event waits five seconds for the lock
        )


def postgresql_restarted(seed: int) -> EveningTally:
    """The PostgreSQL server stops without shutting down, and restarts."""
    server = PostgresServer()
    try:
        return _hindered(server.url, seed, server.stop, server.start)
    finally:
        server.close()


FAULTS: dict[str, tuple[Evening, Callable[[], str | None]]] = {
    "killed": (killed, lambda: None),
    "killed, PostgreSQL": (killed_on_postgresql, lambda: _needs_postgresql()),
    "killed, the clock jumps": (clock_jumped, lambda: None if shutil.which("faketime") else "the program faketime"),
    "disk full": (disk_full, lambda: _needs_root()),
    "folder read-only": (folder_read_only, lambda: _needs_root()),
    "database locked": (database_locked, lambda: None),
    "PostgreSQL restarted": (postgresql_restarted, lambda: _needs_postgresql()),
}
"""Name → one evening of it (by seed), and what this machine lacks for it."""


def kills(
    url: str,
    seed: int,
    often: float,
    clock: Callable[[random.Random], str | None] = lambda dice: None,
    events: int = 120,
) -> EveningTally:
    """An evening of this many events at the archive `url`, with a SIGKILL during a share `often` of all messages."""
    world, dice = World(seed, events), random.Random(seed)
    program = Program(url, clock(dice))
    tally = EveningTally(0, 0, 0, 0, [])
    for message in world.messages():
        if dice.random() >= often:
            program.deliver(message)
            continue
        before = len(program.shown)
        program.send(message)
        time.sleep(dice.random() * 0.02)
        program.kill()
        shown = program.shown
        program.clock = clock(dice)
        tally.recovered.append(program.start())
        tally.tried += 1
        tally.lost += _missing(shown, program.shown)
        program.deliver(world.look())
        for missed in world.unrecorded(program.shown):  # the player enters it
            program.deliver({"enter": missed})
            tally.unseen += " roll " in missed
        if "enter" in message and message["enter"] not in program.shown[before:]:
            program.deliver(message)  # the page does not show it, so the player enters it again
    return _counted(tally, program, world)


def _hindered(
    url: str, seed: int, hinder: Callable[[], object], free: Callable[[], object], times: int = 3
) -> EveningTally:
    """Plays an evening with a fault that prevents recording.

    During the fault no event may be shown without being recorded, and players must be informed. Afterwards all events
    must be recorded.
    """
    world, dice = World(seed), random.Random(seed)
    program = Program(url)
    tally = EveningTally(0, 0, 0, 0, [])
    for message in world.messages():
        if tally.tried == times or dice.random() >= 0.06:
            program.deliver(message)
            continue
        shown = program.shown
        hinder()
        try:
            program.deliver(message)
            if program.shown == shown and "enter" in message and not program.notices:
                tally.unsaid += 1
        finally:
            free()
        freed = time.monotonic()
        tally.tried += 1
        tally.lost += _missing(shown, program.shown)
        if "enter" not in message:
            program.deliver(message)  # the dice still rest there, so the camera sees them again
        elif message["enter"] not in program.shown[len(shown) :]:
            program.deliver(message)
        tally.recovered.append(time.monotonic() - freed)
    return _counted(tally, program, world)


def _missing(shown: list[str], after: list[str]) -> int:
    """Events that had been shown and are missing afterwards."""
    return sum(line not in after for line in shown) if after[: len(shown)] != shown else 0


def _counted(tally: EveningTally, program: Program, world: World) -> EveningTally:
    """Counts the record at the end of the evening, which must have each played event once."""
    program.kill()
    program.start()
    tally.shown = len(program.shown)
    tally.doubled = max(0, len(program.shown) - len(world.lines))
    tally.lost += sum(line != played for line, played in zip(program.shown, world.lines, strict=False))
    tally.lost += max(0, len(world.lines) - len(program.shown))
    program.kill()
    return tally


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="courtside-chaos-") as folder:
        yield Path(folder)


@contextmanager
def _small_disk() -> Iterator[Path]:
    """A separate disk of two megabytes."""
    with _folder() as folder:
        _mount("-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder))
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def _needs_root() -> str | None:
    return None if os.geteuid() == 0 else "to be root, for a disk of its own"


def _needs_postgresql() -> str | None:
    return None if any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) else "a PostgreSQL server"
