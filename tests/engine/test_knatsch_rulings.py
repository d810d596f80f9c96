"""The rulings K1 to K22 and the rules they concern; each test is named after its ruling."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.knatsch.combination import BETRAYED, NOTHING, best, read
from engine.knatsch.events import Held, Top
from engine.knatsch.state import State
from engine.replay import read_game
from tests.engine.knatsch_table import BLUE, RED, after, knatsch_state, legal, refusal

GREEN, YELLOW = "castle-green=3-3-3+4", "castle-yellow=2-2-2+1"


def one_throw(state: State, seat: str, dice: str) -> State:
    """The state after the seat rolls once and stops."""
    return after(state, f"{seat} roll {dice}", f"{seat} stop")


def test_k1_strictly_beat() -> None:
    assert read("3-3-3+4").beats(read("3-3-3+2"))
    assert not read("3-3-3+2").beats(read("3-3-3+2"))
    assert read("4-4-4").beats(read("3-3-3+5"))
    assert read("1-1-1-1").beats(read("5-5-5+4"))
    equal = after(knatsch_state(RED, BLUE, left=GREEN), "A target left", "A roll 4 3 3 3 6 6", "A stop")
    assert equal.tableau("A") == ("castle-red",)
    assert equal.stack("left")[-1] is not None


@pytest.mark.parametrize(
    ("dice", "worth"), [((5, 5, 5, 4, 3, 6), "5-5-5+4"), ((5, 5, 5, 2, 2, 6), "5-5-5+2"), ((5, 5, 5, 6, 6, 6), "5-5-5")]
)
def test_k2_the_reserve_is_the_highest_other_value(dice: tuple[int, ...], worth: str) -> None:
    assert str(best(dice)) == worth


def test_k3_of_two_triples_the_higher_is_the_group() -> None:
    assert str(best((2, 2, 2, 4, 4, 4))) == "4-4-4+2"


def test_k4_never_more_than_four_throws() -> None:
    state = knatsch_state("castle-red catapult champion", f"{BLUE} {GREEN}", YELLOW, left="tournament")
    organiser = after(state, "A target left")
    attack = after(state, "A target B castle-blue")
    assert organiser.attempt is not None
    assert attack.attempt is not None
    assert (organiser.attempt.throws, attack.attempt.throws) == (4, 4)
    attack = after(attack, *["A roll 1 2 3 4 5 1", "A keep none"] * 3, "A roll 1 2 3 4 5 1")
    assert attack.turn == "B"


def test_k5_several_dice_cards_count() -> None:
    state = knatsch_state("castle-red dice-4 dice-5", BLUE, left="castle-green=5-5-5+4")
    won = one_throw(after(state, "A target left"), "A", "5 5 6 6 6 6")
    assert str(best((5, 5, 6, 6, 6, 6, 4, 5))) == "5-5-5+4"
    assert "castle-green" not in won.tableau("A")  # equal is not enough
    won = one_throw(after(state, "A target left"), "A", "5 5 5 6 6 6")
    assert "castle-green" in won.tableau("A")


def test_k6_in_a_tournament_tie_the_earlier_roll_leads() -> None:
    state = after(knatsch_state(RED, BLUE, left="tournament"), "A target left")
    state = one_throw(one_throw(state, "A", "4 4 4 2 1 6"), "B", "4 4 4 2 2 6")
    assert state.tableau("A")[-1] == "tournament"


def test_k7_the_king_is_challenged_instead_of_the_attempt() -> None:
    three = f"{RED} {BLUE} {GREEN}"
    state = knatsch_state(three, YELLOW, left="stack=1-1-1+1", turn="turn=A king=3-3-3+2")
    assert legal(state, "A target king")
    assert legal(state, "A target left")
    again = one_throw(after(state, "A target left"), "A", "5 5 5 1 1 6")
    assert "instead of the turn’s attempt" in refusal(again, "A target king")
    won = one_throw(after(state, "A target king"), "A", "5 5 5 1 1 6")
    assert won.winner == "A"
    assert "three castles" in refusal(knatsch_state(RED, BLUE, turn="turn=A king=3-3-3+2"), "A target king")


def test_k8_the_kings_combination_may_be_unknown_and_there_are_three_throws() -> None:
    state = knatsch_state(f"{RED} {BLUE} {GREEN} catapult champion", YELLOW)
    assert "combination of this card" in refusal(state, "A target king")
    state = after(state, "A combination king 5-5-5+1", "A target king")
    assert state.attempt is not None
    assert (state.attempt.throws, str(state.attempt.leading)) == (3, "5-5-5+1")
    assert "known" in refusal(state, "A combination king 5-5-5+2")


def test_k9_the_extra_attempt_may_be_declined() -> None:
    state = knatsch_state(RED, BLUE, left="stack=1-1-1+1", right="catapult=1-1-1+1")
    again = one_throw(after(state, "A target left"), "A", "5 5 5 1 1 6")
    assert again.turn == "A"
    assert after(again, "A pass").turn == "B"
    third = one_throw(after(again, "A target right"), "A", "5 5 5 1 1 6")
    assert third.turn == "A"
    assert third.tableau("A") == ("castle-red", "stack", "catapult")


def test_k10_an_attempt_is_compulsory_while_something_can_be_attempted() -> None:
    assert "you must make an attempt" in refusal(knatsch_state(RED, BLUE, left=GREEN, right="tournament"), "A pass")
    assert "you must make an attempt" in refusal(
        knatsch_state(RED, f"{BLUE} {GREEN} dice-4", YELLOW, left="castle-red", right="castle-red"), "A pass"
    )
    assert "enter the top card" in refusal(knatsch_state(RED, BLUE, left="castle-red"), "A pass")


def test_k18_a_player_with_one_castle_is_not_attacked_for_a_special_either() -> None:
    state = knatsch_state(RED, f"{BLUE} dice-4=1-1-1+1", f"{GREEN} {YELLOW} dice-2=1-1-1+1", left="tournament")
    assert "a player with only one castle" in refusal(state, "A target B castle-blue")
    assert "a player with only one castle" in refusal(state, "A target B dice-4")
    assert legal(state, "A target C dice-2")
    two = knatsch_state(RED, f"{GREEN} {YELLOW} dice-2=1-1-1+1", left="tournament")
    assert "at least three castles" in refusal(two, "A target B dice-2")


def test_k19_where_nothing_can_be_captured_cards_may_be_put_under_or_the_turn_is_passed() -> None:
    state = knatsch_state(RED, BLUE, left="castle-red", right="castle-red")
    assert legal(state, "A under right")
    assert after(state, "A pass").turn == "B"


def test_k10_pass_when_nothing_anywhere_can_be_captured() -> None:
    state = knatsch_state(RED, BLUE, left="castle-red castle-red", right="castle-red", hidden=False)
    assert legal(state, "A pass")
    assert after(state, "A pass").turn == "B"
    assert "Pass" in refusal(after(state, "A under left"), "A under left")


def test_no_duplicates_exception_cards_are_put_under_until_something_can_be_captured() -> None:
    state = knatsch_state(
        RED, BLUE, left="castle-red castle-red castle-red=1-1-1+1 tournament", right="castle-red", hidden=False
    )
    state = after(state, "A under left", "A under left", "A under left")
    assert state.top("left") is not None
    assert "you can still capture something" in refusal(state, "A under left")
    assert legal(state, "A target left")


def test_put_under_once_a_turn_and_twice_with_the_stack_card() -> None:
    once = after(knatsch_state(RED, BLUE, left=f"{GREEN} tournament", right="tournament"), "A under left")
    assert "already put a card under" in refusal(once, "A under left")
    assert "already put a card under" in refusal(once, "A under right")
    twice = knatsch_state(f"{RED} stack", BLUE, left=f"{GREEN} tournament tournament", right="tournament")
    twice = after(twice, "A under left", "A under left")
    assert "already put two cards" in refusal(twice, "A under left")


def test_the_stack_card_captured_a_moment_ago_gives_the_second_put_under() -> None:
    state = knatsch_state(RED, BLUE, left=f"{GREEN} stack=1-1-1+1 tournament", right="tournament dice-4")
    state = after(state, "A under left")
    state = one_throw(after(state, "A target left"), "A", "5 5 5 1 1 6")
    assert legal(state, "A under right")
    assert "already put two cards" in refusal(after(state, "A under right"), "A under left")


def test_k11_a_put_under_of_a_single_card_is_refused() -> None:
    assert "a stack with one card" in refusal(knatsch_state(RED, BLUE, left=GREEN, hidden=False), "A under left")


def test_k11_an_empty_stack_stays_empty() -> None:
    state = knatsch_state(RED, BLUE, left="castle-green=1-1-1+1", hidden=False)
    state = one_throw(after(state, "A target left"), "A", "5 5 5 1 1 6")
    assert state.stacks[0] == ()
    assert "empty" in refusal(state, "B under left")
    assert "empty" in refusal(state, "B target left")
    assert "empty" in refusal(state, "B reveal left castle-blue")


def test_k12_a_tournament_won_in_anothers_turn_wins_at_once() -> None:
    state = knatsch_state(RED, f"{BLUE} {GREEN} tournament tournament", YELLOW, left="tournament")
    state = one_throw(one_throw(after(state, "A target left"), "A", "1 1 2 3 4 5"), "B", "5 5 5 5 1 1")
    assert state.winner is None  # C may still beat it
    won = one_throw(state, "C", "1 1 2 3 4 5")
    assert won.winner == "B"
    assert won.seat == "B"
    assert "game is over" in refusal(won, "B pass")


def test_k13_six_sixes_are_the_lowest_result_and_a_single_die_is_a_group() -> None:
    assert best((6,) * 6) == NOTHING
    assert best((6, 6, 6, 6, 6, 1)) == (1, 1, 0)
    assert best((6, 6, 6, 6, 6, 1)) > NOTHING
    state = after(knatsch_state(RED, BLUE, left=GREEN), "A target left", "A roll 6 6 6 6 6 6")
    assert state.turn == "B"  # nothing is left to throw: the attempt is over
    tournament = after(knatsch_state(RED, BLUE, left="tournament"), "A target left", "A roll 6 6 6 6 6 6", "B pass")
    assert tournament.tableau("A")[-1] == "tournament"


def test_k14_of_equal_groups_the_higher_value_leads() -> None:
    assert str(best((1, 1, 4, 4, 6, 6))) == "4-4+1"
    assert str(best((1, 2, 3, 4, 5, 6))) == "5+4"


def test_k15_dice_cards_count_in_attack_defence_tournament_and_against_the_king() -> None:
    attack = after(
        knatsch_state(f"{RED} dice-5", f"{BLUE} {GREEN} dice-5", YELLOW, hidden=False), "A target B castle-blue"
    )
    attack = one_throw(attack, "A", "5 5 6 6 6 6")  # with the dice card 5-5-5 beats 4-4-4+2
    assert attack.seat == "B"
    assert str(attack.attempt.leading if attack.attempt else "") == "5-5-5"
    assert one_throw(attack, "B", "5 5 1 6 6 6").tableau("B") == ("castle-blue", "castle-green", "dice-5")
    king = after(
        knatsch_state(f"{RED} {BLUE} {GREEN} dice-5", YELLOW, turn="turn=A king=4-4-4+1"),
        "A target king",
    )
    assert one_throw(king, "A", "5 5 6 6 6 6").winner == "A"
    tournament = one_throw(
        after(knatsch_state(RED, f"{BLUE} dice-2", left="tournament"), "A target left"), "A", "2 2 2 1 6 6"
    )
    assert one_throw(tournament, "B", "2 2 2 6 6 6").tableau("B")[-1] == "tournament"


def test_k16_a_special_guard_may_guard_the_castle_guard_but_not_itself() -> None:
    state = knatsch_state(f"{RED} castle-guard special-guard", BLUE)
    assert legal(state, "A guard castle-guard")
    assert "cannot guard itself" in refusal(state, "A guard special-guard")


def test_k17_a_guarded_card_cannot_be_chosen() -> None:
    hers = f"{BLUE}! {GREEN}! {YELLOW} castle-guard=1-1-1+1 dice-4=1-1-1+1! special-guard=1-1-1+1"
    state = knatsch_state(f"{RED} castle-black=1-1-1+1", hers, YELLOW)
    for card in ("castle-blue", "castle-green", "dice-4"):
        assert "is guarded" in refusal(state, f"A target B {card}")
    for card in ("castle-yellow", "castle-guard", "special-guard"):
        assert legal(state, f"A target B {card}")
    taken = one_throw(after(state, "A target B castle-guard"), "A", "5 5 5 1 1 6")
    assert taken.player("B").guarded_castles == ()
    assert taken.player("A").guarded_castles == ()
    taken = after(taken, "B target A castle-guard", "B roll 6 6 6 6 6 6")
    assert legal(taken, "C target B castle-blue")


def test_a_betrayal_makes_every_stack_castle_2224_for_its_owner_even_unknown_ones() -> None:
    state = knatsch_state(f"{RED} betrayal", f"{BLUE} {YELLOW}", left="castle-green=5-5-5+4", right="castle-black")
    assert state.to_beat(Top("left")) == BETRAYED
    assert state.to_beat(Held("B", "castle-blue")) == read("4-4-4+2")
    assert legal(state, "A target right")
    assert one_throw(after(state, "A target left"), "A", "2 2 2 5 6 6").tableau("A")[-1] == "castle-green"


def test_stack_and_betrayal_and_catapult_work_only_while_owned() -> None:
    state = knatsch_state(f"{RED} catapult=1-1-1+1", f"{BLUE} {GREEN}", left="castle-green")
    state = after(state, "A combination left 3-3-3+1", "A target left")
    assert state.attempt is not None
    assert state.attempt.throws == 3  # no Catapult against a castle on a stack


def test_k18_a_record_under_the_former_reading_of_the_rule_is_reported() -> None:
    position = "A castle-red / B castle-blue dice-4=1-1-1+1 / C castle-green / left 22*? / right 22*? / turn=A"
    header = f'[Game "knatsch"]\n[Players "Anna" "Bert" "Cleo"]\n[Position "{position}"]\n\n'
    with pytest.raises(Unreadable, match="follows an earlier version of the rules") as caught:
        read_game(header + "A target B dice-4\n")
    assert caught.value.line == 5
    with pytest.raises(Unreadable) as caught:
        read_game(header + "A target B castle-blue\n")  # was never allowed
    assert "earlier version" not in str(caught.value)


def test_k20_the_castle_lost_to_the_king_goes_under_a_stack_that_is_not_empty_and_its_guard_is_free() -> None:
    lost = knatsch_state(
        f"{RED}! {BLUE} {GREEN} castle-guard", YELLOW, right="tournament", turn="turn=A king=5-5-5+5", hidden=False
    )
    lost = one_throw(after(lost, "A target king"), "A", "6 6 6 6 1 1")
    assert "under the other stack" in refusal(lost, "A lose castle-red left")
    paid = after(lost, "A lose castle-red right")
    assert [card.id for card in paid.stack("right") if card] == ["tournament", "castle-red"]
    assert paid.player("A").guarded_castles == ()
    both = knatsch_state(f"{RED} {BLUE} {GREEN}", YELLOW, turn="turn=A king=5-5-5+5", hidden=False)
    both = one_throw(after(both, "A target king"), "A", "6 6 6 6 1 1")
    assert legal(both, "A lose castle-red left")
    assert legal(both, "A lose castle-red right")


def test_k21_a_guard_is_moved_any_time_in_ones_turn_but_between_the_throws() -> None:
    state = knatsch_state(
        f"{RED}! {BLUE} {GREEN} castle-guard", YELLOW, left="tournament", right=GREEN, turn="turn=A king=5-5-5+5"
    )
    assert legal(state, "A guard castle-blue")
    assert "already guarded" in refusal(state, "A guard castle-red")  # the guard is there already
    named = after(state, "A target king")
    assert legal(named, "A guard castle-blue")
    thrown = after(named, "A roll 6 6 6 6 1 1")
    assert "during your own turn" in refusal(thrown, "A guard castle-blue")
    assert "during your own turn" in refusal(after(thrown, "A keep none"), "A guard castle-blue")
    assert legal(after(thrown, "A stop"), "A guard castle-blue")  # before the King takes one
    others = after(state, "A target left", "A roll 5 5 1 1 2 2", "A stop")
    assert "B’s turn" in refusal(others, "A guard castle-blue")


def test_k22_later_players_in_a_tournament_may_decline_to_roll() -> None:
    state = after(knatsch_state(RED, BLUE, YELLOW, left="tournament"), "A target left", "A roll 6 6 6 6 6 6")
    assert legal(state, "B pass")
    assert after(state, "B pass", "C pass").tableau("A") == (
        "castle-red",
        "tournament",
    )  # the lowest twice: the earlier
    won = one_throw(after(state, "B pass"), "C", "6 6 6 6 6 1")
    assert won.tableau("C") == ("castle-yellow", "tournament")


def test_refusals_call_the_cards_by_their_names() -> None:
    state = knatsch_state(f"{RED} dice-1", BLUE, left="dice-1")
    assert "the Dice Card 1" in refusal(state, "A target left")
    assert refusal(state, "A target B castle-red") == "B does not have the Red Castle"
