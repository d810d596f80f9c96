"""A record as text: parsed leniently, written canonically.

    [Game "…"]
    [Players "Anna" "Bert"]

    A roll 5 5 2 {camera 0.98} {what a start}

The parser accepts blank lines, CRLF, any case, extra spaces, card names in any language and remarks on separate lines.
It never ignores a word it does not understand: the result is exactly the game in the text, or an Unreadable with its
line.

The writer puts tags in a fixed order, then a blank line, remarks before the first event, one event per line, dice in
descending order and adjacent keeps merged. In quotes `"` and `\\` are escaped, in remarks also braces and line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import ParamSpec, TypeVar, cast

from engine.errors import Unreadable
from engine.games import SEATS, Game
from engine.record import Entry, Record, Witness
from engine.record_header import header_lines, read_header

P = ParamSpec("P")
T = TypeVar("T")

_REMARK = re.compile(r"\s*\{((?:[^{}\\]|\\.)*)\}\s*")
_WITNESS = re.compile(r"\s*(?:(camera)(?:\s+(0(?:\.\d+)?|1(?:\.0*)?|\.\d+))?|(person))\s*", re.IGNORECASE)


def read_record(text: str) -> Record:
    """Parses a record. `engine.replay` checks whether its events are legal.

    Raises:
        Unreadable: With the line.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if any(letter < " " and letter != "\t" for letter in line):
            raise Unreadable("a game record cannot contain control characters", line=number)
    filled = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    first = next((number for number, line in filled if line[0] not in "[{"), len(lines))
    for number, line in filled:
        if line.startswith("[") and number > first:
            raise Unreadable("header lines must come before the first entry", line=number)
    record = read_header([(number, line) for number, line in filled if line.startswith("[")])
    entries: list[Entry] = []
    remarks: list[list[str]] = [[]]  # remarks on separate lines: before the first event, and after each
    for number, line in filled:
        if line.startswith("{"):
            remarks[-1] += [_unescaped(raw) for raw in _placed(number, _raw_remarks, line)]
        elif not line.startswith("["):
            entries.append(replace(_placed(number, read_entry, record, line), line=number))
            remarks.append([])
    noted = [
        replace(entry, comments=(*entry.comments, *after)) if after else entry
        for entry, after in zip(entries, remarks[1:], strict=True)
    ]
    return replace(record, entries=tuple(noted), preface=tuple(remarks[0]))


def read_entry(record: Record, line: str) -> Entry:
    """Parses one line such as `A buy farmer {person}` of a game with this header.

    Raises:
        Unreadable: It is not an entry.
    """
    words, brace, remarks = line.partition("{")
    letter, event = [*words.split(None, 1), "", ""][:2]
    seat = letter.upper()
    seats = SEATS[: len(record.players)]
    if len(seat) != 1 or seat not in seats:
        raise Unreadable(
            "“{word}” is not a seat in this game. Start the line with {seats}", word=letter, seats=" or ".join(seats)
        )
    entry, comments = Entry(seat, record.game.read_event(event)), []
    for raw in _raw_remarks(brace + remarks):
        witness = _WITNESS.fullmatch(raw)
        if witness and entry.by is None:
            by = cast(Witness, (witness[1] or witness[3]).lower())
            entry = replace(entry, by=by, confidence=float(witness[2]) if witness[2] else None)
        else:
            comments.append(_unescaped(raw))
    return replace(entry, comments=tuple(comments)) if comments else entry


def write_record(record: Record) -> str:
    """The canonical text. `[Result]` is written as in the record; `Replay.text` derives it from the events."""
    body = [_braced(remark) for remark in record.preface]
    body += [entry_text(record.game, entry) for entry in merged_entries(record)]
    return "\n".join([*header_lines(record), *([""] if body else []), *body]) + "\n"


def entry_text(game: Game, entry: Entry) -> str:
    """One line of the record."""
    words = [entry.seat, game.event_text(entry.event)]
    if entry.by == "camera" and entry.confidence is not None:
        words.append(f"{{camera {round(entry.confidence, 4):g}}}")
    elif entry.by is not None:
        words.append(f"{{{entry.by}}}")
    return " ".join(words + [_braced(remark) for remark in entry.comments])


def merged_entries(record: Record) -> tuple[Entry, ...]:
    """The entries, with adjacent events of one seat merged where the game writes them as one."""
    merged: list[Entry] = []
    for entry in record.entries:
        if merged and merged[-1].seat == entry.seat:
            event = record.game.merged(merged[-1].event, entry.event)
            if event is not None:
                merged[-1] = merged[-1].followed_by(entry, event)
                continue
        merged.append(entry)
    return tuple(merged)


def _placed(line: int, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return read(*args, **kwargs)
    except Unreadable as error:
        raise error.at(line) from None


def _raw_remarks(text: str) -> list[str]:
    """The contents of `{…} {…}`, still escaped.

    Raises:
        Unreadable: A brace is not closed.
    """
    found: list[str] = []
    place = 0
    while place < len(text):
        remark = _REMARK.match(text, place)
        if remark is None:
            raise Unreadable("write a remark as {{…}}; only another remark may follow it")
        found.append(remark[1])
        place = remark.end()
    return [raw for raw in found if raw.strip()]


def _unescaped(raw: str) -> str:
    """The remark. Escaped are braces, backslash, line breaks and a first word that would name a witness; any other
    backslash stands for itself."""
    plain = re.sub(r"^\\(?=camera|person)", "", raw.strip(), flags=re.IGNORECASE)
    return re.sub(r"\\([{}\\n])", lambda found: "\n" if found[1] == "n" else found[1], plain)


def _braced(remark: str) -> str:
    text = re.sub(r"[{}\\]", r"\\\g<0>", remark.strip()).replace("\n", "\\n")
    return "{" + ("\\" if _WITNESS.fullmatch(text) else "") + text + "}"
