"""A club's evening and its players: current games, wins and ratings.

Everything is computed from the archive, so the same games always give the same numbers.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from companion.archive.summary import Summary

STILL_PLAYING = timedelta(hours=2)  # players of a game without an event for longer have left


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength (mean, initially 25) and its uncertainty (standard deviation)."""

    mean: float
    spread: float

    @property
    def sure(self) -> float:
        """Conservative rating, mean − 3 standard deviations. Rankings use it, so that one lucky game makes no
        champion."""
        return self.mean - 3 * self.spread


@dataclass(frozen=True, slots=True)
class Member:
    """A player's finished games of one kind.

    Attributes:
        rating: None if openskill is not installed.
    """

    name: str
    games: int
    won: int
    rating: Rating | None


def running(games: Iterable[Summary], now: datetime | None = None) -> list[Summary]:
    """Unfinished games with a recent event, in the order of `games`, the latest event first.

    Games dated in the future by a wrong clock are not running, and neither are records imported today.
    """
    now = now or datetime.now(UTC)
    return [
        game for game in games
        if game.row.serial and not game.finished and not game.damage and abs(now - game.touched) <= STILL_PLAYING
    ]  # fmt: skip


def members(finished: Iterable[Summary]) -> dict[str, list[Member]]:
    """The ranking of each game among these finished ones (`players.finished`), by the game's id.

    Names that differ only in case or spaces are one player.
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
            called[person(name)] = name  # the latest spelling
            counted[person(name)] += 1
        for name in played.winners:
            won[person(name)] += 1
    found = [Member(called[who], counted[who], won[who], rated.get(who)) for who in counted]
    return sorted(found, key=lambda one: (-(one.rating.sure if one.rating else one.won), -one.won, one.name))


def _rated(games: Sequence[Summary]) -> dict[str, Rating]:
    """Plackett–Luce ratings over the games in their order. (Joshy, openskill.)

    The winners come before all others, who are equal, because the rules of most games have no second place.
    """
    try:
        from openskill.models import PlackettLuce  # comes with the extra `club`
    except ModuleNotFoundError:
        return {}
    model = PlackettLuce()
    now = {person(name): model.rating() for played in games for name in played.players}
    for played in games:
        people = [person(name) for name in played.players]
        first = {person(name) for name in played.winners}
        ranks = [1.0 if who in first else 2.0 for who in people]
        rated = model.rate([[now[who]] for who in people], ranks=ranks)
        now.update({who: team[0] for who, team in zip(people, rated, strict=True)})
    return {who: Rating(rating.mu, rating.sigma) for who, rating in now.items()}


@lru_cache(4096)  # called for every seat of every game whenever players are counted
def person(name: str) -> str:
    """The normalised name, equal for all spellings of one player."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())
