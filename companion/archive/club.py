"""A club: its current games, and a season over all tables with rankings, head-to-head results and evenings.

Only the two dates of the season are stored; everything else is computed from the archive, so the same games always give
the same numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa

from companion.archive.players import Period, PlayerStatistics, evening_of, finished, player_key, player_statistics
from companion.archive.schema import season
from companion.archive.store import Archive
from companion.archive.summary import Summary

STILL_PLAYING = timedelta(hours=2)  # players of a game without an event for longer have left


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength (mean, initially 25) and its uncertainty (standard deviation)."""

    mean: float
    spread: float

    @property
    def conservative(self) -> float:
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


def rankings(finished: Iterable[Summary]) -> dict[str, list[Member]]:
    """The ranking of each game among these finished ones (`players.finished`), by the game's id.

    Names that differ only in case or spaces are one player.
    """
    played: dict[str, list[Summary]] = defaultdict(list)
    for one in finished:
        played[one.game].append(one)
    return {game: _ranking(games) for game, games in sorted(played.items())}


def _ranking(games: Sequence[Summary]) -> list[Member]:
    rated = _ratings(games)
    found = [Member(one.name, one.games, one.won, rated.get(player_key(one.name))) for one in player_statistics(games)]
    return sorted(found, key=lambda one: (-(one.rating.conservative if one.rating else one.won), -one.won, one.name))


def _ratings(games: Sequence[Summary]) -> dict[str, Rating]:
    """Plackett–Luce ratings over the games in their order. (Joshy, openskill.)

    The winners come before all others, who are equal, because the rules of most games have no second place.
    """
    try:
        from openskill.models import PlackettLuce  # comes with the extra `club`
    except ModuleNotFoundError:
        return {}
    model = PlackettLuce()
    ratings = {player_key(name): model.rating() for played in games for name in played.players}
    for played in games:
        people = [player_key(name) for name in played.players]
        first = {player_key(name) for name in played.winners}
        ranks = [1.0 if key in first else 2.0 for key in people]
        rated = model.rate([[ratings[key]] for key in people], ranks=ranks)
        ratings.update({key: team[0] for key, team in zip(people, rated, strict=True)})
    return {key: Rating(rating.mu, rating.sigma) for key, rating in ratings.items()}


MAX_COMPARED = 12  # players in the head-to-head table; each player's own page shows all opponents


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening of the season.

    Attributes:
        games: Number of games finished at all tables.
        tables: Names of the tables that played, without "".
        best: The players with most wins; several if they are equal.
        won: Number of games that each of them won.
    """

    day: date
    games: int
    tables: tuple[str, ...]
    best: tuple[str, ...]
    won: int


@dataclass(frozen=True, slots=True)
class League:
    """A season.

    Attributes:
        games: Number of finished games.
        rankings: Game's id → its members, the strongest first.
        compared: The players with most games, in the order of their wins.
        evenings: The latest first.
    """

    games: int
    rankings: dict[str, list[Member]]
    compared: list[PlayerStatistics]
    evenings: list[Evening]

    def head_to_head(self, one: str, other: str) -> tuple[int, int] | None:
        """Wins of `one` in games against `other`, and the number of these games; None if there are none."""
        met = next(player for player in self.compared if player.name == one).others.get(player_key(other))
        return None if met is None else (met.won, met.games)


def league(games: Sequence[Summary], period: Period) -> League:
    """Computes the season from the games within the period that have a winner."""
    counted = finished(games, period)
    players = player_statistics(counted)
    most = sorted(players, key=lambda one: -one.games)[:MAX_COMPARED]
    compared = [one for one in players if one in most]
    return League(len(counted), rankings(counted), compared, _evenings(counted))


def _evenings(counted: Sequence[Summary]) -> list[Evening]:
    by_day: dict[date, list[Summary]] = defaultdict(list)
    for game in counted:
        by_day[evening_of(game)].append(game)
    return [_evening(day, by_day[day]) for day in sorted(by_day, reverse=True)]


def _evening(day: date, games: Sequence[Summary]) -> Evening:
    wins = Counter(player_key(name) for game in games for name in game.winners)
    names = {player_key(name): name for game in games for name in game.winners}
    most = max(wins.values())
    best = tuple(names[key] for key, count in wins.items() if count == most)
    tables = tuple(sorted({game.club_table for game in games} - {""}))
    return Evening(day, len(games), tables, best, most)


def season_of(archive: Archive) -> Period:
    """The period that the club has set for its season. Raises ArchiveError."""
    with archive.transaction() as connection:
        row = connection.execute(sa.select(season.c.begins, season.c.ends)).one()
    return Period(row.begins, row.ends)


def set_season(archive: Archive, period: Period) -> None:
    """Sets the season of all tables. Raises ArchiveError."""
    with archive.transaction() as connection:
        connection.execute(sa.update(season).values(begins=period.begins, ends=period.ends))
