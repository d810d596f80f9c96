"""A club's season over all its tables: rankings, head-to-head results and evenings.

Only the two dates of the season are stored; everything else is computed from the finished games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

from companion.archive.club import Member, members, person
from companion.archive.players import Lifetime, Period, evening_of, finished, lifetimes
from companion.archive.schema import season
from companion.archive.store import Archive
from companion.archive.summary import Summary

MOST_COMPARED = 12  # players in the head-to-head table; each player's own page shows all opponents


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
    compared: list[Lifetime]
    evenings: list[Evening]

    def beaten(self, one: str, other: str) -> tuple[int, int] | None:
        """Wins of `one` in games against `other`, and the number of these games; None if there are none."""
        met = next(player for player in self.compared if player.name == one).others.get(person(other))
        return None if met is None else (met.won, met.games)


def league(games: Sequence[Summary], period: Period) -> League:
    """Computes the season from the games within the period that have a winner."""
    counted = finished(games, period)
    players = lifetimes(counted)
    most = sorted(players, key=lambda one: -one.games)[:MOST_COMPARED]
    compared = [one for one in players if one in most]
    return League(len(counted), members(counted), compared, _evenings(counted))


def _evenings(counted: Sequence[Summary]) -> list[Evening]:
    by_day: dict[date, list[Summary]] = defaultdict(list)
    for game in counted:
        by_day[evening_of(game)].append(game)
    return [_evening(day, by_day[day]) for day in sorted(by_day, reverse=True)]


def _evening(day: date, games: Sequence[Summary]) -> Evening:
    wins = Counter(person(name) for game in games for name in game.winners)
    called = {person(name): name for game in games for name in game.winners}
    most = max(wins.values())
    best = tuple(called[who] for who, count in wins.items() if count == most)
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
