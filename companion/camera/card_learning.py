"""Learns where cards are from the first minute of a game, so that players need not draw zones.

When a game starts all cards are for sale, so a cluster of cards is the display. A bought card is placed in front of its
buyer, who follows from the rules, and later ones beside it. Once every player has one, each has a zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from companion.game.card_evidence import DISPLAY
from vision.boxes import around_both, grown_by
from vision.cards.types import SeenCard
from vision.cards.watching import CardsSeen, Polygon, Zones
from vision.types import Box

TABLE = "table"  # the zone of all cards whose place is unknown
WHOLE_FRAME: Polygon = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
BESIDE_HEIGHTS = 0.5  # card heights: a card this near to a player's cards belongs to them
MIN_DISPLAY = 6  # a smaller cluster of cards is not the display
DISPLAY_MARGIN = 0.4  # card heights that the display's zone extends beyond its cards
MAX_REACH = 3.0  # card heights that a player's zone extends at most, because the next card is placed there


class LearnedPlaces:
    """The zones of one game, as far as known."""

    def __init__(self, seats: Sequence[str]) -> None:
        self._seats = tuple(seats)
        self._sheet: Box | None = None
        self._display: Box | None = None
        self._own: dict[str, Box] = {}  # box around the cards that each seat is known to have
        self._card_height = 0.0
        self._size = (1, 1)
        self.zones: Zones = {TABLE: WHOLE_FRAME}

    def set_sheet(self, sheet: Polygon, size: tuple[int, int]) -> None:
        """Sets the zone of the display to this printed sheet, in fractions of a frame of this size."""
        xs, ys = [x * size[0] for x, _ in sheet], [y * size[1] for _, y in sheet]
        self._sheet = min(xs), min(ys), max(xs), max(ys)

    def with_owners(self, seen: CardsSeen, can_buy: Callable[[str, str], bool], on_turn: str) -> CardsSeen:
        """The cards seen, each with the seat it probably belongs to.

        Args:
            can_buy: Whether this seat may buy this kind now.
        """
        if TABLE not in self.zones:
            return seen
        cards = tuple(
            replace(one, zone=self._owner(one.card, can_buy, on_turn)) if one.zone == TABLE else one
            for one in seen.cards
        )
        unread = seen.unread | set(self._seats) if TABLE in seen.unread else seen.unread
        return replace(seen, cards=cards, unread=unread)

    def learn(self, seen: CardsSeen, tableaux: Mapping[str, Counter[str]], size: tuple[int, int]) -> bool:
        """Learns from the cards seen, as `with_owners` returns them, and the record. Returns whether the zones have
        changed."""
        self._size = size
        named = [one for one in seen.cards if one.card.kind is not None]
        if self._display is None:
            if len(named) < (1 if self._sheet else MIN_DISPLAY) or any(tableaux.values()) or seen.unread:
                return False
            self._card_height = float(np.median([_card_height(one.card) for one in named]))
            box = _bounding_box([one.card for one in named])
            self._display = box if self._sheet is None else around_both(self._sheet, box)
            return self._update_zones()
        before = dict(self._own)
        for seat, cards in tableaux.items():
            mine = [one.card for one in named if one.zone == seat and cards[str(one.card.kind)]]
            if mine:
                box = _bounding_box(mine)
                self._own[seat] = around_both(self._own[seat], box) if seat in self._own else box
        return self._own != before and self._update_zones()

    def _update_zones(self) -> bool:
        assert self._display is not None
        zones = {DISPLAY: self._polygon(grown_by(self._display, DISPLAY_MARGIN * self._card_height))}
        if set(self._own) == set(self._seats):
            zones |= {seat: self._polygon(grown_by(box, self._margin(seat))) for seat, box in self._own.items()}
        else:
            zones[TABLE] = WHOLE_FRAME
        changed = zones != self.zones
        self.zones = zones
        return changed

    def _margin(self, seat: str) -> float:
        """Distance, pixels, that a seat's zone may extend around its cards: at most half way to the nearest others."""
        assert self._display is not None
        others = [box for name, box in self._own.items() if name != seat]
        half_gaps = [_gap(self._own[seat], other) / 2 for other in others]
        return min(
            [
                MAX_REACH * self._card_height,
                _gap(self._own[seat], self._display) - DISPLAY_MARGIN * self._card_height,
                *half_gaps,
            ]
        )

    def _owner(self, card: SeenCard, can_buy: Callable[[str, str], bool], on_turn: str) -> str:
        """The owner of a card: the owner of the cards beside it, else a seat that may buy it now, else the seat on
        turn."""
        near = {seat: _gap(_bounding_box([card]), own) for seat, own in self._own.items()}
        nearest = min(near, key=lambda seat: near[seat], default=TABLE)
        if near and near[nearest] < BESIDE_HEIGHTS * self._card_height:
            return nearest
        possible = [seat for seat in self._seats if near.get(seat, 0.0) < MAX_REACH * self._card_height]
        buyers = [seat for seat in possible if self._display is not None and can_buy(seat, str(card.kind))]
        if len(buyers) == 1:
            return buyers[0]
        if on_turn in possible and on_turn not in self._own and self._display is not None:
            return on_turn
        return nearest if near and near[nearest] < MAX_REACH * self._card_height else TABLE

    def _polygon(self, box: Box) -> Polygon:
        wide, high = self._size
        left, top, right, low = (
            float(np.clip(value / side, 0, 1)) for value, side in zip(box, (wide, high, wide, high), strict=True)
        )
        return ((left, top), (right, top), (right, low), (left, low))


def _card_height(card: SeenCard) -> float:
    corners = np.array(card.quad)
    return float(np.hypot(*(corners[3] - corners[0])))


def _bounding_box(cards: Sequence[SeenCard]) -> Box:
    corners = np.array([card.quad for card in cards]).reshape(-1, 2)
    (left, top), (right, low) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return left, top, right, low


def _gap(one: Box, other: Box) -> float:
    """Distance of two boxes along the axis where it is larger."""
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3], 0.0)
