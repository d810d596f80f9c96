"""What is done to a running game, as values that can be written down: lines, changes, questions, sentences.

Every change of a game is one splice: at `index` the lines `was` made way for the lines `now`. Entering, inserting,
correcting, removing, undoing, redoing and answering a question differ in `kind` only, so a journal can fold a game
from its changes without knowing any rules, and undoing a change is the same splice the other way round.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, get_args

By = Literal["camera", "person"]
Kind = Literal["enter", "insert", "replace", "remove", "undo", "redo", "answer"]
_PEOPLE, _KINDS = get_args(By), get_args(Kind)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence for the players: an English template, which is also the id for translations, and what goes into
    it."""

    template: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


@dataclass(frozen=True, slots=True)
class Line:
    """One event of the game and who says so.

    number: names the line for good, also when lines are inserted before it; event: the seat's letter and the
    event's text; confidence: the camera's, 0..1; frame, seconds: when the camera saw it; corrects: the text a
    person replaced; remarks: what the record carries in braces.
    """

    number: int
    event: str
    by: By
    confidence: float | None = None
    frame: int | None = None
    seconds: float | None = None
    corrects: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def seat(self) -> str:
        """The letter of the seat the event belongs to."""
        return self.event[0]

    @property
    def move(self) -> str:
        """The event's text without the seat."""
        return self.event[2:]


@dataclass(frozen=True, slots=True)
class Question:
    """Lines the camera recorded without being sure, and what they may be instead, likeliest first.

    lines: numbers of the lines in question, adjacent in the record; answers[0] is what stands there now, each
    answer a tuple of event texts (seat and event) that takes the place of all those lines. An empty answer means:
    none of this happened. number: 1, 2, 3 … within a game; in a referee's verdict 0, and `lines` are then the places
    of its findings, adjacent among those that write a line. frame, seconds: when the camera saw it. matters: the
    game goes on otherwise under another answer; else none need be asked for: the line says what it may be instead.
    """

    sentence: Sentence
    lines: tuple[int, ...]
    answers: tuple[tuple[str, ...], ...]
    number: int = 0
    frame: int | None = None
    seconds: float | None = None
    matters: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the game: at `index` of the record, the lines `was` made way for `now`.

    number: 1, 2, 3 … without gaps; by: who did it; questions: raised with it; settles: numbers of questions a person
    answered with what stands there already, or that are asked anew with it.
    """

    number: int
    kind: Kind
    by: By
    index: int
    was: tuple[Line, ...]
    now: tuple[Line, ...]
    questions: tuple[Question, ...] = ()
    settles: tuple[int, ...] = ()

    @property
    def seats(self) -> frozenset[str]:
        """The letters of the seats whose lines it changes."""
        return frozenset(line.seat for line in set(self.was) ^ set(self.now))

    def body(self) -> dict[str, Any]:
        """As plain data for JSON; `Change.read` is the way back. Questions are filed as "doubts", as ever."""
        body = asdict(self)
        body["doubts"] = body.pop("questions")
        return body

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Change:
        """The change that `body` describes. Raises KeyError, TypeError or ValueError when it describes none."""
        return cls(
            number=_whole(body["number"]),
            kind=_one_of(body["kind"], _KINDS),
            by=_one_of(body["by"], _PEOPLE),
            index=_whole(body["index"]),
            was=tuple(map(_read_line, body["was"])),
            now=tuple(map(_read_line, body["now"])),
            questions=tuple(_read_question(question) for question in body["doubts"]),
            settles=tuple(map(_whole, body["settles"])),
        )


def _read_line(body: Mapping[str, Any]) -> Line:
    line = Line(**{**body, "remarks": tuple(map(_text, body["remarks"]))})
    _whole(line.number)
    _one_of(line.by, _PEOPLE)
    if len(_text(line.event)) < 3:
        raise ValueError(f"{line.event!r} is no event")
    for number in (line.confidence, line.frame, line.seconds):
        _number_or_none(number)
    if line.corrects is not None:
        _text(line.corrects)
    return line


def _read_question(body: Mapping[str, Any]) -> Question:
    sentence = Sentence(**body["sentence"])
    _text(sentence.template)
    if not isinstance(sentence.values, Mapping) or not all(isinstance(v, str | int) for v in sentence.values.values()):
        raise TypeError("a sentence is filled with words and numbers")
    return Question(
        number=_whole(body["number"]),
        sentence=sentence,
        lines=tuple(map(_whole, body["lines"])),
        answers=tuple(tuple(map(_text, answer)) for answer in body["answers"]),
        frame=_number_or_none(body["frame"]),
        seconds=_number_or_none(body["seconds"]),
        matters=body.get("matters", True) is not False,
    )


def _whole(value: Any) -> int:
    """A number that counts something."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31:
        return value
    raise ValueError(f"{value!r} counts nothing")


def _number_or_none(value: Any) -> Any:
    if value is None or (isinstance(value, int | float) and math.isfinite(value)):
        return value
    raise ValueError(f"{value!r} is no number")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"{value!r} is no text")


def _one_of(value: Any, words: tuple[str, ...]) -> Any:
    if value in words:
        return value
    raise ValueError(f"{value!r} is none of {', '.join(words)}")


class Journal(Protocol):
    """Where changes are kept for good."""

    def commit(self, change: Change) -> None:
        """Returns when the change is durable. Any exception means it is not, and then nobody gets to see it."""
        ...


class Unkept(RuntimeError):
    """The journal did not take the change, so it was not made; the message is one sentence for the players."""
