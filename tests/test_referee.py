"""The referee: what dice laid out on a table mean for the game, and when it had better ask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.changes import Change
from companion.referee import referee_for
from companion.table import Table
from engine.games import game
from engine.krone.cards import ORDER
from engine.krone.state import RULESETS, new_game, new_turn
from engine.record_header import new_record
from tests.example_records import EVENTS
from tests.laid_table import LaidTable
from tests.random_games import PLAIN, random_turns
from tests.simulated.script import steps
from tests.turn_score import essence


def table(*cards: str, others: tuple[str, ...] = (), **more: object) -> Table:
    """A game of two in which A, on turn, has these cards and B those; `more` fields of the position."""
    rules = RULESETS["amigo2006"]
    tableaux = tuple(tuple(sorted(own, key=ORDER.__getitem__)) for own in (cards, others))
    state = replace(new_game(2, rules), tableaux=tableaux, turn=new_turn(rules, tableaux[0]), **more)
    header = new_record("krone", ["Anna", "Bert"], Position=game("krone").position_text(state))
    return Table(header, referee_for(header))


def events(of: Table) -> list[str]:
    return [line.event for line in of.lines]


def preview(of: Table) -> list[str]:
    return [finding.event for finding in of.preview]


def answers(of: Table) -> list[list[str]]:
    return [[", ".join(answer) for answer in doubt.answers] for doubt in of.doubts]


def play(record: str, game_: Table, laid: LaidTable) -> None:
    """Lay out what the record says and let people enter its purchases."""
    for seen in laid.perform(steps(record)):
        if isinstance(seen, str):
            game_.enter(seen)
        else:
            game_.see(seen)


def throw(game_: Table, laid: LaidTable, *values: int) -> None:
    laid.throw(values)
    game_.see(laid.read())


def keep(game_: Table, laid: LaidTable, *values: int) -> None:
    for value in values:
        laid.keep(value)
        game_.see(laid.read())


def test_the_example_of_the_record_format_records_itself() -> None:
    game_, laid = table(), LaidTable()
    play(EVENTS, game_, laid)
    assert events(game_) == EVENTS.splitlines()
    assert game_.doubts == ()
    assert {line.by for line in game_.lines if line.move.startswith("buy")} == {"person"}
    assert all(line.by == "camera" and line.frame is not None for line in game_.lines if "buy" not in line.move)


def test_dice_set_aside_are_a_preview_until_the_next_throw() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5)
    assert preview(game_) == ["A keep 5"]
    keep(game_, laid, 2)
    laid.take_back(2)  # people change their mind
    game_.see(laid.read())
    keep(game_, laid, 5)
    assert events(game_) == ["A roll 5 5 2"]
    assert preview(game_) == ["A keep 5 5"]
    assert "farmer" in game_.preview_state.purchases()
    throw(game_, laid, 6)
    assert events(game_) == ["A roll 5 5 2", "A keep 5 5", "A roll 6"]


def test_a_purchase_makes_the_dice_set_aside_final() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5, 5, 2)
    game_.enter("A buy farmer")
    assert events(game_) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"]


def test_a_purchase_while_a_die_still_lies_in_play_sets_it_aside() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5, 5)
    game_.enter("A buy farmer")
    assert events(game_) == ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer"]


def test_a_cleared_table_makes_the_dice_set_aside_final() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5, 5, 2)
    laid.clear()
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2", "A keep 5 5 2"]
    assert game_.state.open == ("A",)


def test_the_next_players_throw_ends_a_turn_whose_purchase_is_still_open() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5, 5)  # the last die is never moved
    laid.clear()
    throw(game_, laid, 6, 4, 1)
    assert events(game_) == ["A roll 5 5 2", "A keep 5 5 2", "B roll 6 4 1"]
    game_.enter("A buy farmer")
    assert events(game_)[2] == "A buy farmer"


def test_dice_picked_up_to_be_thrown_are_no_event_and_no_reproach() -> None:
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 5, 5, 2, 1)
    keep(game_, laid, 5, 5)
    laid.dice = [die for die in laid.dice if die.aside]
    game_.see(laid.read())
    assert preview(game_) == ["A keep 5 5"]
    assert game_.notices == ()
    laid.throw((6, 3), again=())
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2 1", "A keep 5 5", "A roll 6 3"]


def test_a_nudged_die_is_no_throw() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    laid.active(2).x += 25
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2"]
    assert game_.doubts == ()


def test_an_added_die_is_the_card_that_adds_its_value() -> None:
    game_, laid = table("laborer", "guard"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.lay(2)
    game_.see(laid.read())
    assert preview(game_) == ["A use guard"]
    keep(game_, laid, 2)
    throw(game_, laid, 5, 4, 4)
    assert events(game_) == ["A roll 6 3 1", "A use guard", "A keep 2", "A roll 5 4 4"]
    assert game_.doubts == ()


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
    game_.answer(game_.doubts[0].number, 1)
    assert events(game_)[1] == f"A use {other} {change}"
    assert game_.doubts == ()


def test_bishop_or_queen() -> None:
    final = {"claimant": "A", "king": "B", "threshold": (7, 2), "final": True, "start": "B"}
    game_, laid = table("bishop", "queen", others=("king",), **final), LaidTable()
    throw(game_, laid, 4, 3, 1)
    laid.lay(6)
    game_.see(laid.read())
    keep(game_, laid, 6)
    throw(game_, laid, 2, 2, 2)
    assert answers(game_) == [["A use bishop", "A use queen 6"]]


def test_one_die_thrown_again_is_the_fool_or_the_merchant_and_two_are_the_merchant() -> None:
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
    assert game_.doubts == ()


def test_an_answer_carries_its_consequence_along() -> None:
    game_, laid = table("fool", "merchant"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.throw((5,), [laid.active(1)])
    game_.see(laid.read())
    laid.throw((4,), [laid.active(3)])
    game_.see(laid.read())
    assert events(game_)[1:] == ["A use fool 1 > 5", "A use merchant 3 > 4"]
    game_.answer(game_.doubts[0].number, 1)
    assert events(game_)[1:] == ["A use merchant 1 > 5", "A use fool 3 > 4"]
    assert game_.broken is None


def test_what_is_seen_later_answers_a_question() -> None:
    game_, laid = table("maid", "magician"), LaidTable()
    throw(game_, laid, 6, 3, 1)
    laid.turn((3,), (5,))  # Maid or Magician?
    game_.see(laid.read())
    keep(game_, laid, 5)
    throw(game_, laid, 2, 2)
    assert len(game_.doubts) == 1
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


def test_a_die_more_in_hand_narrows_an_open_purchase_down() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5, 5, 2)
    laid.clear()
    game_.see(laid.read())
    for seat in "BB":
        throw(game_, laid, 6, 4, 1)
        keep(game_, laid, 6, 4, 1)
        laid.clear()
        game_.see(laid.read())
        game_.enter(f"{seat} pass")
    throw(game_, laid, 6, 5, 3, 1)
    assert events(game_)[2] == "A buy farmer"
    assert events(game_)[-1] == "A roll 6 5 3 1"
    assert answers(game_) == [["A buy farmer"]]


def test_a_card_nobody_entered_narrows_an_open_purchase_down_when_it_is_used() -> None:
    game_, laid = table(), LaidTable()
    play("A roll 6 5 5\nA keep 6 5 5", game_, laid)
    laid.clear()
    game_.see(laid.read())
    play("B roll 6 4 1\nB keep 6 4 1\nB pass\nB roll 6 4 1\nB keep 6 4 1\nB pass", game_, laid)
    throw(game_, laid, 6, 5, 3)
    laid.lay(1)
    game_.see(laid.read())
    game_.see(laid.read())
    assert "A buy laborer" in events(game_)
    assert preview(game_) == ["A use laborer"]
    assert answers(game_)[0][0] == "A buy laborer"


def test_a_die_too_few_has_its_sentence_and_is_recorded_when_it_appears() -> None:
    game_, laid = table("farmer"), LaidTable()
    laid.throw((5, 5, 2, 1))
    laid.active(1).hidden = True
    game_.see(laid.read())
    assert [str(notice) for notice in game_.notices] == ["I see 3 dice, 4 expected: one hidden or touching?"]
    assert events(game_) == []
    laid.active(1).hidden = False
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2 1"]
    assert game_.notices == ()


def test_a_die_never_seen_is_recorded_as_unread_with_a_doubt_and_the_game_goes_on() -> None:
    game_, laid = table("farmer"), LaidTable()
    laid.throw((5, 5, 2, 1))
    laid.active(1).hidden = True
    game_.see(laid.read())
    keep(game_, laid, 5, 5)
    laid.throw((6, 4))
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2 ?", "A keep 5 5", "A roll 6 4"]
    assert game_.doubts


def test_somebody_elses_die_has_its_sentence() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2, 1)
    assert [str(n) for n in game_.notices] == ["I see 4 dice, 3 expected: is one of them not part of the game?"]
    assert events(game_) == []


def test_what_the_vision_side_doubts_is_passed_on() -> None:
    game_, laid = table(), LaidTable()
    game_.see(laid.read(settled=False, doubt="A hand rests in the picture; dice under it are not seen."))
    assert [str(notice) for notice in game_.notices] == ["A hand rests in the picture; dice under it are not seen."]


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


def test_a_throw_nobody_saw_is_a_doubt() -> None:
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 5, 5, 2, 1)
    laid.keep(5)
    laid.throw((6, 6, 3))  # not seen
    laid.keep(6)
    laid.throw((4, 4))
    laid.throw_count -= 1
    game_.see(laid.read())
    game_.see(laid.read())
    assert events(game_)[0] == "A roll 5 5 2 1"
    assert events(game_)[-1].startswith("A roll")
    assert game_.doubts


def test_a_throw_without_setting_aside_takes_the_place_of_the_one_before_with_a_doubt() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    throw(game_, laid, 6, 4, 1)
    game_.see(laid.read())
    assert events(game_) == ["A roll 6 4 1"] or events(game_)[-1] == "B roll 6 4 1"
    assert game_.doubts


def test_what_a_person_took_back_is_not_recorded_again() -> None:
    game_, laid = table(), LaidTable()
    throw(game_, laid, 5, 5, 2)
    game_.undo()
    game_.see(laid.read())
    game_.see(laid.read())
    assert events(game_) == []
    game_.enter("A roll 5 5 1")
    game_.see(laid.read())
    throw_count = laid.throw_count
    assert throw_count == 1
    assert events(game_) == ["A roll 5 5 1"]


def test_a_roll_entered_by_hand_is_not_recorded_twice() -> None:
    game_, laid = table(), LaidTable()
    game_.enter("A roll 5 5 2")
    throw(game_, laid, 5, 5, 2)
    keep(game_, laid, 5)
    assert events(game_) == ["A roll 5 5 2"]
    assert preview(game_) == ["A keep 5"]


def test_a_restart_in_the_middle_of_a_turn_goes_on_where_it_was() -> None:
    game_, laid = table("farmer"), LaidTable()
    throw(game_, laid, 5, 5, 2, 1)
    keep(game_, laid, 5, 5)
    throw(game_, laid, 6, 3)
    again = Table(game_.record, referee_for(game_.record))
    laid.throw_count = 1  # a new camera counts from the start
    again.see(laid.read())
    assert events(again) == events(game_)
    laid.keep(6)
    again.see(laid.read())
    laid.throw((1,))
    again.see(laid.read())
    assert events(again) == [*events(game_), "A keep 6", "A roll 1"]


def test_nothing_is_lost_when_the_journal_fails_for_a_while() -> None:
    class Journal:
        full = True

        def commit(self, change: Change) -> None:
            if self.full:
                raise OSError("the disk is full")

    journal = Journal()
    header = new_record("krone", ["Anna", "Bert"])
    game_, laid = Table(header, referee_for(header), journal), LaidTable()
    throw(game_, laid, 5, 5, 2)
    assert events(game_) == []
    assert [str(notice) for notice in game_.notices] == ["the disk is full"]
    journal.full = False
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 5 2"]
    assert game_.notices == ()


@pytest.mark.parametrize(("seed", "players"), [(29, 2), (42, 3)])
def test_a_whole_game_from_first_roll_to_winner_records_itself(seed: int, players: int) -> None:
    header = new_record("krone", ["Anna", "Bert", "Carla", "Dora"][:players])
    game_, laid = Table(header, referee_for(header)), LaidTable(seed)
    turns = [lines for _, lines in random_turns(seed, players, only=PLAIN)]
    for lines in turns:
        play("\n".join(lines), game_, laid)
    game_.finish()
    assert game_.state.finished
    assert essence(events(game_)) == essence([line for lines in turns for line in lines])


def test_a_game_that_begins_in_mid_turn_is_recorded_from_there() -> None:
    """Found by watching part of a film from a position with dice on the table: the first throw ended in a traceback."""
    begun, laid = table(), LaidTable()
    throw(begun, laid, 5, 5, 2)
    header = new_record("krone", ["Anna", "Bert"], Position=game("krone").position_text(begun.state))
    game_ = Table(header, referee_for(header))
    game_.see(laid.read())
    keep(game_, laid, 5, 5)
    throw(game_, laid, 3)
    assert events(game_) == ["A keep 5 5", "A roll 3"]
