"""The belief about players in a hurry: what lies still between two quiet pictures, and what a hand hides."""

from __future__ import annotations

from dataclasses import replace

from companion.game.table import Table
from scripts.simulation.laid_table import LaidTable
from tests.referee.refereed import events, keep, table, throw


def test_a_roll_that_lay_still_and_was_gone_before_all_settled_is_recorded() -> None:
    """Found in simulated turns in a hurry: a hand that stays, or comes back at once, lets nothing settle."""
    game_, laid = table(), LaidTable()
    game_.see(laid.read())
    laid.throw((5, 3, 2))
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    laid.clear()
    game_.see(laid.read())
    assert events(game_) == ["A roll 5 3 2"]


def thrown_and_taken_unsettled(game_: Table, laid: LaidTable, roll: tuple[int, ...], taken: int) -> None:
    """A roll lies there for half a second while the picture is not quiet; then a hand is over the die that shows so."""
    game_.see(laid.read())
    laid.throw(roll)
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    over = laid.read(settled=False, after=0.1)
    game_.see(replace(over, dice=tuple(replace(die, hidden=die.value == taken) for die in over.dice)))


def test_what_a_card_throws_before_all_settles_is_its_own() -> None:
    """Found in simulated turns in a hurry: the Fool took a die of a roll of which all lay still, but nothing was read
    before his die lay; so the roll was recorded with what he threw."""
    game_, laid = table("fool"), LaidTable()
    thrown_and_taken_unsettled(game_, laid, (6, 5, 1), 6)
    laid.throw((2,), [laid.active(6)])
    for die in laid.dice:
        die.came = laid.throw_count = 1  # vision has counted one throw only
    game_.see(laid.read(after=1.2))
    keep(game_, laid, 5)
    assert events(game_)[:2] == ["A roll 6 5 1", "A use fool 6 > 2"]


def test_what_a_card_turns_where_it_lay_before_all_settles_is_the_cards() -> None:
    """Found in simulated turns in a hurry: the Maid's die was read as thrown so, for its track went on."""
    game_, laid = table("maid"), LaidTable()
    thrown_and_taken_unsettled(game_, laid, (5, 3, 1), 3)
    laid.active(3).value = 6
    for _ in range(2):
        game_.see(laid.read(settled=False, after=0.1))
    game_.see(laid.read(after=0.1))
    keep(game_, laid, 6)
    throw(game_, laid, 4, 2)
    assert events(game_)[:2] == ["A roll 5 3 1", "A use maid 3 > 6"]


def test_a_die_seen_for_a_moment_that_no_hand_has_taken_was_none() -> None:
    """Found in simulated turns in a hurry: while dice rolled a second box lay beside one of them for a while."""
    game_, laid = table(), LaidTable()
    game_.see(laid.read())
    laid.throw((5, 3, 2))
    for _ in range(5):
        now = laid.read(settled=False, after=0.1)
        game_.see(replace(now, dice=(replace(now.dice[0], track=99, xyxy=(5.0, 5.0, 35.0, 35.0)),)))
    game_.see(laid.read(after=0.1))
    assert events(game_) == ["A roll 5 3 2"]


def test_a_die_lost_from_sight_under_a_hand_was_seen_all_the_same() -> None:
    """Found in simulated turns in a hurry: nobody said that a hand hid it, its track just ended, and what it had shown
    before a card turned it was forgotten."""
    game_, laid = table("noblewoman"), LaidTable()
    game_.see(laid.read())
    laid.throw((6, 6, 4))
    for _ in range(5):
        game_.see(laid.read(settled=False, after=0.1))
    four = laid.active(4)
    four.hidden = True
    hand = (four.x - 60, four.y - 60, four.x + 60, four.y + 60)
    game_.see(replace(laid.read(settled=False, after=0.1), hands=(hand,)))
    four.hidden, four.value, four.track = False, 5, 99
    game_.see(laid.read(after=0.1))
    keep(game_, laid, 6, 6)
    throw(game_, laid, 2)
    assert events(game_)[:2] == ["A roll 6 6 4", "A use noblewoman 4 > 5"]


def test_a_die_long_hidden_by_a_hand_may_have_been_thrown_with_the_others() -> None:
    """Found in simulated turns in a hurry: it was held to lie there still, so that the other was the Fool's."""
    game_, laid = table("fool"), LaidTable()
    throw(game_, laid, 5, 2, 1)
    keep(game_, laid, 1)
    two = laid.active(2)
    laid.throw((4,), [laid.active(5)])
    believed = laid.read()
    game_.see(replace(believed, dice=tuple(replace(d, hidden=d.track == two.track, there=0.6) for d in believed.dice)))
    laid.dice.remove(two)
    laid.lay(3).rolled = 0.5
    game_.see(laid.read())
    keep(game_, laid, 4)
    throw(game_, laid, 6)
    assert events(game_)[:3] == ["A roll 5 2 1", "A keep 1", "A roll 4 3"]


def test_a_card_throws_some_dice_while_another_cannot_be_seen() -> None:
    """Found in simulated turns in a hurry: whatever was out of sight when the Merchant's dice came to rest was thrown
    with them."""
    game_, laid = table("farmer", "merchant"), LaidTable()
    throw(game_, laid, 6, 5, 4, 3)
    five = laid.active(5)
    laid.throw((2, 1), [laid.active(4), laid.active(3)])
    five.hidden = laid.active(1).hidden = True
    game_.see(laid.read())
    five.hidden = laid.active(1).hidden = False
    game_.see(laid.read())
    keep(game_, laid, 6, 5)
    throw(game_, laid, 6, 6)
    assert events(game_)[:2] == ["A roll 6 5 4 3", "A use merchant 4 3 > 2 1"]


def test_a_purchase_ends_a_turn_in_which_a_die_has_just_been_turned() -> None:
    """Found in simulated turns in a hurry: it was refused, because a second die might still be turned by the card."""
    game_, laid = table("maid", "philosopher"), LaidTable()
    throw(game_, laid, 4, 4, 3)
    laid.turn((3,), (4,))
    laid.active(4).rolled = 0.97
    laid.throw_count += 1
    game_.see(laid.read())
    game_.enter("A buy guard")
    assert events(game_) == ["A roll 4 4 3", "A use maid 3 > 4", "A keep 4 4 4", "A buy guard"]
