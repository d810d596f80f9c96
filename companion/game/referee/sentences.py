"""All sentences of the referee. The English text is the id under which the pages look up translations."""

from __future__ import annotations

from collections.abc import Iterable

from companion.game.changes import Sentence
from vision.messages import Doubt

TOO_FEW = "I see {seen} dice but expected {expected}. Is one hidden or touching another?"
TOO_MANY = "I see {seen} dice but expected {expected}. Is one of them not part of the game?"
_ONE_SEEN = {
    TOO_FEW: "I see one die but expected {expected}. Are others hidden or touching?",
    TOO_MANY: "I see one die but expected {expected}. Is it not part of the game?",
}
FROM_BEFORE = "Dice left on the table before the game ({dice}) count after they are rolled."
NO_FIT = "The dice on the table do not match the record. Please enter what happened."
WHICH_CARD = "Which card was it: {cards}?"
WHAT_HAPPENED = "What happened: “{first}” or “{second}”?"
WHICH_VALUE = "I am not sure about this roll. Is it “{first}” or “{second}”?"
WHICH_PURCHASE = "{seat} has a card that was not entered. Which card is it?"
UNSEEN = "I did not see all of this. Is it right?"

NAME_THE_CARD = "Six dice were rolled. Choose the card they are for."
SIX_AGAIN = "A six was picked up. Sixes stay on the table."

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


def message(template: str, **values: str | int) -> Sentence:
    """A sentence with its values, in the singular where one die is seen."""
    return Sentence(_ONE_SEEN.get(template, template) if values.get("seen") == 1 else template, values)


def which_card(cards: Iterable[str]) -> Sentence:
    """The question which of these cards was used."""
    return message(WHICH_CARD, cards=", ".join(dict.fromkeys(cards)))


def from_camera(doubt: Doubt | None) -> tuple[Sentence, ...]:
    """A doubt of vision as a notice."""
    return () if doubt is None else (Sentence(doubt.template, doubt.values),)
