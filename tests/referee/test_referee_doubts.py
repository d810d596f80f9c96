"""Dice that can be explained in several ways: what the referee asks, and what answers it."""

from __future__ import annotations

import pytest

from companion.game.referee.referee import Referee
from companion.game.referee.sentences import NO_FIT, TOO_FEW, message
from companion.game.referee.verdict import Finding, Verdict
from engine.errors import Illegal
from tests.kit.laid_table import WIDTH, LaidTable
from tests.referee.refereed import answers, events, keep, play, preview, shown, table, throw


@pytest.mark.parametrize(
    ("cards", "turned", "cheapest", "other"),
    [
        (("maid", "magician"), ((3,), (5,)), "maid", "magician"),
        (("noblewoman", "magician"), ((3,), (4,)), "noblewoman", "magician"),
    ],
)
def test_where_two_cards_explain_a_turned_die_the_cheapest_is_recorded_as_a_doubt(
    cards: tuple[str, ...], turned: tuple[tuple[int, ...], tuple[int, ...]], cheapest: str, other: str
) -> None:
    game_, laid = table(*cards), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn(*turned)
    game_.see(laid.read())
    keep(game_, laid, *turned[1])
    throw(game_, laid, 2, 2)
    change = f"{turned[0][0]} > {turned[1][0]}"
    assert events(game_)[1] == f"A use {cheapest} {change}"
    assert answers(game_) == [[f"A use {cheapest} {change}", f"A use {other} {change}"]]
    game_.answer(game_.questions[0].number, 1)
    assert events(game_)[1] == f"A use {other} {change}"
    assert game_.questions == ()


def test_bishop_or_queen() -> None:
    final = {"claimant": "A", "king": "B", "threshold": (7, 2), "final": True, "start": "B"}
    game_, laid = table("bishop", "queen", others=("king",), **final), LaidTable()
    throw(game_, laid, 4, 3, 1)
    laid.put(6)
    game_.see(laid.read())
    keep(game_, laid, 6)
    throw(game_, laid, 2, 2, 2)
    assert answers(game_) == [["A use bishop", "A use queen 6"]]


def test_one_rerolled_die_is_the_fool_or_the_merchant_and_two_are_the_merchant() -> None:
    game_, laid = table("fool", "merchant"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.throw((5,), [laid.active(1)])
    game_.see(laid.read())
    assert answers(game_) == [["A use fool 1 > 5", "A use merchant 1 > 5"]]
    game_, laid = table("fool", "merchant"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.throw((5, 5), [laid.active(1), laid.active(3)])
    game_.see(laid.read())
    assert events(game_) == ["A roll 6 3 1", "A use merchant 3 1 > 5 5"]
    assert game_.questions == ()


def test_an_answer_carries_its_consequence_along() -> None:
    game_, laid = table("fool", "merchant"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.throw((5,), [laid.active(1)])
    game_.see(laid.read())
    laid.throw((4,), [laid.active(3)])
    game_.see(laid.read())
    assert events(game_)[1:] == ["A use fool 1 > 5", "A use merchant 3 > 4"]
    game_.answer(game_.questions[0].number, 1)
    assert events(game_)[1:] == ["A use merchant 1 > 5", "A use fool 3 > 4"]
    assert game_.broken is None


def test_later_observations_answer_a_question() -> None:
    game_, laid = table("maid", "magician"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn((3,), (5,))  # Maid or Magician?
    game_.see(laid.read())
    keep(game_, laid, 5)
    throw(game_, laid, 2, 2)
    assert len(game_.questions) == 1
    laid.turn((2,), (4,))  # a Magician could do that as well …
    game_.see(laid.read())
    keep(game_, laid, 4)
    throw(game_, laid, 2)
    assert game_.broken is None
    game_, laid = table("maid", "magician"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn((3,), (5,))
    game_.see(laid.read())
    keep(game_, laid, 5)
    throw(game_, laid, 6, 2)
    laid.turn((6,), (1,))  # … but a 6 becomes a 1 by the Magician alone, so it was the Maid before
    game_.see(laid.read())
    keep(game_, laid, 1)
    throw(game_, laid, 3)
    assert events(game_)[1] == "A use maid 3 > 5"
    assert "A use magician 6 > 1" in events(game_)


def test_a_card_not_entered_narrows_an_open_purchase_down_when_it_is_used() -> None:
    game_, laid = table(), LaidTable()
    play("A roll 6 5 5\nA keep 6 5 5", game_, laid)
    laid.clear()
    game_.see(laid.read())
    play("B roll 6 4 1\nB keep 6 4 1\nB pass\nB roll 6 4 1\nB keep 6 4 1\nB pass", game_, laid)
    throw(game_, laid, 6, 5, 3)
    laid.put(1)
    game_.see(laid.read())
    game_.see(laid.read())
    assert "A buy laborer" in events(game_)
    assert answers(game_)[0][0] == "A buy laborer"


def test_a_die_too_few_has_its_sentence_and_is_recorded_when_it_appears() -> None:
    game_, laid = table("farmer"), LaidTable()
    laid.throw((5, 5, 2, 1))
    laid.active(1).hidden = True
    game_.see(laid.read())
    assert [str(notice) for notice in game_.notices] == [
        "I see 3 dice but expected 4. Is one hidden or touching another?"
    ]
    assert events(game_) == []
    laid.active(1).hidden = False
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2 1"]
    assert game_.notices == ()


def test_a_die_never_seen_is_recorded_as_unread_with_a_doubt() -> None:
    game_, laid = table("farmer"), LaidTable()
    laid.throw((5, 5, 2, 1))
    laid.active(1).hidden = True
    game_.see(laid.read())
    keep(game_, laid, 5, 5)
    laid.throw((6, 4))
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2 ?", "A keep 5 5", "A roll 6 4"]
    assert game_.questions


@pytest.mark.parametrize("aside", [(), (6,)])
def test_a_die_first_seen_when_a_hand_leaves_is_not_a_reroll(aside: tuple[int, ...]) -> None:
    """Bug: the die was behind another until a hand took that one. The camera counted a roll, and a card's reroll of the
    unseen die was recorded."""
    game_, laid = table("fool"), LaidTable()
    laid.throw((6, 2, 1))
    behind = laid.active(2)
    behind.hidden = True
    game_.see(laid.read())
    laid.throw_count += 1
    laid.keep(*aside)
    behind.hidden, behind.track, behind.rested_since, behind.rolled = False, 99, laid.throw_count, 0.84
    game_.see(laid.read())
    assert shown(game_)[:1] == ["A roll 6 2 1"]


def test_the_last_die_in_play_that_no_card_can_have_turned_was_rerolled_beside_its_old_place() -> None:
    """Bug: the die was not seen rolling and stopped half a die from its old place, so no roll was counted. A moment
    later that place was forgotten, and the first roll counted as misread."""
    game_, laid = table(), LaidTable()
    throw(game_, laid, 4, 3, 3)
    keep(game_, laid, 3, 3)
    last = laid.active(4)
    last.value, last.x, last.rolled = 2, last.x + 0.46 * WIDTH, 0.05
    for _ in range(10):
        game_.see(laid.read(after=0.1))
    assert shown(game_) == ["A roll 4 3 3", "A keep 3 3", "A roll 2"]


def test_somebody_elses_die_has_its_sentence() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2, 1)
    assert [str(n) for n in game_.notices] == ["I see 4 dice but expected 3. Is one of them not part of the game?"]
    assert events(game_) == []


def test_a_doubt_of_vision_is_passed_on() -> None:
    game_, laid = table(), LaidTable()
    game_.see(laid.read(settled=False, doubt="A hand is in the picture. The dice under it cannot be seen."))
    assert [str(notice) for notice in game_.notices] == ["A hand is in the picture. The dice under it cannot be seen."]


def test_an_unsure_die_is_recorded_with_its_likely_values_as_answers() -> None:
    game_, laid = table(), LaidTable()
    laid.throw((5, 5, 2))
    die = laid.active(2)
    die.seems, die.sure = 3, 0.6
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 3"]
    assert answers(game_)[0][:2] == ["A roll 5 5 3", "A roll 5 5 2"]


def test_dice_already_set_aside_when_the_first_roll_is_seen_belong_to_it() -> None:
    game_, laid = table(), LaidTable()
    laid.throw((5, 5, 2))
    laid.keep(5)
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2"]
    assert preview(game_) == ["A keep 5"]


def test_an_unseen_roll_is_a_doubt() -> None:
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 5, 5, 2, 1)
    laid.keep(5)
    laid.throw((6, 6, 3))  # not seen
    laid.keep(6)
    laid.throw((4, 4))
    laid.throw_count -= 1
    game_.see(laid.read())
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2 1"]
    game_.enter("A pass")
    game_.see(laid.read())
    assert events(game_)[2].startswith("A roll")
    assert game_.questions


def test_a_roll_without_setting_aside_replaces_the_one_before_with_a_doubt() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    throw(game_, laid, 6, 4, 1)
    game_.see(laid.read())
    assert events(game_) == ["A roll 6 4 1"] or events(game_)[-1] == "B roll 6 4 1"
    game_.finish()
    assert game_.questions


def test_a_die_rolled_and_set_aside_under_one_hand_belongs_to_the_turn_that_a_purchase_ends() -> None:
    """Bug: the last die was rolled and set aside under one hand. The purchase came half a second later, and the die was
    set aside with its old face."""
    game_, laid = table(), LaidTable(rows=False)
    throw(game_, laid, 5, 5, 3)
    keep(game_, laid, 5, 5)
    laid.throw_count += 1
    last = laid.active(3)
    last.value, last.track, last.rested_since, last.rolled = 1, 99, laid.throw_count, 0.01
    last.aside, last.x, last.y = True, 180.0, 600.0
    game_.see(laid.read(after=0.1))
    game_.enter("A buy farmer")
    assert events(game_) == ["A roll 5 5 3", "A keep 5 5", "A roll 1", "A keep 1", "A buy farmer"]


def test_an_unconfirmed_roll_of_the_next_player_does_not_block_a_late_purchase() -> None:
    game_, laid = table(others=("farmer",)), LaidTable()
    throw(game_, laid, 5, 5, 3)
    keep(game_, laid, 5, 5)
    laid.clear()
    game_.see(laid.read())
    laid.throw((6, 4, 2, 1))
    laid.active(1).hidden = True
    game_.see(laid.read(after=0.1))
    game_.enter("A buy farmer")
    assert events(game_)[:3] == ["A roll 5 5 3", "A keep 5 5 3", "A buy farmer"]


def test_one_die_in_sight_is_a_die_and_not_dice() -> None:
    assert str(message(TOO_FEW, seen=1, expected=3)).startswith("I see one die but expected 3")
    assert str(message(TOO_FEW, seen=2, expected=3)).startswith("I see 2 dice but expected 3")


def test_illegal_events_are_not_recorded_and_never_stop_the_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    game_, laid = table(), LaidTable()
    with monkeypatch.context() as wrongly:
        wrong = Verdict((Finding("A buy king", 1.0),))
        wrongly.setattr(Referee, "judge", lambda *_: wrong)
        wrongly.setattr(Referee, "ending", lambda *_: wrong)
        throw(game_, laid, 5, 5, 2)
        assert events(game_) == []
        assert [notice.template for notice in game_.notices] == [NO_FIT]
        game_.enter("A roll 6 6 1")  # a purchase that would follow from it is refused in the players' words
        with pytest.raises(Illegal):
            game_.enter("A buy queen")
    laid.throw((5, 5, 2))
    laid.throw_count += 1
    game_.see(laid.read())
    game_.see(laid.read(after=1.0))
    assert len(game_.lines) > 1
