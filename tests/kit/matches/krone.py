"""The advisor of Um Krone und Kragen against other players."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from companion.games.krone.advice import value_function
from engine.krone.state import RULESETS, State, new_game
from tests.kit.matches.krone_opponents import DiceFirst, OneTurnAhead
from tests.kit.matches.krone_players import Advised, HighestRow, Player, Pricing, play_game
from tests.kit.matches.match import MatchResult, SeatDice, play_matches

OPPONENTS: dict[str, Callable[[], Player]] = {
    "highest card": HighestRow,
    "dice first": DiceFirst,
    "one turn ahead": OneTurnAhead,
}


def match(found: MatchResult, games: int, seed: int, keep: Path | None = None, processes: int = 2) -> MatchResult:
    """Plays a match, as `played` does."""
    play = partial(_set, found.opponent, found.ruleset, found.players, seed)
    return play_matches(found, play, games, seed, keep, processes)


def _set(opponent: str, ruleset: str, players: int, seed: int, number: int) -> list[float]:
    """The games won by the advisor, of one for each seat, and the luck of all players in them."""
    found = np.zeros(5)
    for seat in range(players):
        dice = SeatDice(f"{seed}/{players}/{number}")

        def enough(state: State, dice: SeatDice = dice) -> bool:
            dice.begin(f"{state.seat}/{state.round}/{state.final}")
            return state.finished

        advised, others = Advised(value_function()), OPPONENTS[opponent]()
        seats = [advised if place == seat else others for place in range(players)]
        end = play_game(new_game(players, RULESETS[ruleset]), seats, dice, enough=enough)
        theirs = others.luck if isinstance(others, Pricing) else [0.0, 0.0]
        found += [end.winner == end.seats[seat], *advised.luck, *theirs]
    return [round(number, 6) for number in found.tolist()]
