"""Past games: stored in the archive, replayed on request, reviewed while no page asks for anything."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from companion.advice.review_desk import ReviewDesk
from companion.archive.database import ArchiveError
from companion.archive.facts import identity
from companion.archive.store import Archive
from companion.game.archived.replay_cache import ReplayCache
from companion.game.session import RunningGame
from companion.plugins import plugin
from engine.advice.review import Review
from engine.replay import Replay

_FIRST_SECONDS, _PAUSE_SECONDS = 120.0, 20.0


class IdleReviews:
    """Passes games to the review desk when `quiet` returns true. `waiting` yields games without a review."""

    def __init__(self, desk: ReviewDesk, waiting: Callable[[], Iterable[Replay]], quiet: Callable[[], bool]) -> None:
        self._desk, self._waiting, self._quiet = desk, waiting, quiet
        self._closed = threading.Event()

    def start(self, first: float = _FIRST_SECONDS, pause: float = _PAUSE_SECONDS) -> None:
        """Starts in `first` seconds and checks every `pause` seconds whether there is something to do."""
        threading.Thread(target=self._work, args=(first, pause), name="idle reviews", daemon=True).start()

    def close(self) -> None:
        """Stops."""
        self._closed.set()

    def _work(self, wait: float, pause: float) -> None:
        given: set[str] = set()  # a game that takes too long is not tried again
        while not self._closed.wait(wait):
            wait = pause
            if not self._quiet() or not self._desk.idle:
                continue
            for replay in self._waiting():
                if (text := replay.text()) not in given:
                    given.add(text)
                    self._desk.of(replay, hurry=False, idly=True)
                    break


_QUIET_SECONDS = 120.0


class PastGames:
    """What pages know of past games.

    Attributes:
        archive: Stores every game; None without an archive.
        replays: Cache of recently requested replays.
        desk: Reviews games.
        idle: Gives the desk past games when it is idle.
    """

    def __init__(self, archive: Archive | None) -> None:
        self.archive, self.replays = archive, ReplayCache()
        self._stirred = time.monotonic()  # monotonic seconds of the last page request or change of a game
        self.desk = ReviewDesk(self.keep, self.quiet)
        self.idle = IdleReviews(self.desk, self.waiting, self.quiet)

    def note_request(self) -> None:
        """Notes a page request, which postpones reviews."""
        self._stirred = time.monotonic()

    def quiet(self) -> bool:
        """Whether there was no page request in the last two minutes."""
        return time.monotonic() - self._stirred > _QUIET_SECONDS

    def follow(self, running: RunningGame) -> None:
        """Starts the review of the current game once it is finished, if the game offers that."""
        self.note_request()
        reviewed = plugin(running.table.record.game.ID).review is not None
        if running.id is not None and running.table.state.finished and reviewed:
            self.desk.of(running.table.replay, hurry=False)

    def waiting(self) -> Iterator[Replay]:
        """Finished games of the archive without a review, the one played last first."""
        if self.archive is None:
            return
        with suppress(ArchiveError):
            for game in self.replays.summaries(self.archive):
                if game.finished and not game.damage and not game.facts.is_reviewed and plugin(game.game).review:
                    yield self.replays.game(self.archive, game.id).replay

    def keep(self, replay: Replay, review: Review[Any, Any]) -> None:
        """Stores luck and lost win probability for the players' page."""
        if self.archive is None or not replay.state.finished:
            return
        balances = [(review.luck(seat), review.given_away(seat)) for seat in replay.state.seats]
        with suppress(ArchiveError):  # the next review of this game stores it
            self.replays.store_review(self.archive, identity(replay), balances)

    def close(self) -> None:
        """Stops reviewing."""
        self.idle.close()
        self.desk.close()
