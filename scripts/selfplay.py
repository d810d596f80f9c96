"""Trains the value function: players play, the results train a network, the advisor plays with it, and so on.

    python -m scripts.selfplay --games 10000 --rounds 2 --seed 1 --keep local/selfplay --card models/worth.md

Round 0 is played by noisy preference lists ("dice first" and variants), or by the advisor with the weights of --from.
In every later round half of the games are the advisor against "dice first", half the advisor against itself with
exploration: purchases are noisy, and occasionally a card is forced, most often the Fool and the Charlatan. After every
round a new network is fitted to all games. For training a game ends where the final round begins, because its win
probabilities are known there. Going back to the first turn, the target of every turn is a mixture of its outcome and
its exact expectation, which the turn solver knows for the prices of that time (temporal differences with an exact
backup: R. S. Sutton, 1988).

Every game has its own seed, and the same seed gives the same file: with --keep FOLDER an interrupted run continues.
--card gets a new head. --cards counts and prices Fool and Charlatan and trains nothing.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import tyro

from companion.advice.packed_numbers import packed, unpacked
from engine.krone.advice.features import Features
from engine.krone.advice.prices import Prices
from engine.krone.advice.value_function import ValueFunction
from engine.krone.advice.winning import win_chances
from engine.krone.cards import CARDS
from engine.krone.events import Event
from engine.krone.position import position_text, read_position
from engine.krone.state import RULESETS, State, new_game
from scripts.card import with_head
from scripts.value_network import HIDDEN, Examples, Weights, fit, new_weights
from tests.kit.matches.krone_opponents import DiceFirst, wanted
from tests.kit.matches.krone_players import Advised, Player, play_game
from tests.kit.matches.match import dice_roller
from tests.kit.matches.parallel_games import in_parallel
from tests.kit.options import run

PLAYERS, SHARES = (2, 3, 4, 5), (0.5, 0.35, 0.09, 0.06)
# Noise as a share of a price; share of turns with a forced card; share of these with a Fool or Charlatan.
PRICE_NOISE, FORCED, FOOLS = 0.04, 0.12, 0.35
LIST_NOISE = 0.3
OUTCOME = 0.35  # weight of the outcome in a turn's target; smaller after an exploring choice
LEAST = 1e-6  # lower bound of a probability, so that an earlier turn's target can still be normalised
EPOCHS, RATE = 10, 2e-3


class TrainingTurn(NamedTuple):
    """The state before a turn, its win probability for the player on turn (None without an advisor), and whether the
    choice then explored."""

    position: str
    value: float | None
    explored: bool


class TrainingGame(NamedTuple):
    """A game up to the final round. `won`: every player's win probability there."""

    turns: list[TrainingTurn]
    won: list[float]


class Explorer(Advised):
    """The advisor with noisy prices: sometimes all a little, sometimes one raised to the maximum."""

    def __init__(self, value_function: ValueFunction, chance: random.Random) -> None:
        super().__init__(value_function)
        self._chance = chance
        self._noisy_prices, self._forces_cards = chance.random() < 0.5, chance.random() < 0.5
        self.value, self.explored = 0.0, False

    def begin(self, state: State) -> None:
        """Solves the turn for its prices, or for changed ones to explore."""
        super().begin(state)
        self.value, self.explored = self._expected, False
        changed = None if state.threshold is not None else self._changed(self.priced(state))
        if changed is not None:
            self.explored = True
            self.solve(state, changed)

    def _changed(self, prices: Prices) -> Prices | None:
        cards = dict(prices.cards)
        if self._forces_cards and cards and self._chance.random() < FORCED:
            fools = [card for card in ("charlatan", "fool") if card in cards]
            card = fools[0] if fools and self._chance.random() < FOOLS else self._chance.choice(list(cards))
            return replace(prices, cards=cards | {card: max(cards.values()) + 0.05})
        if self._noisy_prices:
            noisy = {card: price * (1 + self._chance.gauss(0, PRICE_NOISE)) for card, price in cards.items()}
            return replace(prices, cards=noisy)
        return None


class NoisyDiceFirst(DiceFirst):
    """A noisy "dice first" list of cards."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._list = {card: wanted(card) * (1 + chance.gauss(0, LIST_NOISE)) + chance.random() / 2 for card in CARDS}

    def price(self, state: State, card: str | None) -> float:
        """The price of this card on the noisy list."""
        return 0.0 if card is None else self._list[card]


def seated(weights: Weights | None, players: int, chance: random.Random) -> list[Player]:
    """The players of a game."""
    if weights is None:
        return [NoisyDiceFirst(chance) if chance.random() < 0.5 else DiceFirst() for _ in range(players)]
    value_function = ValueFunction.from_weights(weights)
    if chance.random() < 0.5:
        mine = chance.randrange(players)
        return [Advised(value_function) if seat == mine else DiceFirst() for seat in range(players)]
    return [
        NoisyDiceFirst(chance) if chance.random() < 0.1 else Explorer(value_function, chance) for _ in range(players)
    ]


def played(weights: Weights | None, seed: str, number: int) -> TrainingGame:
    """One game."""
    chance = random.Random(f"{seed}/{number}")
    players = seated(weights, chance.choices(PLAYERS, SHARES)[0], chance)
    turns: list[TrainingTurn] = []

    def note(state: State, event: Event) -> None:
        if state.turn.hand and not state.turn.used:
            turns.append(
                TrainingTurn(position_text(state), *_value_and_explored(players[state.seats.index(state.seat)]))
            )

    start = new_game(len(players), RULESETS["amigo2006"])
    end = play_game(start, players, dice_roller(chance), note, lambda state: state.final)
    turns.append(TrainingTurn(position_text(end), None, False))
    return TrainingGame(turns, [round(chance, 6) for chance in win_chances(end, ValueFunction.uniform())])


def _value_and_explored(player: Player) -> tuple[float | None, bool]:
    """(the value of the turn, whether it explores)."""
    if isinstance(player, Explorer):
        return round(player.value, 6), player.explored
    return (round(player.expected, 6), False) if isinstance(player, Advised) else (None, False)


def training_targets(game: TrainingGame) -> Iterator[tuple[State, list[float]]]:
    """Every state with its target, all players' win probabilities, from the last turn to the first."""
    target = np.maximum(game.won, LEAST)
    target /= target.sum()
    for line, value, explored in reversed([TrainingTurn(*turn) for turn in game.turns]):
        state = read_position(line)
        if value is not None:
            mine = state.seats.index(state.seat)
            share = OUTCOME * (0.4 if explored else 1)
            own = (1 - share) * value + share * target[mine]
            target *= (1 - own) / (1 - target[mine])
            target[mine] = own
        yield state, target.tolist()


def training_examples(games: Sequence[TrainingGame]) -> list[Examples]:
    """All training examples, by number of players."""
    found: dict[int, list[tuple[np.ndarray, list[float]]]] = defaultdict(list)
    for game in games:
        for state, target in training_targets(game):
            found[state.players].append((Features.of(state).matrix()[0].astype(np.float32), target))
    return [(np.array([one for one, _ in held]), np.array([target for _, target in held])) for held in found.values()]


def card_value_rows(value_function: ValueFunction, games: Sequence[TrainingGame]) -> Iterator[str]:
    """The win probability that a Fool or a Charlatan adds for its owner, and the number of states with one."""
    yield "| card | positions with it | before the claim it adds | least to most (90 %) |"
    yield "|---|---|---|---|"
    states = [read_position(line) for game in games for line, *_ in game.turns]
    for card, less in (("fool", None), ("charlatan", "fool"), ("charlatan", None)):
        added = [_added(value_function, state, seat, card, less) for state, seat in _states_with(states, card)]
        if added:
            low, middle, high = (f"{100 * part:+.1f}" for part in np.quantile(added, (0.05, 0.5, 0.95)))
            name = f"{card.capitalize()} instead of a {less.capitalize()}" if less else card.capitalize()
            yield f"| {name} | {len(added)} | {middle} points | {low} to {high} |"


def _states_with(states: Sequence[State], card: str) -> Iterator[tuple[State, int]]:
    for state in states:
        if state.threshold is None:
            yield from ((state, seat) for seat, cards in enumerate(state.tableaux) if card in cards)


def _added(value_function: ValueFunction, state: State, seat: int, card: str, less: str | None) -> float:
    cards = list(state.tableaux[seat])
    cards.remove(card)
    without = (*state.tableaux[:seat], tuple([*cards, less] if less else cards), *state.tableaux[seat + 1 :])
    chances = [value_function.chances(Features.of(one))[0, seat] for one in (state, replace(state, tableaux=without))]
    return float(chances[0] - chances[1])


def head(training: dict[str, object]) -> str:
    """The head of the model card."""
    return "\n".join([
        "# models/worth.json: the value function", "", "| | |", "|---|---|",
        "| What | a network: features of a player (`engine/krone/advice/features.py`) → a score; the softmax of the "
        "scores is every player's win probability (`engine/krone/advice/value_function.py`); until the King is "
        "claimed, the scores are multiplied by a sharpness that depends on the number of players and cards "
        "(`scripts.calibration --sharpen`) |",
        f"| Made by | {training['made by']} |",
        f"| Data | {training['games']} games of two to five players (half of two), amigo2006: the advisor against "
        "“dice first” and against itself, with noisy prices and some purchases forced (Fool and Charlatan most); some "
        "seats play by noisy card lists; without initial weights, the first round uses only such lists |",
        "| Targets | win probabilities at the start of the final round, mixed with the exact expectation of every "
        "turn |",
        f"| Size | {HIDDEN[0]} and {HIDDEN[1]} hidden units, half precision |",
        "| Licence | AGPL-3.0-or-later, like the program |",
    ])  # fmt: skip


def read(file: Path) -> Weights:
    """The weights that `save` wrote."""
    held = json.loads(file.read_text(encoding="utf-8"))["weights"]
    return {name: unpacked(numbers) for name, numbers in held.items()}


def save(weights: Weights, training: dict[str, object], out: Path, card: Path | None) -> None:
    """Writes the weights, and the head of their model card."""
    held = {name: packed(numbers) for name, numbers in weights.items()}
    out.write_text(json.dumps({"training": training, "weights": held}, indent=1) + "\n", encoding="utf-8")
    if card is not None:
        card.write_text(with_head(card, head(training)), encoding="utf-8")


def main(
    games: int = 10000,
    rounds: int = 2,
    seed: int = 1,
    begin: Annotated[Path | None, tyro.conf.arg(name="from")] = None,
    out: Path = Path("models/worth.json"),
    card: Path | None = None,
    keep: Path | None = None,
    processes: int = 1,
    cards: bool = False,
) -> None:
    """Plays and trains, round by round.

    Args:
        games: Games of each round.
        begin: The weights for round 0.
        card: The model card that gets a new head.
        keep: Folder for the games played so far.
        processes: Number of parallel games.
        cards: Price Fool and Charlatan, train nothing.
    """
    kept: list[TrainingGame] = []
    weights = read(begin) if begin is not None else None
    for number in range(rounds + 1):
        play: Callable[[int], TrainingGame] = partial(played, weights, f"{seed}/{number}")
        file = keep / f"seed{seed}-round{number}.jsonl" if keep is not None else None
        kept += [TrainingGame(*game) for game in in_parallel(play, games, file, processes)]
        if cards:
            continue
        weights = new_weights(number)
        loss = fit(weights, training_examples(kept), EPOCHS, RATE, number)
        print(f"round {number}: cross-entropy {loss:.4f} a position", flush=True)
        command = f"python -m scripts.selfplay --games {games} --rounds {number} --seed {seed}"
        command += " --from (the weights before)" if begin is not None else ""
        training = {"made by": f"`{command}`", "games": len(kept), "round": number, "seed": seed}
        save(weights, training, out, card)
    if cards:
        print("\n".join(card_value_rows(ValueFunction.from_weights(read(out)), kept)))


if __name__ == "__main__":
    run(main)
