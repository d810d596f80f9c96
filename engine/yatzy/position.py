"""A state in one line, to set up a game that was not recorded from its start.

    A ones 3 full-house 25 further 1; B -; rolls 2; dice 6 5 5 2 1; kept 5 5

Fields are separated by `;`: one per seat with its filled boxes or `-`, then the current turn if it has begun: rolls
left, the five dice, and those kept once chosen (`kept none`). The seat on turn follows from the sheets.
"""

from __future__ import annotations

from engine.dice import UNREAD, dice_text, read_dice, without
from engine.errors import Unreadable
from engine.registry import SEATS
from engine.yatzy.boxes import DICE, ROLLS, YATZY, YATZY_POINTS, Rules, possible
from engine.yatzy.state import Sheet, State

_NOTHING = "-"


def position_text(state: State) -> str:
    """The state in one line, which `read_position` parses."""
    fields = [f"{seat} {_sheet_text(state.sheet(seat))}" for seat in state.seats]
    if state.dice is not None:
        fields += [f"rolls {state.rolls}", f"dice {dice_text(state.dice)}"]
    if state.kept is not None:
        fields.append(f"kept {dice_text(state.kept) or 'none'}")
    return "; ".join(fields)


def _sheet_text(sheet: Sheet) -> str:
    scored = zip(sheet.rules.boxes, sheet.scored, strict=True)
    words = [f"{box} {score}" for box, score in scored if score is not None]
    words += [f"further {sheet.further}"] if sheet.further else []
    return " ".join(words) or _NOTHING


def read_position(text: str, players: int, rules: Rules) -> State:
    """Parses a state.

    Raises:
        Unreadable: The line makes no state.
    """
    fields: dict[str, list[str]] = {}
    for words in filter(None, (part.split() for part in text.split(";"))):
        key = words[0].upper() if len(words[0]) == 1 else words[0].lower()
        if key in fields or key not in (*SEATS, "rolls", "dice", "kept"):
            raise Unreadable("the position cannot be read at “{field}”", field=" ".join(words))
        fields[key] = words[1:]
    seats = [seat for seat in SEATS if seat in fields]
    if seats != list(SEATS[:players]):
        raise Unreadable("the position has {seats} seats, not {players}", seats=len(seats), players=players)
    state = State(rules, tuple(_sheet(rules, fields[seat]) for seat in seats))
    filled = [sheet.filled for sheet in state.sheets]
    if max(filled) - min(filled) > 1 or filled != sorted(filled, reverse=True):
        raise Unreadable("every player has filled as many boxes as the others, or one more than those after them")
    return _turn(state, fields)


def _sheet(rules: Rules, words: list[str]) -> Sheet:
    given = dict(zip(words[::2], words[1::2], strict=False)) if words != [_NOTHING] else {}
    further = _number(given.pop("further", "0"))
    scored: dict[str, int] = {box.lower(): _number(score) for box, score in given.items()}
    for box, score in scored.items():
        if box not in rules.boxes:
            raise Unreadable("there is no box “{text}” on the scoresheet", text=box)
        if score not in possible(rules, box):
            raise Unreadable("{points} points are not possible in the box {card}", points=score, card=box)
    if len(given) * 2 + 2 * bool(further) < len(words) - (words == [_NOTHING]):
        raise Unreadable("the position cannot be read at “{field}”", field=" ".join(words))
    if further and not (rules.jokers and scored.get(YATZY) == YATZY_POINTS and further < len(scored)):
        raise Unreadable("further fives of a kind need American rules and 50 points in the box {card}", card=YATZY)
    return Sheet(rules, tuple(scored.get(box) for box in rules.boxes), further)


def _turn(state: State, fields: dict[str, list[str]]) -> State:
    if "dice" not in fields:
        if "rolls" in fields or "kept" in fields:
            raise Unreadable("there must be five dice on the table")
        return state
    dice = read_dice(fields["dice"])
    left = _number(" ".join(fields.get("rolls", ["2"])))
    kept = None
    if "kept" in fields:
        kept = () if fields["kept"] == ["none"] else read_dice(fields["kept"])
    if len(dice) != DICE or UNREAD in dice or state.finished:
        raise Unreadable("there must be five dice on the table")
    if left >= ROLLS or (kept is not None and (not left or len(kept) == DICE or without(dice, kept) is None)):
        raise Unreadable("the dice kept do not fit the dice on the table")
    return State(state.rules, state.sheets, left, dice, kept)


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise Unreadable("“{word}” is not a number", word=word)
    return int(word)
