"""The header of a record: `[Name "value" …]` lines, their order, and validation.

Ruleset and game may be omitted (the default is the first game and its first ruleset). Unknown tags are kept, except one
that is a typo away from a tag that decides how the game is played: a damaged record must not silently become another
game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.errors import Unreadable
from engine.games import Game, game
from engine.record import Record, Tag
from engine.registry import GAME_IDS

T = TypeVar("T")
LONGEST_NAME = 40
MAX_HEADER_LINES = 100  # header lines; each is compared with each
ORDER = ("Game", "Ruleset", "Date", "Players", "Result", "Position")
_ONE_VALUE = ("Game", "Ruleset", "Date", "Result", "Position")
_DECIDING = ("Game", "Ruleset", "Players", "Position", "Result")
_TAG = re.compile(r'\[\s*([A-Za-z_]\w*)((?:\s+"(?:[^"\\]|\\["\\])*")*)\s*\]')
_VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"')


def new_record(
    game_id: str, players: Sequence[str], ruleset: str | None = None, date: str | None = None, **tags: str
) -> Record:
    """An empty record.

    Args:
        tags: Further header tags (DiceSupply="none", Position=…).

    Raises:
        Unreadable: A value makes no sense.
    """
    header = [Tag("Game", (game_id,)), Tag("Ruleset", (ruleset or game(game_id).RULESETS[0],))]
    header += [Tag("Date", (date,))] if date else []
    header += [Tag("Players", tuple(players)), *(Tag(name, (value,)) for name, value in tags.items())]
    return _checked(Record(tuple(header)))


def read_header(lines: Sequence[tuple[int, str]]) -> Record:
    """A record without events, from its numbered header lines.

    Raises:
        Unreadable: With the line.
    """
    if len(lines) > MAX_HEADER_LINES:
        raise Unreadable("a header has at most {most} lines", line=lines[MAX_HEADER_LINES][0], most=MAX_HEADER_LINES)
    try:
        return _read_header(Record(tuple(_read_tag(number, line) for number, line in lines)))
    except Unreadable as error:
        raise error.at(lines[0][0] if lines else 1) from None


def _read_header(record: Record) -> Record:
    _refuse_misspelt(record, _DECIDING)
    _check_values(record, ORDER)
    if record.tag("Game") is None:
        record = replace(record, tags=(Tag("Game", GAME_IDS[:1]), *record.tags))
    record = _lowered(record, "Game")
    playing = _at_its_tag(record, lambda: record.game)
    record = replace(record, tags=tuple(_spelt(tag, playing.TAGS) for tag in record.tags))
    _refuse_misspelt(record, playing.TAGS)
    if record.tag("Ruleset") is None:
        record = replace(record, tags=(*record.tags, Tag("Ruleset", (playing.RULESETS[0],))))
    return _checked(_lowered(record, "Ruleset"))


def header_lines(record: Record) -> list[str]:
    """The header in canonical text."""
    order = (*ORDER, *record.game.TAGS)
    tags = sorted(record.tags, key=lambda tag: order.index(tag.name) if tag.name in order else len(order))
    return ["[" + " ".join([tag.name, *map(_quoted, tag.values)]) + "]" for tag in tags]


def _read_tag(line: int, text: str) -> Tag:
    found = _TAG.fullmatch(text)
    if found is None:
        raise Unreadable('a header line has the form [Name "value"], with closed quotes and brackets', line=line)
    values = tuple(re.sub(r"\\(.)", r"\1", value) for value in _VALUE.findall(found[2]))
    return _spelt(Tag(found[1], values, line), ORDER)


def _spelt(tag: Tag, known: Sequence[str]) -> Tag:
    """The tag in its usual spelling, whatever its case."""
    return replace(tag, name=next((name for name in known if name.lower() == tag.name.lower()), tag.name))


def _lowered(record: Record, name: str) -> Record:
    value = record.value(name)
    return record if value is None else record.with_tag(name, value.lower())


def _refuse_misspelt(record: Record, known: Sequence[str]) -> None:
    for tag in record.tags:
        for name in known:
            if record.tag(name) is None and _one_apart(tag.name.lower(), name.lower()):
                raise Unreadable(
                    "unknown tag [{name}]. Did you mean [{meant}]?", line=tag.line, name=tag.name, meant=name
                )


def _one_apart(first: str, second: str) -> bool:
    """Whether one changed, added or missing letter, or two swapped neighbours, turn one word into the other."""
    if len(first) > len(second):
        first, second = second, first
    if len(second) - len(first) == 1:
        return any(second[:i] + second[i + 1 :] == first for i in range(len(second)))
    differing = [i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b]
    swapped = len(differing) == 2 and sorted(first) == sorted(second) and differing[1] - differing[0] == 1
    return len(first) == len(second) and (len(differing) == 1 or swapped)


def _at_its_tag(record: Record, ask: Callable[[], T]) -> T:
    """The result of `ask`; an Unreadable from it gets the line of its tag."""
    try:
        return ask()
    except Unreadable as error:
        tag = record.tag(error.tag or "")
        raise error.at(tag.line) if tag and tag.line else error from None


def _checked(record: Record) -> Record:
    """The record itself.

    Raises:
        Unreadable: The header makes no game; at the line of the tag at fault.
    """
    _at_its_tag(record, lambda: _check(record, record.game))
    return record


def _check(record: Record, playing: Game) -> None:
    _check_values(record, (*ORDER, *playing.TAGS))
    if record.ruleset not in playing.RULESETS:
        known = " or ".join(playing.RULESETS)
        raise Unreadable(
            "there is no ruleset “{name}”. Choose {known}", tag="Ruleset", name=record.ruleset, known=known
        )
    if record.tag("Players") is None:
        raise Unreadable('the header has no players. Add them as in [Players "Anna" "Bert"]')
    _check_players(record.players, playing.PLAYERS)
    playing.start(record.setup())


def _check_values(record: Record, known: Sequence[str]) -> None:
    for tag in record.tags:
        if tag.name in _ONE_VALUE and len(tag.values) != 1:
            raise Unreadable("[{name}] needs one value in quotes", line=tag.line, name=tag.name)
        if tag.name in known and record.tag(tag.name) is not tag:
            raise Unreadable("[{name}] appears twice", line=tag.line, name=tag.name)


def _check_players(names: tuple[str, ...], seats: range) -> None:
    if len(names) not in seats:
        low, high = seats[0], seats[-1]
        raise Unreadable(
            "this game is for {low} to {high} players, not {n}", tag="Players", low=low, high=high, n=len(names)
        )
    for name in names:
        if not 1 <= len(name) <= LONGEST_NAME or any(ord(letter) < 32 for letter in name):
            raise Unreadable(
                "a name must have 1 to {most} characters: “{name}”", tag="Players", most=LONGEST_NAME, name=name
            )
        if names.count(name) > 1:
            raise Unreadable("two players have the name “{name}”", tag="Players", name=name)


def _quoted(value: str) -> str:
    plain = "".join(" " if letter < " " and letter != "\t" else letter for letter in value)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
