"""Achievements and streaks of players, computed from the facts stored with each finished game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from companion.archive.players import evening_of, player_key
from companion.archive.summary import Summary
from companion.i18n.languages import gettext
from companion.plugins import Achievement, plugin
from engine.registry import GAME_IDS

_NO_MISTAKE = 0.005  # lost win probability in a whole game, about the precision of the estimate
_FULL_TABLE = 5  # players


@dataclass(slots=True)
class Career:
    """One player's finished games so far.

    Attributes:
        name: In its latest spelling.
        streak, best_streak: Consecutive wins: the current streak, and the longest one.
        games_won: Ids of the kinds of games won.
        earned: Award → the game in which it was earned.
    """

    name: str = ""
    wins: int = 0
    streak: int = 0
    best_streak: int = 0
    games_won: set[str] = field(default_factory=set)
    evenings: set[date] = field(default_factory=set)
    earned: dict[Award, Summary] = field(default_factory=dict)

    def _add_game(self, game: Summary, place: int) -> None:
        self.name = game.players[place]
        self.evenings.add(evening_of(game))
        if won(game, place):
            self.wins += 1
            self.streak += 1
            self.best_streak = max(self.best_streak, self.streak)
            self.games_won.add(game.game)
        else:
            self.streak = 0
        for award in _AWARDS:
            if award not in self.earned and award.is_earned(self, game, place):
                self.earned[award] = game


@dataclass(frozen=True, slots=True)
class Award:
    """An achievement of all games or of one.

    Attributes:
        is_earned: Career including this game, game, index of the seat → whether the player earned it.
    """

    title: Callable[[], str]
    how: Callable[[], str]
    is_earned: Callable[[Career, Summary, int], bool]


def won(game: Summary, place: int) -> bool:
    """Whether the player in this seat won."""
    return game.players[place] in game.winners


def careers(finished: Sequence[Summary]) -> dict[str, Career]:
    """The career of each player by `players.player_key`. `finished` is in the order of `players.finished`."""
    found: dict[str, Career] = {}
    for game in finished:
        for place, name in enumerate(game.players):
            found.setdefault(player_key(name), Career())._add_game(game, place)
    return found


@dataclass(frozen=True, slots=True)
class Earned:
    """One player's awards from one game. `streak` is the winning streak including this game; 0 if it was lost."""

    name: str
    awards: tuple[Award, ...]
    streak: int


def earned_in(finished: Iterable[Summary], game_id: str) -> list[Earned]:
    """The awards that each player earned in this game, in seat order; [] if it is not among the finished ones.

    Games that started later do not count.
    """
    so_far: list[Summary] = []
    for game in finished:
        so_far.append(game)
        if game.id == game_id:
            known = careers(so_far)
            mine = [(name, known[player_key(name)]) for name in game.players]
            return [
                Earned(name, tuple(award for award, at in one.earned.items() if at is game), one.streak)
                for name, one in mine
            ]
    return []


def _game_achievement(game_id: str, achievement: Achievement, career: Career, game: Summary, place: int) -> bool:
    return game.game == game_id and achievement.earned(game.facts, place)


def _flawless(career: Career, game: Summary, place: int) -> bool:
    cost = game.facts.seats[place].cost
    return won(game, place) and cost is not None and cost < _NO_MISTAKE


_GENERAL = (
    Award(lambda: gettext("First win"), lambda: gettext("won a game"), lambda one, game, place: one.wins == 1),
    Award(
        lambda: gettext("Three in a row"),
        lambda: gettext("won three games one after the other"),
        lambda one, game, place: one.streak == 3,
    ),
    Award(lambda: gettext("Ten wins"), lambda: gettext("won ten games"), lambda one, game, place: one.wins == 10),
    Award(lambda: gettext("Fifty wins"), lambda: gettext("won fifty games"), lambda one, game, place: one.wins == 50),
    Award(
        lambda: gettext("All-rounder"),
        lambda: gettext("won each game that Courtside knows"),
        lambda one, game, place: len(one.games_won) == len(GAME_IDS),
    ),
    Award(
        lambda: gettext("Full table"),
        lambda: gettext("won against at least four others"),
        lambda one, game, place: won(game, place) and len(game.players) >= _FULL_TABLE,
    ),
    Award(
        lambda: gettext("Without a mistake"),
        lambda: gettext("won a game in which the review finds no mistake"),
        _flawless,
    ),
    Award(
        lambda: gettext("Regular"),
        lambda: gettext("played on ten evenings"),
        lambda one, game, place: len(one.evenings) == 10,
    ),
)
_AWARDS = (
    *_GENERAL,
    *(
        Award(one.title, one.how, partial(_game_achievement, game_id, one))
        for game_id in GAME_IDS
        for one in plugin(game_id).achievements
    ),
)
