"""Costs of cards, in any order of the dice, and what is certain with unknown dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice import Faces, faces, rolls, union
from engine.krone.cards import CARDS
from engine.krone.costs import COSTS, payable_cards

ANY = {"fool", "charlatan"}
SIX = "farmer guard hunter astronomer noblewoman knight bishop nobleman general"

# Every row is complete: exactly these cards, plus the Fool and Charlatan that any result buys.
TABLE = {
    "5 5 5": "farmer maid laborer guard",
    "6 5 4": "laborer",
    "6 5 3": "",
    "2 2 1": "farmer",
    "1 3 5": "maid",
    "2 4 6": "philosopher",
    "2 2 2": "farmer philosopher guard",
    "1 1 1 1": "farmer maid guard hunter astronomer",
    "3 3 5 6": "farmer laborer",
    "2 2 3 3": "farmer astronomer",
    "6 6 6 2": "farmer philosopher laborer guard merchant",
    "6 6 4 3": "farmer laborer",
    "6 6 4 4": "farmer philosopher laborer astronomer merchant",
    "6 5 5 4": "farmer laborer merchant",
    "6 5 4 4": "farmer laborer",
    "1 2 3 4 5": "laborer magician",
    "2 3 4 5 6": "laborer merchant magician",
    "1 3 4 5 6": "laborer",
    "2 2 2 2 2": "farmer philosopher guard hunter astronomer noblewoman knight",
    "3 3 3 1 1": "farmer maid guard astronomer noblewoman",
    "3 3 3 1 2": "farmer guard",
    "6 6 6 6 6": "farmer philosopher laborer guard hunter astronomer merchant noblewoman pawnbroker knight",
    "6 6 6 6 5": "farmer laborer guard hunter astronomer merchant",
    "1 2 3 4 5 6": "laborer merchant magician alchemist",
    "1 2 3 4 5 5": "farmer laborer merchant magician",
    "1 1 2 2 3 3": "farmer astronomer bishop",
    "1 1 1 1 2 2": "farmer guard hunter astronomer noblewoman bishop",
    "1 1 1 2 2 2": "farmer guard astronomer noblewoman nobleman",
    "1 1 1 1 1 1": "farmer maid guard hunter astronomer noblewoman knight bishop nobleman general",
    "5 5 5 5 5 5": f"{SIX} maid laborer merchant pawnbroker",
    "4 4 4 4 4 1 2": "farmer laborer guard hunter astronomer merchant noblewoman knight",
    "2 2 2 2 2 2 2": "farmer philosopher guard hunter astronomer noblewoman knight bishop nobleman general king",
    "2 2 2 2 2 2 2 2": f"{SIX} philosopher laborer king",
    "1 2 3 4 5 6 6 6": "farmer laborer guard merchant pawnbroker magician alchemist",
}  # fmt: skip


@pytest.mark.parametrize("dice", TABLE)
def test_what_a_result_buys(dice: str) -> None:
    result = faces(int(die) for die in dice.split())
    assert payable_cards(result) == {*TABLE[dice].split(), *ANY}


def test_every_cost_is_in_the_table_met_and_not_met() -> None:
    met_somewhere = {card for cards in TABLE.values() for card in cards.split()}
    assert met_somewhere | ANY == set(COSTS) == set(CARDS) - {"queen"}


@settings(max_examples=60)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_no_cost_depends_on_the_order_of_the_dice(dice: list[int]) -> None:
    for condition, _ in COSTS.values():
        assert len({condition(order, 0) for order in set(permutations(dice))}) == 1


def meets_cost(card: str, dice: tuple[int, ...]) -> bool:
    """A second implementation of costs that removes groups of dice."""

    def take(left: tuple[int, ...], sizes: tuple[int, ...]) -> bool:
        if not sizes:
            return True
        for face in set(left):
            if left.count(face) >= sizes[0]:
                rest = list(left)
                for _ in range(sizes[0]):
                    rest.remove(face)
                if take(tuple(rest), sizes[1:]):
                    return True
        return False

    alike = {"farmer": 2, "guard": 3, "hunter": 4, "knight": 5, "general": 6, "king": 7}
    grouped = {"astronomer": (2, 2), "noblewoman": (3, 2), "bishop": (2, 2, 2), "nobleman": (3, 3)}
    sums = {"laborer": 15, "merchant": 20, "pawnbroker": 30}
    if card in alike:
        return take(dice, (alike[card],))
    if card in grouped:
        return take(dice, grouped[card])
    if card in sums:
        return sum(dice) >= sums[card]
    if card in ("maid", "philosopher"):
        return {die % 2 for die in dice} == {1 if card == "maid" else 0}
    if card == "magician":
        return {1, 2, 3, 4, 5} <= set(dice) or {2, 3, 4, 5, 6} <= set(dice)
    return card in ANY or (card == "alchemist" and set(dice) == {1, 2, 3, 4, 5, 6})


def test_costs_against_a_second_reading_of_the_rules() -> None:
    for number in range(1, 9):
        for dice in combinations_with_replacement(range(1, 7), number):
            assert payable_cards(dice) == {card for card in COSTS if meets_cost(card, dice)}, dice


def completions(known: Faces, more: int) -> Iterator[Faces]:
    """Every multiset that the known dice can become with `more` dice."""
    return (union(known, guess) for guess in rolls(more))


def test_a_cost_is_certainly_met_if_every_outcome_of_the_unknown_dice_meets_it() -> None:
    for number in range(6):
        for known in combinations_with_replacement(range(1, 7), number):
            for unknown in range(1, 4):
                certain = frozenset.intersection(*(payable_cards(dice) for dice in completions(known, unknown)))
                assert payable_cards(known, unknown) == certain, (known, unknown)


@pytest.mark.parametrize("unknown", range(4, 9))
def test_costs_that_many_unknown_dice_certainly_meet(unknown: int) -> None:
    for known in [(), (1,), (2, 2), (1, 1, 1), (1, 2, 3), (1, 1, 2, 2), (6, 6, 6, 6)]:
        certain = frozenset.intersection(*(payable_cards(dice) for dice in completions(known, unknown)))
        assert payable_cards(known, unknown) == certain, (known, unknown)
