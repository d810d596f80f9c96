"""Parses forms into event texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from engine.errors import Unreadable

FormWords = Mapping[str, Callable[[MultiDict[str, str]], str]]
"""Verb of a form → the words of its event."""
_DIE_FACES = ("1", "2", "3", "4", "5", "6")
_VERBS = ("roll", "keep", "keep-none", "use", "buy", "pass")


@dataclass(frozen=True, slots=True)
class MoveForm:
    """A submitted form.

    Attributes:
        seat: Its letter.
        text: The event with its seat, as in a record.
        before: The event before it, if the form describes two; else "".
        dice: In the order given.
        shows: What a misread die really shows, 0 for no die; None if the form corrects none.
    """

    seat: str
    text: str
    before: str = ""
    dice: tuple[int, ...] = ()
    shows: int | None = None


def read_move(form: MultiDict[str, str], own: FormWords) -> MoveForm:
    """The move of a submitted form.

    Args:
        own: How the game reads its own forms (`GameView.forms`).

    Raises:
        Unreadable: It is not a move.
    """
    verb, seat = form.get("verb", ""), form.get("seat", "")[:1]
    if "event" in form or verb in own:
        text = form["event"][:120] if "event" in form else f"{seat} {own[verb](form)}"
        whole = " ".join(text.split())[:120]
        return MoveForm(whole[:1].upper(), whole)
    shows, seat = form.get("shows"), seat.upper()
    if verb not in _VERBS and shows is None:
        raise Unreadable("“{verb}” is not a known entry. Write roll, keep, use, buy or pass", verb=verb[:20])
    card = form.get("card", "")
    if not re.fullmatch(r"[a-z0-9-]{0,30}", card):
        raise Unreadable("there is no card “{text}”", text=card[:20])
    dice, after = _faces(form.getlist("dice")), _faces(form.getlist("after"))
    aside = _faces(form.getlist("aside")) if verb == "roll" else ()
    words = [seat, verb, *([card] if verb in ("use", "buy") else []), *map(_sign, dice)]
    words += [*([">"] if dice and after else []), *map(_sign, after)]
    return MoveForm(
        seat,
        f"{seat} keep none" if verb == "keep-none" else " ".join(words),
        before=f"{seat} keep {' '.join(map(_sign, aside))}" if aside else "",
        dice=dice,
        shows=None if shows is None else int(shows) if shows in _DIE_FACES else 0,
    )


def _sign(face: int) -> str:
    return str(face) if face else "?"


def _faces(fields: list[str]) -> tuple[int, ...]:
    """Digits 1 to 6 in any number of fields, with or without spaces; 0 or ? for an unread die.

    Raises:
        Unreadable: Another character.
    """
    text = "".join(fields)
    wrong = re.search(r"[^0-6 ,;?]", text)
    if wrong:
        raise Unreadable(
            "“{word}” is not a die. Write 1 to 6, or ? for a die that has not been read yet", word=wrong.group()
        )
    if len(text) > 200:
        raise Unreadable("there are not that many dice in the box")
    return tuple(int(letter) if letter.isdigit() else 0 for letter in text if letter in "0123456?")
