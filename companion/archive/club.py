"""A club's evening and its players: who plays now, who has won how often, and how strong each one is.

Everything follows from the archive alone: whoever reads the same games finds the same numbers.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from companion.archive.summary import Summary

STILL_PLAYING = timedelta(hours=2)  # a table where nothing has been recorded for longer has gone home


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is held to be (everybody begins at 25) and how unsure that is (a standard deviation)."""

    mean: float
    spread: float

    @property
    def sure(self) -> float:
        """What is as good as certain; rankings go by it, so that one lucky game makes no champion."""
        return self.mean - 3 * self.spread


@dataclass(frozen=True, slots=True)
class Member:
    """A player's finished games of one kind. rating: None where openskill is not installed."""

    name: str
    games: int
    won: int
    rating: Rating | None


def running(games: Iterable[Summary], now: datetime | None = None) -> list[Summary]:
    """Games without a winner in which something has just happened, the latest news first, as `games` come.

    A clock that was ahead leaves games of tomorrow behind: they have not just been played either. Nor has a record of
    today that was only taken in here.
    """
    now = now or datetime.now(UTC)
    return [
        game for game in games
        if game.row.serial and game.winner is None and not game.damage and abs(now - game.touched) <= STILL_PLAYING
    ]  # fmt: skip


def members(finished: Iterable[Summary]) -> dict[str, list[Member]]:
    """The ranking of each game among these finished ones (`players.finished`), by the game's id.

    Names that differ in case or spaces only are one person.
    """
    played: dict[str, list[Summary]] = defaultdict(list)
    for one in finished:
        played[one.game].append(one)
    return {game: _ranking(games) for game, games in sorted(played.items())}


def _ranking(games: Sequence[Summary]) -> list[Member]:
    rated = _rated(games)
    called: dict[str, str] = {}
    counted: dict[str, int] = defaultdict(int)
    won: dict[str, int] = defaultdict(int)
    for played in games:
        for name in played.players:
            called[person(name)] = name  # as it was written last
            counted[person(name)] += 1
        won[person(played.winner or "")] += 1
    found = [Member(called[who], counted[who], won[who], rated.get(who)) for who in counted]
    return sorted(found, key=lambda one: (-(one.rating.sure if one.rating else one.won), -one.won, one.name))


def _rated(games: Sequence[Summary]) -> dict[str, Rating]:
    """Plackett–Luce over the games in their order: the winner before all others, who are equal, for the rules know
    no second place. (Joshy, openskill.)"""
    try:
        from openskill.models import PlackettLuce  # comes with the extra `club`
    except ModuleNotFoundError:
        return {}
    model = PlackettLuce()
    now = {person(name): model.rating() for played in games for name in played.players}
    for played in games:
        people = [person(name) for name in played.players]
        ranks = [1.0 if who == person(played.winner or "") else 2.0 for who in people]
        rated = model.rate([[now[who]] for who in people], ranks=ranks)
        now.update({who: team[0] for who, team in zip(people, rated, strict=True)})
    return {who: Rating(rating.mu, rating.sigma) for who, rating in now.items()}


@lru_cache(4096)  # asked of every seat of every game whenever players are counted
def person(name: str) -> str:
    """What makes two spellings of a name one person."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())
