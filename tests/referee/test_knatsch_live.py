"""The referee of Knatsch: what it records and asks."""

from __future__ import annotations

from dataclasses import replace

from companion.game.table import Table
from engine.knatsch.events import Keep, Stop
from tests.referee.knatsch_live import BEGUN, last, reading, sitting
from vision.types import Motion


def shown(table: Table, count: int) -> list[str]:
    """The last recorded events, and the preview that the turn has not confirmed yet."""
    return [*(line.event for line in table.lines), *(finding.event for finding in table.preview)][-count:]


def test_dice_set_aside_come_back_and_sixes_stay() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "665532"))
    table.see(reading(1, "32", "6655"))
    assert [finding.event for finding in table.preview] == ["A keep 5 5"]
    table.see(reading(2, "43", "6655"))
    table.see(reading(3, "531", "665"))  # one of the two fives was rerolled
    assert last(table, 5) == ["A roll 6 6 5 5 3 2", "A keep 5 5", "A roll 4 3", "A keep 5", "A roll 5 3 1"]
    assert not table.questions


def test_a_throw_waits_until_the_card_is_named() -> None:
    table = sitting(*BEGUN[:2])
    table.see(reading(1, "665532"))
    assert "Choose the card" in str(table.notices[0])
    table.enter("A target left")
    table.see(reading(1, "665532", seconds=1.1))
    assert last(table, 1) == ["A roll 6 6 5 5 3 2"]
    assert not table.notices


def test_a_throw_read_unsurely_may_have_been_all_sixes_and_another_follows() -> None:
    """Bug: if the uncertain die were a six, the attempt would be over, and the referee failed."""
    table = sitting(*BEGUN)
    table.see(reading(1, "666643", sure=0.6))
    table.see(reading(2, "52", "6666"))
    assert last(table, 3) == ["A roll 6 6 6 6 4 3", "A keep none", "A roll 5 2"]


def test_a_die_seen_rolling_was_rolled_although_it_stopped_in_its_old_place() -> None:
    """Otherwise it would count as kept beside those set aside."""
    for rolled, kept in ((0.99, "A keep 5 5"), (0.5, "A keep 5 5 3")):
        table = sitting(*BEGUN)
        first = reading(1, "553321")
        table.see(first)
        table.see(reading(1, "3321", "55"))
        there = replace(next(die for die in first.dice if die.value == 3), rested_since=2, rolled=rolled)
        second = reading(2, "321", "55")
        table.see(replace(second, dice=(there, *second.dice)))
        assert [line.event for line in table.lines][-2] == kept


def test_the_last_die_rolled_to_where_one_like_it_rested_is_a_roll() -> None:
    """Otherwise the referee would take it for the other die, uncovered by a hand."""
    table = sitting(*BEGUN)
    first = reading(1, "666641")
    table.see(first)
    four, one = (next(die for die in first.dice if die.value == value) for value in (4, 1))
    aside = replace(four, kept=True, xyxy=(900.0, 0.0, 950.0, 50.0))
    others = tuple(die for die in first.dice if die not in (four, one))
    table.see(replace(first, dice=(*others, aside, one)))
    thrown = replace(four, track=7, rested_since=2, rolled=0.99)
    table.see(replace(first, rolls=2, seconds=9.0, dice=(*others, aside, thrown)))
    assert last(table, 2) == ["A keep 4", "A roll 4"]


def test_a_beaten_card_and_a_cleared_table_are_a_stop() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "444511"))
    table.see(reading(1, ""))
    assert last(table, 1) == ["A stop"]
    assert table.state.turn == "B"


def test_six_new_dice_without_a_six_before_may_be_the_same_players() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "543211"))
    table.see(reading(1, ""))
    assert last(table, 1) == ["A roll 5 4 3 2 1 1"]
    table.see(reading(2, "444211"))
    assert last(table, 2) == ["A keep none", "A roll 4 4 4 2 1 1"]


def test_in_a_tournament_the_next_thrower_is_known_by_six_new_dice() -> None:
    table = sitting(*BEGUN[:2], "A target right")
    table.see(reading(1, "644451"))
    table.see(reading(1, ""))
    table.see(reading(2, "333321"))
    assert last(table, 2) == ["A stop", "B roll 3 3 3 3 2 1"]
    table.see(reading(3, "21", "3333"))
    assert last(table, 2) == ["B keep 3 3 3 3", "B roll 2 1"]


def test_the_player_is_asked_for_if_the_dice_do_not_show_who_rolled() -> None:
    table = sitting(*BEGUN[:2], "A target right")
    table.see(reading(1, "544451"))
    table.see(reading(2, "333321"))
    table.finish()
    assert len(table.questions) == 1
    answers = table.questions[0].answers
    assert {answer[-1][0] for answer in answers} == {"A", "B"}
    wrong = next(i for i, answer in enumerate(answers) if answer[-1][0] != table.lines[-1].event[0])
    table.answer(table.questions[0].number, wrong)
    assert table.lines[-1].event[0] == answers[wrong][-1][0]


def test_a_six_taken_up_again_is_reported_and_not_recorded() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "665532"))
    table.see(reading(2, "543211"))
    assert "Sixes stay" in str(table.notices[0])
    assert last(table, 1) == ["A roll 6 6 5 5 3 2"]


def test_a_hidden_die_is_reported() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "66553"))
    assert "I see 5 dice but expected 6" in str(table.notices[0])
    table.see(reading(1, "665531", seconds=2.0))
    assert shown(table, 1) == ["A roll 6 6 5 5 3 1"]


def test_an_unsure_die_is_asked_about() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "554321", sure=0.6))
    assert len(table.questions) == 1
    assert table.questions[0].answers[0] == ("A roll 5 5 4 3 2 1",)


def test_a_throw_entered_by_hand_is_not_recorded_again() -> None:
    table = sitting(*BEGUN)
    table.enter("A roll 6 6 5 5 3 2")
    table.see(reading(1, "665532"))
    assert last(table, 2) == ["A target left", "A roll 6 6 5 5 3 2"]
    table.see(reading(2, "41", "6655", seconds=2.0))
    assert last(table, 2) == ["A keep 5 5", "A roll 4 1"]


def test_a_correction_of_a_throw_carries_on() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "665532"))
    table.see(reading(2, "43", "6655"))
    number = next(line.number for line in table.lines if line.event == "A roll 6 6 5 5 3 2")
    table.replace(number, "A roll 6 6 5 5 3 1")
    assert table.broken is None
    assert any(isinstance(sighting.event, Keep) for sighting in table.record.entries)
    assert not any(isinstance(sighting.event, Stop) for sighting in table.record.entries)


def test_a_card_named_after_dice_were_set_aside_is_the_target_of_their_roll() -> None:
    table = sitting(*BEGUN[:2])
    table.see(reading(1, "665532"))
    table.see(reading(1, "32", "6655"))
    table.enter("A target left")
    table.see(reading(1, "32", "6655", seconds=1.1))
    table.see(reading(1, "32", "6655", seconds=2.1))
    assert last(table, 1) == ["A roll 6 6 5 5 3 2"]
    table.see(reading(2, "43", "6655"))
    assert last(table, 2) == ["A keep 5 5", "A roll 4 3"]


def test_a_die_of_the_row_that_a_hand_hides_has_stayed() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "665532"))
    table.see(reading(1, "32", "6655"))
    table.see(reading(2, "43", "665"))
    table.see(reading(2, "43", "6655", seconds=2.0))
    assert shown(table, 3)[:2] == ["A keep 5 5", "A roll 4 3"]


def test_the_face_of_an_unseen_die_is_asked_once_another_roll_follows() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "66553"))
    assert last(table, 1) == ["A target left"]
    table.see(reading(1, "3", "6655"))
    table.see(reading(2, "43", "6655"))
    assert last(table, 2) == ["A keep 5 5", "A roll 4 3"]
    (question,) = table.questions
    assert {answer[0] for answer in question.answers} >= {"A roll 6 6 5 5 3 1", "A roll 6 6 5 5 3 2"}


def test_a_die_that_rolls_on_was_rolled_once() -> None:
    """No player picks up dice and rolls them again within a second."""
    table = sitting(*BEGUN)
    first = reading(1, "665532")
    *others, two = first.dice
    on = replace(two, probabilities=(0.97, 0.006, 0.006, 0.006, 0.006, 0.006), rested_since=2, track=7)
    table.see(first)
    table.see(replace(first, dice=(*others, on), rolls=2, seconds=first.seconds + 0.6))
    table.see(replace(first, dice=(*others, on), rolls=2, seconds=first.seconds + 2.0))
    assert sum(" roll " in event for event in shown(table, 9)) == 1


def test_a_first_throw_seen_only_when_dice_are_set_aside_is_asked_about() -> None:
    """They may have been rerolled meanwhile."""
    table = sitting(*BEGUN)
    for seconds in (1.0, 2.0):
        seen = reading(1, "333", "655", seconds=seconds)
        table.see(replace(seen, dice=tuple(replace(die, rolled=0.97) for die in seen.dice)))
    assert last(table, 1) == ["A roll 6 5 5 3 3 3"]
    assert len(table.questions) == 1


def test_seven_dice_are_no_throw() -> None:
    """Bug: one die was detected twice, and the game stopped."""
    table = sitting(*BEGUN)
    table.see(reading(1, ""))
    table.see(reading(2, "5544211"))
    assert last(table, 1) == ["A target left"]


HAND = ((0.0, 0.0, 60_000.0, 1_200.0),)


def test_a_first_roll_half_under_a_hand_is_not_another_game() -> None:
    """Bug: two of six dice beside a hand were the wrong number of dice, so nothing of the attempt was recorded."""
    table = sitting(*BEGUN)
    table.see(reading(0, ""))
    first = reading(1, "543221")
    table.see(replace(first, dice=first.dice[:2], motion=Motion.HAND, hands=HAND))
    late = [replace(die, rolled=0.05, arrived_by=first.seconds) for die in first.dice[2:]]  # a hand was over them
    table.see(replace(first, dice=(*first.dice[:2], *late), seconds=first.seconds + 1.0))
    assert last(table, 1) == ["A roll 5 4 3 2 2 1"]


def test_a_hand_may_hide_a_kept_die_and_a_rolled_one() -> None:
    """Bug: both hidden dice counted as rolled, so one of two kept dice was rolled in the record."""
    table = sitting(*BEGUN)
    table.see(reading(1, "543221"))
    table.see(reading(1, "5431", "22", seconds=2.0))
    second = reading(2, "6532", "22")
    unseen = {second.dice[0], second.dice[-1]}  # the six and a kept two
    table.see(replace(second, dice=tuple(d for d in second.dice if d not in unseen), motion=Motion.HAND, hands=HAND))
    table.see(replace(second, seconds=second.seconds + 1.0))
    assert last(table, 2) == ["A keep 2 2", "A roll 6 5 3 2"]


def test_a_roll_seen_after_lost_frames_is_not_another_game() -> None:
    """Bug: faces that the dice before had shown too counted against the roll, but not against another game."""
    table = sitting(*BEGUN[:2], "A target right")
    table.see(reading(1, "654442"))
    second = reading(2, "654421")
    second = replace(second, dice=tuple(replace(die, rolled=0.5) for die in second.dice))
    for later in (0.0, 1.0):
        table.see(replace(second, seconds=second.seconds + later))
    assert shown(table, 2) == ["A stop", "B roll 6 5 4 4 2 1"]
