"""What the filter asks and when: late evidence, purchases not entered, impossible answers."""

from __future__ import annotations

import json

import pytest

from companion.game.changes import Change
from companion.game.referee.effects import weighed
from companion.game.referee.questions import Explanation, questions
from companion.game.table import Table
from companion.games.krone import transitions as krone
from engine.krone.position import read_position
from tests.kit.laid_table import LaidTable
from tests.referee.filtered import Filter, filtered_table, moves
from tests.referee.refereed import answers, events, keep, play, preview, shown, table, throw


def test_two_explanations_of_one_part_are_one_question_ordered_by_probability() -> None:
    explained = moves("A roll 6 3 1", "A use maid 3 > 4", "A roll 5 2")
    other = moves("A roll 6 3 1", "A use magician 3 > 4", "A roll 5 2")
    never = moves("A roll 6 4 1", "A roll 5 2")
    (doubt,) = questions(explained, [Explanation(explained, 0.3), Explanation(other, 0.695), Explanation(never, 0.005)])
    assert doubt.lines == (1,)
    assert doubt.chance == pytest.approx(0.3 / 0.995)
    assert doubt.answers == (
        (explained[1],),
        (other[1],),
    )  # on record first; what is hardly likely not at all


def test_a_card_used_before_or_after_a_roll_is_one_question_about_both() -> None:
    """Bug: the first question offered "A roll 6 3 1" or nothing, and the next one the Maid, or a roll and the Maid."""
    explained = moves("A roll 6 3 1", "A use laborer", "A use maid 3 > 4")
    other = moves("A use laborer", "A roll 6 3 1 1", "A use maid 3 > 4")
    (doubt,) = questions(explained, [Explanation(explained, 0.7), Explanation(other, 0.3)])
    assert doubt.lines == (0, 1)
    assert doubt.answers == (explained[:2], other[:2])


def test_when_dice_were_set_aside_is_never_asked_about() -> None:
    explained = moves("A roll 6 3 1", "A keep 6", "A use maid 3 > 4", "A keep 4")
    other = moves("A roll 6 3 1", "A use maid 3 > 4", "A keep 6 4")
    assert questions(explained, [Explanation(explained, 0.5), Explanation(other, 0.5)]) == []


def test_a_recorded_line_that_becomes_doubtful_is_asked_about() -> None:
    """A roll is recorded with certainty; a moment later a die shows another face, with no hand near."""
    game_, laid = filtered_table(), LaidTable()
    throw(game_, laid, 6, 3, 1)
    assert answers(game_) == []
    die = laid.active(3)
    for seems in (5, None, 5, None, 5):
        die.seems = seems
        game_.see(laid.read(after=0.2))
    die.sure = 0.5
    game_.see(laid.read(after=0.8))
    assert answers(game_) == [["A roll 6 3 1", "A roll 6 5 1"]]
    keep(game_, laid, 6)
    throw(game_, laid, 4, 2)
    assert answers(game_) == [["A roll 6 3 1", "A roll 6 5 1"]]  # asked once, not twice


def test_an_added_die_is_never_read_as_a_face_that_its_card_does_not_give() -> None:
    """Bug: the Guard's 2, read again, became a 1, and so was as likely as the Labourer's die."""
    seen = Filter("farmer", "laborer", "guard")
    seen.laid.throw((6, 5, 3, 3))
    seen.look()
    seen.laid.put(1)
    for _ in range(3):
        seen.look()
        seen.belief.reread_dice()
    assert seen.explained["A roll 6 5 3 3", "A use laborer"] > 0.98


def test_two_cards_with_the_same_effect_are_alternatives_of_the_line_and_not_a_question() -> None:
    """The Fool and the Merchant leave the same dice. Bug: in turns with many cards, every third one asked which it
    was."""
    game_, laid = table("fool", "merchant"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.throw((5,), [laid.active(1)])
    game_.see(laid.read())
    assert answers(game_) == [["A use fool 1 > 5", "A use merchant 1 > 5"]]
    assert game_.questions_to_ask == ()
    game_.answer(game_.questions[0].number, 1)
    assert events(game_)[-1] == "A use merchant 1 > 5"
    read = [Change.read(json.loads(json.dumps(change.body()))) for change in game_.changes]
    assert [question.matters for change in read for question in change.questions] == [False]


def test_the_order_of_cards_with_the_same_effect_does_not_matter() -> None:
    """Each answer alone would leave other dice, but both together leave the same."""
    begun = read_position("amigo2006; A fool farmer merchant; B -")
    explained = moves("A roll 6 4 3 1", "A use fool 1 > 5", "A use merchant 3 > 2")
    other = moves("A roll 6 4 3 1", "A use merchant 1 > 5", "A use fool 3 > 2")
    more = moves("A roll 6 4 3 1", "A use fool 3 > 5", "A use merchant 1 > 5")
    for stories, matters in (((other,), False), ((other, more), True)):
        doubts = questions(explained, [Explanation(explained, 0.4), *(Explanation(story, 0.3) for story in stories)])
        assert doubts
        found = [weighed(krone, begun, explained, doubt) for doubt in doubts]
        assert {doubt.matters for doubt in found} == {matters}


def test_dice_held_in_one_hand_are_hidden_together() -> None:
    """Bug: a hand held four dice while everything else rested, and no explanation was likely."""
    seen = Filter("farmer", "laborer")
    seen.laid.throw((6, 5, 3, 3))
    seen.look()
    held = seen.laid.dice[:3]
    for die in held:
        die.hidden = True
    seen.look()
    all_at_once = seen.belief.ranked[0].hypothesis.step_log_chance
    assert -7.0 < all_at_once < -4.0


def test_a_purchase_not_entered_is_found_by_its_effect() -> None:
    game_, laid = filtered_table(), LaidTable()
    play("A roll 5 5 2\nA keep 5 5 2", game_, laid)
    laid.clear()
    game_.see(laid.read())
    play("B roll 6 4 1\nB keep 6 4 1\nB pass\nB roll 6 4 1\nB keep 6 4 1\nB pass", game_, laid)
    throw(game_, laid, 6, 5, 3, 1)
    keep(game_, laid, 6)
    throw(game_, laid, 5, 3, 1)
    keep(game_, laid, 5)
    throw(game_, laid, 3, 1)
    assert events(game_)[2] == "A buy farmer"
    assert events(game_)[-1] == "A roll 3 1"
    assert answers(game_) == [["A buy farmer"]]
    assert game_.broken is None


def _either(*more: str) -> tuple[Table, LaidTable]:
    """A table at which one of two dice in play was rerolled: by the Fool, or normally after the other was set aside in
    place."""
    game_, laid = table("fool", *more), LaidTable(rows=False)
    throw(game_, laid, 4, 4, 2)
    keep(game_, laid, 4)
    throw(game_, laid, 4, 2)
    laid.throw((6,), [laid.active(2)])
    game_.see(laid.read())
    assert preview(game_)[-1] == "A use fool 2 > 6"
    assert answers(game_) == []
    keep(game_, laid, 6)
    return game_, laid


def test_a_doubt_that_the_next_roll_settles_is_never_asked_about() -> None:
    """A die set aside in place would not have been rolled again."""
    game_, laid = _either()
    throw(game_, laid, 4)
    keep(game_, laid, 4)
    game_.enter("A buy farmer")
    game_.see(laid.read(after=1.0))
    assert answers(game_) == []


def test_a_doubt_that_nothing_settles_is_asked_about_when_the_turn_is_over() -> None:
    game_, laid = _either()
    game_.enter("A buy farmer")
    game_.see(laid.read(after=1.0))
    assert ["A use fool 2 > 6", "A keep 4, A roll 6"] in answers(game_)
    game_.answer(game_.questions[0].number, 1)
    assert events(game_)[2:] == ["A roll 4 2", "A keep 4", "A roll 6", "A keep 6", "A buy farmer"]


def test_a_doubt_between_two_cards_with_the_same_effect_is_not_urgent() -> None:
    """The Fool and the Merchant are about equally likely, but both leave the same game."""
    game_, laid = _either("merchant")
    game_.enter("A buy farmer")
    game_.see(laid.read(after=1.0))
    assert any("A keep 4, A roll 6" in its for its in answers(game_))


def test_rare_but_plainly_seen_moves_are_not_asked_about() -> None:
    """Bug: every card used before the first roll was asked about at once. This is rare, so the next roll must confirm
    it."""
    game_, laid = table("farmer", "laborer"), LaidTable()
    throw(game_, laid, 6, 5, 3, 3, 2)
    keep(game_, laid, 6)
    throw(game_, laid, 4, 4, 3, 1)
    keep(game_, laid, 4)
    throw(game_, laid, 4, 3, 1)
    assert shown(game_)[:4] == ["A use laborer", "A roll 6 5 3 3 2", "A keep 6", "A roll 4 4 3 1"]
    assert answers(game_) == []


def test_a_question_raised_late_is_nothing_to_undo() -> None:
    game_, laid = _either()
    game_.enter("A buy farmer")
    game_.see(laid.read(after=1.0))
    assert len(game_.questions) == 1
    game_.undo()
    assert "A buy farmer" not in events(game_)
