"""Where what is seen now may have begun: after the cards that hands were seen to use, after all they did, or before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.referee.aside import MOVED_AGAIN
from companion.referee.byhand import RAISED, SHARING
from companion.referee.memory import Memory, lay_in_play, taken_again
from companion.referee.story import CARD, Story, is_throw
from companion.referee.worlds import World
from engine.krone.events import Event, Roll, Use
from vision.types import Reading

UNSEEN_CHANGE = -6.0  # the dice seen turned or added between the throws had been an error
MOVED_FIRST = -3.0  # a die was carried elsewhere in play, showing the same, before it was thrown
IN_GOES = -3.5  # a card that turns a single die did so in two goes, the die left lying between them
POSSIBLE = 0.002  # what hands did before a throw with less chance than this is forgotten


def starts(world: World, memory: Memory, reading: Reading, thrown: bool = False) -> Iterator[Story]:
    """Where what this reading shows of the same turn may have begun: after the cards seen used since the last throw,
    after a throw that may have been one, or without them. thrown: the dice seen then have been thrown since, so what
    they looked like still counts, if it is not weighed with the throw; otherwise it is seen again."""
    hand, plain = memory.hand, 0.0
    again = (MOVED_FIRST if thrown else MOVED_AGAIN) if taken_again(memory, reading) else 0.0
    if hand is not None and world.kind in ("recorded", "answered", "misread"):
        if any(isinstance(event, Use) for _, event in hand.best.story.events):
            plain = UNSEEN_CHANGE
        for one, chance in zip(hand.told, hand.chances, strict=True):
            events = one.story.events
            weighed = thrown and not lay_in_play(memory, reading)
            so_far = one.score - hand.best.score if weighed else one.happened - hand.best.happened
            deeds = [i for i, (_, event) in enumerate(events) if isinstance(event, Use | Roll)]
            if not deeds and not one.halfway and not one.world.found:
                plain = max(plain, one.score - hand.best.score)  # what seemed to have been turned was misread
            if deeds and chance > POSSIBLE:
                threw = any(is_throw(event) for _, event in events)
                yield from _began(world, events[: deeds[-1] + 1], so_far + (0.0 if threw else again))
    yield Story(world.state, (), plain + again)


def unfinished(world: World, memory: Memory) -> Iterator[tuple[Story, str]]:
    """Where the last card seen used may have turned more dice since: the story before it, and the card."""
    hand = memory.hand
    if hand is None:
        return
    for one, chance in zip(hand.told, hand.chances, strict=True):
        if chance <= POSSIBLE:
            continue
        events, card = one.story.events, one.halfway
        if not card:
            while events and not isinstance(events[-1][1], Use):
                events = events[:-1]
            use = events[-1][1] if events else None
            if not isinstance(use, Use) or not use.before:
                continue
            events, card = events[:-1], use.card
        cost = CARD if card in (*SHARING, *RAISED) else IN_GOES
        for story in _began(world, events, one.happened - hand.best.happened + cost):
            yield story, card


def _began(world: World, events: Iterable[tuple[str, Event]], cost: float) -> Iterator[Story]:
    """The world's position after these events that hands were seen to do, if the rules allow them."""
    story: Story | None = Story(world.state, (), cost)
    for seat, event in events:
        story = None if story is None else story.then(event, 0.0, seat)
    if story is not None:
        yield replace(story, known=len(story.events))


def endings(world: World, memory: Memory) -> Iterator[Story]:
    """Where the next turn may have begun: after all that hands were seen to do."""
    hand = memory.hand
    if hand is None or world.kind != "recorded":
        yield Story(world.state)
        return
    for one, chance in zip(hand.told, hand.chances, strict=True):
        if chance > POSSIBLE:
            known = len(one.story.events)
            yield Story(one.story.state, one.story.events, one.score - hand.best.score, known)
