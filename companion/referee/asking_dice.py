"""Questions about what thrown dice show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from companion.game.changes import Question
from companion.game.timeline import Timeline
from companion.referee.ranking import Told
from companion.referee.sentences import WHICH_VALUE, said
from companion.referee.sight import SURE_DIE, minus
from companion.referee.story import is_throw
from engine.dice import Faces, together
from engine.krone.events import Roll, Use, event_text
from vision.types import SeenDie

WORTH_ASKING = 0.002  # an answer less likely than this is not offered
LIKELY = 0.02  # a value less likely than this is no answer
MOST_ANSWERS = 6
NEXT = 0.4  # how likely an answer is, compared with the one before it, where nothing else is known

Events = tuple[str, ...]


def about_dice(best: Told, rolled: Sequence[SeenDie]) -> Iterator[Question]:
    """A die of the throw that may show something else: the throw with its likeliest values, then the next likely
    ones."""
    if best.thrown < 0:
        return
    seat, event = best.story.events[best.thrown]
    assert isinstance(event, Roll | Use)  # what else is thrown
    shown = event.dice if isinstance(event, Roll) else event.after
    unsure = sorted((die for die in rolled if die.confidence < SURE_DIE), key=lambda die: die.confidence)[:2]
    if not unsure or any(die.value not in shown for die in unsure):
        return
    sure = minus(shown, tuple(die.value for die in unsure))
    choices = []
    for faces in product(range(1, 7), repeat=len(unsure)):
        chance = math.prod(die.probabilities[face - 1] for die, face in zip(unsure, faces, strict=True))
        dice = together(sure, tuple(sorted(faces)))
        choices.append((chance, dice))
    order = dict.fromkeys(dice for chance, dice in sorted(choices, key=lambda c: -c[0]) if chance >= WORTH_ASKING)
    answers = [(f"{seat} {event_text(_showing(event, dice))}",) for dice in order][:MOST_ANSWERS]
    if len(answers) > 1:
        place = best.before + len(best.found) - 1
        values = said(WHICH_VALUE, first=answers[0][0][2:], second=answers[1][0][2:])
        yield Question(values, (place,), tuple(answers))


def about_throw(
    timeline: Timeline, asked: Sequence[Question], doubtful: Sequence[tuple[int, tuple[float, ...]]]
) -> Question | None:
    """About the last line, a throw that the camera has recorded: what it may have been if dice it shows are others.

    asked: questions already raised, whose answers stay answers; doubtful: values recorded, and the chances of those
    dice as they are known now. None where the last line is no such throw.
    """
    line = timeline.lines[-1] if timeline.lines else None
    event = None if line is None else timeline.game.read_event(line.move)
    if line is None or line.by != "camera" or not isinstance(event, Roll | Use) or not is_throw(event):
        return None
    about = (one for one in asked if one.lines[-1] == line.number and timeline.standing(one.lines) is not None)
    before = next(about, Question(said(""), (line.number,), ((line.event,),)))
    answers: dict[Events, float] = {}
    for rank, answer in enumerate(before.answers):
        answers[answer] = NEXT**rank
        for was, chances in doubtful:
            for face in (f for f in range(1, 7) if f != was and chances[f - 1] >= LIKELY):
                if other := _with_die(answer, was, face):
                    answers[other] = NEXT**rank * min(1.0, chances[face - 1] / chances[was - 1])
    found = tuple(sorted(answers, key=lambda answer: -answers[answer]))[:MOST_ANSWERS]
    found = (before.answers[0], *(answer for answer in found if answer != before.answers[0]))
    if found == before.answers or len(before.lines) > len(timeline.lines):
        return None
    second = next((answer[-1] for answer in found[1:] if answer), "– –")  # perhaps nothing was thrown
    sentence = said(WHICH_VALUE, first=found[0][-1][2:], second=second[2:])
    return Question(sentence, tuple(range(len(before.lines))), found)


def _with_die(answer: Events, was: int, face: int) -> Events | None:
    """The answer with a die of its throw at the end showing something else, if it has one."""
    if not answer:
        return None
    words = answer[-1].split()
    begin = words.index(">") + 1 if ">" in words else 2
    thrown = words[begin:]
    if words[1] not in ("roll", "use") or str(was) not in thrown:
        return None
    thrown[thrown.index(str(was))] = str(face)
    return (*answer[:-1], " ".join([*words[:begin], *sorted(thrown, reverse=True)]))


def _showing(event: Roll | Use, dice: Faces) -> Roll | Use:
    return Roll(dice) if isinstance(event, Roll) else Use(event.card, event.before, dice)
