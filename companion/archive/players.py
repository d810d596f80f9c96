"""Statistics of players over all evenings: wins, dice, cards, luck, skill and head-to-head results.

They are computed from the facts stored with each finished game, without replaying. Names that differ only in case or
spaces are one player, and a record imported twice counts once.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache

from companion.archive.facts import Seat
from companion.archive.summary import Summary

_MOST_NAMES = 12
_STILL_THE_EVENING = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Period:
    """Which games count.

    Attributes:
        begins, ends: The first and the last evening; None for no bound.
        game: Its id; "" for all games.
    """

    begins: date | None = None
    ends: date | None = None
    game: str = ""

    @classmethod
    def of_year(cls, year: int, game: str = "") -> Period:
        """The period from New Year to New Year's Eve."""
        return cls(date(year, 1, 1), date(year, 12, 31), game)

    @classmethod
    def of_evening(cls, evening: date, game: str = "") -> Period:
        """The period of one evening."""
        return cls(evening, evening, game)

    @property
    def evening(self) -> date | None:
        """The evening, if the period is a single one; else None."""
        return self.begins if self.begins == self.ends else None

    def holds(self, played: Summary) -> bool:
        """Whether this game counts."""
        day = evening_of(played)
        return (
            (self.begins is None or self.begins <= day)
            and (self.ends is None or day <= self.ends)
            and self.game in ("", played.game)
        )


@dataclass(slots=True)
class Versus:
    """Games against one other player: their number, and the wins of each of the two."""

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0


@dataclass(slots=True)
class Lifetime:
    """A player's finished games.

    Attributes:
        thrown: How often each face came up.
        cards: By card, the number of games that ended with it in front of the player.
        weighed: Number of games with a known review.
        luck, cost: Win probability gained by luck and lost by decisions, summed over those.
    """

    name: str
    games: int = 0
    won: int = 0
    thrown: list[int] = field(default_factory=lambda: [0] * 6)
    cards: Counter[str] = field(default_factory=Counter)
    weighed: int = 0
    luck: float = 0.0
    cost: float = 0.0
    others: dict[str, Versus] = field(default_factory=dict)

    @property
    def average(self) -> float | None:
        """Mean of the player's dice; None without dice."""
        dice = sum(self.thrown)
        return sum(face * count for face, count in enumerate(self.thrown, 1)) / dice if dice else None

    @property
    def head_to_head(self) -> list[Versus]:
        """All opponents, the most frequent first."""
        return sorted(self.others.values(), key=lambda other: (-other.games, other.name))

    def _count(self, name: str, seat: Seat, won: bool) -> None:
        self.name = name  # the latest spelling
        self.games += 1
        self.won += won
        self.thrown = [a + b for a, b in zip(self.thrown, seat.thrown, strict=True)]
        self.cards.update(dict.fromkeys(seat.cards, 1))
        if seat.luck is not None and seat.cost is not None:
            self.weighed += 1
            self.luck += seat.luck
            self.cost += seat.cost


def finished(games: Iterable[Summary], period: Period | None = None) -> list[Summary]:
    """Undamaged games with a winner, each once, in the order they started."""
    period = period or Period()
    found: dict[str, Summary] = {}
    for game in sorted(games, key=lambda game: (game.begun, game.id)):
        if game.finished and not game.damage and period.holds(game):
            found.setdefault(game.facts.identity, game)
    return list(found.values())


def lifetimes(games: Sequence[Summary]) -> list[Lifetime]:
    """All players of these finished games, by number of wins, then by share of games won."""
    found: dict[str, Lifetime] = defaultdict(lambda: Lifetime(""))
    for game in games:
        winners = {person(name) for name in game.winners}
        for name, seat in zip(game.players, game.facts.seats, strict=True):
            found[person(name)]._count(name, seat, person(name) in winners)
        for name in game.players:
            for other in game.players:
                if person(other) != person(name):
                    met = found[person(name)].others.setdefault(person(other), Versus(other))
                    met.name, met.games = other, met.games + 1
                    met.won += person(name) in winners and person(other) not in winners
                    met.lost += person(other) in winners and person(name) not in winners
    return sorted(found.values(), key=lambda one: (-one.won, -one.won / one.games, one.name.casefold()))


def thrown_in(games: Iterable[Summary]) -> list[int]:
    """The frequency of each face in all these games."""
    thrown = [seat.thrown for game in games for seat in game.facts.seats]
    return [sum(faces) for faces in zip([0] * 6, *thrown, strict=True)]


def evening_of(game: Summary) -> date:
    """The evening a game belongs to, in this computer's time zone."""
    return evening_at(game.begun)


def evening_at(moment: datetime) -> date:
    """The evening of this moment, in this computer's time zone; it lasts until six in the morning."""
    return (moment.astimezone() - _STILL_THE_EVENING).date()


def known_names(games: Iterable[Summary]) -> list[str]:
    """Names of twelve players, also from unfinished games: the most recent first, in their latest spelling."""
    found: dict[str, str] = {}
    for game in sorted(games, key=lambda game: game.touched, reverse=True):
        for name in game.players:
            found.setdefault(person(name), name)
    return list(found.values())[:_MOST_NAMES]


@lru_cache(4096)  # called for every seat of every game whenever players are counted
def person(name: str) -> str:
    """The normalised name, equal for all spellings of one player."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())
