"""The rulings R1–R20, each a test named after it, and our own O1–O9."""

from __future__ import annotations

import pytest

from tests.engine.krone_table import TWO, after, at, refusal

RIO = "riogrande2007; "


def test_r1_cards_before_the_first_roll_add_a_die_to_it() -> None:
    state = after("A laborer; B -", "A use laborer")
    assert state.to_roll == 4
    assert state.turn.active == ()
    assert after(state, "A roll 6 6 4 2").turn.active == (2, 4, 6, 6)
    assert refusal(state, "A roll 6 6 4") == "roll 4 dice, not 3"
    assert "already used" in refusal(after(state, "A roll 6 6 4 2"), "A use laborer")


def test_r1_riogrande_allows_no_card_before_the_first_roll() -> None:
    assert "before the first roll" in refusal(RIO + "A laborer; B -", "A use laborer")
    assert after(RIO + "A laborer; B -", "A roll 6 5 2", "A use laborer").turn.active == (1, 2, 5, 6)


def test_r2_as_many_fools_as_players() -> None:
    for seats, fools in (("A -; B -", 2), ("A -; B -; C -; D -; E -", 5)):
        assert at(seats).display["fool"] == fools
    state = at("A fool charlatan; B -; turn B; active 1; kept 2 3")
    assert state.display["fool"] == 0
    assert refusal(after(state, "B keep 1"), "B buy fool") == "no Fool is left for sale"


def test_r2_riogrande_has_fools_without_end() -> None:
    state = at(RIO + "A charlatan charlatan charlatan; B -; turn B; active 1; kept 2 3")
    assert state.display["fool"] is None
    state = after(state, "B keep 1", "B buy fool")
    assert state.display["fool"] is None
    assert state.tableau("B") == ("fool",)


def test_r3_an_added_die_is_active_and_shows_its_value() -> None:
    state = after("A guard maid; B -", "A roll 6 5 4", "A use guard")
    assert state.turn.active == (2, 4, 5, 6)
    assert after(state, "A keep 2").turn.kept == (2,)
    assert after(state, "A use maid 2 > 5").turn.active == (4, 5, 5, 6)
    assert after(state, "A keep 6", "A roll 1 1 1").turn.active == (1, 1, 1)


def test_r4_setting_aside_an_added_die_is_at_least_one() -> None:
    state = after("A guard; B -", "A roll 6 5 4", "A use guard")
    assert refusal(state, "A roll 1 1 1 1") == "set aside at least one die before rolling again"
    assert after(state, "A keep 2", "A roll 3 3 3").turn.kept == (2,)


def test_r5_a_die_added_after_the_last_one_is_set_aside_or_rolled() -> None:
    state = after("A hunter; B -", "A roll 6 5 4", "A keep 6 5 4", "A use hunter")
    assert state.turn.active == (3,)
    assert after(state, "A keep 3").turn.kept == (3, 4, 5, 6)
    assert after(state, "A roll 6", "A keep 6").turn.kept == (4, 5, 6, 6)
    assert "3 still active" in refusal(state, "A buy laborer")


def test_r6_fool_and_merchant_before_setting_aside_neither_make_nor_cancel_the_duty() -> None:
    state = after("A fool merchant; B -", "A roll 6 5 4", "A use fool 4 > 6")
    assert state.turn.active == (5, 6, 6)
    assert "set aside" in refusal(state, "A roll 1 1 1")
    state = after(state, "A use merchant 6 6 5 > 1 2 3")
    assert state.turn.active == (1, 2, 3)
    assert "set aside" in refusal(state, "A roll 1 1 1")
    state = after("A fool merchant; B -", "A roll 6 5 4", "A keep 6", "A use fool 5 > 2", "A use merchant 2 > 3")
    assert after(state, "A roll 1 1").turn.active == (1, 1)


def test_r7_the_astronomer_needs_a_die_set_aside_this_turn() -> None:
    state = after("A astronomer; B -", "A roll 6 5 4")
    assert "set aside this turn" in refusal(state, "A use astronomer 5 > 6")
    state = after(state, "A keep 6")
    assert after(state, "A use astronomer 5 > 6").turn.active == (4, 6)
    assert "no 4 among 6" in refusal(state, "A use astronomer 5 > 4")


def test_r8_noblewoman_and_nobleman_on_any_number_of_dice() -> None:
    state = after("A noblewoman nobleman; B -", "A roll 5 4 1")
    assert after(state, "A use noblewoman 5 4 1 > 6 5 2").turn.active == (2, 5, 6)
    assert after(state, "A use nobleman 4 1 > 6 3").turn.active == (3, 5, 6)
    assert refusal(state, "A use nobleman 5 > 6") == "the Nobleman adds exactly 2: a 5 cannot become 7"
    assert refusal(state, "A use nobleman 4 > 5") == "the Nobleman adds exactly 2: a 4 cannot become 5"
    assert "a 6 cannot become 7" in refusal(after("A noblewoman; B -", "A roll 6 1 1"), "A use noblewoman 6 > 1")
    assert "exactly 1" in refusal(state, "A use noblewoman 4 > 6")


def test_r9_the_alchemist_on_two_or_three_dice() -> None:
    state = after("A farmer alchemist; B -", "A roll 6 5 1 1")
    assert after(state, "A use alchemist 5 1 > 3 3").turn.active == (1, 3, 3, 6)
    assert after(state, "A use alchemist 6 5 1 > 4 4 4").turn.active == (1, 4, 4, 4)
    assert "two or three" in refusal(state, "A use alchemist 6 5 1 1 > 4 4 3 2")
    assert "two or three" in refusal(state, "A use alchemist 6 > 5")
    assert "does not change the sum" in refusal(state, "A use alchemist 6 5 > 5 5")


def test_r10_several_cards_on_one_die_in_any_order() -> None:
    state = after("A maid noblewoman magician; B -", "A roll 1 1 1", "A use maid 1 > 4", "A use noblewoman 4 > 5")
    assert after(state, "A use magician 5 > 2").turn.active == (1, 1, 2)
    state = after("A maid noblewoman; B -", "A roll 1 1 1", "A use noblewoman 1 > 2", "A use maid 2 > 5")
    assert state.turn.active == (1, 1, 5)


def test_r11_start_dice_are_mandatory_and_adders_optional() -> None:
    state = at("A charlatan charlatan farmer general laborer; B -")
    assert state.to_roll == 3 + 1 + 1 + 1 + 2
    assert refusal(state, "A roll 1 1 1 1 1 1 1") == "roll 8 dice, not 7"
    for card in ("farmer", "general", "charlatan"):
        assert "start of the turn" in refusal(state, f"A use {card}")


def test_r12_an_adder_needs_a_die_in_the_box() -> None:
    cards = "A farmer laborer guard hunter pawnbroker knight bishop general; B -"
    state = after(
        cards, *(f"A use {card}" for card in ("laborer", "guard", "hunter", "pawnbroker", "knight", "bishop"))
    )
    assert state.to_roll == 12
    state = after(f"dice 7; {cards}", "A use laborer")
    assert state.to_roll == 7
    assert refusal(state, "A use guard") == "all 7 dice are on the table, so the Guard cannot add one"
    assert "all 7 dice" in refusal(after(state, "A roll 1 1 1 1 1 1 1", "A keep 1"), "A use guard")
    assert after(f"dice none; {cards}", "A use laborer", "A use guard").to_roll == 8


def test_r12_the_thirteenth_die() -> None:
    cards = "A charlatan farmer laborer guard hunter pawnbroker knight bishop general; B -"
    five = [f"A use {card}" for card in ("laborer", "guard", "hunter", "pawnbroker", "knight")]
    assert after(cards, *five).to_roll == 12
    assert "all 12 dice" in refusal(after(cards, *five), "A use bishop")
    assert after(f"dice none; {cards}", *five, "A use bishop").to_roll == 13


@pytest.mark.parametrize(("dice", "card"), [("6 5 4", "laborer"), ("6 5 5 4", "merchant"), ("6 6 6 6 6", "pawnbroker")])
def test_r13_exactly_the_sum_is_enough(dice: str, card: str) -> None:
    cards = "A " + " ".join(["charlatan"] * (len(dice.split()) - 3) or ["-"])
    state = after(f"dice none; {cards}; B -; display fool 2", f"A roll {dice}", f"A keep {dice}")
    assert card in after(state, f"A buy {card}").tableau("A")
    lower = dice[:-1] + str(int(dice[-1]) - 1)
    state = after(f"dice none; {cards}; B -; display fool 2", f"A roll {lower}", f"A keep {lower}")
    assert "is not enough" in refusal(state, f"A buy {card}")


def test_r14_any_result_buys_the_fool() -> None:
    assert after(TWO, "A roll 3 2 1", "A keep 3 2 1", "A buy fool").tableau("A") == ("fool",)


EIGHT = "A farmer general laborer guard; B charlatan charlatan farmer laborer guard; round 5"


def test_r15_the_claimants_whole_group_is_the_threshold() -> None:
    state = after(
        EIGHT, "A use laborer", "A use guard", "A roll 2 2 2 2 2 2 2 2", "A keep 2 2 2 2 2 2 2 2", "A buy king"
    )
    assert state.threshold == (8, 2)
    state = after(state, "B roll 1 1 1 2 2 2", "B keep 1 1 1 2 2 2", "B pass")
    assert state.final
    assert state.seat == "B"
    seven = after(state, "B use laborer", "B roll 6 6 6 6 6 6 6", "B keep 6 6 6 6 6 6 6", "B pass")
    assert seven.winner == "A"
    eight = after(state, "B use laborer", "B use guard", "B roll 3 3 3 3 3 3 3 3", "B keep 3 3 3 3 3 3 3 3", "B pass")
    assert eight.king == "B"
    assert eight.seat == "A"


def test_r15_fewer_than_seven_alike_claim_nothing() -> None:
    state = after(EIGHT, "A use laborer", "A roll 2 2 2 2 2 2 1", "A keep 2 2 2 2 2 2 1")
    assert refusal(state, "A buy king") == "the King costs seven alike: 2 2 2 2 2 2 1 is not enough"
    assert "general" not in state.purchases()  # A has one already


def test_r16_rows_are_no_gate_beyond_the_cost() -> None:
    state = after("A laborer; B -", "A roll 6 6 6", "A use laborer", "A keep 6 6 6 1", "A buy guard")
    assert state.tableau("A") == ("laborer", "guard")
    state = after("A farmer; B -", "A roll 5 5 2 2", "A keep 5 5 2 2", "A buy astronomer")  # row II over row I
    assert "astronomer" in state.tableau("A")


CLAIMED = "A farmer king queen; B farmer general; turn B; round 4; start B; threshold 7x2; final"


def test_r17_nothing_is_bought_in_the_final_round() -> None:
    state = after(CLAIMED, "B roll 6 6 6 6 6 6", "B keep 6 6 6 6 6 6")
    assert refusal(state, "B buy laborer") == "you cannot buy cards in the final round"
    assert state.purchases() == ()
    assert state.open == ()


def test_r17_the_unbeaten_claimant_does_not_roll() -> None:
    state = after(CLAIMED, "B pass")
    assert state.finished
    assert state.winner == "A"
    assert "the game is over" in refusal(state, "A roll 1 1 1 1")
    assert "the game is over" in refusal(state, "A pass")


@pytest.mark.parametrize(
    ("card", "use"),
    [
        ("magician", "4 > 4"),
        ("philosopher", "5 4 > 5 4"),
        ("alchemist", "5 4 1 > 5 4 1"),
        ("astronomer", "5 > 5"),
        ("maid", "5 > 5"),
        ("noblewoman", "5 > 5"),
        ("nobleman", "4 > 4"),
    ],
)
def test_r18_a_use_changes_the_dice(card: str, use: str) -> None:
    state = at(f"A farmer {card}; B -; active 5 4 1; kept 5")
    assert "must change the dice" in refusal(state, f"A use {card} {use}")


@pytest.mark.parametrize("card", ["magician", "philosopher", "alchemist", "maid", "fool", "merchant", "nobleman"])
def test_r18_a_use_names_at_least_one_die(card: str) -> None:
    assert "choose the dice" in refusal(f"A farmer {card}; B -; active 5 4 1; kept 5", f"A use {card}")


def test_r18_dice_thrown_again_may_show_the_same() -> None:
    state = at("A fool merchant; B -; active 5 4; kept 5")
    assert after(state, "A use fool 5 > 5", "A use merchant 5 4 > 5 4").turn.active == (4, 5)


def test_r19_the_fool_throws_any_active_die_added_ones_included() -> None:
    state = after("A fool guard; B -", "A roll 6 5 4", "A use guard", "A use fool 2 > 6")
    assert state.turn.active == (4, 5, 6, 6)


def test_r20_the_next_player_clockwise_starts_for_the_skipped_queens_owner() -> None:
    claim = (
        "A -; B -; C -; D farmer general laborer; turn D; start A; round 7; used laborer; active 1; kept 1 1 1 1 1 1"
    )
    state = after(claim, "D keep 1", "D buy king")
    assert state.start == "D"
    assert state.final
    assert state.seat == "A"
    state = after(state, "A pass")
    assert state.seat == "B"
    state = after(state, "B pass", "C pass")
    assert state.winner == "D"


def test_o1_no_more_start_dice_than_the_box_holds() -> None:
    state = at("riogrande2007; A " + "charlatan " * 10 + "; B -")
    assert state.to_roll == 12
    assert at("riogrande2007; dice none; A " + "charlatan " * 10 + "; B -").to_roll == 13


def test_o3_a_throw_begins_the_same_players_next_turn_a_card_does_not() -> None:
    state = after("A -; B laborer; turn B; start A", "B roll 6 5 4", "B keep 6 5 4")
    assert after(state, "B use laborer").turn.active == (1,)
    following = after(state, "B roll 1 2 3")
    assert following.round == 2
    assert following.seat == "B"
    assert following.open == ("B",)


def test_o4_before_the_first_roll_nothing_can_be_changed_or_set_aside() -> None:
    state = at("A laborer maid fool merchant magician; B -")
    for line in ("maid 1 > 4", "fool 1 > 2", "merchant 1 > 2", "magician 1 > 6"):
        assert "before the first roll" in refusal(after(state, "A use laborer"), f"A use {line}")
    assert "you have not rolled yet" in refusal(after(state, "A use laborer"), "A keep 1")


def test_o5_in_the_final_round_the_next_throw_ends_no_turn() -> None:
    three = "A -; B king queen; C farmer; turn C; start C; threshold 7x2; final"
    state = after(three, "C roll 1 1 1 1", "C keep 1 1 1 1")
    assert "C’s turn" in refusal(state, "A roll 1 1 1")
    assert after(state, "C pass", "A roll 1 1 1").seat == "A"


def test_o6_passing_after_an_added_die_but_before_any_roll() -> None:
    state = after("A king queen; B laborer; turn B; start B; threshold 7x2; final", "B use laborer", "B pass")
    assert state.winner == "A"


def test_o8_the_alchemists_dice_change_as_a_whole() -> None:
    state = at("A farmer alchemist; B -; active 5 4 1; kept 5")
    assert after(state, "A use alchemist 5 4 1 > 4 3 3").turn.active == (3, 3, 4)


def test_o9_an_equal_group_wins_for_the_queens_owner() -> None:
    claim = "A farmer general laborer queen; B farmer laborer king; turn A; start B; threshold 7x3; final"
    won = after(claim, "A use laborer", "A roll 3 3 3 3 3 3 3", "A keep 3 3 3 3 3 3 3", "A pass")
    assert won.winner == "A"
    assert "king" in won.tableau("A")
    lost = after(claim, "A use laborer", "A roll 2 2 2 2 2 2 2", "A keep 2 2 2 2 2 2 2", "A pass")
    assert lost.winner == "B"
    assert after(claim, "A pass").winner == "B"
