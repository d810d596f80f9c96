"""Past games as they were last read: one is replayed once for every change to it, however often it is looked at."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from companion.archive import game_repository
from companion.archive.database import Damaged
from companion.archive.game_repository import Summary
from companion.archive.store import Archive, ArchivedGame
from engine.replay import Replay

MOST_GAMES = 8  # each holds all its positions: some megabytes
_Key = tuple[str, int]  # a game's id and how many changes it had: a recorded change is final


@dataclass(frozen=True, slots=True)
class Past:
    """A past game. pictured: place of an event (1, 2, …) → number of the change its picture was kept with."""

    replay: Replay
    pictured: Mapping[int, int]


class ReplayCache:
    """For pages that come back to the same game with every step of a slider, or to all of them for a list.

    Every method raises ArchiveError where the archive does not do its part.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[_Key, Past] = OrderedDict()
        self._summaries: dict[_Key, Summary | Damaged] = {}
        self._lock = threading.Lock()

    def game(self, archive: Archive, game_id: str) -> Past:
        """The game as it stands in the archive now."""
        key = (game_id, archive.extent(game_id))
        with self._lock:
            known = self._games.get(key)
            if known is not None:
                self._games.move_to_end(key)
                return known
        found = Past(game_repository.replayed(archive, game_id), game_repository.pictured(archive, game_id))
        with self._lock:
            self._games[key] = found
            while len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
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
        return game_repository.summary(archive, row)
    except Damaged as damaged:
        return damaged
