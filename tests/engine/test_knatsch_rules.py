"""Rules of Knatsch without a ruling: setup, targets, defence, tournaments, guards, the King, winning."""

from __future__ import annotations

import pytest

from engine.knatsch.deck import BOX, read_deck
from engine.knatsch.game import display
from engine.knatsch.state import State, new_game
from engine.registry import SEATS
from tests.engine.knatsch_table import BLUE, RED, after, knatsch_state, legal, refusal

GREEN, YELLOW = "castle-green=3-3-3+4", "castle-yellow=2-2-2+1"
WINS, FAILS = "5 5 5 5 1 6", "1 1 2 3 4 6"


def one_throw(state: State, seat: str, dice: str) -> State:
    return after(state, f"{seat} roll {dice}", f"{seat} stop")


@pytest.mark.parametrize("players", range(2, 7))
def test_setup_a_castle_each_and_the_rest_in_two_stacks_as_even_as_can_be(players: int) -> None:
    state = new_game(players, BOX)
    for seat, castle in zip(SEATS[:players], BOX.crests, strict=False):
        assert "deal the castles first" in refusal(state, f"{seat} reveal left tournament")
        state = after(state, f"{seat} deal {castle}")
    left, right = map(len, state.stacks)
    assert left + right == 48 - players
    assert left - right in (0, 1)
    assert (state.turn, state.round) == ("A", 1)


def test_setup_deals_different_crests_and_only_castles() -> None:
    state = after(new_game(3, BOX), "A deal castle-red 3-3-3+2")
    assert "already been dealt" in refusal(state, "B deal castle-red")
    assert "starts with a castle" in refusal(state, "B deal stack")
    assert "no castle lion left" in refusal(state, "B deal castle-lion").lower()


def test_the_deck_has_the_cards_listed_in_the_rules() -> None:
    kinds = [card.id.partition("-")[0] for card in BOX.cards if "guard" not in card.id]
    assert len(BOX.cards) == 48
    assert [kinds.count(kind) for kind in ("castle", "tournament", "dice", "catapult", "stack")] == [16, 9, 8, 3, 3]
    assert sum(card.id == "castle-guard" for card in BOX.cards) == 3


def test_a_reveal_offers_the_cards_left_in_the_deck() -> None:
    state = knatsch_state(RED, f"{BLUE} betrayal")
    assert "no betrayal left" in refusal(state, "A reveal left betrayal").lower()
    assert legal(state, "A reveal left protection 4-4-4+1")
    assert legal(state, "A reveal left protection")
    assert "shows no combination" in refusal(state, "A reveal left tournament 4-4-4+1")
    state = after(state, "A reveal left protection")
    assert "no protection left" in refusal(state, "A reveal right protection").lower()
    assert "is already known" in refusal(state, "A reveal left stack")


def test_a_deck_that_knows_its_combinations_is_asked_only_where_it_matters() -> None:
    deck = read_deck(
        "castle-red=3-3-3+1 castle-red=4-4-4+1 castle-blue=2-2-2+2 castle-green stack=5-5-5+1 stack=5-5-5+1"
    )
    state = knatsch_state("castle-blue", "castle-green", deck=deck)
    assert "3-3-3+1 or 4-4-4+1. Choose one" in refusal(state, "A reveal left castle-red")
    assert "not 5-5-5+5" in refusal(state, "A reveal left castle-red 5-5-5+5")
    assert str(after(state, "A reveal left stack").top("left")) == "stack=5-5-5+1"
    assert str(state.player("A").cards[0]) == "castle-blue=2-2-2+2"


def test_an_unknown_combination_is_asked_for_before_the_attempt() -> None:
    state = knatsch_state(RED, f"{BLUE} castle-green", YELLOW, left="stack")
    assert "enter the combination" in refusal(state, "A target left")
    assert "enter the combination" in refusal(state, "A target B castle-green")
    state = after(state, "A combination left 4-4-4+1", "A combination B castle-green 3-3-3+1")
    assert legal(state, "A target left")
    assert legal(state, "A target B castle-green")
    assert str(state.learned()).count("castle-green=3-3-3+1") == 1


def test_a_failed_attempt_puts_the_card_under_its_stack() -> None:
    state = one_throw(after(knatsch_state(RED, BLUE, left=f"{GREEN} tournament"), "A target left"), "A", FAILS)
    assert [str(card) for card in state.stack("left") if card] == ["tournament", GREEN]
    assert str(state.stack("left")[-1]) == GREEN
    assert state.turn == "B"


def test_a_castle_from_a_stack_ends_the_turn_a_special_does_not() -> None:
    castle = one_throw(after(knatsch_state(RED, BLUE, left=GREEN), "A target left"), "A", WINS)
    special = one_throw(after(knatsch_state(RED, BLUE, left="dice-1=1-1-1+1"), "A target left"), "A", WINS)
    assert (castle.turn, special.turn) == ("B", "A")
    assert special.attempted


def test_a_special_taken_from_a_player_ends_the_turn_and_cannot_be_defended() -> None:
    state = one_throw(
        after(knatsch_state(RED, f"{BLUE} {GREEN} dice-1=1-1-1+1", YELLOW), "A target B dice-1"), "A", WINS
    )
    assert state.turn == "B"
    assert state.tableau("A") == ("castle-red", "dice-1")
    assert state.tableau("B") == ("castle-blue", "castle-green")


def test_dice_kept_earlier_may_be_thrown_again_sixes_not() -> None:
    state = after(
        knatsch_state(RED, BLUE, left=GREEN), "A target left", "A roll 6 6 5 5 3 2", "A keep 5 5", "A roll 4 6"
    )
    assert "3 dice" not in refusal(state, "A keep 6")
    assert "sixes always stay" in refusal(state, "A keep 6")
    assert legal(state, "A keep 4")
    assert after(state, "A keep 4").to_roll == 2
    assert "roll 2 dice, not 3" in refusal(after(state, "A keep 4"), "A roll 1 1 1")
    assert "is not among" in refusal(state, "A keep 3")
    assert "Stop instead" in refusal(state, "A keep 4 5 5")
    assert legal(after(state, "A keep none"), "A roll 1 2 3")


def test_events_out_of_order_are_refused_with_the_event_that_is_due() -> None:
    state = knatsch_state(RED, BLUE, left=GREEN)
    assert "choose a target first" in refusal(state, "A roll 1 2 3 4 5 6")
    assert "A’s turn" in refusal(state, "B target left")
    state = after(state, "A target left")
    assert "you have not rolled yet" in refusal(state, "A stop")
    assert "finish the current attempt" in refusal(state, "A under left")
    assert "Roll or stop" in refusal(state, "A pass")
    state = after(state, "A roll 1 2 3 4 5 6")
    assert "dice to keep" in refusal(state, "A roll 1 2 3 4 5")
    assert "Roll the other 3" in refusal(after(state, "A keep 1 2"), "A stop")
    assert "every die must be read" in refusal(after(state, "A keep 1 2"), "A roll 1 2 ?")


def test_no_card_is_captured_twice_tournaments_excepted() -> None:
    state = knatsch_state(
        f"{RED} dice-1 tournament",
        f"{BLUE} {YELLOW}",
        f"{RED} {GREEN} dice-1 dice-2",
        left="castle-red",
        right="tournament",
    )
    for line in ("A target left", "A target C castle-red", "A target C dice-1"):
        assert "more than once" in refusal(state, line)
    assert legal(state, "A combination C dice-2 1-1-1+1")
    assert legal(state, "A target right")


def test_castles_that_cannot_be_attacked() -> None:
    state = knatsch_state(RED, f"{BLUE} tournament", f"{GREEN} {YELLOW}")
    assert "a player with only one castle" in refusal(state, "A target B castle-blue")
    assert legal(state, "A target C castle-green")
    assert "already belongs to A" in refusal(state, "A target A castle-red")
    assert "another player’s tournament card" in refusal(state, "A target B tournament")
    two = knatsch_state(RED, f"{GREEN} {YELLOW}")
    assert "at least three castles" in refusal(two, "A target B castle-green")
    three = knatsch_state(RED, f"{GREEN} {YELLOW} {BLUE}")
    assert legal(three, "A target B castle-green")


def test_the_owner_defends_with_three_throws_and_must_beat_the_attack() -> None:
    state = knatsch_state(RED, f"{BLUE} {GREEN}", YELLOW)
    attack = one_throw(after(state, "A target B castle-blue"), "A", "4 4 4 3 6 6")
    assert attack.seat == "B"
    assert attack.attempt is not None
    assert attack.attempt.throws == 3
    assert one_throw(attack, "B", "4 4 4 3 6 6").tableau("A") == ("castle-red", "castle-blue")
    assert one_throw(attack, "B", "4 4 4 5 1 6").tableau("A") == ("castle-red",)
    assert after(attack, "B pass").tableau("A") == ("castle-red", "castle-blue")
    failed = one_throw(after(state, "A target B castle-blue"), "A", "4 4 4 2 6 6")
    assert failed.turn == failed.seat == "B"  # nothing to defend against


def test_in_a_tournament_each_other_player_throws_in_turn_and_the_best_takes_it() -> None:
    state = knatsch_state(RED, BLUE, f"{GREEN} champion", YELLOW, left="tournament", turn="turn=B")
    state = after(state, "B target left")
    assert state.attempt is not None
    assert state.attempt.throws == 4
    state = one_throw(state, "B", "2 2 2 1 6 6")
    assert (state.seat, state.attempt.throws if state.attempt else 0) == ("C", 4)
    state = one_throw(state, "C", "3 3 3 1 6 6")
    state = after(state, "D pass")
    assert (state.seat, state.attempt.throws if state.attempt else 0) == ("A", 3)
    state = one_throw(state, "A", "3 3 1 2 6 6")
    assert state.tableau("C")[-1] == "tournament"
    assert state.turn == "C"


def test_the_kings_revenge_takes_a_castle_of_choice_under_either_stack() -> None:
    state = knatsch_state(f"{RED} {BLUE} {GREEN}", YELLOW, turn="turn=A king=5-5-5+5")
    state = one_throw(after(state, "A target king"), "A", FAILS)
    assert state.revenge
    assert "King takes a castle" in refusal(state, "A pass")
    assert "not have the yellow castle" in refusal(state, "A lose castle-yellow left").lower()
    assert legal(state, "A lose castle-red left")
    state = after(state, "A lose castle-blue right")
    assert str(state.stack("right")[-1]) == BLUE
    assert (state.turn, state.tableau("A")) == ("B", ("castle-red", "castle-green"))


def test_protection_keeps_every_castle_from_the_kings_revenge() -> None:
    state = knatsch_state(f"{RED} {BLUE} {GREEN} protection", YELLOW, turn="turn=A king=5-5-5+5")
    state = one_throw(after(state, "A target king"), "A", FAILS)
    assert (state.turn, len(state.player("A").castles)) == ("B", 3)


def test_three_ways_to_win() -> None:
    four = one_throw(
        after(knatsch_state(f"{RED} {BLUE} {GREEN}", "castle-black", left=YELLOW), "A target left"), "A", WINS
    )
    assert four.winner == "A"
    king = knatsch_state(f"{RED} {BLUE} {GREEN}", YELLOW, turn="turn=A king=3-3-3+2")
    assert one_throw(after(king, "A target king"), "A", WINS).winner == "A"
    two = knatsch_state(f"{RED} tournament tournament tournament", BLUE, left=GREEN)
    assert one_throw(after(two, "A target left"), "A", WINS).winner == "A"
    defended = knatsch_state(f"{RED} {BLUE} {GREEN}", f"castle-black {YELLOW}", "castle-white")
    lost = one_throw(one_throw(after(defended, "A target B castle-yellow"), "A", "2 2 2 3 6 6"), "B", WINS)
    assert lost.winner is None


def test_guards_are_placed_in_ones_turn_and_just_after_it() -> None:
    state = knatsch_state(
        f"{RED} {BLUE} castle-guard",
        f"{GREEN} castle-black",
        YELLOW,
        left="castle-white=1-1-1+1",
        right="castle-white=2-2-2+2",
    )
    assert "not have the special guard" in refusal(after(state), "A guard castle-guard").lower()
    state = one_throw(after(state, "A target left"), "A", WINS)
    assert legal(state, "A guard castle-red castle-white")
    assert "not have the castle guard" in refusal(state, "B guard castle-green").lower()
    guarded = after(state, "A guard castle-red castle-white")
    assert "is guarded" in refusal(guarded, "B target A castle-white")
    assert "already guarded" in refusal(guarded, "A guard castle-white castle-red")
    assert "B’s turn" in refusal(after(guarded, "B target right"), "A guard castle-blue")
    assert "one or two castles" in refusal(guarded, "A guard castle-red castle-red")


def test_a_castle_lost_or_taken_is_no_longer_guarded() -> None:
    state = knatsch_state(f"{RED}! {BLUE}! {GREEN} castle-guard", YELLOW, turn="turn=A king=5-5-5+5")
    state = after(one_throw(after(state, "A target king"), "A", FAILS), "A lose castle-red left")
    assert state.player("A").guarded_castles == ("castle-blue",)


def test_display_counts_the_cards_still_in_the_stacks() -> None:
    shown = display(knatsch_state(f"{RED} dice-4", BLUE))
    assert (shown["castle-red"], shown["dice-4"], shown["tournament"], sum(n or 0 for n in shown.values())) == (
        2,
        0,
        9,
        45,
    )
