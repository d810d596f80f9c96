"""Values that describe a game and its changes: lines, changes, questions, sentences.

Every change is one splice: at `index`, the lines `was` are replaced by the lines `now`. Entering, inserting,
correcting, removing, undoing, redoing and answering a question differ only in `kind`. So a journal can rebuild a game
without any rules, and undo is the reverse splice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, get_args

By = Literal["camera", "person"]
Kind = Literal["enter", "insert", "replace", "remove", "undo", "redo", "answer"]
_SOURCES, _KINDS = get_args(By), get_args(Kind)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence for the players: an English template, which is also the translation id, and its values."""

    template: str
    values: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.template.format(**self.values)


@dataclass(frozen=True, slots=True)
class Line:
    """One event of the game with its source.

    Attributes:
        number: Permanent id of the line.
        event: The seat's letter and the event's text.
        confidence: Of the camera, 0..1.
        frame, seconds: When the camera saw it.
        corrects: The text that a person replaced.
        remarks: The record's remarks in braces.
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
        """The letter of the event's seat."""
        return self.event[0]

    @property
    def move(self) -> str:
        """The event's text without the seat."""
        return self.event[2:]


@dataclass(frozen=True, slots=True)
class Question:
    """Lines that the camera recorded with uncertainty, and their alternatives, the likeliest first.

    Attributes:
        number: 1, 2, 3 … within a game; 0 in a referee's verdict.
        lines: Numbers of adjacent lines; in a verdict, indices of adjacent findings that write a line.
        answers: Each is a tuple of event texts (seat and event) that replaces all those lines; answers[0] is what is
            recorded now. An empty answer means that none of this happened.
        frame, seconds: When the camera saw it.
        matters: Whether another answer changes how the game continues. If not, the player is not asked; the line lists
            its alternatives.
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
    """One change of the game: at `index` of the record, the lines `was` are replaced by `now`.

    Attributes:
        number: 1, 2, 3 … without gaps.
        by: Who did it.
        questions: Questions raised with it.
        settles: Numbers of questions that a person answered with the recorded text, or that are replaced.
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
        """Plain data for JSON, the inverse of `Change.read`. For compatibility questions are stored as "doubts"."""
        body = asdict(self)
        body["doubts"] = body.pop("questions")
        return body

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Change:
        """Parses a change.

        Raises:
            KeyError, TypeError, ValueError: `body` is not a change.
        """
        return cls(
            number=_count(body["number"]),
            kind=_one_of(body["kind"], _KINDS),
            by=_one_of(body["by"], _SOURCES),
            index=_count(body["index"]),
            was=tuple(map(_read_line, body["was"])),
            now=tuple(map(_read_line, body["now"])),
            questions=tuple(_read_question(question) for question in body["doubts"]),
            settles=tuple(map(_count, body["settles"])),
        )


def _read_line(body: Mapping[str, Any]) -> Line:
    line = Line(**{**body, "remarks": tuple(map(_text, body["remarks"]))})
    _count(line.number)
    _one_of(line.by, _SOURCES)
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
        number=_count(body["number"]),
        sentence=sentence,
        lines=tuple(map(_count, body["lines"])),
        answers=tuple(tuple(map(_text, answer)) for answer in body["answers"]),
        frame=_number_or_none(body["frame"]),
        seconds=_number_or_none(body["seconds"]),
        matters=body.get("matters", True) is not False,
    )


def _count(value: Any) -> int:
    """A counting number."""
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
    """Durable storage of changes."""

    def commit(self, change: Change) -> None:
        """Returns when the change is durable. After an exception it is not, and must not be shown."""
        ...


class NotSaved(RuntimeError):
    """The journal failed, so the change was not made; the message is one sentence for the players."""
