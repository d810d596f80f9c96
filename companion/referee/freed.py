"""Cards that a later use may have been of, were an open question about an earlier use answered otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.game.changes import Line, Question
from companion.game.timeline import Timeline
from companion.referee.asking_dice import MOST_ANSWERS
from companion.referee.ranking import Told
from companion.referee.sentences import which_card
from companion.referee.swaps import cards
from engine.krone.cards import CARDS

Open = tuple[int, int, tuple[tuple[str, ...], ...]]  # place and number of its lines, its answers, that on record first


def also_freed(
    timeline: Timeline, asked: Sequence[Question], best: Told, questions: Sequence[Question]
) -> tuple[Question, ...]:
    """The questions about the best story, with an answer more for each card that it could not use only because an
    earlier use, which is in doubt, is recorded as that card's. asked: questions raised before in this turn.

    Where that earlier use was either that card's or the one's used now, answering it is enough: the two change places.
    """
    if best.world.kind != "recorded" or not cards(best.found):
        return tuple(questions)
    end = len(timeline.lines)
    timeline = timeline.spliced(end, 0, [Line(0, event, "camera") for event in best.found])
    open_: list[Open] = [
        (place, len(one.lines), one.answers) for one in asked if (place := timeline.standing(one.lines)) is not None
    ]
    open_ += [(end + one.lines[0], len(one.lines), one.answers) for one in questions]
    found = list(questions)
    for at, event in enumerate(best.found):
        more = tuple(dict.fromkeys((other,) for one in open_ for other in _instead(timeline, one, end + at, event)))
        place = next((i for i, one in enumerate(found) if at in one.lines), None)
        if more and place is None:
            found.append(_which((at,), ((event,), *more)))
        elif more and place is not None and found[place].lines == (at,):
            answers = tuple(dict.fromkeys((*found[place].answers, *more)))[:MOST_ANSWERS]
            found[place] = replace(found[place], sentence=_which((at,), answers).sentence, answers=answers)
    return tuple(found)


def _instead(timeline: Timeline, earlier: Open, at: int, event: str) -> Iterator[str]:
    """The event with a card that the earlier question is about, where one of its answers leaves that free."""
    place, count, answers = earlier
    if place + count > at:
        return
    for card in cards([event]):
        for used in cards(answers[0]):
            if used == card or CARDS[used].ability != CARDS[card].ability:
                continue  # what was turned was not thrown
            other = event.replace(f" {card}", f" {used}", 1)
            then = timeline.spliced(at, 1, [Line(0, other, "camera")])
            if any(
                _allows(then, earlier, answer, at) for answer in answers[1:] if not {used, card} & set(cards(answer))
            ):
                yield other


def _allows(timeline: Timeline, earlier: Open, answer: Sequence[str], at: int) -> bool:
    """Whether the line at `at` is legal with this answer."""
    place, count, _ = earlier
    broken = timeline.spliced(place, count, [Line(0, event, "camera") for event in answer]).replay.broken
    return broken is None or broken.index > at - count + len(answer)


def _which(about: tuple[int, ...], answers: tuple[tuple[str, ...], ...]) -> Question:
    return Question(which_card(card for answer in answers for card in cards(answer)), about, answers)
