"""Does looking further ahead win games? The advisor that does against the advisor that does not, with the same dice.

    python -m scripts.lookahead_trial krone --players 2 --sets 166 --keep FILE
    python -m scripts.lookahead_trial knatsch --players 3 --sets 60 --keep FILE

krone: the four best purchases of a turn are weighed by what the turn after next is worth with them (solved exactly,
nobody else moving). knatsch: the three best cards are weighed by what the next player's best attempt then changes.
Kept for the history: what came of it stands in docs/worth.md and models/knatsch-worth.md, and neither was taken.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from companion.advice.worth import knatsch_worth, worth_table
from companion.bench import knatsch_matches
from companion.bench.matches import Match, SeatDice
from companion.bench.parallel_games import side_by_side
from engine.advice import knatsch_players, players
from engine.advice.advise import turn_worth
from engine.advice.knatsch_advise import advise
from engine.advice.knatsch_targets import TargetAdvice, _moved, targets
from engine.advice.prices import Prices, bought
from engine.knatsch import state as knatsch
from engine.knatsch.events import Event, Target, TheKing, Top
from engine.krone.cards import ORDER
from engine.krone.state import RULESETS, SEATS, State, new_game, new_turn

_TOP, _SHARE = 4, 0.7


class Krone(players.Advised):
    """Looks at its own next turn too."""

    def priced(self, state: State) -> Prices:
        found = super().priced(state)
        if state.threshold is not None or not found.cards:
            return found
        best = sorted(found.cards, key=lambda card: -found.cards[card])[:_TOP]
        more = {card: turn_worth(_next_turn(state, card), self._worth) - found.cards[card] for card in best}
        mean = sum(more.values()) / len(more)
        return replace(found, cards=found.cards | {c: found.cards[c] + _SHARE * (more[c] - mean) for c in best})


def _next_turn(state: State, card: str) -> State:
    me, stock = SEATS.index(state.seat), list(state.stock)
    own, left = bought(state.tableaux[me], card), stock[ORDER[card]]
    if card != "charlatan" and left is not None:
        stock[ORDER[card]] = left - 1
    tableaux = (*state.tableaux[:me], own, *state.tableaux[me + 1 :])
    return replace(state, tableaux=tableaux, stock=tuple(stock), turn=new_turn(state.rules, own))


class Knatsch(knatsch_players.Advised):
    """Looks at the next player's best attempt too."""

    def act(self, state: knatsch.State) -> Event | None:
        counsel = advise(state, self._worth)
        if counsel is None or not isinstance(counsel.event, Target):
            return super().act(state)
        found = [one for one in targets(state, self._worth) if one.chance is not None][:3]
        without = self._after(state, state.seated, None)
        return Target(max(found, key=lambda one: self._value(state, one, without)).place)

    def _value(self, state: knatsch.State, one: TargetAdvice, without: float) -> float:
        card, chance = state.card_at(one.place), one.chance or 0.0
        if card is None:
            return one.value
        seated = _moved(state, SEATS.index(state.turn), one.place, card)
        gone = one.place if isinstance(one.place, Top) else None
        return one.value + chance * self._after(state, seated, gone) + (1 - chance) * without

    def _after(self, state: knatsch.State, seated: tuple[knatsch.Player, ...], gone: Top | None) -> float:
        """What the next player's best attempt changes in the chance of the player on turn."""
        me, you = SEATS.index(state.turn), (SEATS.index(state.turn) + 1) % state.players
        left, right = (
            lying[1:] if gone and gone.side == side else lying
            for side, lying in zip(("left", "right"), state.stacks, strict=True)
        )
        if any(player.wins for player in seated):
            return 0.0
        hers = replace(
            state, seated=seated, stacks=(left, right), turn=SEATS[you], attempt=None, put_under=0, attempted=False
        )
        found = [one for one in targets(hers, self._worth) if one.chance is not None]
        if not found or found[0].value <= 0:
            return 0.0
        following, card = (you + 1) % state.players, hers.card_at(found[0].place)
        then = 0.0 if isinstance(found[0].place, TheKing) else None
        if then is None:
            if card is None:
                return 0.0
            then = self._worth.chances(_moved(hers, you, found[0].place, card), following)[me]
        return (found[0].chance or 0.0) * (then - self._worth.chances(seated, following)[me])


def krone_set(count: int, number: int) -> list[float]:
    """A set of games of Um Krone und Kragen."""
    found = np.zeros(5)
    for seat in range(count):
        dice = SeatDice(f"look/{count}/{number}")

        def enough(state: State, dice: SeatDice = dice) -> bool:
            dice.turn(state)
            return state.finished

        mine, others = Krone(worth_table()), players.Advised(worth_table())
        seats = [mine if place == seat else others for place in range(count)]
        end = players.play_game(new_game(count, RULESETS["amigo2006"]), seats, dice, enough=enough)
        found += [end.winner == end.seats[seat], *mine.luck, *others.luck]
    return [round(value, 6) for value in found.tolist()]


def knatsch_set(count: int, number: int) -> list[float]:
    """A set of games of Knatsch."""
    won, worth = 0, knatsch_worth()
    for seat in range(count):
        kinds = [Knatsch if place == seat else knatsch_players.Advised for place in range(count)]
        end = knatsch_matches.game([kind(worth) for kind in kinds], f"further/{count}/{number}")
        won += end.winner == end.seats[seat]
    return [float(won)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Does looking further ahead win games?")
    parser.add_argument("game", choices=("krone", "knatsch"))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--sets", type=int, default=50)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    play = partial(krone_set if asked.game == "krone" else knatsch_set, asked.players)
    found = Match(asked.players, "itself", asked.game)
    found.sets += side_by_side(play, asked.sets, asked.keep, 1)
    print(found)


if __name__ == "__main__":
    main()
