"""Past games as they were last read: one is replayed once for every change to it, however often it is looked at."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.archive import facts, game_repository
from companion.archive.database import Damaged
from companion.archive.store import Archive, ArchivedGame
from companion.archive.summary import Summary
from engine.replay import Replay

MOST_GAMES = 8  # each holds all its positions: some megabytes
_AT_ONCE = 50  # games worked out before the next page gets its turn
_Key = tuple[str, int]  # a game's id and how many changes it had: a recorded change is final


@dataclass(frozen=True, slots=True)
class Past:
    """A past game. pictured: place of an event (1, 2, …) → number of the change its picture was kept with.

    damage: why this is only its beginning, None where the game is whole.
    """

    replay: Replay
    pictured: Mapping[int, int]
    damage: Damaged | None = None


class ReplayCache:
    """For pages that come back to the same game with every step of a slider, or to all of them for a list.

    Every method raises ArchiveError where the archive does not do its part.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[_Key, Past] = OrderedDict()
        self._summaries: dict[_Key, Summary] = {}
        self._lock = threading.Lock()
        self._listing = threading.Lock()

    def game(self, archive: Archive, game_id: str) -> Past:
        """The game as it stands in the archive now, as far as it can be read. Raises Damaged when that is nothing."""
        key = (game_id, archive.row(game_id).changes)
        with self._lock:
            known = self._games.get(key)
            if known is not None:
                self._games.move_to_end(key)
                return known
        saved = game_repository.saved(archive, game_id)
        found = Past(saved.replay, game_repository.pictured(archive, saved.game_log, game_id), saved.damage)
        with self._lock:
            self._games[key] = found
            while len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        return found

    def summaries(self, archive: Archive) -> list[Summary]:
        """All games, also damaged ones, the one played last first. Each is checked when it is first listed, and when
        it has changed."""
        rows, found = archive.games(), []
        for first in range(0, len(rows), _AT_ONCE):
            found += self.listed(archive, rows[first : first + _AT_ONCE])
            time.sleep(0)  # who waits for a few of them comes first
        with self._listing:
            self._summaries = {(one.id, one.row.changes): one for one in found}
        return found

    def listed(self, archive: Archive, rows: Sequence[ArchivedGame]) -> list[Summary]:
        """These games of the archive as `summaries` tells of them, in the same order."""
        with self._listing:
            known = self._summaries
            unknown = [row for row in rows if (row.id, row.changes) not in known]
            stored = facts.stored(archive, [row.id for row in unknown]) if unknown else {}
            for row in unknown:
                known[row.id, row.changes] = game_repository.summary(archive, row, stored.get((row.id, row.changes)))
            found = [known[row.id, row.changes] for row in rows]
            new = {(row.id, row.changes) for row in unknown} - stored.keys()
            fresh = {(one.id, one.row.changes): one.facts for one in found if not one.damage}
            facts.store(archive, {key: fresh[key] for key in fresh.keys() & new})
            return found

    def weighed(self, archive: Archive, identity: str, balances: Sequence[tuple[float, float]]) -> None:
        """Keep what looking back on a game told, luck and cost of each seat: beside every game whose record is this."""
        self.summaries(archive)
        with self._listing:
            found = {
                key: replace(one, facts=one.facts.weighed(balances))
                for key, one in self._summaries.items()
                if one.facts.identity == identity and not one.damage and len(one.facts.seats) == len(balances)
            }
            facts.store(archive, {key: one.facts for key, one in found.items()})
            self._summaries |= found

    def forget(self) -> None:
        """Games have been put right: read and check them anew."""
        with self._listing, self._lock:
            self._games.clear()
            self._summaries = {}
