"""Every way to tell what a reading shows, given the game so far and what the referee remembers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.game.timeline import Timeline
from companion.referee.aside import kept_moved
from companion.referee.beginnings import endings, starts, unfinished
from companion.referee.byhand import before_throw, by_hand, half_turned
from companion.referee.landed import SEEN_ROLLING
from companion.referee.memory import HIDDEN, Dice, Memory, handled_since, lay_in_play, otherwise, rows
from companion.referee.ranking import GOOD, Told, told
from companion.referee.sight import NEVER, SAME_PLACE, SURE_DIE, lying_still, minus, near, overlap, values
from companion.referee.story import Story
from companion.referee.thrown import AFTER_CLEARING, Throw, next_turn, same_turn
from companion.referee.wavering import PUT
from companion.referee.ways import MOVED_IN_PLAY, Rolled, rolled, rowless_ways, ways
from companion.referee.worlds import World, answered, bought, misread, thrown_again, undone
from engine.dice import Faces, together
from engine.krone.events import Event, Use
from vision.types import Reading, SeenDie

UNCOUNTED = -0.5  # a throw that the vision side did not count as one
TURNED_UP = -1.0  # a die was taken up to turn it
PUT_BACK = -3.5  # a die was taken up and laid back into play
ALL_PUT_BACK = -5.0  # … all of them, and yet not thrown
NO_HAND = -8.0  # a card turned a die that no hand has come near, or it was thrown
NOT_LIFTED = -4.0  # … one that a hand has come near, but that was never out of sight
MISCOUNTED = -1.5  # the vision side counted a throw where there was none
SHOWS_UP = -0.5  # … because a die of the last throw showed up that had not been seen
UNLIKELY = -5.0  # a story less likely than this: perhaps a question asked before has another answer
LEFT_HALFWAY = -6.0  # a card was used halfway, and then dice were set aside
PUT_DOWN = -1.0  # a die of a turn's first roll was put elsewhere before it was seen
FAR = 2.0  # die widths: nobody nudges a die so far


def by_hands(timeline: Timeline, memory: Memory, reading: Reading) -> Iterator[Told]:
    """No throw was counted since the last one on record: what have hands done?"""
    dice, here, turn = Dice.of(reading), World(timeline.state), timeline.state.turn
    rows_ = rows(dice, memory, reading, turn.kept)
    begun = list(starts(here, memory, reading))
    rows_ += [
        row
        for other in otherwise(reading, reading.dice, [story.state.turn for story in begun])
        for row in rows(Dice.of(other), memory, other, turn.kept)
    ]
    moved = _moved(dice, memory, reading)
    by_itself = _turned_by_itself(memory, reading)
    taken = reading.knows_kept and _taken_up(dice, moved, memory)
    tidy = kept_moved(turn.kept, memory.was_kept, memory.landed, reading)
    for deep in (False, True):
        found = [
            one.at(_handled(one, start, moved) if taken else 0.0)
            for start in begun
            for kept, active, cost in rows_
            for one in _seen(here, by_hand(start.at(cost), kept, active, deep), dice)
        ]
        found += [
            one
            for start, card in unfinished(here, memory)
            for kept, active, cost in rows_
            for one in _seen(here, by_hand(start.at(cost), kept, active, deep), dice)
            if card in _uses(one.story.events[start.known :])
        ]
        if not deep:
            found += [
                replace(told(here, story, dice.as_read + _left_halfway(story, card, memory)), halfway=card)
                for start in begun
                for kept, active, cost in rows_
                for story, card in half_turned(start.at(cost), kept, active)
            ]
        if by_itself:
            found = [one.at(by_itself) if _turns(one.story) else one for one in found]
        if tidy:
            found = [one.at(tidy) for one in found]
        yield from found
        if any(one.score > GOOD for one in found):
            break
    kept, active, _ = rows_[0]
    if moved and memory.before is not None and len(reading.dice) == len(memory.before.dice):
        throw = _throw(dice, memory, reading, turn.kept, 0)
        for start in begun:
            yield from _seen(here, same_turn(start.at(by_itself or UNCOUNTED + tidy), throw), dice)
    for start in begun:
        due = len(start.state.turn.active) + len(start.state.turn.kept)
        if len(reading.dice) < due:  # dice picked up to be thrown, or cleared away: what lies aside is seen already
            for story in before_throw(start, kept, due - len(kept)):
                yield told(here, story, HIDDEN * (due - len(reading.dice)))
    wanted = minus(together(active, kept), together(turn.active, turn.kept))
    if len(reading.dice) < len(turn.active) + len(turn.kept):
        return
    best = max((one.score for one in found if not one.halfway), default=NEVER)
    for world in answered(timeline, memory.asked) if best < max(GOOD, UNLIKELY + by_itself) or tidy else ():
        its = kept_moved(world.state.turn.kept, memory.was_kept, memory.landed, reading)
        for start in starts(world, memory, reading):
            for one in _seen(world, by_hand(start, kept, active), dice):  # as likely as in the world on record
                turned = by_itself if _turns(one.story) else 0.0
                yield one.at(its + turned + (_handled(one, start, moved) if taken else 0.0))
    others = [
        *misread(timeline, wanted, memory.chances, unsure=best > GOOD),
        *(bought(timeline, 1) if best <= GOOD else ()),
    ]
    for world in others:
        for start in starts(world, memory, reading):
            yield from _seen(world, by_hand(start, kept, active), dice)


def by_throw(timeline: Timeline, memory: Memory, reading: Reading, hidden: int = 0) -> Iterator[Told]:
    """A throw since the last one on record: which? hidden: so many dice are taken to be there unseen."""
    dice, here, turn = Dice.of(reading), World(timeline.state), timeline.state.turn
    throw = _throw(dice, memory, reading, turn.kept, hidden)
    if turn.rolled and not hidden:
        # A die laid down or carried by a hand nobody saw may have counted as thrown.
        laid = _rolled(dice.active, memory, reading)
        not_thrown = sum(one.not_thrown for one in laid)
        for now in (reading, *otherwise(reading, dice.active, [turn])):
            everything = values(now.dice)
            kept = values(Dice.of(now).kept) if now.knows_kept else overlap(everything, turn.kept)
            for start in starts(here, memory, reading, thrown=True):
                due = start.state.turn
                more = max(0, len(reading.dice) - len(due.active) - len(due.kept))  # laid down, and nothing was moved
                cost = MISCOUNTED + min(0.0, not_thrown - MOVED_IN_PLAY * more)
                yield from _seen(here, by_hand(start.at(cost), kept, minus(everything, kept)), dice)
            # One of the last throw that was not seen then seems to have been thrown when it shows up.
            new = minus(everything, together(turn.active, turn.kept))
            for world in misread(timeline, new, memory.chances, unsure=True):
                for start in () if world.instead else starts(world, memory, reading, thrown=True):
                    yield from _seen(world, by_hand(start.at(SHOWS_UP), kept, minus(everything, kept)), dice)
    landed = () if memory.landed is None else memory.landed.dice
    unsure = any(die.confidence < SURE_DIE for die in landed)
    again = thrown_again(timeline, throw.active, throw.kept, unsure)
    if again is not None:
        yield told(again, Story(again.state), throw.first + (AFTER_CLEARING if memory.cleared else 0.0))
    wanted = minus(throw.kept, together(turn.active, turn.kept))
    lying = [die for die in reading.dice if die.kept or (die.came is not None and _lay(die, memory.before))]
    for deep in (False, True):
        found = list(_in_world(here, memory, reading, dice, deep, hidden))
        for other in otherwise(reading, lying, before=memory.before):
            found += _in_world(here, memory, other, dice, deep, hidden)
        yield from found
        best = max((one.score for one in found), default=NEVER)
        if best > GOOD or hidden:
            worlds = [] if hidden else [*misread(timeline, wanted, memory.chances, unsure=True)]
            worlds += answered(timeline, memory.asked) if GOOD < best < UNLIKELY else ()
            for world in worlds:
                yield from _in_world(world, memory, reading, dice, False)
            return
    others = [*answered(timeline, memory.asked), *misread(timeline, wanted, memory.chances), *bought(timeline)]
    rolling = [die.rolled for die in landed if die.came == memory.throw]
    if rolling and max(rolling) < SEEN_ROLLING and (before := undone(timeline)):
        others.append(before)
    for world in others:
        yield from _in_world(world, memory, reading, dice, False)


def _left_halfway(story: Story, card: str, memory: Memory) -> float:
    """Log chance of dice having been set aside since this card was seen used halfway."""
    before = memory.hand.best if memory.hand else None
    if before is None or before.halfway != card:
        return 0.0
    return LEFT_HALFWAY if story.state.turn.kept != before.story.state.turn.kept else 0.0


def _lay(die: SeenDie, before: Reading | None) -> bool:
    """Whether a die lies where one lay, so that it was perhaps not thrown, and seems to show something else."""
    beside = [] if before is None else [was for was in before.dice if near(was, die)]
    return bool(beside) and all(was.value != die.value for was in beside)


def _moved(dice: Dice, memory: Memory, reading: Reading) -> tuple[SeenDie, ...]:
    """Dice in play that do not lie, or do not show, what they did when all were last seen."""
    still = lying_still(memory.before, reading)
    some = dice.active if dice.knows_kept else tuple(die for die in reading.dice if die.track not in memory.was_kept)
    return tuple(die for die in some if die.track not in still)


def _taken_up(dice: Dice, moved: tuple[SeenDie, ...], memory: Memory) -> bool:
    """Whether dice were taken up and came back into play; those taken up to be set aside do not count."""
    if memory.before is None:
        return False
    old = Dice.of(memory.before)
    if len(memory.lifted) > len(dice.kept) - len(old.kept):
        return True
    if len(dice.active) + len(dice.kept) != len(memory.before.dice):
        return False
    known = {die.track for die in memory.before.dice}
    return any(
        not any(near(was, die, FAR if die.track in known else SAME_PLACE) for was in old.active) for die in moved
    )


def _turned_by_itself(memory: Memory, reading: Reading) -> float:
    """Log chance of a die that no hand has lifted showing something else than when it came to lie, unless it was
    misread; 0 when there is none."""
    landed = {} if memory.landed is None else {die.track: die for die in memory.landed.dice}
    costs = [0.0]
    for die in reading.dice:
        was = landed.get(die.track, die)
        if was.value != die.value and not die.touched:
            costs.append(NO_HAND)
        elif was.value != die.value and die.came is not None and die.came == was.came and die.rolled > PUT:
            costs.append(NOT_LIFTED)
    return min(costs)


def _uses(events: Iterable[tuple[str, Event]]) -> list[str]:
    """The cards used in these events."""
    return [event.card for _, event in events if isinstance(event, Use)]


def _turns(story: Story) -> bool:
    """Whether dice are turned by a card in what the story tells that is new."""
    return any(isinstance(event, Use) and event.before for _, event in story.events[story.known :])


def _handled(one: Told, start: Story, moved: tuple[SeenDie, ...]) -> float:
    """Log chance of dice having been taken up and laid down in play again, without a throw."""
    if not moved:
        return 0.0
    if any(isinstance(event, Use) for _, event in one.story.events[start.known :]):
        return TURNED_UP
    return PUT_BACK if len(moved) < len(one.story.state.turn.active) else ALL_PUT_BACK


def _in_world(
    world: World, memory: Memory, reading: Reading, dice: Dice, deep: bool, hidden: int = 0
) -> Iterator[Told]:
    throw = _throw(Dice.of(reading), memory, reading, world.state.turn.kept, hidden)
    for start in starts(world, memory, reading, thrown=True):
        yield from _seen(world, same_turn(start, throw, deep), dice)
    for start in endings(world, memory):
        yield from _seen(world, next_turn(start, throw), dice)


def _seen(world: World, stories: Iterable[Story], dice: Dice) -> Iterator[Told]:
    """Stories with the chance of the dice seen, where that is more than nothing."""
    for story in stories:
        chance = dice.log_chance(story)
        if chance > NEVER:
            yield told(world, story, chance)


def _rolled(dice: Iterable[SeenDie], memory: Memory, reading: Reading) -> list[Rolled]:
    return [rolled(die, memory.throw, reading, memory.before) for die in dice]


def _throw(dice: Dice, memory: Memory, reading: Reading, kept: Faces, hidden: int) -> Throw:
    """What is seen, taken in every likely way. kept: values set aside on record."""
    if reading.knows_kept:
        still = lying_still(memory.before, reading)
        in_play = _rolled(dice.active, memory, reading)
        found = ways(in_play, values(dice.kept))
        rows_still = sum(d.track in still for d in dice.kept)
        active, row = values(dice.active), values(dice.kept)
    else:
        in_play = _rolled((*dice.active, *dice.kept), memory, reading)
        found = rowless_ways(in_play, kept, handled_since(memory, reading))
        active, row, rows_still = values((*dice.active, *dice.kept)), (), 0
    first = sum(
        max(PUT_DOWN, one.thrown) if one.die.came is not None and one.die.came > memory.throw else one.thrown
        for one in in_play
    )
    lay = lay_in_play(memory, reading)
    return Throw(active, row, tuple(found), hidden, first, rows_still, memory.cleared, lay)
