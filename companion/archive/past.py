"""Past games as they were last read: one is replayed once for every change to it, however often it is looked at."""

from __future__ import annotations

import threading
from collections import OrderedDict

from companion.archive import shelf
from companion.archive.database import Damaged
from companion.archive.shelf import Summary
from companion.archive.store import Archive, ArchivedGame
from engine.replay import Replay

MOST_REPLAYS = 8  # each holds all its positions: some megabytes
_Key = tuple[str, int]  # a game's id and how many changes it had: a recorded change is final


class PastGames:
    """For pages that come back to the same game with every step of a slider, or to all of them for a list.

    Every method raises ArchiveError where the archive does not do its part.
    """

    def __init__(self) -> None:
        self._replays: OrderedDict[_Key, Replay] = OrderedDict()
        self._summaries: dict[_Key, Summary | Damaged] = {}
        self._lock = threading.Lock()

    def replay(self, archive: Archive, game_id: str) -> Replay:
        """The game as it stands in the archive now."""
        key = (game_id, archive.extent(game_id))
        with self._lock:
            known = self._replays.get(key)
            if known is not None:
                self._replays.move_to_end(key)
                return known
        found = shelf.replayed(archive, game_id)
        with self._lock:
            self._replays[key] = found
            while len(self._replays) > MOST_REPLAYS:
                self._replays.popitem(last=False)
        return found

    def summaries(self, archive: Archive) -> list[Summary]:
        """All games that can be read, the one played last first."""
        rows = {(row.id, row.changes): row for row in archive.games()}
        known = self._summaries
        self._summaries = {key: known.get(key) or _summary(archive, row) for key, row in rows.items()}
        return [found for found in self._summaries.values() if isinstance(found, Summary)]

    def damaged(self) -> list[str]:
        """A sentence for each game that could not be read when the summaries were asked for."""
        return [str(found) for found in self._summaries.values() if isinstance(found, Damaged)]


def _summary(archive: Archive, row: ArchivedGame) -> Summary | Damaged:
    try:
        return shelf.summary(archive, row)
    except Damaged as damaged:
        return damaged
