"""Cards seen in front of a player."""

from __future__ import annotations

from vision.cards.types import SeenCard
from vision.cards.watching import CardsSeen, RestingCard

LATER = 20.0


def resting_card(
    zone: str, kind: str, odds: float = 6.0, since: float = 10.0, turned: float | None = None
) -> RestingCard:
    quad = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    return RestingCard(zone, SeenCard(kind, 0.99, quad, 0), since, since, odds, 0.0, turned)


def seen(
    *cards: RestingCard, unread: frozenset[str] = frozenset(), gone: tuple[tuple[str, str, float], ...] = ()
) -> CardsSeen:
    return CardsSeen(LATER, cards, gone, unread)
