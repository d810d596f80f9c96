"""Mistakes in other public implementations of this game, which must not be repeated here."""

from __future__ import annotations

from itertools import permutations

from engine.krone.costs import full_house
from engine.krone.events import Keep, Pass, Roll
from engine.krone.rules import play
from engine.krone.state import RULESETS, new_game
from tests.engine.krone_table import after, at, refusal


def test_full_house_does_not_depend_on_dice_order() -> None:
    assert all(full_house(order, 0) for order in permutations((2, 2, 5, 5, 5)))
    assert not any(full_house(order, 0) for order in permutations((2, 2, 5, 5, 1)))


def test_turn_order_is_rotated_not_reversed() -> None:
    state, order = new_game(4, RULESETS["amigo2006"]), ""
    for _ in range(8):
        order += state.seat
        dice = (1, 2, 3)
        for event in (Roll(dice), Keep(dice), Pass()):
            state = play(state, state.seat, event)
    assert order == "ABCDDABC"


def test_the_astronomer_copies_a_kept_die_not_an_active_one() -> None:
    assert "no 6 among 2" in refusal("A astronomer; B -; active 6 5; kept 2", "A use astronomer 5 > 6")


def test_setting_aside_and_rolling_are_two_acts() -> None:
    state = after("A astronomer maid; B -", "A roll 6 5 2", "A keep 2", "A use astronomer 5 > 2", "A use maid 2 > 3")
    assert state.turn.active == (3, 6)
    assert after(state, "A keep 3", "A roll 1").turn.kept == (2, 3)


def test_the_queens_owner_wins_a_tie() -> None:
    final = "A charlatan laborer general queen; B laborer king; turn A; start B; threshold 7x5; final"
    state = after(final, "A use laborer", "A roll 5 5 5 5 5 5 5", "A keep 5 5 5 5 5 5 5", "A pass")
    assert state.winner == "A"


def test_the_king_does_not_end_the_game_at_once() -> None:
    state = after("A farmer general laborer; B -; used laborer; active 2; kept 2 2 2 2 2 2", "A keep 2", "A buy king")
    assert not state.finished
    assert state.seat == "B"


def test_the_alchemist_accepts_two_dice() -> None:
    assert after("A alchemist; B -; active 5 1; kept 3", "A use alchemist 5 1 > 3 3").turn.active == (3, 3)


def test_the_fool_is_always_for_sale_beside_better_cards() -> None:
    state = at("A -; B -; active 5; kept 5 5")
    assert {"fool", "guard"} <= set(after(state, "A keep 5").purchases())


def test_adders_do_not_raise_the_dice_of_later_turns() -> None:
    state = after("A guard; B -", "A use guard", "A roll 1 2 3 4", "A keep 1 2 3 4", "A pass")
    state = after(state, "B roll 1 2 3", "B keep 1 2 3", "B pass", "B roll 1 2 3", "B keep 1 2 3", "B pass")
    assert (state.seat, state.to_roll) == ("A", 3)


def test_the_start_player_changes() -> None:
    state = after("A -; B -", "A roll 1 2 3", "A keep 1 2 3", "A pass", "B roll 1 2 3", "B keep 1 2 3", "B pass")
    assert (state.start, state.seat) == ("B", "B")
