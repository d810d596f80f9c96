"""Late purchases: what the dice guarantee, unread dice, and cards named after the next turn has begun."""

from __future__ import annotations

from engine.krone.events import Buy, Pass
from engine.record import Entry
from engine.replay import Replay, read_game
from tests.engine.edits import edited
from tests.engine.krone_refusals import why_not_buy
from tests.engine.krone_table import after, at, refusal

HEADER = '[Game "krone"]\n[Players "Anna" "Bert"]\n\n'


def game(*lines: str) -> Replay:
    return read_game(HEADER + "\n".join(lines))


def test_kept_dice_guarantee_purchases_while_the_turn_is_running() -> None:
    state = after("A farmer; B -", "A roll 5 5 5 1", "A keep 5 5 5")
    assert set(state.purchases()) == {"fool", "laborer", "guard"}  # the last die may still spoil "all odd"
    state = after("A charlatan farmer; B -", "A roll 6 6 1 1 2", "A keep 6 6")
    assert set(state.purchases()) == {"fool", "laborer"}  # two 6s and three dice of at least 1 are 15


def test_a_preview_of_dice_being_set_aside_counts_as_kept() -> None:
    state = after("A farmer; B -", "A roll 5 5 5 1", "A keep 5")
    assert set(state.purchases()) == {"fool"}
    assert set(state.purchases((5, 5))) == {"fool", "laborer", "guard"}
    assert set(state.purchases((5, 5, 1))) == {"fool", "laborer", "guard", "maid"}


def test_the_reason_why_the_dice_set_aside_do_not_buy_a_card() -> None:
    state = after("A farmer guard; B hunter", "A roll 5 5 5 1", "A keep 5")
    assert str(why_not_buy(state, "hunter")) == "no Hunter is left for sale"
    assert str(why_not_buy(state, "guard")) == "A already has the Guard"
    assert str(why_not_buy(state, "laborer")) == "the Laborer costs a sum of 15 or more: 5 is not enough"
    assert str(why_not_buy(state, "laborer", (5,))) == "the Laborer costs a sum of 15 or more: 5 5 is not enough"
    assert why_not_buy(state, "laborer", (5, 5)) is None
    assert why_not_buy(state, "fool") is None
    assert str(why_not_buy(at("A -; B -"), "king")) == "the King costs seven alike"
    final = at("A king queen; B -; turn B; start B; threshold 7x2; final")
    assert "final round" in str(why_not_buy(final, "fool"))


def test_seven_dice_guarantee_a_pair_before_they_are_thrown() -> None:
    state = at("A general charlatan charlatan; B -")
    assert state.to_roll == 7
    assert "farmer" in state.purchases()


def test_an_unread_die_can_be_set_aside_and_never_counts_as_a_certain_face() -> None:
    state = after("A -; B -", "A roll 5 5 ?", "A keep 5 5")
    assert state.turn.active == (0,)
    assert refusal(state, "A buy farmer") == "set aside all dice first: ? still active"
    state = after(state, "A keep ?")
    assert set(state.purchases()) == {"fool", "farmer"}
    assert refusal(state, "A buy guard") == "the Guard costs three alike: 5 5 ? is not enough"
    assert refusal(state, "A buy maid") == "the Serving Maid costs only odd dice: 5 5 ? is not enough"
    assert after(state, "A buy farmer").tableau("A") == ("farmer",)


def test_an_unread_die_shows_at_least_one() -> None:
    assert "laborer" in after("A farmer; B -", "A roll 6 6 2 ?", "A keep 6 6 2 ?").purchases()
    assert "laborer" not in after("A farmer; B -", "A roll 6 6 1 ?", "A keep 6 6 1 ?").purchases()


def test_an_unread_die_is_thrown_again_but_not_turned() -> None:
    state = after("A fool merchant magician astronomer; B -", "A roll 5 4 ?", "A use fool ? > 5", "A keep 5 5")
    assert state.turn.kept == (5, 5)
    state = after("A merchant magician astronomer; B -", "A roll 5 4 ?", "A use merchant 4 > ?", "A keep 5")
    assert refusal(state, "A use magician ? > 6") == "a die must be read before the Magician can change it"
    assert "must be read" in refusal(state, "A use astronomer ? > 5")
    state = after("A astronomer; B -", "A roll 5 4 ?", "A keep ?")
    assert "set aside this turn" in refusal(state, "A use astronomer 5 > 4")


def test_unread_dice_do_not_win_the_final_round() -> None:
    final = "A king queen; B farmer general laborer; turn B; start B; threshold 7x1; final; used laborer"
    state = after(final + "; active 1 ?; kept 1 1 1 1 1", "B keep 1 ?", "B pass")
    assert state.winner == "A"


LATE = ("A roll 5 5 2", "A keep 5 5 2", "B roll 5 5 4", "B keep 5 5 4")


def test_the_next_player_may_roll_while_a_purchase_is_open() -> None:
    replay = game(*LATE[:2])
    assert (replay.state.open, replay.state.seat) == (("A",), "A")
    replay = game(*LATE[:3])
    assert (replay.state.open, replay.state.seat) == (("A",), "B")
    replay = game(*LATE)
    assert replay.state.open == ("A", "B")


def test_the_next_player_does_not_roll_while_a_die_is_active() -> None:
    assert refusal(after("A -; B -", "A roll 5 5 2", "A keep 5 5"), "B roll 1 2 3") == "it is A’s turn, not B’s"


def test_the_next_player_may_also_begin_with_a_card() -> None:
    state = after("A -; B guard", "A roll 5 5 2", "A keep 5 5 2", "B use guard", "B roll 1 2 3 4")
    assert state.open == ("A",)


def test_a_late_purchase_is_inserted_in_its_place() -> None:
    replay = edited(game(*LATE), 2, 0, Entry("A", Buy("farmer"), by="person"))
    assert replay.broken is None
    assert replay.state.open == ("B",)
    assert replay.state.tableau("A") == ("farmer",)
    assert "A keep 5 5 2\nA buy farmer {person}\nB roll 5 5 4\n" in replay.text()
    assert edited(game(*LATE), 2, 0, Entry("A", Pass())).state.open == ("B",)


def test_a_late_purchase_must_be_paid_by_that_turns_result() -> None:
    assert refusal(game(*LATE[:2]).state, "A buy guard") == "the Guard costs three alike: 5 5 2 is not enough"


def test_out_of_place_a_purchase_is_refused() -> None:
    state = game(*LATE[:3]).state
    assert refusal(state, "A buy farmer") == "enter A’s missing purchase before the start of the next turn"


def test_a_late_purchase_that_breaks_a_later_one_names_it() -> None:
    position = '[Position "amigo2006; A -; B -; display farmer 1"]\n'
    replay = read_game(position + HEADER + "\n".join([*LATE, "B buy farmer"]))
    broken = edited(replay, 2, 0, Entry("A", Buy("farmer")))
    assert broken.broken is not None
    assert broken.broken.index == 5
    assert str(broken.broken.reason) == "no Farmer is left for sale"
    assert broken.broken.entry.event == Buy("farmer")
    assert len(broken.record.entries) == 6
    assert edited(broken, 5, 1, Entry("B", Pass())).broken is None


def test_a_late_start_die_breaks_the_throw_it_should_have_been_in() -> None:
    replay = game(*LATE, "B pass", "B roll 1 2 3", "B keep 1 2 3", "B pass", "A roll 1 2 3")
    broken = edited(replay, 2, 0, Entry("A", Buy("farmer"))).broken
    assert broken is not None
    assert broken.entry.line == 12
    assert str(broken.reason) == "roll 4 dice, not 3"


def test_two_open_turns_of_one_player() -> None:
    two = game(
        *LATE, "B pass", "B roll 1 2 3", "B keep 1 2 3", "B pass", "A roll 6 6 3", "A keep 6 6 3", "A roll 1 2 3"
    )
    assert two.state.open == ("A",)
    assert len(two.state.waiting) == 2
    only = edited(two, 10, 0, Entry("A", Buy("laborer")))  # 6 6 3 pays for it, 5 5 2 does not
    assert only.broken is None
    assert only.state.tableau("A") == ("laborer",)


def test_the_last_purchase_of_the_round_before_the_final_round_may_stay_open() -> None:
    state = after("A king queen; B -; turn B; start A; threshold 7x2", "B roll 5 5 5", "B keep 5 5 5", "B roll 1 1 1")
    assert state.final
    assert state.open == ("B",)
    assert after(state, "B keep 1 1 1", "B pass").winner == "A"


def test_open_purchases_are_remembered_with_what_they_pay() -> None:
    (waiting,) = game(*LATE[:3]).state.waiting
    assert (waiting.seat, waiting.result) == ("A", (2, 5, 5))
    state = game(*LATE).state
    assert state.open == ("A", "B")
