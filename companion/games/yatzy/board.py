"""The view model of Yatzy: plain data, without language and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.advice.chances import Chances
from companion.game.changes import Line, Question, Sentence
from companion.game.record_line import RecordLine
from companion.games.asked import differences, short
from companion.games.parts import Offered, Problem, QuestionForm, Said, with_doubts
from companion.games.yatzy.values import yatzy_values
from engine.dice import Faces, read_dice
from engine.yatzy.advice.choices import Choice, choices
from engine.yatzy.boxes import FURTHER, UPPER
from engine.yatzy.events import Keep, Score
from engine.yatzy.rules import can
from engine.yatzy.state import Sheet, State
from vision.types import SeenDie


@dataclass(frozen=True, slots=True)
class BoxView:
    """One box of one player.

    Attributes:
        score: Its points; None while open.
        offer: What the dice would score in it now; None if they cannot score there.
        gain: Expected points below the best choice; None while unknown.
    """

    id: str
    score: int | None
    offer: int | None = None
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One player's scoresheet. `upper` is the points of the upper half without its bonus."""

    seat: str
    name: str
    to_move: bool
    boxes: tuple[BoxView, ...]
    upper: int
    bonus: int
    further: int
    total: int


@dataclass(frozen=True, slots=True)
class YatzyBoard:
    """One version of the game, ready to be shown.

    Attributes:
        dice: In descending order.
        kept: Dice chosen to stay.
        advised: Indices of the dice to keep.
        rolls: Left in this turn.
        advised_box: The best choice if it is a box, else "".
    """

    version: str
    round: int
    winner: str | None
    seat: str
    name: str
    dice: Faces
    kept: Faces
    to_roll: int
    rolls: int
    may_keep: bool
    advised: frozenset[int]
    advised_box: str
    bonus: int
    jokers: bool
    upper_boxes: int
    players: tuple[Column, ...]
    lines: tuple[RecordLine, ...]
    questions: tuple[QuestionForm, ...]
    problem: Problem | None
    advice: tuple[Sentence, ...] = ()
    why_not: tuple[Sentence, ...] = ()


def arrange(
    version: str,
    state: State,
    names: Sequence[str],
    lines: Sequence[Line],
    *,
    questions: Sequence[Question] = (),
    problem: Problem | None = None,
    seen: Sequence[SeenDie] = (),
    chances: Chances | None = None,
) -> YatzyBoard:
    """Arranges one version of a game; `names` are in seat order."""
    called = dict(zip(state.seats, names, strict=True))
    form = partial(question_form, called=called)
    found = choices(state, yatzy_values(state.rules.id))
    best = found[0].event if found else None
    dice = tuple(reversed(state.dice or ()))
    return YatzyBoard(
        version=version,
        round=state.round,
        winner=None if state.winner is None else called[state.winner],
        seat=state.seat,
        name=called[state.seat],
        dice=dice,
        kept=tuple(reversed(state.kept or ())),
        to_roll=state.to_roll,
        rolls=state.rolls,
        may_keep=state.dice is not None and state.kept is None and state.rolls > 0,
        advised=_places(dice, best.dice) if isinstance(best, Keep) else frozenset(),
        advised_box=best.box if isinstance(best, Score) else "",
        bonus=state.rules.bonus,
        jokers=state.rules.jokers,
        upper_boxes=len(UPPER),
        players=tuple(_column(state, seat, called[seat], found) for seat in state.seats),
        lines=with_doubts(record_lines(lines, called), questions, form),
        questions=tuple(form(question) for question in questions if question.matters),
        problem=problem,
        advice=() if chances is None else chances.advice,
    )


def without_advice(board: YatzyBoard) -> YatzyBoard:
    """The same board with the score of each box but without the best choice."""
    plain = tuple(
        replace(player, boxes=tuple(replace(box, gain=None) for box in player.boxes)) for player in board.players
    )
    return replace(board, advised=frozenset(), advised_box="", players=plain)


def phone(state: State, board: YatzyBoard, me: Column, ahead: object) -> dict[str, Any]:
    """A player's phone: the board with that player's sheet only."""
    return {"board": replace(board, players=(me,))}


def record_lines(lines: Sequence[Line], called: Mapping[str, str]) -> tuple[RecordLine, ...]:
    """The record's lines as listed."""
    found: list[RecordLine] = []
    for line in lines:
        verb, *words = line.move.split()
        box = words if verb == "score" else []
        dice = () if box or words == ["none"] else tuple(reversed(read_dice(words)))
        name, begins = called.get(line.seat, line.seat), not found or found[-1].verb == "score"
        found.append(
            RecordLine(
                line.number, line.seat, name, verb, None, (), dice, line.by, line.confidence, begins, words=tuple(box)
            )
        )
    return tuple(found)


def question_form(question: Question, called: Mapping[str, str]) -> QuestionForm:
    answers = tuple(record_lines([Line(0, event, "camera") for event in one], called) for one in question.answers)
    return QuestionForm(question.number, question.sentence, short(question.sentence), differences(answers))


def moment(before: State, after: State, line: Line) -> Said | None:
    """The announcement of a filled box, or of the end."""
    if after.finished and not before.finished:
        return Sentence("{seat} wins the game.", {"seat": after.winner or line.seat}), "crown"
    verb, *words = line.move.split()
    if verb != "score":
        return None
    score = after.sheet(line.seat)[words[0]] or 0
    return Sentence("{seat}: {card}, {score} points.", {"seat": line.seat, "card": words[0], "score": score}), "card"


def line_choices(state: State, line: Line) -> Iterator[Offered]:
    """Every box that is still open for this seat."""
    for box in state.rules.boxes:
        if can(state, line.seat, Score(box)):
            yield f"{line.seat} score {box}", "take", "", True


def _column(state: State, seat: str, name: str, found: Sequence[Choice]) -> Column:
    sheet, running = state.sheet(seat), seat == state.seat and not state.finished
    best = found[0].points if found else 0.0
    gains = {one.event.box: best - one.points for one in found if isinstance(one.event, Score)} if running else {}
    boxes = tuple(
        BoxView(box, score, _offer(sheet, box, state.dice) if running and score is None else None, gains.get(box))
        for box, score in zip(state.rules.boxes, sheet.scored, strict=True)
    )
    return Column(seat, name, running, boxes, sheet.upper, sheet.bonus, FURTHER * sheet.further, sheet.total)


def _offer(sheet: Sheet, box: str, dice: Faces | None) -> int | None:
    return None if dice is None else sheet.worth(box, dice)


def _places(dice: Faces, keep: Faces) -> frozenset[int]:
    """Indices of the dice to keep among `dice`."""
    wanted, found = list(keep), set()
    for place, face in enumerate(dice):
        if face in wanted:
            wanted.remove(face)
            found.add(place)
    return frozenset(found)
