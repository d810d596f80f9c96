"""Maintains the archive while it is in use: checks it at the start and backs up every evening."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.game.archived.copies import keep_copy
from companion.game.archived.replay_cache import ReplayCache

_PATIENCE = 60.0  # seconds: an archive of two hundred evenings takes five if no page is active
_RESTS = 4.0  # pauses, as a multiple of working time, so that pages are hardly slower meanwhile


class Caretaker:
    """Each program that serves an archive has one. `say` receives a sentence for each problem."""

    def __init__(self, archive: Archive, past: ReplayCache, say: Callable[[str], None]) -> None:
        self._archive, self._past, self._say = archive, past, say
        self._checking = threading.Thread(target=self._look_after, name="archive check", daemon=True)
        self._over = threading.Event()
        self._said: set[str] = set()

    def start(self) -> None:
        """Checks every row, and backs up an evening that ended badly, in the background."""
        self._checking.start()

    def wait(self) -> None:
        """Waits until every row is checked and the backup is made."""
        self._checking.join()

    def end_evening(self) -> None:
        """Backs up the games played."""
        self._over.set()
        self._checking.join(_PATIENCE)
        self._look_after()

    def _look_after(self) -> None:
        try:
            checked = self._past.check(self._archive, self._rest)
            for game in checked:
                if game.damage and game.id not in self._said:
                    self._said.add(game.id)
                    self._say(
                        f"game {game.id} of the archive is damaged ({game.damage}): "
                        f"`courtside games restore {game.id}` brings back a whole copy of it"
                    )
            keep_copy(self._archive, checked)
        except ArchiveError as error:
            self._say(str(error))

    def _rest(self, worked: float) -> None:
        self._over.wait(_RESTS * worked)
