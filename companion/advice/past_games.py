"""Past games: stored in the archive, replayed on request, reviewed while no page asks for anything."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from companion.advice.review_queue import ReviewQueue
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
    """Queues reviews of past games while no page is active.

    Args:
        unreviewed: Yields games without a review.
        is_idle: Returns whether no page is active.
    """

    def __init__(
        self, reviews: ReviewQueue, unreviewed: Callable[[], Iterable[Replay]], is_idle: Callable[[], bool]
    ) -> None:
        self._reviews, self._unreviewed, self._is_idle = reviews, unreviewed, is_idle
        self._closed = threading.Event()

    def start(self, first: float = _FIRST_SECONDS, pause: float = _PAUSE_SECONDS) -> None:
        """Starts in `first` seconds and checks every `pause` seconds whether there is something to do."""
        threading.Thread(target=self._work, args=(first, pause), name="idle reviews", daemon=True).start()

    def close(self) -> None:
        """Stops."""
        self._closed.set()

    def _work(self, wait: float, pause: float) -> None:
        tried: set[str] = set()  # a game that takes too long is not tried again
        while not self._closed.wait(wait):
            wait = pause
            if not self._is_idle() or not self._reviews.is_empty:
                continue
            for replay in self._unreviewed():
                if (text := replay.text()) not in tried:
                    tried.add(text)
                    self._reviews.progress(replay, urgent=False, when_idle=True)
                    break


_IDLE_SECONDS = 120.0


class PastGames:
    """What pages know of past games.

    Attributes:
        archive: Stores every game; None without an archive.
        replays: Cache of recently requested replays.
        reviews: Reviews games.
        idle_reviews: Reviews past games while no page is active.
    """

    def __init__(self, archive: Archive | None) -> None:
        self.archive, self.replays = archive, ReplayCache()
        self._last_activity = time.monotonic()  # monotonic seconds of the last page request or change of a game
        self.reviews = ReviewQueue(self.store_review, self.is_idle)
        self.idle_reviews = IdleReviews(self.reviews, self.unreviewed, self.is_idle)

    def note_request(self) -> None:
        """Notes a page request, which postpones reviews."""
        self._last_activity = time.monotonic()

    def is_idle(self) -> bool:
        """Whether there was no page request in the last two minutes."""
        return time.monotonic() - self._last_activity > _IDLE_SECONDS

    def follow(self, running: RunningGame) -> None:
        """Starts the review of the current game once it is finished, if the game offers that."""
        self.note_request()
        reviewed = plugin(running.table.record.game.ID).review is not None
        if running.id is not None and running.table.state.finished and reviewed:
            self.reviews.progress(running.table.replay, urgent=False)

    def unreviewed(self) -> Iterator[Replay]:
        """Finished games of the archive without a review, the one played last first."""
        if self.archive is None:
            return
        with suppress(ArchiveError):
            for game in self.replays.summaries(self.archive):
                if game.finished and not game.damage and not game.facts.is_reviewed and plugin(game.game).review:
                    yield self.replays.game(self.archive, game.id).replay

    def store_review(self, replay: Replay, review: Review[Any, Any]) -> None:
        """Stores luck and lost win probability for the players' page."""
        if self.archive is None or not replay.state.finished:
            return
        balances = [(review.luck(seat), review.decision_cost(seat)) for seat in replay.state.seats]
        with suppress(ArchiveError):  # the next review of this game stores it
            self.replays.store_review(self.archive, identity(replay), balances)

    def close(self) -> None:
        """Stops reviewing."""
        self.idle_reviews.close()
        self.reviews.close()
