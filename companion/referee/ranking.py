"""Stories weighed against each other: how likely each is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.referee.story import Story, is_throw
from companion.referee.worlds import World

GOOD = -6.5  # a story whose score is lower is asked about, and we look at what else may have been otherwise


@dataclass(frozen=True, slots=True)
class Told:
    """A story in the world it happens in. found: what is recorded, to the last throw; later: seen since, a preview;
    thrown: which event of the story is its last throw, -1 for none; halfway: the card that is just being used, ""
    for none: some of its dice are turned, others are not yet; seen: what of the score is the log chance of the dice."""

    world: World
    found: tuple[str, ...]
    later: tuple[str, ...]
    story: Story
    thrown: int
    score: float
    halfway: str = ""
    seen: float = 0.0

    @property
    def happened(self) -> float:
        """Log chance of what happened, whatever the dice look like now."""
        return self.score - self.seen

    def at(self, cost: float) -> Told:
        """The same, less or more likely."""
        return replace(self, score=self.score + cost)

    @property
    def before(self) -> int:
        """How many lines are written before those of `found`."""
        return sum(bool(finding.event) for finding in self.world.found)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Stories, the likeliest first, with their chances."""

    told: tuple[Told, ...]
    chances: tuple[float, ...]

    @property
    def best(self) -> Told:
        return self.told[0]


def told(world: World, story: Story, seen: float, final: bool = False) -> Told:
    """seen: log chance of the dice given the story. final: all of it is recorded, not only what leads to a throw."""
    throws = [i for i, (_, event) in enumerate(story.events) if is_throw(event)]
    thrown = throws[-1] if throws else -1
    cut = len(story.events) if final else thrown + 1
    head = Story(story.state, story.events[:cut]).texts()
    tail = Story(story.state, story.events[cut:]).texts()
    return Told(world, head, tail, story, thrown, world.cost + story.score + seen, seen=seen)


def ranked(stories: Iterable[Told]) -> Ranking | None:
    """Equal stories once, the likeliest first; None when there are none.

    Stories are equal when they differ only in what was set aside between the same throws and cards.
    """
    best: dict[tuple[object, ...], Told] = {}
    for one in stories:
        key = (one.world.found, deeds(one.found), deeds(one.later), one.halfway)
        if key not in best or best[key].score < one.score:
            best[key] = one
    order = sorted(best.values(), key=lambda one: -one.score)
    if not order:
        return None
    weights = [math.exp(one.score - order[0].score) for one in order]
    return Ranking(tuple(order), tuple(weight / sum(weights) for weight in weights))


def with_throws(hand: Ranking, counted: Ranking) -> Ranking | None:
    """What hands did, and beside it the throws told of the same reading, as likely against the best as they were there.

    counted: the stories told because a throw was counted; the best is one without a throw.
    """
    shift = hand.best.score - counted.best.score
    return ranked((*hand.told, *(one.at(shift) for one in counted.told if one.found and not one.world.found)))


def deeds(events: Iterable[str]) -> tuple[str, ...]:
    """Without what was set aside."""
    return tuple(event for event in events if verb(event) != "keep")


def verb(event: str) -> str:
    """`A keep 5 5` → `keep`."""
    return event.split()[1]
