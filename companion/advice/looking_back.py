"""Looking back on finished games: asked for by a page, or by itself while nobody wants anything; what luck and
decisions did is kept in the archive."""

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
from companion.plugins import plugin
from engine.advice.review import Review
from engine.replay import Replay

_QUIET_SECONDS = 120.0


class LookingBack:
    """The desk where games are looked back on, and who brings it the past ones. archive: None where none is kept."""

    def __init__(self, archive: Archive | None, past: ReplayCache) -> None:
        self._archive, self._past = archive, past
        self._stirred = time.monotonic()  # when somebody last asked for a page, or a game went on
        self.desk = ReviewDesk(self.keep, self.quiet)
        self.idle = IdleReviews(self.desk, self.waiting, self.quiet)

    def stir(self) -> None:
        """Somebody wants something."""
        self._stirred = time.monotonic()

    def quiet(self) -> bool:
        """Whether nobody has wanted anything for a while."""
        return time.monotonic() - self._stirred > _QUIET_SECONDS

    def waiting(self) -> Iterator[Replay]:
        """Finished games of the archive whose luck and decisions are not known, the one played last first."""
        if self._archive is None:
            return
        with suppress(ArchiveError):
            for game in self._past.summaries(self._archive):
                if game.finished and not game.damage and not game.facts.weighed_already and plugin(game.game).review:
                    yield self._past.game(self._archive, game.id).replay

    def keep(self, replay: Replay, review: Review[Any, Any]) -> None:
        """Keep what luck and decisions did, for the players' page."""
        if self._archive is None or replay.state.winner is None:
            return
        balances = [(review.luck(seat), review.given_away(seat)) for seat in replay.state.seats]
        with suppress(ArchiveError):  # whoever looks back on it again tells it anew
            self._past.weighed(self._archive, identity(replay), balances)

    def close(self) -> None:
        """Look back on nothing more."""
        self.idle.close()
        self.desk.close()
