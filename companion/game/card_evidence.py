"""What cards seen on the table say about a game, where games agree: cards that have arrived, questions, notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from companion.game.changes import Sentence
from vision.cards.types import Corners
from vision.cards.watching import CardsSeen, LyingCard

DISPLAY = "display"  # the zone of the cards for sale; a tableau is named by its seat's letter
WITNESS = 1.5  # log-odds that the same kind has just gone from the display
WITNESS_SECONDS = 20.0
PATIENCE_SECONDS = 6.0  # dice are read, or entered, a little later than their card is taken …

ELSEWHERE = "The {card} is in front of {seat}, but on record it belongs to {owner}. Move the card or fix the record."
OTHER_GAME = "The learned cards belong to another game. Choose the edition for this game on the “Your cards” page."
PLACES_UNKNOWN = "The places of the cards are not known. Draw them on the “Your cards” page."
ALL = (ELSEWHERE, OTHER_GAME, PLACES_UNKNOWN)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A card in a tableau that the record does not know there. log_odds: that it is this kind, by all that was seen."""

    seat: str
    kind: str
    since: float
    log_odds: float
    place: Corners


@dataclass(frozen=True, slots=True)
class CardQuestion:
    """What is asked about cards, or only told where nothing can be tapped.

    events: texts that answer it; undo: whether taking back the last change does; place: where the card lies, pixels of
    the picture.
    """

    sentence: Sentence
    events: tuple[str, ...] = ()
    undo: bool = False
    place: Corners | None = None


@dataclass(frozen=True, slots=True)
class CardNews:
    """What is to be said about the cards now: asked, and told where table and record disagree."""

    questions: tuple[CardQuestion, ...] = ()
    notices: tuple[CardQuestion, ...] = ()


def arrivals(seen: CardsSeen, tableaux: Mapping[str, Counter[str]]) -> list[Arrival]:
    """The cards that are not on record where they lie; with two of a kind the one that came last."""
    found = []
    for seat, recorded in tableaux.items():
        here: dict[str, list[LyingCard]] = {}
        for one in seen.lying:
            if one.zone == seat and one.card.kind is not None:
                here.setdefault(one.card.kind, []).append(one)
        for kind, lying in here.items():
            for one in sorted(lying, key=lambda one: one.since)[recorded[kind] :]:
                left = any(
                    zone == DISPLAY and gone == kind and abs(one.since - when) < WITNESS_SECONDS
                    for zone, gone, when in seen.gone
                )
                found.append(Arrival(seat, kind, one.since, one.log_odds + (WITNESS if left else 0.0), one.card.quad))
    return found
