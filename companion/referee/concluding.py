"""From weighed stories to a verdict: what to record, and what to ask about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.game.timeline import Timeline
from companion.referee.asking import questions
from companion.referee.freed import also_freed
from companion.referee.memory import Memory
from companion.referee.ranking import Ranking, ranked, told
from companion.referee.story import Story
from companion.referee.verdict import Finding, Verdict
from companion.referee.worlds import World
from engine.krone.events import Pass
from vision.types import SeenDie


def verdict_of(timeline: Timeline, memory: Memory, ranking: Ranking, rolled: Sequence[SeenDie]) -> Verdict:
    """The likeliest story, with questions about what may be otherwise. rolled: the dice seen after its throw."""
    best, chance = ranking.best, ranking.chances[0]
    sure = min([chance, *(die.confidence for die in rolled)])
    findings = [*best.world.found, *(Finding(event, sure) for event in best.found)]
    preview = tuple(Finding(event, sure) for event in best.later)
    asked = questions(ranking, rolled, memory.doubtful)
    return Verdict(tuple(findings), also_freed(timeline, memory.asked, best, asked), preview)


def concluded(
    timeline: Timeline, memory: Memory, hand: Ranking | None, then: Callable[[Story], Story | None]
) -> Verdict:
    """What hands did, each story followed by `then`, as if all of it were final."""
    told_ = hand.told if hand else (told(World(timeline.state), Story(timeline.state), 0.0),)
    stories = ((one, then(one.story)) for one in told_)
    ranking = ranked(
        replace(told(one.world, story, 0.0, final=True), score=one.score) for one, story in stories if story is not None
    )
    return Verdict() if ranking is None else verdict_of(timeline, memory, ranking, ())


def passed(story: Story) -> Story | None:
    """In the final round the turn of a player without active dice is over with what hands did."""
    return story.then(Pass()) if story.state.final and story.state.turn.over else story
