"""A club's season over all its tables: rankings, who has beaten whom, and its evenings. Everything but the season's two
dates follows from the finished games."""

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

MOST_COMPARED = 12  # players in the table of who has beaten whom; each player's own page shows all


@dataclass(frozen=True, slots=True)
class Evening:
    """One evening of the season.

    Attributes:
        games: finished at all tables.
        tables: names of the tables that played, "" left out.
        best: who won most games; several where they won equally many.
        won: how many games each of them won.
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
        games: finished games.
        rankings: game's id → its members, the strongest first.
        compared: those who have played most, in the order of their wins.
        evenings: the latest first.
    """

    games: int
    rankings: dict[str, list[Member]]
    compared: list[Lifetime]
    evenings: list[Evening]

    def beaten(self, one: str, other: str) -> tuple[int, int] | None:
        """How often `one` won a game that `other` played in, and how many games both played; None for no game."""
        met = next(player for player in self.compared if player.name == one).others.get(person(other))
        return None if met is None else (met.won, met.games)


def league(games: Sequence[Summary], period: Period) -> League:
    """The season of these games, of which those outside the period or without a winner are left out."""
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
    wins = Counter(person(game.winner or "") for game in games)
    called = {person(game.winner or ""): game.winner or "" for game in games}
    most = max(wins.values())
    best = tuple(called[who] for who, count in wins.items() if count == most)
    tables = tuple(sorted({game.club_table for game in games} - {""}))
    return Evening(day, len(games), tables, best, most)


def season_of(archive: Archive) -> Period:
    """The season that the club has set. Raises ArchiveError."""
    with archive.transaction() as connection:
        row = connection.execute(sa.select(season.c.begins, season.c.ends)).one()
    return Period(row.begins, row.ends)


def set_season(archive: Archive, period: Period) -> None:
    """Play this season from now on, at all tables. Raises ArchiveError."""
    with archive.transaction() as connection:
        connection.execute(sa.update(season).values(begins=period.begins, ends=period.ends))
