"""Past games: kept in the archive, replayed when pages ask, and reviewed by themselves while no page asks for
anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from companion.advice.idle_reviews import IdleReviews
from companion.advice.review_desk import ReviewDesk
from companion.archive.database import ArchiveError
from companion.archive.facts import identity
from companion.archive.store import Archive
from companion.game.archived.replay_cache import ReplayCache
from companion.game.session import RunningGame
from companion.plugins import plugin
from engine.advice.review import Review
from engine.replay import Replay

_QUIET_SECONDS = 120.0


class PastGames:
    """What pages know of past games.

    Attributes:
        archive: keeps every game, None where none is kept.
        replays: the games last asked for, replayed.
        desk: reviews games.
        idle: brings the desk past games when it has nothing else to do.
    """

    def __init__(self, archive: Archive | None) -> None:
        self.archive, self.replays = archive, ReplayCache()
        self._stirred = time.monotonic()  # when a page was last asked for, or a game went on
        self.desk = ReviewDesk(self.keep, self.quiet)
        self.idle = IdleReviews(self.desk, self.waiting, self.quiet)

    def stir(self) -> None:
        """A page was requested: reviews in advance can wait."""
        self._stirred = time.monotonic()

    def quiet(self) -> bool:
        """Whether no page was asked for in the last two minutes."""
        return time.monotonic() - self._stirred > _QUIET_SECONDS

    def follow(self, running: RunningGame) -> None:
        """The running game has changed; once it is finished it is reviewed, where the game offers that."""
        self.stir()
        reviewed = plugin(running.table.record.game.ID).review is not None
        if running.id is not None and running.table.state.finished and reviewed:
            self.desk.of(running.table.replay, hurry=False)

    def waiting(self) -> Iterator[Replay]:
        """Finished games of the archive whose luck and decisions are not known, the one played last first."""
        if self.archive is None:
            return
        with suppress(ArchiveError):
            for game in self.replays.summaries(self.archive):
                if game.finished and not game.damage and not game.facts.weighed_already and plugin(game.game).review:
                    yield self.replays.game(self.archive, game.id).replay

    def keep(self, replay: Replay, review: Review[Any, Any]) -> None:
        """Keep what luck and decisions did, for the players' page."""
        if self.archive is None or not replay.state.finished:
            return
        balances = [(review.luck(seat), review.given_away(seat)) for seat in replay.state.seats]
        with suppress(ArchiveError):  # the next review of this game keeps it
            self.replays.weighed(self.archive, identity(replay), balances)

    def close(self) -> None:
        """Review nothing more."""
        self.idle.close()
        self.desk.close()
