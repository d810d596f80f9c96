"""What a throw may have been: a normal roll, the Fool or the Merchant, or the next player's first roll."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from companion.referee.byhand import before_throw, card_cost, unused
from companion.referee.sight import log_chance, minus, overlap, values
from companion.referee.story import Story
from companion.referee.ways import Way
from engine.dice import UNREAD, Faces, together, weight, without
from engine.errors import Illegal
from engine.krone.cards import START_DICE
from engine.krone.events import Buy, Pass, Roll, Use
from engine.krone.rules import acting
from engine.krone.state import State
from vision.types import SeenDie

# Log chances, as in `story`.
LIES_STILL = -4.0  # a die of the kept row, which was thrown with all others, lies where it lay
NEEDLESS = -3.5  # a card re-rolled what a normal roll could have
SEEN_LATE = -4.0  # some dice were already set aside again when the throw was first seen
MISSED = -7.0  # a throw nobody saw
NOT_CLEARED = -3.0  # the next player threw although the table was never seen empty
AFTER_CLEARING = -6.0  # the same player threw on although it was
NOT_SET_ASIDE = -1.0  # the last dice of a turn were never moved
SEEMED_OTHERWISE = -6.0  # the dice in play were others than those seen just before they were thrown
SKIPPED = -4.0  # a player of the final round passed without throwing
MOST_SKIPPED = 3
BOUGHT = -3.0  # a purchase nobody has entered


@dataclass(frozen=True, slots=True)
class Throw:
    """What is seen after a throw. active, kept: values; ways: how the dice may be taken, the likeliest first; hidden:
    dice that must be there and are not seen; first: log chance that all dice in play were thrown; rows_still: kept ones
    that lie where they lay; cleared: the table was empty since the last throw; lay: the dice in play as last seen
    before, where it is known that nothing was set aside after that."""

    active: Faces
    kept: Faces
    ways: tuple[Way, ...] = ()
    hidden: int = 0
    first: float = 0.0
    rows_still: int = 0
    cleared: bool = False
    lay: tuple[SeenDie, ...] = ()


def same_turn(start: Story, throw: Throw, deep: bool = False) -> Iterator[Story]:
    """Stories in which the player on turn threw again; deep: also after cards that nobody saw used."""
    turn = start.state.turn
    if not turn.rolled:
        return
    start = start.at(AFTER_CLEARING if throw.cleared else 0.0)
    for way in throw.ways:
        kept = together(way.kept, minus(turn.kept, way.kept))
        covered = throw.hidden - (len(kept) - len(way.kept))
        if covered < 0:
            continue
        shown = together(way.thrown, (UNREAD,) * covered)
        for before in before_throw(start.at(way.cost), kept, len(shown) + len(way.lying), deep):
            yield from _again(before.at(_lay_otherwise(before, throw.lay)), shown, way.lying)
    if throw.hidden <= len(minus(turn.kept, throw.kept)) and deep:
        yield from _late(start, throw)


def _again(before: Story, shown: Faces, lying: Faces) -> Iterator[Story]:
    """All dice in play were thrown, or the Fool or the Merchant threw some and the others lie there."""
    rolled = None if lying else before.then(Roll(shown), _as_before(before.state.turn.active, shown))
    if rolled is not None:
        yield rolled
    again = without(before.state.turn.active, lying)
    for card in unused(before, "reroll"):
        if not again:
            return
        price = card_cost(before, card) + (NEEDLESS if rolled is not None else 0.0) + _as_before(again, shown)
        done = before.then(Use(card, again, shown), price)
        if done is not None:
            yield done


def _lay_otherwise(before: Story, lay: tuple[SeenDie, ...]) -> float:
    """Log chance of the dice in play having seemed what they did just before they were thrown."""
    expected = before.state.turn.active
    if len(lay) != len(expected) or UNREAD in expected:
        return 0.0
    return max(SEEMED_OTHERWISE, log_chance(lay, expected) - log_chance(lay, values(lay)))


def _as_before(lay: Faces, shown: Faces) -> float:
    """Log chance of a throw of several dice that all show again what lay there: a hand that carried them does that."""
    if len(shown) < 2 or shown != lay or UNREAD in shown:
        return 0.0
    return math.log(weight(shown) / 6 ** len(shown))


def _late(start: Story, throw: Throw) -> Iterator[Story]:
    """Dice lie in the kept row that were not there to be kept: kept after this throw before anybody looked, or of
    a throw that was missed."""
    turn = start.state.turn
    aside = without(throw.kept, turn.kept)
    if aside is None:
        return
    first = overlap(aside, turn.active)
    later = minus(aside, first)
    if not later or len(throw.active) + len(aside) != len(turn.active):
        return
    set_aside = start.keep(first)
    if set_aside is None:
        return
    rolled = set_aside.then(Roll(together(throw.active, later)), SEEN_LATE)
    kept = None if rolled is None else rolled.keep(later)
    if kept is not None:
        yield kept
    unseen = set_aside.then(Roll(together(later, (UNREAD,) * len(throw.active))), MISSED)
    again = None if unseen is None else unseen.keep(later)
    rolled = again.then(Roll(throw.active)) if again is not None and throw.active else None
    if rolled is not None:
        yield rolled


def next_turn(start: Story, throw: Throw) -> Iterator[Story]:
    """Stories in which the turn was over, or had not begun, and this is the first roll of a turn."""
    for ended in _ended(start, throw.cleared):
        dice = together(throw.active, throw.kept) + (UNREAD,) * throw.hidden
        cost = (SEEN_LATE if throw.kept else 0.0) + LIES_STILL * throw.rows_still + throw.first
        for ready in (ended, *_with_purchase(ended, len(dice))):
            yield from _first_roll(ready, throw, dice, cost)


def _first_roll(ended: Story, throw: Throw, dice: Faces, cost: float) -> Iterator[Story]:
    for seat, more in _to_roll(ended, len(dice)):
        for cards in combinations(unused_by(ended, seat), more):
            for ready in _early(ended, seat, cards):
                rolled = ready.then(Roll(dice), cost, seat)
                kept = None if rolled is None else rolled.keep(throw.kept)
                if kept is not None:
                    yield kept


def _with_purchase(ended: Story, dice: int) -> Iterator[Story]:
    """Where the same player goes on with more dice than she had: the turn just ended has paid for one."""
    if not any(seat == ended.state.seat and more for seat, more in _to_roll(ended, dice)):
        return
    for card in START_DICE:
        bought = ended.then(Buy(card), BOUGHT) if ended.state.turn.over else None
        if bought is not None:
            yield bought


def ending(start: Story) -> Story | None:
    """The rolling ended: what is still active is set aside too."""
    turn = start.state.turn
    return start.keep(turn.active) if turn.rolled else None


def _ended(start: Story, cleared: bool) -> Iterator[Story]:
    state = start.state
    if state.turn.rolled:
        over = ending(start)
        if over is None:
            return
        cost = (NOT_SET_ASIDE if state.turn.active else 0.0) + (0.0 if cleared else NOT_CLEARED)
        story: Story | None = over.at(cost)
        if state.final:
            story = over.at(cost).then(Pass())
    else:
        story = start
    for _ in range(1 + (MOST_SKIPPED if state.final else 0)):
        if story is None or story.state.finished:
            return
        yield story
        story = story.then(Pass(), SKIPPED) if story.state.final else None


def _to_roll(story: Story, dice: int) -> Iterator[tuple[str, int]]:
    """(seat, dice more than its hand) of whoever rolls next."""
    for seat in story.state.seats:
        try:
            state = acting(story.state, seat, Roll(()))
        except Illegal:
            continue
        if state.turn.hand and dice >= state.turn.hand:
            yield seat, dice - state.turn.hand


def unused_by(story: Story, seat: str) -> list[str]:
    """Cards with which this seat can add dice before its first roll."""
    following = acting(story.state, seat, Roll(()))
    return unused(Story(following), "add") if following.rules.early_cards else []


def _early(story: Story, seat: str, cards: tuple[str, ...]) -> Iterator[Story]:
    """Cards used before the first roll: their dice join it (R1). The same player's next turn must begin with the
    roll."""
    if not cards:
        yield story
    elif seat != story.state.seat or not story.state.turn.rolled:
        following = story
        for card in cards:
            after = (6,) if card == "queen" else ()
            more = following.then(Use(card, (), after), card_cost(following, card), seat)
            if more is None:
                return
            following = more
        yield following


def hands(state: State) -> list[int]:
    """How many dice the next first roll has, for each player whose it may be."""
    story = Story(state)
    ended = _ended(story, True)
    return [acting(one.state, seat, Roll(())).turn.hand for one in ended for seat, _ in _to_roll(one, 99)]
