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
        dice, after: In the order given.
        aside: Dice that are set aside before this roll.
        shows: What a misread die really shows; 0 for no die.
        whole: The event's text, if the form contains it.
    """

    seat: str
    verb: str
    card: str
    dice: tuple[int, ...]
    after: tuple[int, ...]
    shows: int | None = None
    whole: str = ""
    aside: tuple[int, ...] = ()

    @property
    def before(self) -> str:
        """The event before it, if the form describes two; else ""."""
        return f"{self.seat} keep {' '.join(map(_sign, self.aside))}" if self.aside else ""

    @property
    def text(self) -> str:
        """The event with its seat, as in a record."""
        if self.whole:
            return self.whole
        if self.verb == "keep-none":
            return f"{self.seat} keep none"
        words = [self.seat, self.verb]
        if self.verb in ("use", "buy"):
            words.append(self.card)
        words += map(_sign, self.dice)
        if self.after:
            words += [">"] if self.dice else []
            words += map(_sign, self.after)
        return " ".join(words)


def read_move(form: MultiDict[str, str], own: FormWords) -> MoveForm:
    """The move of a submitted form.

    Args:
        own: How the game reads its own forms (`GameView.forms`).

    Raises:
        Unreadable: It is not a move.
    """
    if "event" in form:
        whole = " ".join(form["event"][:120].split())
        return MoveForm(whole[:1].upper(), "event", "", (), (), whole=whole)
    verb = form.get("verb", "")
    if verb in own:
        whole = " ".join(f"{form.get('seat', '')[:1]} {own[verb](form)}".split())[:120]
        return MoveForm(whole[:1].upper(), "event", "", (), (), whole=whole)
    shows = form.get("shows")
    if verb not in _VERBS and shows is None:
        raise Unreadable("“{verb}” is not a known entry. Write roll, keep, use, buy or pass", verb=verb[:20])
    card = form.get("card", "")
    if not re.fullmatch(r"[a-z0-9-]{0,30}", card):
        raise Unreadable("there is no card “{text}”", text=card[:20])
    return MoveForm(
        seat=form.get("seat", "")[:1].upper(),
        verb=verb,
        card=card,
        dice=_faces(form.getlist("dice")),
        after=_faces(form.getlist("after")),
        shows=None if shows is None else int(shows) if shows in _DIE_FACES else 0,
        aside=_faces(form.getlist("aside")) if verb == "roll" else (),
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
