"""What a form says somebody did, as one event text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from engine.errors import Unreadable

_VERBS = ("roll", "keep", "keep-all", "use", "buy", "pass")


@dataclass(frozen=True, slots=True)
class Move:
    """A filled-in form. dice, after: in the order given; shows: what a wrongly read die really shows, 0 = nothing."""

    seat: str
    verb: str
    card: str
    dice: tuple[int, ...]
    after: tuple[int, ...]
    shows: int | None = None

    @property
    def text(self) -> str:
        """The event with its seat, as records write it."""
        words = [self.seat, self.verb]
        if self.verb in ("use", "buy"):
            words.append(self.card)
        words += map(str, self.dice)
        if self.after:
            words += [">"] if self.dice else []
            words += map(str, self.after)
        return " ".join(words)


def read_move(form: MultiDict[str, str]) -> Move:
    """The move of a submitted form. Raises Unreadable when it is none."""
    verb = form.get("verb", "")
    shows = form.get("shows")
    if verb not in _VERBS and shows is None:
        raise Unreadable("“{verb}” is no event: write roll, keep, use, buy or pass", verb=verb[:20])
    card = form.get("card", "")
    if not re.fullmatch(r"[a-z-]{0,20}", card):
        raise Unreadable("there is no card “{text}”", text=card[:20])
    return Move(
        seat=form.get("seat", "")[:1].upper(),
        verb=verb,
        card=card,
        dice=_faces(form.getlist("dice")),
        after=_faces(form.getlist("after")),
        shows=None if shows is None else (_faces([shows]) or (0,))[0],
    )


def _faces(fields: list[str]) -> tuple[int, ...]:
    """Digits 1 to 6 in any number of fields, with or without spaces. Raises Unreadable for anything else."""
    text = "".join(fields)
    wrong = re.search(r"[^1-6 ,;?]", text)
    if wrong and text != "0":
        raise Unreadable("“{word}” is no die: write 1 to 6, or ? for a die not read yet", word=wrong.group())
    if len(text) > 200:
        raise Unreadable("so many dice are in no box")
    return tuple(int(letter) for letter in text if letter in "123456")
