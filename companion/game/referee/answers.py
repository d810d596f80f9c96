"""Explains a turn again after an answer: its snapshots are filtered under the condition that the answer is true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from companion.game.changes import Line, Question
from companion.game.log import GameLog, numbered
from companion.game.moves import Moves, move_texts, moves_from, moves_of, read_moves, without_keeps
from companion.game.referee.alike import still_open
from companion.game.referee.beam import Belief, Condition
from companion.game.referee.effects import weighed
from companion.game.referee.model import Hypothesis, Zone
from companion.game.referee.publish import explanations, head, values
from companion.game.referee.questions import SURE_DIE, PossibleQuestion, questions
from companion.game.referee.verdict import Correction
from companion.game.timeline import Timeline
from engine.games import Game

MAX_SNAPSHOTS = 150  # a turn with more snapshots is not explained again


def recomputed(
    book: GameLog,
    belief: Belief,
    begin: int,
    end: int,
    place: int,
    asked: Question,
    answer: Sequence[Line],
    running: bool,
) -> tuple[Correction, Belief] | None:
    """The correction that follows from an answer, and the belief after it.

    Args:
        begin, end: The turn's lines in the record.
        place: Of the first line that was asked about.
        running: The turn is not over yet.

    Returns:
        None if nothing fits, or if it would remove lines that a person has entered since.
    """
    if len(belief.snapshots) > MAX_SNAPSHOTS or any(
        line.by == "person" and not ends_turn(book.game, line) for line in book.lines[place + len(asked.lines) : end]
    ):
        return None
    game = book.game
    before = moves_from(book.timeline, begin, place)
    answered = moves_of(game, answer)
    condition = _agrees(before, answered, read_moves(game, asked.answers[0]))
    refiltered = belief.replayed(belief.begun, condition)
    if not refiltered.hypotheses:
        return None
    tail = [line for line in book.lines[begin:end] if ends_turn(book.game, line)]
    over = not running or bool(tail)
    best = refiltered.ranked[0].hypothesis
    closed = (over or (best.cleared and not in_play(best))) and bool(tail or " keep " in book.lines[end - 1].event)

    def explain(h: Hypothesis) -> Moves | None:
        done = h.kept(tuple(d.var for d in h.dice if d.zone is not Zone.KEPT)) if closed else h
        return None if done is None else done.lines if closed else head(h, roll_count(best))

    explained = explain(best)
    if explained is None:
        return None
    if without_keeps(explained)[: len(without_keeps(before))] != without_keeps(before):
        return None
    new: list[Line] = []
    mine: dict[str, Line] = {line.event: line for line in answer}
    old = list(book.lines[begin:end])
    for number, event in enumerate(move_texts(game, explained)):
        if number < len(old) and old[number].event == event and not new:
            continue
        if not new:
            place = begin + number
        kept_line = next((line for line in old[number:] if line.event == event and line not in new), None)
        known = mine.pop(event) if event in mine else kept_line
        new.append(known or book.line(event, "camera", refiltered.ranked[0].chance))
    if not new:
        return None
    new += tail
    open_ = questions(explained, explanations(refiltered.ranked, explain))
    open_ += values(best, explained, open_, SURE_DIE)
    base = belief.begun[0].base
    doubts = [weighed(best.transitions, base, explained, doubt).question(game) for doubt in open_]
    asked_on = _asked_on(doubts, place - begin, new, {line.event for line in answer})
    alike = still_open([read_moves(game, one) for one in asked.answers], answered)
    answered_lines = tuple(i for i, line in enumerate(new) if line in answer)
    if alike and len(answered_lines) == len(answered):  # the answer stood for others of its kind
        asked_on.insert(0, PossibleQuestion(answered_lines, alike, 0.0, matters=asked.matters).question(game))
    return Correction(place, end - place, tuple(new), numbered(asked_on, new, book, None)), refiltered


@dataclass(frozen=True, slots=True)
class Past:
    """A finished turn: its belief, and the numbers of its lines when it ended."""

    belief: Belief
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, belief: Belief, mine: Sequence[int], timeline: Timeline) -> Past | None:
        """The finished turn of this belief, with the line that ended it. None if one of its lines is gone."""
        if not mine or (span := places(mine, timeline)) is None:
            return None
        there = timeline.lines[span.start :]
        count = max([len(mine), *(i + 1 for i, line in enumerate(there) if ends_turn(timeline.game, line))])
        return cls(belief, tuple(line.number for line in there[:count]))


def places(numbers: Sequence[int], timeline: Timeline) -> range | None:
    """The places from the first to the last of these lines; None if one is gone."""
    there = [place for number in numbers if (place := timeline.index(number)) is not None]
    return range(there[0], there[-1] + 1) if there and len(there) == len(numbers) else None


def _asked_on(open_: Iterable[Question], first: int, new: Sequence[Line], answered: Set[str]) -> list[Question]:
    """The questions that stay open about the lines after an answer.

    Args:
        open_: Questions about the whole turn.
        first: The place of `new` in the turn.
    """
    here = [
        replace(q, lines=tuple(i - first for i in q.lines))
        for q in open_
        if min(q.lines) >= first and max(q.lines) < first + len(new)
    ]
    return [q for q in here if not answered & {new[i].event for i in q.lines}]


def _agrees(before: Moves, answered: Moves, was: Moves) -> Condition:
    """The condition of an answer: the moves recorded before it, then the answer. The answer "none of these" excludes
    the moves on record."""
    return Condition(without_keeps((*before, *answered)), None if answered else without_keeps((*before, *was)))


def ends_turn(game: Game, line: Line) -> bool:
    """Whether this line ends a turn."""
    return game.ends_turn(game.read_event(line.move))


def roll_count(h: Hypothesis) -> int:
    """Number of rolls in this hypothesis."""
    return sum(act.rolls for act in h.acts)


def in_play(h: Hypothesis) -> bool:
    """Whether a die is still in play."""
    return any(die.zone is Zone.ACTIVE for die in h.dice)
