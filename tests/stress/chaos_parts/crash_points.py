"""A short evening in which the program dies, or its disk fails, at the n-th call that changes a file of the archive.

Needs a C compiler and Linux: `io_faults.c` intercepts the calls, preloaded into a process of its own.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa

from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.archived.backups import backups, make_backup
from companion.game.archived.replay_cache import ReplayCache
from companion.game.changes import NotSaved
from engine.record_header import new_record
from tests.stress.chaos_parts.world import script

SOURCE = Path(__file__).with_name("io_faults.c")
ROOT = Path(__file__).resolve().parents[3]
KINDS = {  # numbers as in io_faults.c
    "killed": 1,
    "killed in the middle of a write": 2,
    "power lost": 3,
    "one call fails": 4,
    "disk full from then on": 5,
}
EVENTS = 8
Result = TypeVar("Result")
_RETRIES = 2  # as a player would tap again


@dataclass(frozen=True, slots=True)
class CrashOutcome:
    """The end of an evening.

    Attributes:
        calls: Number of intercepted calls.
        promised: Events that had been shown.
        kept: Events on record afterwards.
        wrong: Violations found afterwards.
    """

    calls: int
    promised: int
    kept: int
    wrong: tuple[str, ...]


def build(folder: Path) -> Path:
    """Compiles the library that intercepts calls into `folder`, and returns its path."""
    library = folder / "io_faults.so"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


class Evenings:
    """A process with all modules loaded, which plays each evening in a child process."""

    def __init__(self, library: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.stress.chaos_parts.crash_points"],
            cwd=ROOT, env=os.environ | {"LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()

    def play(self, kind: int, at: int, seed: int = 1, *, careless: bool = False) -> CrashOutcome:
        """Plays one evening in a fresh folder, with the fault `kind` at call `at` (0: none).

        Args:
            careless: SQLite does not sync. A control: the test must detect the resulting loss.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.TemporaryDirectory(prefix="courtside-crash-") as name:
            folder = Path(name).resolve()
            self._process.stdin.write(json.dumps([str(folder), kind, at, seed, careless]) + "\n")
            self._process.stdin.flush()
            report = json.loads(self._process.stdout.readline())
            lines = script(seed, EVENTS).splitlines()
            return CrashOutcome(report["calls"], len(report["shown"]), *_found(folder, report, lines))


@contextmanager
def evenings() -> Iterator[Evenings]:
    """Evenings with a library compiled for them."""
    with tempfile.TemporaryDirectory() as folder, closing(Evenings(build(Path(folder)))) as found:
        yield found


def _found(folder: Path, report: dict[str, list[str]], lines: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """The number of events on record after a restart, and all violations in the archive."""
    shown, wrong, kept = report["shown"], [*report["wrong"]], 0
    try:
        with closing(Archive(_url(folder))) as archive:
            found = game_repository.summaries(archive)
            wrong += [f"damaged: {game.damage}" for game in found if game.damage]
            wrong += [f"{len(found)} games"] if len(found) not in ({1} if shown else {0, 1}) else []
            if found and not wrong:
                table = game_repository.resume(archive, found[0].id)
                on_record = [line.event for line in table.lines]
                kept = len(on_record)
                if on_record != lines[:kept] or kept < len(shown) or kept > len(shown) + 1:
                    wrong.append(f"shown {shown}, on record {on_record}")
                elif kept < len(lines):
                    table.enter(lines[kept])  # the game must continue
            for copy in backups(folder / "archive.sqlite3"):
                with closing(Archive(read_only=copy.path)) as other:
                    wrong += [f"copy: {game.damage}" for game in game_repository.summaries(other) if game.damage]
            if report["copied"] and not backups(folder / "archive.sqlite3"):
                wrong.append("the copy is gone")
    except (ArchiveError, NotSaved) as error:
        wrong.append(f"does not open: {error}")
    return kept, tuple(wrong)


def _url(folder: Path) -> str:
    return f"sqlite:///{(folder / 'archive.sqlite3').as_posix()}"


def _nursery() -> None:
    """Reads [folder, kind, call, seed, careless] from each line; writes {"shown", "copied", "wrong", "calls"} for each
    evening."""
    faults = ctypes.CDLL(None)
    script(1, 1)  # imports all modules that a game needs
    for order in sys.stdin:
        folder, kind, at, seed, careless = json.loads(order)
        hears, says = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(hears)
            if careless:
                sa.event.listen(
                    sa.Engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF")
                )
            faults.courtside_faults(os.fsencode(folder), ctypes.c_long(at), kind)
            _evening(Path(folder), seed, says)
            os.write(says, json.dumps(["calls", faults.courtside_calls()]).encode() + b"\n")
            os._exit(0)
        os.close(says)
        with os.fdopen(hears) as report:
            said = [json.loads(line) for line in report]
        os.waitpid(child, 0)
        answer = {
            "shown": [what for word, what in said if word == "shown"],
            "wrong": [what for word, what in said if word == "wrong"],
            "copied": [what for word, what in said if word == "copied"],
            "calls": max((what for word, what in said if word == "calls"), default=0),
        }
        print(json.dumps(answer), flush=True)


def _unsynced(connection: sa.Connection) -> None:
    connection.exec_driver_sql("PRAGMA synchronous=OFF")


def _evening(folder: Path, seed: int, says: int) -> None:
    """Starts a game, records its events, lists it and copies the archive twice; reports each step through `says` when
    it is done."""

    def say(kind: str, what: str) -> None:
        os.write(says, json.dumps([kind, what]).encode() + b"\n")

    lines = script(seed, EVENTS).splitlines()
    try:
        archive = _again(lambda: Archive(_url(folder)))
        record = new_record("krone", ("Anna", "Bert"))
        _, table = _again(lambda: game_repository.begin(archive, record, picture=lambda: b"\xff\xd8" * 3000))
        for number, line in enumerate(lines):
            _again(lambda line=line: table.enter(line))  # type: ignore[misc]
            say("shown", line)
            if number in (EVENTS // 2, EVENTS - 1):
                _again(lambda: ReplayCache().summaries(archive))
                _again(lambda: make_backup(archive))
                say("copied", str(number))
        archive.close()
    except (ArchiveError, NotSaved):
        return  # the failure was reported twice: the disk is at fault
    except Exception as error:
        say("wrong", f"{type(error).__name__}: {error}")


def _again(act: Callable[[], Result]) -> Result:
    """Repeats an action that was reported as failed, as a player would."""
    for _ in range(_RETRIES):
        try:
            return act()
        except (ArchiveError, NotSaved):
            pass
    return act()


if __name__ == "__main__":
    _nursery()
