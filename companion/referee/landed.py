"""The last throw on record, as its dice have shown themselves for as long as they have lain there."""

from __future__ import annotations

from companion.game.changes import Question
from companion.game.timeline import Timeline
from companion.referee.asking_dice import about_throw
from companion.referee.byhand import unused
from companion.referee.memory import Dice, Memory
from companion.referee.story import Story
from companion.referee.verdict import Finding, Verdict
from companion.referee.wavering import Lie, wavering
from vision.types import Reading, SeenDie

SEEN_ROLLING = 0.9  # chance that a die has rolled, from which on somebody saw it


def wavered(timeline: Timeline, memory: Memory, lies: dict[int, Lie]) -> Verdict | None:
    """The last throw is on record, and one of its dice has shown something else since, though no hand turned it: a
    question about the throw. What such dice have shown is remembered in `memory`, also once hands have turned them."""
    if memory.landed is None:
        return None
    doubtful = {die.track: die for die in wavering(lies, memory.landed.dice)}
    if not doubtful:
        return None
    new = [die for track, die in doubtful.items() if track not in memory.wavered]
    memory.wavered = memory.wavered | doubtful
    memory.chances = Dice.of(memory.landed).chances(memory.wavered)
    question = _asked(timeline, memory, new) if new else None
    if question is None:
        return None
    lines = timeline.lines[-len(question.lines) :]
    again = tuple(Finding(line.event, new[0].confidence, instead=line.number) for line in lines)
    return Verdict(again, (question,))


def may_have_thrown_again(timeline: Timeline, reading: Reading) -> bool:
    """Whether a throw that seems to have been none may have been a card's after all: a die was seen rolling and shows
    what lay there, and there is a card that throws again."""
    rolling = any(die.came == reading.throw and die.rolled >= SEEN_ROLLING for die in reading.dice)
    return rolling and timeline.state.turn.rolled and bool(unused(Story(timeline.state), "reroll"))


def _asked(timeline: Timeline, memory: Memory, new: list[SeenDie]) -> Question | None:
    assert memory.landed is not None
    was = {die.track: die.value for die in memory.landed.dice}
    return about_throw(timeline, memory.asked, [(was[die.track], die.probabilities) for die in new])
