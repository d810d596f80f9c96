"""What the cards on the table say beyond the record: cards that have arrived, and questions and notices about cards.

The judge of each game decides what follows from it (`companion.plugins.CardWatching.referee`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.game.changes import Sentence
from vision.cards.types import Corners
from vision.cards.watching import CardsSeen, RestingCard

DISPLAY = "display"  # the zone of the cards for sale; a tableau's zone is its seat's letter
LEFT_DISPLAY_LOG_ODDS = 1.5  # log-odds that the same kind has just left the display
LEFT_DISPLAY_SECONDS = 20.0
DICE_WAIT_SECONDS = 6.0  # dice are read, or entered, a little later than their card is taken

ELSEWHERE = "The {card} is in front of {seat}, but on record it belongs to {owner}. Move the card or fix the record."
OTHER_GAME = "The learned cards belong to another game. Choose the edition for this game on the “Your cards” page."
PLACES_UNKNOWN = "The places of the cards are not known. Draw them on the “Your cards” page."
SENTENCES = (ELSEWHERE, OTHER_GAME, PLACES_UNKNOWN)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A card in a tableau that the record does not have there. `log_odds` is the evidence that it is of this kind."""

    seat: str
    kind: str
    since: float
    log_odds: float
    place: Corners


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """A question about cards, or a notice if there is nothing to tap.

    Attributes:
        events: Texts of the answers.
        undo: Undoing the last change is an answer.
        fixes: Corrections offered with a notice: number of a line, and the event that corrects it.
        place: Box of the card, pixels.
    """

    sentence: Sentence
    events: tuple[str, ...] = ()
    undo: bool = False
    place: Corners | None = None
    fixes: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CardMessages:
    """Questions about the cards, and differences between table and record, to be shown now."""

    questions: tuple[CardQuestion, ...] = ()
    notices: tuple[CardQuestion, ...] = ()


def arrivals(seen: CardsSeen, tableaux: Mapping[str, Counter[str]]) -> list[Arrival]:
    """The cards that the record does not have in their tableau; of two of a kind, the later one."""
    found = []
    for seat, recorded in tableaux.items():
        by_kind: dict[str, list[RestingCard]] = {}
        for one in seen.cards:
            if one.zone == seat and one.card.kind is not None:
                by_kind.setdefault(one.card.kind, []).append(one)
        for kind, cards in by_kind.items():
            for one in sorted(cards, key=lambda one: one.since)[recorded[kind] :]:
                left = any(
                    zone == DISPLAY and gone == kind and abs(one.since - when) < LEFT_DISPLAY_SECONDS
                    for zone, gone, when in seen.gone
                )
                found.append(
                    Arrival(
                        seat, kind, one.since, one.log_odds + (LEFT_DISPLAY_LOG_ODDS if left else 0.0), one.card.quad
                    )
                )
    return found
