"""Cache of past games: each is replayed once for every change, however often it is requested.

Lists show stored facts at once; the integrity of every row is checked in the background.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.archive import facts
from companion.archive.database import Damaged
from companion.archive.facts import Facts
from companion.archive.listing import ArchivedGame
from companion.archive.store import Archive
from companion.archive.summary import Summary
from companion.game.archived import game_repository
from engine.replay import Replay

MAX_GAMES = 8  # each holds all its states: some megabytes
PAGE_WAIT_SECONDS = 0.2  # seconds, for games that have not been read yet
_BATCH = 50  # games computed before they are stored
_Key = tuple[str, int]  # a game's id and its number of changes, which are final


@dataclass(frozen=True, slots=True)
class PastGame:
    """A past game.

    Attributes:
        roll_images: Index of an event (1, 2, …) → number of the change with its image.
        damage: Why only its beginning could be read; None if the game is intact.
    """

    replay: Replay
    roll_images: Mapping[int, int]
    damage: Damaged | None = None


class ReplayCache:
    """The cache, for pages that request a game with every step of a slider, or all games for a list.

    Every method raises ArchiveError if the archive fails.

    Attributes:
        page_wait: Seconds a page waits for unread games; None for as long as it takes.
    """

    page_wait: float | None = PAGE_WAIT_SECONDS

    def __init__(self) -> None:
        self._games: OrderedDict[_Key, PastGame] = OrderedDict()
        self._summaries: dict[_Key, Summary] = {}
        self._checked: set[_Key] = set()  # games of which every row has been checked
        self._lock = threading.Lock()

    def game(self, archive: Archive, game_id: str) -> PastGame:
        """The game as stored now, as far as it can be read.

        Raises:
            Damaged: Nothing can be read.
        """
        key = (game_id, archive.row(game_id).changes)
        with self._lock:
            known = self._games.get(key)
            if known is not None:
                self._games.move_to_end(key)
                return known
        saved = game_repository.load(archive, game_id)
        found = PastGame(saved.replay, game_repository.roll_images(archive, saved.game_log, game_id), saved.damage)
        with self._lock:
            self._games[key] = found
            while len(self._games) > MAX_GAMES:
                self._games.popitem(last=False)
        return found

    def summaries(self, archive: Archive, seconds: float | None = None) -> list[Summary]:
        """All games, damaged ones included, the one played last first; `seconds` as in `listed`."""
        rows = archive.games()
        found = self.summaries_of(archive, rows, seconds)
        with self._lock:
            if len(self._summaries) > len(rows):  # remove deleted and outdated ones
                now = {_key(row) for row in rows}
                self._summaries = {key: one for key, one in self._summaries.items() if key in now}
                self._checked &= now
        return found

    def summaries_of(
        self, archive: Archive, rows: Sequence[ArchivedGame], seconds: float | None = None
    ) -> list[Summary]:
        """The summaries of these games, in the same order. Stored facts are trusted; other games are read.

        Args:
            seconds: Time limit; games left after it are `pending`.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        with self._lock:
            found = {_key(row): self._summaries.get(_key(row)) for row in rows}
        missing = [row for row in rows if found[_key(row)] is None]
        stored = facts.load(archive, _ids(missing)) if missing else {}
        new_facts: dict[_Key, Facts] = {}
        for row in missing:
            key, stored_facts = _key(row), stored.get(_key(row))
            if stored_facts is not None and row.intact:
                found[key] = self._remember(Summary(row, stored_facts.facts))
            elif deadline is None or time.monotonic() < deadline:
                found[key] = one = self._remember(game_repository.summary(archive, row), checked=True)
                new_facts |= {} if one.damage else {key: one.facts}
            else:
                found[key] = game_repository.unread_summary(row)
        facts.save(archive, new_facts)
        return [one for one in found.values() if one is not None]

    def check(self, archive: Archive, pause: Callable[[float], object] = time.sleep) -> list[Summary]:
        """Checks every row of every changed game, the one played last first.

        Args:
            pause: Called with the seconds that a piece of work took; waits, so that pages come first.
        """
        rows = [row for row in archive.games() if _key(row) not in self._checked]
        for first in range(0, len(rows), _BATCH):
            batch = rows[first : first + _BATCH]
            stored = facts.load(archive, _ids(batch))
            new_facts: dict[_Key, Facts] = {}
            for row in batch:
                began = time.monotonic()
                stored_facts = stored.get(_key(row))
                known = stored_facts.facts if stored_facts is not None and stored_facts.current else None
                found = game_repository.summary(archive, row, known)
                if not found.damage and known is None:
                    new_facts[_key(row)] = found.facts
                self._remember(found, checked=True)
                pause(time.monotonic() - began)
            facts.save(archive, new_facts)
        return self.summaries(archive)

    def store_review(self, archive: Archive, identity: str, balances: Sequence[tuple[float, float]]) -> None:
        """Stores the result of a review, luck and cost of each seat, with every game of this record."""
        found = {}
        for one in self.summaries(archive):
            if one.facts.identity == identity and not one.damage and len(one.facts.seats) == len(balances):
                found[_key(one.row)] = replace(one, facts=one.facts.with_review(balances))
        facts.save(archive, {key: one.facts for key, one in found.items()})
        with self._lock:
            self._summaries |= found

    def forget(self, archive: Archive) -> None:
        """Discards cached games after a repair."""
        archive.reread()
        with self._lock:
            self._games.clear()
            self._summaries, self._checked = {}, set()

    def _remember(self, one: Summary, checked: bool = False) -> Summary:
        with self._lock:
            if checked or _key(one.row) not in self._checked:
                self._summaries[_key(one.row)] = one
            if checked:
                self._checked.add(_key(one.row))
            return self._summaries[_key(one.row)]


def _key(row: ArchivedGame) -> _Key:
    return row.id, row.changes


def _ids(rows: Sequence[ArchivedGame]) -> list[str]:
    return [row.id for row in rows]
