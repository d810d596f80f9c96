"""Every sentence the referee can say. The English text is the id under which the pages look up translations."""

from __future__ import annotations

from collections.abc import Iterable

from companion.game.changes import Sentence
from vision.messages import Doubt

TOO_FEW = "I see {seen} dice, {expected} expected: one hidden or touching?"
TOO_MANY = "I see {seen} dice, {expected} expected: is one of them not part of the game?"
_ONE_SEEN = {
    TOO_FEW: "I see one die, {expected} expected: others hidden or touching?",
    TOO_MANY: "I see one die, {expected} expected: is it not part of the game?",
}
FROM_BEFORE = "What lies there from before the game (dice: {dice}) counts once it is thrown."
NO_FIT = "What lies there does not fit the record: please enter what happened."
WHICH_CARD = "Which card was it: {cards}?"
WHAT_HAPPENED = "What happened: “{first}” or “{second}”?"
WHICH_VALUE = "I am not sure of this roll: is it “{first}” or “{second}”?"
WHICH_PURCHASE = "{seat} has more than was entered: which card was taken?"
UNSEEN = "I have not seen all of this: is it right?"

NAME_THE_CARD = "Six dice were thrown: say which card they are for."
SIX_AGAIN = "A six was taken up again: sixes stay on the table."

ALL = (
    TOO_FEW,
    TOO_MANY,
    *_ONE_SEEN.values(),
    FROM_BEFORE,
    NO_FIT,
    WHICH_CARD,
    WHAT_HAPPENED,
    WHICH_VALUE,
    WHICH_PURCHASE,
    UNSEEN,
    NAME_THE_CARD,
    SIX_AGAIN,
)


def said(template: str, **values: str | int) -> Sentence:
    """A sentence with its values, in the singular where it counts one die in sight."""
    return Sentence(_ONE_SEEN.get(template, template) if values.get("seen") == 1 else template, values)


def which_card(cards: Iterable[str]) -> Sentence:
    """The question which of these cards was used."""
    return said(WHICH_CARD, cards=", ".join(dict.fromkeys(cards)))


def from_camera(doubt: Doubt | None) -> tuple[Sentence, ...]:
    """What the vision side doubts, as a notice."""
    return () if doubt is None else (Sentence(doubt.template, doubt.values),)
