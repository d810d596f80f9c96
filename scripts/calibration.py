"""Measures the calibration of win probabilities on games played out by the advisor, by number of players and phase.

    python -m scripts.calibration --games 400 --seed 7 8 --keep local --card models/worth.md

At the start of every turn the advisor gives every player's win probability. The slope is the power to which these must
be raised (and normalised) to fit the winners best: 1 is calibrated, less is overconfident, more is underconfident. Its
confidence interval comes from resampling whole games, because turns of one game are not independent. Seeds differ from
training, and purchases have no exploration noise.

Every game has its own seed, so with --keep an interrupted run continues. --games is per seed. --card replaces the
calibration section of the model card. --sharpen FILE fits the sharpness before a claim
(`engine/krone/advice/value_function.py`) to these games and writes it into the weights; measure it with other seeds.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.packed_numbers import packed, unpacked
from companion.games.krone.advice import value_function
from engine.krone.advice.features import Features
from engine.krone.advice.value_function import share_of_cards
from engine.krone.advice.winning import win_chances
from engine.krone.events import Event, Roll
from engine.krone.state import RULESETS, State, new_game
from scripts.card import with_section
from scripts.value_fit import sharpness
from tests.kit.matches.krone_players import Advised, play_game
from tests.kit.matches.match import dice_roller
from tests.kit.matches.parallel_games import in_parallel
from tests.kit.options import run

PHASES = ("early", "middle", "late", "claim", "final")
_EARLY, _MIDDLE = 2, 5  # the last rounds of these phases
_LEAST = 1e-3  # lower bound of a probability, so that one upset does not dominate
_DRAWS = 100
_PRIOR_COST = 1.0  # nats: prior cost of a sharpness of 1


class Forecast(NamedTuple):
    """The probabilities at the start of a turn, and the index of the winner.

    Attributes:
        cards: Number of cards per player, as a share of MANY_CARDS.
    """

    phase: str
    chances: Sequence[float]
    winner: int
    cards: float


def phase(state: State) -> str:
    """early, middle or late by the round; claim: the King is taken and the round is being finished; final."""
    if state.threshold is not None:
        return "final" if state.final else "claim"
    return "early" if state.round <= _EARLY else "middle" if state.round <= _MIDDLE else "late"


def play(number: int, seed: int) -> list[Forecast]:
    """The probabilities at the start of every turn of one game; two to five players in rotation."""
    generator, values = random.Random(f"{seed}/{number}"), value_function()
    noted: list[tuple[str, list[float], float]] = []

    def note(state: State, event: Event) -> None:
        if state.turn.hand and isinstance(event, Roll):
            chances = [round(chance, 5) for chance in win_chances(state, values)]
            noted.append((phase(state), chances, float(share_of_cards(Features.of(state).cards)[0])))

    count = 2 + number % 4
    end = play_game(new_game(count, RULESETS["amigo2006"]), [Advised(values)] * count, dice_roller(generator), note)
    return [Forecast(name, chances, end.seats.index(str(end.winner)), cards) for name, chances, cards in noted]


def slope(forecasts: Sequence[Forecast]) -> float:
    """The maximum likelihood slope, by bisection of the derivative."""
    players = len(forecasts[0].chances)
    logs: NDArray[np.float64] = np.log(np.maximum([one.chances for one in forecasts], _LEAST))
    won = logs[np.arange(len(forecasts)), [one.winner for one in forecasts]]
    low, high = 0.0, 8.0
    assert logs.shape == (len(forecasts), players)
    for _ in range(40):
        middle = (low + high) / 2
        powers = np.exp(middle * logs)
        expected = (powers * logs).sum(axis=1) / powers.sum(axis=1)
        low, high = (middle, high) if (won - expected).sum() > 0 else (low, middle)
    return (low + high) / 2


def fitted_sharpness(forecasts: Sequence[Forecast]) -> NDArray[np.float64]:
    """(4, 2) increments of `sharpness` for the weights that gave these probabilities."""
    moments = []
    for one in forecasts:
        if one.phase not in ("claim", "final"):
            has = np.zeros((4, 2))
            has[len(one.chances) - 2] = 1.0, one.cards
            won = np.arange(len(one.chances)) == one.winner
            moments.append((has.ravel().tolist(), np.log(np.maximum(one.chances, _LEAST)).tolist(), won.tolist()))
    return np.array(sharpness(moments, _PRIOR_COST)).reshape(4, 2)


def interval(games: Sequence[Sequence[Forecast]], seed: int) -> tuple[float, float]:
    """95 % bootstrap interval of the slope, resampling games."""
    draw = random.Random(seed)
    slopes = sorted(slope([one for game in draw.choices(games, k=len(games)) for one in game]) for _ in range(_DRAWS))
    return slopes[_DRAWS // 40], slopes[-1 - _DRAWS // 40]


def brier(forecasts: Sequence[Forecast]) -> float:
    """Brier score: mean squared error of a player's probability."""
    errors = [(chance - (seat == one.winner)) ** 2 for one in forecasts for seat, chance in enumerate(one.chances)]
    return sum(errors) / len(errors)


def table(games: Sequence[Sequence[Forecast]]) -> Iterator[str]:
    """A row for each number of players and phase."""
    yield "| players | phase | turns | slope | 95 % | Brier |"
    yield "|---|---|---|---|---|---|"
    for players in (2, 3, 4, 5):
        same = [game for game in games if len(game[0].chances) == players]
        for name in (*PHASES, "all"):
            parts = [[one for one in game if name in (one.phase, "all")] for game in same]
            parts = [part for part in parts if part]
            forecasts = [one for part in parts for one in part]
            if forecasts:
                low, high = interval(parts, players)
                fit = f"{slope(forecasts):.2f} | {low:.2f} to {high:.2f} | {brier(forecasts):.3f}"
                yield f"| {players} | {name} | {len(forecasts)} | {fit} |"


def main(
    games: int = 400,
    seed: tuple[int, ...] = (7,),
    keep: Path | None = None,
    card: Path | None = None,
    sharpen: Path | None = None,
    processes: int = 1,
) -> None:
    """Plays, prints the table and writes it into the model card.

    Args:
        keep: Folder of games so far.
    """
    found: list[list[Forecast]] = []
    for one_seed in seed:
        file = keep / f"said{one_seed}.jsonl" if keep else None
        played = in_parallel(partial(play, seed=one_seed), games, file, processes)
        found += [[Forecast(*one) for one in game] for game in played]
    if sharpen:
        held = json.loads(sharpen.read_text(encoding="utf-8"))
        weights = held["weights"]
        before = unpacked(weights["sharpness"]) if "sharpness" in weights else np.zeros((4, 2))
        weights["sharpness"] = packed(before + fitted_sharpness([one for game in found for one in game]))
        sharpen.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
        print(unpacked(weights["sharpness"]))
        return
    text = "\n".join(table(found))
    print(text)
    if card:
        command = f"python -m scripts.calibration --games {games} --seed {' '.join(map(str, seed))}"
        note = (
            f"{len(found)} games of two to five players (`{command}`). Slope: 1 is calibrated, less is "
            "overconfident, more is underconfident; the interval comes from resampling whole games."
        )
        card.write_text(with_section(card, "Calibration", f"{note}\n\n{text}"), encoding="utf-8")


if __name__ == "__main__":
    run(main)
