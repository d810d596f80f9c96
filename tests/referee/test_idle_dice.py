"""Idle dice on the table: spare dice, or dice printed on cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.game.table import Table
from companion.web.app_state import AppState
from tests.kit.laid_table import LaidDie, LaidTable
from tests.referee.refereed import events, preview, table


@pytest.fixture(params=[True, False], ids=["row known", "no row"])
def laid(request: pytest.FixtureRequest) -> LaidTable:
    return LaidTable(seed=3, rows=request.param)


def beside(laid: LaidTable, *values: int) -> tuple[Table, list[LaidDie]]:
    """A game whose first roll, 6 2 2, has come to rest beside idle dice; returns the game and these dice."""
    game, spare = table(), [laid.put(value) for value in values]
    game.see(laid.read())
    laid.throw([6, 2, 2], again=[])
    game.see(laid.read())
    return game, spare


def test_spare_dice_beside_the_table_do_not_count_as_rolled(laid: LaidTable) -> None:
    game, spare = beside(laid, 3, 3)
    assert events(game) == ["A roll 6 2 2"]
    assert game.reading is not None
    assert len(game.reading.dice) == 3
    laid.keep(2)
    game.see(laid.read())
    assert preview(game) == ["A keep 2"]
    laid.throw([5, 4], again=[die for die in laid.dice if not die.aside and die not in spare])
    game.see(laid.read())
    assert events(game) == ["A roll 6 2 2", "A keep 2", "A roll 5 4"]


def test_spare_dice_stay_out_of_the_game_when_watching_begins_again(laid: LaidTable) -> None:
    game, _ = beside(laid, 3, 3)
    game.watch_restarted()
    seen = laid.read()
    dice = tuple(replace(die, track=die.track + 100, rested_since=0) for die in seen.dice)
    game.see(replace(seen, rolls=0, dice=dice))
    assert game.reading is not None
    assert game.reading.active == (2, 2, 6)
    assert events(game) == ["A roll 6 2 2"]


def test_spare_dice_stay_out_of_the_game_when_the_camera_is_reopened(laid: LaidTable) -> None:
    game, _ = beside(laid, 3, 3)
    laid.throw_count = 0
    for die in laid.dice:
        die.track, die.rested_since = die.track + 100, 0
    game.see(laid.read())
    laid.keep(2)
    game.see(laid.read())
    assert events(game) == ["A roll 6 2 2"]
    assert preview(game) == ["A keep 2"]


def test_a_die_counted_as_rolled_in_the_first_pass_was_there_before_if_it_never_moved(laid: LaidTable) -> None:
    game, spare = table(), [laid.put(3), laid.put(3)]
    laid.throw_count = 1
    for die in spare:
        die.rested_since, die.rolled = 1, 0.999
    game.see(laid.read())
    laid.throw([6, 2, 2], again=[])
    game.see(laid.read())
    laid.keep(6, 2, 2)
    game.see(laid.read())
    laid.dice = spare
    game.see(laid.read())
    laid.throw([5, 4, 4], again=[])
    game.see(laid.read())
    assert events(game) == ["A roll 6 2 2", "A keep 6 2 2", "B roll 5 4 4"]


def test_with_spare_dice_a_person_corrects_a_misread_roll(laid: LaidTable) -> None:
    game, (spare,) = beside(laid, 6)
    game.replace(game.lines[0].number, "A roll 5 2 2")
    game.see(laid.read())
    laid.keep(2)
    laid.throw([5, 4], again=[die for die in laid.dice if not die.aside and die is not spare])
    game.see(laid.read())
    assert events(game) == ["A roll 5 2 2", "A keep 2", "A roll 5 4"]


def test_dice_are_set_aside_in_the_places_of_the_last_turn(laid: LaidTable) -> None:
    game = table()
    for seat in "AB":
        laid.throw([6, 2, 2])
        game.see(laid.read())
        laid.keep(6, 2, 2)
        game.see(laid.read())
        assert preview(game) == [f"{seat} keep 6 2 2"]
        assert game.reading is not None
        assert len(game.reading.dice) == 3
        game.enter(f"{seat} buy farmer")
        assert game.questions == ()
        laid.clear()
        game.see(laid.read(after=9.0))


def test_spare_dice_stay_out_when_the_camera_is_reopened_between_turns(laid: LaidTable) -> None:
    game, spare = beside(laid, 3, 3)
    laid.keep(6, 2, 2)
    game.see(laid.read())
    laid.dice = spare
    game.see(laid.read())
    game.watch_restarted()
    laid.throw_count = 1
    for die in spare:
        die.track, die.rested_since, die.rolled = die.track + 100, 1, 0.999
    game.see(laid.read())
    assert game.reading is not None
    assert game.reading.dice == ()
    assert not game.notices


def test_a_table_on_which_only_spare_dice_are_left_is_cleared(laid: LaidTable) -> None:
    game, spare = beside(laid, 1, 4, 5)
    laid.keep(6, 2, 2)
    game.see(laid.read())
    laid.dice = spare
    game.see(laid.read())
    laid.throw([5, 4, 1], again=[])
    game.see(laid.read())
    assert events(game) == ["A roll 6 2 2", "A keep 6 2 2", "B roll 5 4 1"]


def test_a_spare_die_that_is_taken_up_and_rolled_counts(laid: LaidTable) -> None:
    game, (spare,) = beside(laid, 3)
    laid.keep(6, 2, 2)
    game.see(laid.read())
    laid.throw([5, 4, 1], again=[*laid.dice])
    assert spare not in laid.dice
    game.see(laid.read())
    assert events(game)[-1] == "B roll 5 4 1"


def test_dice_set_aside_are_played_though_they_have_not_moved(laid: LaidTable) -> None:
    game = table()
    laid.throw([6, 2, 2])
    game.see(laid.read())
    laid.keep(2, 2)
    game.see(laid.read())
    laid.throw([1])
    game.see(laid.read())
    assert game.reading is not None
    assert len(game.reading.dice) == 3
    assert events(game) == ["A roll 6 2 2", "A keep 2 2", "A roll 1"]


def test_with_fewer_dice_than_are_due_nothing_is_left_out(laid: LaidTable) -> None:
    game = table()
    laid.throw([6, 2, 2])
    game.see(laid.read())
    laid.keep(6, 2, 2)
    game.see(laid.read())
    laid.throw([5, 4], again=laid.dice[:2])
    game.see(laid.read())
    assert game.reading is not None
    assert len(game.reading.dice) == 3


def test_dice_resting_at_the_start_count_once_they_are_rolled(laid: LaidTable) -> None:
    laid.throw([6, 2, 2])
    before, game = laid.read(), table()
    game.note_dice_before(before)
    game.see(laid.read())
    assert events(game) == []
    assert [str(notice) for notice in game.notices] == [
        "Dice left on the table before the game (3) count after they are rolled."
    ]
    laid.throw([5, 5, 1])
    game.see(laid.read())
    assert events(game) == ["A roll 5 5 1"]
    assert not game.notices


def test_dice_in_the_first_pictures_of_a_game_are_not_a_roll(laid: LaidTable) -> None:
    for value in (6, 2, 2):
        laid.put(value)
    game = table()
    game.see(laid.read(settled=False))
    laid.throw_count = 1  # as vision counts what it sees first
    game.see(laid.read(after=0.3))
    assert events(game) == []


def test_dice_already_at_rest_when_the_program_starts_are_not_a_roll(laid: LaidTable) -> None:
    """Bug: they counted as a roll if the first reading was already settled."""
    for value in (6, 2, 2):
        laid.put(value).rolled = 0.9
    laid.throw_count = 1
    game = table()
    game.see(laid.read())
    assert events(game) == []


def test_a_place_where_a_printed_die_was_seen_is_free_again_once_it_is_gone(laid: LaidTable) -> None:
    game, (card,) = beside(laid, 3)
    laid.dice.remove(card)
    for _ in range(2):
        laid.throw([6, 2, 2], again=[*laid.dice])
        game.see(laid.read())
    laid.dice[0].x, laid.dice[0].y = card.x, card.y
    game.see(laid.read())
    assert game.reading is not None
    assert len(game.reading.dice) == 3


def test_a_die_put_on_a_printed_one_is_in_play(laid: LaidTable) -> None:
    game, (card,) = beside(laid, 5)
    laid.keep(2)
    laid.dice.remove(card)
    kept = next(die for die in laid.dice if die.aside)
    kept.x, kept.y = card.x, card.y
    game.see(laid.read())
    assert preview(game) == ["A keep 2"]


def test_spare_dice_are_distinguished_from_rolled_ones_that_a_hand_hides_for_long(laid: LaidTable) -> None:
    game = table()
    laid.put(3)
    game.see(laid.read())
    laid.throw([6, 2, 2], again=[])
    game.see(laid.read(settled=False))
    game.see(laid.read(after=2.0))
    assert events(game) == ["A roll 6 2 2"]
    laid.keep(2)
    game.see(laid.read())
    assert preview(game) == ["A keep 2"]


def test_a_die_rolled_to_where_one_rested_when_the_game_began_is_played(laid: LaidTable) -> None:
    for value in (3, 3, 3):
        laid.put(value)
    before, game = laid.read(), table()
    game.note_dice_before(before)
    place = laid.dice[0].x, laid.dice[0].y
    laid.throw([6, 2, 2])
    laid.dice[0].x, laid.dice[0].y = place
    game.see(laid.read())
    assert events(game) == ["A roll 6 2 2"]


def test_a_game_started_under_the_camera_knows_the_dice_already_on_the_table(laid: LaidTable) -> None:
    app_state, game = AppState(), table()
    laid.throw([6, 2, 2])
    app_state.cameras.see(laid.read())
    app_state.session.begin(game, None)
    app_state.cameras.see(laid.read())
    assert events(game) == []
    laid.throw([5, 5, 1])
    app_state.cameras.see(laid.read())
    assert events(game) == ["A roll 5 5 1"]
