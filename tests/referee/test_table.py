"""The running game: every change goes through one method, is stored before it is shown, and can be undone and
corrected."""

from __future__ import annotations

import json
import threading

import pytest

from companion.game.changes import Change, NotSaved
from companion.game.table import Table
from engine.errors import Illegal, Unreadable
from engine.record_header import new_record
from engine.replay import read_game

FIRST_TURNS = ["A roll 5 5 2", "A keep 5 5 2", "B roll 6 5 4", "B keep 6 5 4"]


class Notebook:
    """An in-memory journal that keeps the text of each change, and can be made to fail."""

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.full = False

    def commit(self, change: Change) -> None:
        if self.full:
            raise OSError("the disk is full")
        self.pages.append(json.dumps(change.body()))

    def changes(self) -> list[Change]:
        return [Change.read(json.loads(page)) for page in self.pages]


def table(*events: str, journal: Notebook | None = None, game: str = "krone") -> Table:
    found = Table(new_record(game, ["Anna", "Bert"]), journal=journal)
    for event in events:
        found.enter(event)
    return found


def events(of: Table) -> list[str]:
    return [line.event for line in of.lines]


def test_an_event_is_entered_in_any_spelling_the_rules_know() -> None:
    assert events(table("a  ROLL 2 5 5", "A keep 5 5 2", "A buy Bauer")) == [
        "A roll 5 5 2",
        "A keep 5 5 2",
        "A buy farmer",
    ]


def test_taking_a_card_sets_the_dice_still_in_play_aside_in_one_change() -> None:
    game = table("A roll 5 5 2", "A keep 5", "A roll 5 3", "A buy farmer")
    assert events(game)[2:] == ["A roll 5 3", "A keep 5 3", "A buy farmer"]
    assert [len(change.now) for change in game.changes] == [1, 1, 1, 2]
    game.undo()
    assert events(game) == ["A roll 5 5 2", "A keep 5", "A roll 5 3"]
    with pytest.raises(Illegal, match="set aside all dice first"):
        game.enter("A buy guard")
    assert events(game) == ["A roll 5 5 2", "A keep 5", "A roll 5 3"]


def test_a_refused_event_changes_nothing_and_says_why() -> None:
    game = table("A roll 5 5 2")
    with pytest.raises(Illegal, match="set aside at least one die before rolling again"):
        game.enter("A roll 1 2 3")
    with pytest.raises(Unreadable, match="start the entry with the player’s letter"):
        game.enter("roll 1 2 3")
    assert events(game) == ["A roll 5 5 2"]
    assert game.version == 1


def test_a_late_purchase_finds_its_place() -> None:
    game = table(*FIRST_TURNS)
    assert [(turn.seat, turn.index) for turn in game.open_turns] == [("A", 2)]
    game.enter("A buy farmer")
    assert events(game)[2] == "A buy farmer"
    assert game.open_turns == ()


def test_a_late_purchase_goes_to_the_oldest_turn_that_can_pay_for_it() -> None:
    game = table(*FIRST_TURNS[:2], "A buy farmer", *FIRST_TURNS[2:], "B roll 5 5 2", "B keep 5 5 2", "A roll 6 4 2 1")
    game.enter("B buy farmer")  # 6 5 4, the older of the two, is no pair
    assert events(game)[-2:] == ["B buy farmer", "A roll 6 4 2 1"]


def test_a_late_purchase_that_breaks_a_later_event_is_refused_and_the_event_named() -> None:
    game = table(*FIRST_TURNS, "B pass", "B roll 4 4 3", "B keep 4 4 3", "B pass", "A roll 3 2 1")
    with pytest.raises(Illegal, match=r"this makes “A roll 3 2 1” \(entry 9\) illegal: roll 4 dice"):
        game.enter("A buy farmer")
    assert "A buy farmer" not in events(game)


def test_a_correction_keeps_later_lines_and_names_those_it_makes_illegal() -> None:
    game = table(*FIRST_TURNS, "B buy laborer")
    game.replace(game.lines[2].number, "B roll 6 5 3")
    # The die set aside is what the corrected roll shows, and with 14 the Laborer is out of reach.
    assert events(game)[3] == "B keep 6 5 4"
    assert game.broken is not None
    assert game.broken.index == 3
    with pytest.raises(Illegal, match=r"fix “B keep 6 5 4” \(entry 4\) first"):
        game.enter("B roll 1 1 1")
    game.undo()
    assert game.broken is None


def test_a_misread_die_is_put_right_where_it_was_set_aside_too() -> None:
    game = table(*FIRST_TURNS, "B buy laborer")
    game.replace(game.lines[2].number, "B roll 6 6 4")
    assert events(game)[2:] == ["B roll 6 6 4", "B keep 6 6 4", "B buy laborer"]
    assert "{was keep 6 5 4}" in game.replay.text()


def test_undo_and_redo_walk_through_all_changes_corrections_included() -> None:
    game = table(*FIRST_TURNS)
    seen = [events(game)]
    game.enter("A buy farmer")
    seen.append(events(game))
    game.replace(game.lines[0].number, "A roll 5 5 1")
    seen.append(events(game))
    game.remove(game.lines[-1].number)
    for expected in reversed(seen):
        game.undo()
        assert events(game) == expected
    for expected in seen[1:]:
        game.redo()
        assert events(game) == expected
    for _ in FIRST_TURNS:
        game.undo()
    game.undo()
    game.undo()
    assert events(game) == []
    with pytest.raises(Illegal, match="nothing to undo"):
        game.undo()


def test_of_two_people_correcting_one_event_the_second_is_refused() -> None:
    game = table(*FIRST_TURNS)
    number, version = game.lines[0].number, game.version
    game.replace(number, "A roll 5 5 1")
    with pytest.raises(Illegal, match="another player has just changed this entry"):
        game.replace(number, "A roll 5 5 3")
    with pytest.raises(Illegal, match="another player has just changed the game"):
        game.undo(expected_version=version)
    assert events(game)[0] == "A roll 5 5 1"


def test_a_change_that_the_journal_refuses_is_not_made() -> None:
    journal = Notebook()
    game = table("A roll 5 5 2", journal=journal)
    journal.full = True
    version = game.version
    with pytest.raises(NotSaved, match="the disk is full"):
        game.enter("A keep 5")
    assert events(game) == ["A roll 5 5 2"]
    assert game.version == version
    journal.full = False
    game.enter("A keep 5")
    assert [change.number for change in journal.changes()] == [1, 2]


def test_a_game_and_its_undo_history_are_rebuilt_from_the_journal() -> None:
    journal = Notebook()
    game = table(*FIRST_TURNS, "A buy farmer", journal=journal)
    game.replace(game.lines[3].number, "B roll 6 5 5")
    game.undo()
    again = Table(new_record("krone", ["Anna", "Bert"]), changes=journal.changes())
    assert again.lines == game.lines
    assert again.replay.text() == game.replay.text()
    again.redo()
    game.redo()
    assert events(again) == events(game)


def test_the_text_of_a_running_game_reads_back() -> None:
    game = table(*FIRST_TURNS, "A buy farmer")
    game.replace(game.lines[0].number, "A roll 5 5 1")
    text = game.replay.text()
    assert read_game(text).state == game.state
    assert Table(read_game(text).record).replay.text() == text


def test_waiting_threads_wake_after_a_change() -> None:
    game = table()
    woken: list[int] = []
    waiting = threading.Thread(target=lambda: woken.append(game.wait(0, timeout=20)))
    waiting.start()
    game.enter("A roll 5 5 2")
    waiting.join(timeout=20)
    assert woken == [1]


def test_many_people_at_once_leave_one_legal_game() -> None:
    game = table()
    refused: list[Exception] = []

    def play(seat: str) -> None:
        for event in ("roll 5 5 2", "keep 5 5 2", "pass") * 4:
            try:
                game.enter(f"{seat} {event}")
            except Illegal as error:
                refused.append(error)

    people = [threading.Thread(target=play, args=(seat,)) for seat in "ABAB"]
    for person in people:
        person.start()
    for person in people:
        person.join(timeout=20)
    assert game.broken is None
    assert read_game(game.replay.text()).state == game.state
    assert len(game.lines) + len(refused) == 48


def test_the_second_game_runs_at_the_same_table() -> None:
    game = Table(new_record("knatsch", ["Anna", "Bert"]))
    seat, event = next(iter(game.replay.game.legal(game.state)))
    game.enter(f"{seat} {game.replay.game.event_text(event)}")
    assert len(game.lines) == 1
    game.undo()
    assert game.lines == ()
