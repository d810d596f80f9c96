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

_MAX_NAMES = 12
_EVENING_ENDS = timedelta(hours=6)


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

    def includes(self, played: Summary) -> bool:
        """Whether this game counts."""
        day = evening_of(played)
        return (
            (self.begins is None or self.begins <= day)
            and (self.ends is None or day <= self.ends)
            and self.game in ("", played.game)
        )


@dataclass(slots=True)
class HeadToHead:
    """Games against one other player: their number, and the wins of each of the two."""

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0


@dataclass(slots=True)
class PlayerStatistics:
    """A player's finished games.

    Attributes:
        thrown: How often each face came up.
        cards: By card, the number of games that ended with it in front of the player.
        reviewed: Number of games with a known review.
        luck, cost: Win probability gained by luck and lost by decisions, summed over those.
    """

    name: str
    games: int = 0
    won: int = 0
    thrown: list[int] = field(default_factory=lambda: [0] * 6)
    cards: Counter[str] = field(default_factory=Counter)
    reviewed: int = 0
    luck: float = 0.0
    cost: float = 0.0
    others: dict[str, HeadToHead] = field(default_factory=dict)

    @property
    def average(self) -> float | None:
        """Mean of the player's dice; None without dice."""
        dice = sum(self.thrown)
        return sum(face * count for face, count in enumerate(self.thrown, 1)) / dice if dice else None

    @property
    def head_to_head(self) -> list[HeadToHead]:
        """All opponents, the most frequent first."""
        return sorted(self.others.values(), key=lambda other: (-other.games, other.name))

    def _add(self, name: str, seat: Seat, won: bool) -> None:
        self.name = name  # the latest spelling
        self.games += 1
        self.won += won
        self.thrown = [a + b for a, b in zip(self.thrown, seat.thrown, strict=True)]
        self.cards.update(dict.fromkeys(seat.cards, 1))
        if seat.luck is not None and seat.cost is not None:
            self.reviewed += 1
            self.luck += seat.luck
            self.cost += seat.cost


def finished(games: Iterable[Summary], period: Period | None = None) -> list[Summary]:
    """Undamaged games with a winner, each once, in the order they started."""
    period = period or Period()
    found: dict[str, Summary] = {}
    for game in sorted(games, key=lambda game: (game.begun, game.id)):
        if game.finished and not game.damage and period.includes(game):
            found.setdefault(game.facts.identity, game)
    return list(found.values())


def player_statistics(games: Sequence[Summary]) -> list[PlayerStatistics]:
    """All players of these finished games, by number of wins, then by share of games won."""
    found: dict[str, PlayerStatistics] = defaultdict(lambda: PlayerStatistics(""))
    for game in games:
        winners = {player_key(name) for name in game.winners}
        for name, seat in zip(game.players, game.facts.seats, strict=True):
            found[player_key(name)]._add(name, seat, player_key(name) in winners)
        for name in game.players:
            for other in game.players:
                if player_key(other) != player_key(name):
                    met = found[player_key(name)].others.setdefault(player_key(other), HeadToHead(other))
                    met.name, met.games = other, met.games + 1
                    met.won += player_key(name) in winners and player_key(other) not in winners
                    met.lost += player_key(other) in winners and player_key(name) not in winners
    return sorted(found.values(), key=lambda one: (-one.won, -one.won / one.games, one.name.casefold()))


def face_counts(games: Iterable[Summary]) -> list[int]:
    """The frequency of each face in all these games."""
    thrown = [seat.thrown for game in games for seat in game.facts.seats]
    return [sum(faces) for faces in zip([0] * 6, *thrown, strict=True)]


def evening_of(game: Summary) -> date:
    """The evening a game belongs to, in this computer's time zone."""
    return evening_at(game.begun)


def evening_at(moment: datetime) -> date:
    """The evening of this moment, in this computer's time zone; it lasts until six in the morning."""
    return (moment.astimezone() - _EVENING_ENDS).date()


def recent_names(games: Iterable[Summary]) -> list[str]:
    """Names of twelve players, also from unfinished games: the most recent first, in their latest spelling."""
    found: dict[str, str] = {}
    for game in sorted(games, key=lambda game: game.touched, reverse=True):
        for name in game.players:
            found.setdefault(player_key(name), name)
    return list(found.values())[:_MAX_NAMES]


@lru_cache(4096)  # called for every seat of every game whenever players are counted
def player_key(name: str) -> str:
    """The normalised name, equal for all spellings of one player."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())
