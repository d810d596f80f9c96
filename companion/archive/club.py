"""A club's evening and its players: who plays now, who has won how often, and how strong each one is.

Everything follows from the archive alone: whoever reads the same games finds the same numbers.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from companion.archive import game_repository
from companion.archive.database import Damaged
from companion.archive.store import Archive, ArchivedGame

STILL_PLAYING = timedelta(hours=2)  # a table where nothing has been recorded for longer has gone home


@dataclass(frozen=True, slots=True)
class Played:
    """One game as the club sees it. to_move, winner: names; winner is None while there is none; text: the record."""

    row: ArchivedGame
    players: tuple[str, ...]
    round: int
    to_move: str
    winner: str | None
    text: str


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


class Club:
    """Reads a club's archive. A game is replayed once for every change to it, however often the page is opened."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Played | Damaged] = {}
        self._lock = threading.Lock()

    def games(self, archive: Archive) -> list[Played]:
        """All games, the one begun first first. Raises ArchiveError."""
        with self._lock:
            known = {(row.id, row.changes): row for row in archive.games()}
            self._known = {key: self._known.get(key) or _played(archive, row) for key, row in known.items()}
            readable = [played for played in self._known.values() if isinstance(played, Played)]
            return sorted(readable, key=lambda played: (played.row.begun, played.row.id))


def _played(archive: Archive, row: ArchivedGame) -> Played | Damaged:
    try:
        replay = game_repository.replayed(archive, row.id)
    except Damaged as damaged:
        return damaged  # the club's page shows all the others
    record, state = replay.record, replay.state
    winner = state.winner if replay.broken is None else None
    return Played(
        row, record.players, state.round, record.name(state.seat), winner and record.name(winner), replay.text()
    )


def running(games: Iterable[Played], now: datetime | None = None) -> list[Played]:
    """Games without a winner in which something has just happened, the latest news first."""
    since = (now or datetime.now(UTC)) - STILL_PLAYING
    fresh = [played for played in games if played.winner is None and played.row.touched >= since]
    return sorted(fresh, key=lambda played: played.row.touched, reverse=True)


def members(games: Iterable[Played]) -> dict[str, list[Member]]:
    """The ranking of each game that was ever finished, by the game's id; `games` in the order they were begun.

    Names that differ in case or spaces only are one person. A record that was imported twice counts once.
    """
    finished: dict[str, dict[str, Played]] = defaultdict(dict)
    for played in games:
        if played.winner is not None:
            finished[played.row.game].setdefault(played.text, played)
    return {game: _ranking(list(played.values())) for game, played in sorted(finished.items())}


def _ranking(games: Sequence[Played]) -> list[Member]:
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


def _rated(games: Sequence[Played]) -> dict[str, Rating]:
    """Plackett–Luce over the games in their order: the winner before all others, who are equal, for the rules of both
    games know no second place. (Joshy, openskill.)"""
    try:
        from openskill.models import PlackettLuce  # comes with the extra `postgresql`, as clubs do
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


def person(name: str) -> str:
    """What makes two spellings of a name one person."""
    return " ".join(name.split()).casefold()
