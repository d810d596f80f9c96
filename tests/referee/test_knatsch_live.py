"""What the referee of Knatsch says of readings."""

from __future__ import annotations

from dataclasses import replace

from companion.game.changes import Question
from companion.game.referee import referee_for
from companion.game.referee.sentences import WHAT_HAPPENED, said
from companion.game.table import Table
from engine.knatsch.events import Keep, Stop
from engine.record_header import new_record
from vision.types import Motion, Reading, SeenDie


def reading(throw: int, active: str, kept: str = "", sure: float = 0.97, seconds: float = 1.0) -> Reading:
    """A settled reading of dice, those in play where this throw left them, those set aside in the kept row; `seconds`
    after the throw."""
    dice: list[SeenDie] = []
    for value, aside in [*((v, False) for v in active), *((v, True) for v in kept)]:
        chances = [(1 - sure) / 5] * 6
        chances[int(value) - 1] = sure
        track = (0 if aside else 100 * throw) + 10 * int(value)
        track += sum(die.track // 10 == track // 10 for die in dice)  # alike dice have their own places
        box = (60.0 * track, 600.0 * aside, 60.0 * track + 50, 600.0 * aside + 50)
        dice.append(SeenDie(track, box, tuple(chances), aside, rolled=0.05 if aside else 0.97))  # type: ignore[arg-type]
    motion = Motion.STABLE if dice else Motion.EMPTY
    seconds += 4.0 * throw
    return Reading(tuple(dice), True, throw, motion, int(seconds * 30), seconds)


def sitting(*lines: str, players: int = 3) -> Table:
    """A game after the deal and these lines, typed."""
    header = new_record("knatsch", ["Anna", "Bert", "Carl"][:players])
    table = Table(header, referee_for(header))
    castles = ("red", "blue", "green")[:players]
    for seat, castle in zip("ABC", castles, strict=False):
        table.enter(f"{seat} deal castle-{castle} 3-3-3+{1 + 'ABC'.index(seat)}")
    for line in lines:
        table.enter(line)
    return table


BEGUN = ("A reveal left castle-white 4-4-4+1", "A reveal right tournament", "A target left")


def last(table: Table, count: int) -> list[str]:
    return [line.event for line in table.lines[-count:]]


def test_dice_set_aside_come_back_and_sixes_stay() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "665532"))
    table.see(reading(1, "32", "6655"))
    assert [finding.event for finding in table.preview] == ["A keep 5 5"]
    table.see(reading(2, "43", "6655"))
    table.see(reading(3, "531", "665"))  # one of the two fives was thrown again
    assert last(table, 5) == ["A roll 6 6 5 5 3 2", "A keep 5 5", "A roll 4 3", "A keep 5", "A roll 5 3 1"]
    assert not table.questions


def test_a_throw_waits_until_the_card_is_named() -> None:
    table = sitting(*BEGUN[:2])
    table.see(reading(1, "665532"))
    assert "say which card" in str(table.notices[0])
    table.enter("A target left")
    table.see(reading(1, "665532", seconds=1.1))
    assert last(table, 1) == ["A roll 6 6 5 5 3 2"]
    assert not table.notices


def test_a_die_seen_rolling_was_thrown_although_it_came_to_lie_where_it_lay() -> None:
    """Otherwise it would have been let lie beside those set aside."""
    for rolled, kept in ((0.99, "A keep 5 5"), (0.5, "A keep 5 5 3")):
        table = sitting(*BEGUN)
        first = reading(1, "553321")
        table.see(first)
        table.see(reading(1, "3321", "55"))
        there = replace(next(die for die in first.dice if die.value == 3), came=2, rolled=rolled)
        second = reading(2, "321", "55")
        table.see(replace(second, dice=(there, *second.dice)))
        assert [line.event for line in table.lines][-2] == kept


def test_the_last_die_thrown_to_where_one_like_it_lay_is_a_throw() -> None:
    """It is no die that a hand had covered."""
    table = sitting(*BEGUN)
    first = reading(1, "666641")
    table.see(first)
    four, one = (next(die for die in first.dice if die.value == value) for value in (4, 1))
    aside = replace(four, kept=True, xyxy=(900.0, 0.0, 950.0, 50.0))
    others = tuple(die for die in first.dice if die not in (four, one))
    table.see(replace(first, dice=(*others, aside, one)))
    thrown = replace(four, track=7, came=2, rolled=0.99)
    table.see(replace(first, throw=2, seconds=9.0, dice=(*others, aside, thrown)))
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


def test_who_threw_is_asked_when_it_cannot_be_seen() -> None:
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


def test_a_six_taken_up_again_is_told_and_not_recorded() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "665532"))
    table.see(reading(2, "543211"))
    assert "sixes stay" in str(table.notices[0])
    assert last(table, 1) == ["A roll 6 6 5 5 3 2"]


def test_a_hidden_die_is_told() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "66553"))
    assert "I see 5 dice, 6 expected" in str(table.notices[0])
    table.see(reading(1, "665531", seconds=2.0))
    assert last(table, 1) == ["A roll 6 6 5 5 3 1"]


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
    assert any(isinstance(entry.event, Keep) for entry in table.record.entries)
    assert not any(isinstance(entry.event, Stop) for entry in table.record.entries)


def answered(table: Table, begins: str) -> None:
    """Give the answer to the open question that begins with this event."""
    (question,) = table.questions
    table.answer(question.number, [answer[0] for answer in question.answers].index(begins))


def test_after_an_answer_who_threw_the_attempt_is_told_anew() -> None:
    """What the same dice mean when another has thrown them follows by itself, also what was thrown since."""
    table = sitting(*BEGUN[:2], "A target right")
    table.see(reading(1, "544451"))
    table.see(reading(2, "333321"))
    table.see(reading(2, "21", "3333"))
    table.see(reading(3, "42", "3333"))
    assert last(table, 4) == ["A keep none", "A roll 3 3 3 3 2 1", "A keep 3 3 3 3", "A roll 4 2"]
    table.finish()
    answered(table, "A stop")
    assert last(table, 4) == ["A stop", "B roll 3 3 3 3 2 1", "B keep 3 3 3 3", "B roll 4 2"]
    assert table.broken is None


def doubtful(seen: Reading, place: int) -> Reading:
    """The same with the die at this place showing a 5, or a 3."""
    dice = list(seen.dice)
    dice[place] = replace(dice[place], probabilities=(0.01, 0.01, 0.44, 0.01, 0.52, 0.01))
    return replace(seen, dice=tuple(dice))


def test_a_die_that_an_answer_puts_right_was_that_also_when_it_was_kept() -> None:
    table = sitting(*BEGUN)
    table.see(doubtful(reading(1, "554421"), 0))
    table.see(doubtful(reading(1, "4421", "55"), 4))
    table.see(doubtful(reading(2, "4411", "55"), 4))
    assert last(table, 3) == ["A roll 5 5 4 4 2 1", "A keep 5 5", "A roll 4 4 1 1"]
    answered(table, "A roll 5 4 4 3 2 1")
    assert last(table, 3) == ["A roll 5 4 4 3 2 1", "A keep 5 3", "A roll 4 4 1 1"]
    assert not table.questions


def test_an_attempt_that_is_over_is_told_anew_when_the_next_card_is_named() -> None:
    table = sitting(*BEGUN)
    table.see(doubtful(reading(1, "554421"), 0))
    table.see(doubtful(reading(1, "4421", "55"), 4))
    table.see(doubtful(reading(2, "4411", "55"), 4))
    table.see(reading(2, ""))
    table.enter("A stop")
    table.enter("B reveal left castle-black 3-3-3+1")
    table.enter("B target left")
    table.see(reading(3, "665532"))
    told = [line.event for line in table.lines][-4:]
    assert told == ["A stop", "B reveal left castle-black 3-3-3+1", "B target left", "B roll 6 6 5 5 3 2"]
    question = next(q for q in table.questions if len(q.lines) == 2)
    table.answer(question.number, question.answers.index(("A roll 5 4 4 3 2 1", "A keep 5 3")))
    assert last(table, 7) == ["A roll 5 4 4 3 2 1", "A keep 5 3", "A roll 4 4 1 1", *told]
    assert table.broken is None


def test_a_card_named_after_dice_were_set_aside_is_what_they_were_thrown_for() -> None:
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
    assert last(table, 2) == ["A keep 5 5", "A roll 4 3"]
    table.see(reading(2, "43", "6655", seconds=2.0))
    assert last(table, 2) == ["A keep 5 5", "A roll 4 3"]


def test_what_a_die_showed_that_nobody_saw_is_asked_once_another_throw_follows() -> None:
    table = sitting(*BEGUN)
    table.see(reading(1, "66553"))
    assert last(table, 1) == ["A target left"]
    table.see(reading(1, "3", "6655"))
    table.see(reading(2, "43", "6655"))
    assert last(table, 2) == ["A keep 5 5", "A roll 4 3"]
    (question,) = table.questions
    assert {answer[0] for answer in question.answers} >= {"A roll 6 6 5 5 3 1", "A roll 6 6 5 5 3 2"}


def test_a_die_that_rolls_on_is_thrown_once() -> None:
    """Nobody takes up dice and throws them again within a second."""
    table = sitting(*BEGUN)
    first = reading(1, "665532")
    *others, two = first.dice
    on = replace(two, probabilities=(0.97, 0.006, 0.006, 0.006, 0.006, 0.006), came=2, track=7)
    table.see(first)
    table.see(replace(first, dice=(*others, on), throw=2, seconds=first.seconds + 0.6))
    table.see(replace(first, dice=(*others, on), throw=2, seconds=first.seconds + 2.0))
    assert last(table, 2) == ["A target left", "A roll 6 6 5 5 3 1"]


def test_a_first_throw_seen_only_when_dice_are_set_aside_is_asked_about() -> None:
    """They may have been thrown again meanwhile."""
    table = sitting(*BEGUN)
    for seconds in (1.0, 2.0):
        seen = reading(1, "333", "655", seconds=seconds)
        table.see(replace(seen, dice=tuple(replace(die, rolled=0.97) for die in seen.dice)))
    assert last(table, 1) == ["A roll 6 5 5 3 3 3"]
    assert len(table.questions) == 1


def test_what_follows_from_an_answer_is_told_by_what_was_seen() -> None:
    """Also where the question was asked before the rest was seen."""
    table = sitting(*BEGUN[:2], "A target right")
    for seen in (reading(1, "544451"), reading(2, "333321"), reading(2, "21", "3333"), reading(3, "42", "3333")):
        table.see(seen)
    book = table._game_log
    stood = book.lines[-4:-2]
    answers = (tuple(line.event for line in stood), ("A stop", "B roll 3 3 3 3 2 1"))
    asked = Question(said(WHAT_HAPPENED, first="", second=""), tuple(line.number for line in stood), answers)
    assert table._referee is not None
    told = table._referee.told_anew(book, asked, [book.line(event, "person") for event in answers[1]])
    assert told is not None
    assert [line.event for line in told.lines] == ["A stop", "B roll 3 3 3 3 2 1", "B keep 3 3 3 3", "B roll 4 2"]


def test_seven_dice_are_no_throw() -> None:
    """Found in hurried attempts: one die was seen twice, and the game stopped."""
    table = sitting(*BEGUN)
    table.see(reading(1, ""))
    table.see(reading(2, "5544211"))
    assert last(table, 1) == ["A target left"]
