"""Trains the value function of Knatsch and measures its calibration (for matches see `python -m scripts.bench_advice`).

    python -m scripts.knatsch_selfplay train --games 200 --rounds 2 --seed 1 --out models/knatsch-worth.json
    python -m scripts.knatsch_selfplay sharpen --games 600 --seed 2
    python -m scripts.knatsch_selfplay calibrate --games 100 --seed 3

Training is policy iteration as in scripts/selfplay.py: the advisor plays itself, the winners train the weights, and so
on. Combinations on cards are drawn for every game, because no printed deck is fully known. The same seed gives the same
file. All commands write their part of the model card models/knatsch-worth.md (`describe` only its head); with --keep an
interrupted run continues.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from tyro.conf import Positional

from companion.games.knatsch.advice import knatsch_value_function
from engine.knatsch.advice.value_function import KnatschValueFunction, feature_values, missing, sharpness_of, waits
from engine.knatsch.deck import Card
from engine.knatsch.state import Player, State
from engine.registry import SEATS
from scripts.card import with_head, with_section
from scripts.value_fit import Situation, fit, sharpness
from tests.kit.knatsch_play import one_game
from tests.kit.matches.knatsch_players import Advised
from tests.kit.matches.knatsch_players import Easiest as Plain
from tests.kit.matches.knatsch_weights import FIRST, HAND_MADE, NAMES
from tests.kit.matches.parallel_games import in_parallel
from tests.kit.options import run

PLAYERS = (2, 3, 3, 2, 3, 4, 3, 5, 6)  # numbers of players, in rotation in training
EQUAL_SHARES = (2, 3, 4, 5, 6)  # numbers of players for sharpening and calibration
_PLAIN = 0.15  # share of seats that take the easiest card
_POSITIONS_PER_GAME = 9  # positions of one game: they end alike, and long games must not dominate
_PRIOR_COST = 5.0  # nats: prior cost of a sharpness of 1
_FIRST_THIRD = "first third"  # known only when the game is over
_PHASES = ("3 cards", "2 cards", "1 cards", _FIRST_THIRD, "all")


class PlayedGame(NamedTuple):
    """A game: for every choice, all players' cards and the index of the choosing player; the winner."""

    positions: list[tuple[list[list[str]], int]]
    winner: str | None


def played(weights: Mapping[str, float], seed: str, cycle: Sequence[int], number: int) -> PlayedGame:
    """One game of the advisor against itself, in which some seats take the easiest card. `cycle`: numbers of players
    in rotation."""
    chance, value_function, seen = random.Random(f"{seed}/{number}"), KnatschValueFunction(weights), list[State]()
    players = cycle[number % len(cycle)]
    seats = [Plain() if chance.random() < _PLAIN else Advised(value_function) for _ in range(players)]
    end = one_game(chance, seats, seen)
    cards = [([[card.id for card in one.cards] for one in state.seated], SEATS.index(state.turn)) for state in seen]
    return PlayedGame(cards, end.winner)


def play_games(
    number: int,
    weights: Mapping[str, float],
    seed: str,
    keep: Path | None,
    processes: int = 1,
    cycle: Sequence[int] = EQUAL_SHARES,
) -> list[PlayedGame]:
    """This many finished games, resuming from the file."""
    found = (PlayedGame(*game) for game in in_parallel(partial(played, weights, seed, cycle), number, keep, processes))
    return [game for game in found if game.winner is not None]


def situations(game: PlayedGame, phase: str = "all") -> list[Situation]:
    """At most nine positions of a game (those of this phase), as all players' features and the winner."""
    whole = game.positions[: len(game.positions) // 3] if phase == _FIRST_THIRD else game.positions
    number = min(_POSITIONS_PER_GAME, len(whole))
    picked = [whole[i * len(whole) // number] for i in range(number)]
    found = []
    for cards, turn in picked:
        if phase in ("all", _FIRST_THIRD) or phase == f"{min(map(_missing, cards))} cards":
            pairs = zip(cards, waits(len(cards), turn), strict=True)
            won = [float(seat == game.winner) for seat in SEATS[: len(cards)]]
            found.append(Situation([feature_values(tuple(own), wait) for own, wait in pairs], won))
    return found


def _missing(cards: Sequence[str]) -> int:
    """Cards missing to the nearest goal."""
    return missing(Player(tuple(Card(card) for card in cards)))


def fitted_weights(played: Sequence[PlayedGame]) -> tuple[dict[str, float], float]:
    """(weights fitted to games, with sharpness by number of players; mean log-likelihood)."""
    taught = [one for game in played for one in situations(game)]
    weights, likelihood = fit(taught, NAMES, FIRST)
    return weights | fitted_sharpness(weights, taught), likelihood


def fitted_sharpness(weights: Mapping[str, float], seen: Sequence[Situation]) -> dict[str, float]:
    """The sharpness with which these weights fit the winners best (`value_function.sharpness_of`)."""
    found: dict[str, float] = {}
    for players in range(2, 7):
        forecasts = [((1.0,), scores(one.features, weights), one.won) for one in seen if len(one.won) == players]
        if forecasts:
            (found[f"sharpness {players}"],) = sharpness(forecasts, _PRIOR_COST)
    return found


def scores(features: Sequence[Mapping[str, float]], weights: Mapping[str, float]) -> list[float]:
    """The scores of all players before scaling by the sharpness."""
    return [sum(weights.get(name, 0.0) * value for name, value in one.items()) for one in features]


def win_chances_of(situation: Situation, weights: Mapping[str, float]) -> list[float]:
    """The win probabilities of all players."""
    found = scores(situation.features, weights)
    sharp = sharpness_of(weights, len(found))
    powers = [math.exp(sharp * (score - max(found))) for score in found]
    return [power / sum(powers) for power in powers]


def calibration(played: Sequence[PlayedGame], weights: Mapping[str, float]) -> Iterator[str]:
    """Calibration by number of players and by the cards that the leader still lacks."""
    yield "| players | leader lacks | games | positions | log loss | below that of equal chances by (95 %) | slope |"
    yield "|---|---|---|---|---|---|---|"
    for players in range(2, 7):
        same = [game for game in played if len(game.positions[0][0]) == players]
        for phase in _PHASES:
            forecasts = [[(win_chances_of(one, weights), one.won) for one in situations(game, phase)] for game in same]
            forecasts = [part for part in forecasts if part]
            every = [one for part in forecasts for one in part]
            if every:
                gain, half = _gain(forecasts)
                yield (
                    f"| {players} | {phase} | {len(forecasts)} | {len(every)} | {math.log(players) - gain:.3f} | "
                    f"{gain:.3f} ± {half:.3f} | {slope(every):.2f} |"
                )


def _gain(forecasts: Sequence[Sequence[tuple[Sequence[float], Sequence[float]]]]) -> tuple[float, float]:
    """Reduction of the mean log loss against equal probabilities, and half of its 95 % interval. Positions of one
    game are not independent, games are (the ratio estimator's variance)."""
    gains = [
        sum(math.log(max(dict(zip(won, chances, strict=True))[1.0], 1e-9) * len(won)) for chances, won in part)
        for part in forecasts
    ]
    number = sum(map(len, forecasts))
    mean = sum(gains) / number
    spread = sum((gain - mean * len(part)) ** 2 for gain, part in zip(gains, forecasts, strict=True))
    return mean, 1.96 * math.sqrt(spread) / number


def slope(forecasts: Sequence[tuple[Sequence[float], Sequence[float]]]) -> float:
    """The maximum likelihood slope, from 0.2 to 3 (see scripts/calibration.py)."""

    def unlikely(power: float) -> float:
        total = 0.0
        for chances, won in forecasts:
            powers = [max(chance, 1e-6) ** power for chance in chances]
            total -= math.log(sum(p * w for p, w in zip(powers, won, strict=True)) / sum(powers))
        return total

    return min((step / 50 for step in range(10, 151)), key=unlikely)


def train(number: int, rounds: int, seed: int, out: Path, keep: Path | None = None, processes: int = 1) -> None:
    """Trains the table and writes it after every round, fitted to the games of the last two rounds."""
    weights, kept = dict(HAND_MADE.weights), list[list[PlayedGame]]()
    for turn in range(1, rounds + 1):
        file = keep / f"knatsch-seed{seed}-round{turn}.jsonl" if keep is not None else None
        kept.append(play_games(number, weights, f"{seed}/{turn}", file, processes, PLAYERS))
        weights, likelihood = fitted_weights([game for part in kept[-2:] for game in part])
        training = {"games a round": number, "round": turn, "seed": seed, "likelihood": likelihood}
        save(weights, training, out)
        print(f"round {turn}: log-likelihood {likelihood:.4f} a situation", flush=True)


def sharpen(number: int, seed: int, out: Path, keep: Path | None = None, processes: int = 1) -> None:
    """Fits the sharpness to games that the table plays itself, because its training games were played by another
    one."""
    table = json.loads(out.read_text(encoding="utf-8"))
    weights: dict[str, float] = table["weights"]
    file = keep / f"knatsch-seed{seed}-sharpen.jsonl" if keep is not None else None
    own = [one for game in play_games(number, weights, f"sharpen {seed}", file, processes) for one in situations(game)]
    save(weights | fitted_sharpness(weights, own), table["training"] | {"sharpened": [number, seed]}, out)


def save(weights: Mapping[str, float], training: Mapping[str, Any], out: Path) -> None:
    """Writes a table and the head of its model card."""
    text = {"training": training, "weights": {name: round(weight, 4) for name, weight in sorted(weights.items())}}
    out.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    card = out.with_suffix(".md")
    card.write_text(with_head(card, head(training)), encoding="utf-8")


def head(training: Mapping[str, Any]) -> str:
    """The head of the model card."""
    number, rounds, seed = training["games a round"], training["round"], training["seed"]
    command = f"python -m scripts.knatsch_selfplay train --games {number} --rounds {rounds} --seed {seed}"
    if "sharpened" in training:
        command += "`, `… sharpen --games {} --seed {}".format(*training["sharpened"])
    return "\n".join([
        "# knatsch-worth.json: the value function of Knatsch", "", "| | |", "|---|---|",
        "| What | weights of the cards in front of a player; the softmax of the players' scores is their chance to win "
        "(`engine/knatsch/advice/value_function.py`) |",
        f"| Made by | {training.get('made by', f'`{command}` (same seed, same file)')} |",
        "| Data | games of the advisor against itself, some seats taking the likeliest card, two to six players; at "
        f"most {_POSITIONS_PER_GAME} positions a game with a choice; which combination a card shows is drawn for "
        "every game, because no printed deck is known in full |",
        f"| Training | mean log-likelihood {training['likelihood']:.3f} a position |",
        f"| Size | {len(NAMES)} weights; how sharp they are, by the number of players |",
        "| Licence | AGPL-3.0-or-later, like the program |",
    ])  # fmt: skip


def main(
    what: Positional[Literal["train", "sharpen", "calibrate", "describe"]],
    games: int = 1000,
    rounds: int = 2,
    seed: int = 1,
    keep: Path | None = None,
    processes: int = 1,
    card: Path | None = None,
    out: Path = Path("models/knatsch-worth.json"),
) -> None:
    """Trains or measures.

    Args:
        keep: Folder of the games so far.
        processes: Number of parallel games.
        card: For calibrate: the model card that gets the figures.
    """
    if what == "train":
        train(games, rounds, seed, out, keep, processes)
    elif what == "sharpen":
        sharpen(games, seed, out, keep, processes)
    elif what == "calibrate":
        weights = dict(knatsch_value_function().weights)
        file = keep / f"knatsch-seed{seed}-calibration.jsonl" if keep is not None else None
        text = "\n".join(calibration(play_games(games, weights, f"calibration {seed}", file, processes), weights))
        print(text)
        if card:
            note = f"`python -m scripts.knatsch_selfplay calibrate --games {games} --seed {seed}`; slope: 1"
            note += " is calibrated, less is overconfident, more is underconfident."
            card.write_text(with_section(card, "Calibration", f"{note}\n\n{text}"), encoding="utf-8")
    else:
        card = out.with_suffix(".md")
        training = json.loads(out.read_text(encoding="utf-8"))["training"]
        card.write_text(with_head(card, head(training)), encoding="utf-8")


if __name__ == "__main__":
    run(main)
