"""Watches zones of a table for cards: reads a place only after it has changed and come to rest.

`notice` runs on every frame, on a small grey image, and reports what has changed; `read` then reads the cards there at
full resolution.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.boxes import Piece, merged
from vision.cards.card_reader import CardReader
from vision.cards.quads import overlap
from vision.cards.types import SeenCard
from vision.types import Box, Image

Polygon = tuple[tuple[float, float], ...]  # corners as fractions of the image's width and height
Zones = Mapping[str, Polygon]  # polygons by name
Grey = npt.NDArray[np.uint8]

WIDTH = 320  # pixels: width of the small grey image
MOTION = 14.0  # minimum difference between frames that is motion, grey levels (noise and JPEG stay below 10)
CHANGED = 18.0  # grey levels: minimum difference from the image when the place was last read
STILL_SECONDS = 0.35  # seconds without motion before a place is read
MIN_CHANGED = 10  # pixels of the small image: smaller changes are flicker
MARGIN = 0.45  # card heights read around a change, to include the whole card
GUESSED = 0.16  # share of the image's height: assumed height of a card until one was read
TILE = 2.1  # card heights: maximum side read per frame, without margin; the rest waits
SAME_CARD_OVERLAP = 0.5  # intersection over union from which a card is the one read before
LEANING = 30.0  # degrees: tolerance around a right angle at which a card counts as turned


@dataclass(frozen=True, slots=True)
class RestingCard:
    """A card resting in a zone."""

    zone: str  # name of its zone
    card: SeenCard  # as last read
    since: float  # seconds, when it was first read here
    read_at: float  # seconds, when it was last read
    log_odds: float  # that its kind is right, natural logarithm
    degrees: float  # clockwise rotation in the image when it was first read
    turned: float | None = None  # seconds, when it was turned by a right angle from that; None if it was not


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The cards on the table after one frame."""

    seconds: float = 0.0  # time of the last reading
    cards: tuple[RestingCard, ...] = ()
    gone: tuple[tuple[str, str, float], ...] = ()  # zone, kind and time of cards no longer there
    unread: frozenset[str] = frozenset()  # zones with changes that are not read yet

    def kinds(self, zone: str) -> list[str]:
        """The kinds of the recognised cards in a zone."""
        return [one.card.kind for one in self.cards if one.zone == zone and one.card.kind is not None]


class CardWatcher:
    """Watches the zones of one camera. Not thread-safe."""

    def __init__(self, reader: CardReader, zones: Zones, tall: float | None = None) -> None:
        """Starts without any known card. tall: height of the cards in the full image, pixels, if known."""
        self._reader, self._zones = reader, dict(zones)
        self.tall = tall
        self.seen = CardsSeen()
        self._read: npt.NDArray[np.float32] | None = None  # small image, each place as it was last read
        self._last: Grey | None = None
        self._moved_at: npt.NDArray[np.float32] | None = None  # time of the last motion at each place
        self._masks: dict[str, Grey] = {}
        self._mask: Grey | None = None
        self._left_out = np.zeros((0, 0), np.uint8)
        self._size = (1, 1)  # width and height of the full image

    def watch(self, zones: Zones) -> None:
        """Replaces the zones; cards inside the new zones are kept, and newly covered areas are read."""
        self._zones = dict(zones)
        if self._last is not None:
            self._lay_masks(self._last.shape)
        placed = [(one, self._zone(one.card, self._size)) for one in self.seen.cards]
        cards = tuple(replace(one, zone=zone) for one, zone in placed if zone is not None)
        self.seen = replace(self.seen, cards=cards, gone=(), unread=frozenset())

    def leave_out(self, boxes: Iterable[Box]) -> None:
        """Excludes the surroundings of dice from reading; boxes: of the dice, pixels of the full image."""
        if self._last is None:
            return
        height, width = self._last.shape
        across, down = width / self._size[0], height / self._size[1]
        for left, top, right, low in boxes:
            wide = right - left
            columns = slice(max(0, int((left - wide) * across)), int((right + wide) * across) + 1)
            rows = slice(max(0, int((top - wide) * down)), int((low + wide) * down) + 1)
            self._left_out[rows, columns] = 1
        self._lay_masks(self._last.shape)

    def step(self, image: Image, seconds: float) -> bool:
        """Processes one frame (H, W, 3) BGR. Returns whether anything was read."""
        pieces = self.notice(smaller(image), seconds, (image.shape[1], image.shape[0]))
        if pieces:
            self.read(image, pieces, seconds)
        return bool(pieces)

    def notice(self, small: Grey, seconds: float, size: tuple[int, int]) -> list[Piece]:
        """Detects regions that have changed since they were last read and are now at rest.

        Args:
            small: (h, w) grey, see `smaller`.
            seconds: Time of the frame.
            size: Width and height of the full image.

        Returns:
            Regions to be read, pixels of the full image.
        """
        self._size = size
        if self._last is None or self._last.shape != small.shape:
            self._begin(small, seconds)
        assert self._last is not None
        assert self._read is not None
        assert self._moved_at is not None
        assert self._mask is not None
        moves = (cv2.absdiff(small, self._last) > MOTION).astype(np.uint8)
        self._last = small
        if moves.any():
            self._moved_at[cv2.dilate(moves, _AROUND) > 0] = seconds
        now = small.astype(np.float32)
        lighter = now - self._read  # infinite where nothing has been read
        known = lighter[::4, ::4][(self._mask[::4, ::4] > 0) & np.isfinite(lighter[::4, ::4])]
        # A uniform change of brightness is a lamp or auto-exposure, so subtract the median.
        differs = np.abs(lighter - (float(np.median(known)) if len(known) else 0.0)) > CHANGED
        changed = cv2.bitwise_and(differs.astype(np.uint8), self._mask)
        changed = np.asarray(cv2.bitwise_and(cv2.dilate(changed, _AROUND), self._mask), np.uint8)
        number, labels, stats, _ = cv2.connectedComponentsWithStats(changed) if changed.any() else (0, changed, (), ())
        pieces: list[Piece] = []
        waiting = np.zeros_like(changed)
        across, down = size[0] / small.shape[1], size[1] / small.shape[0]
        room, tile, most, spent = MARGIN * (self.tall or 0.0), 1 << 16, math.inf, 0.0
        if self.tall is not None:  # the first pass reads everything and yields the height
            tile, most = max(MIN_CHANGED, round(TILE * self.tall / across)), (TILE + 2 * MARGIN) ** 2 * self.tall**2
        for n in range(1, number):
            left, top, wide, high, area = (int(v) for v in stats[n])
            if area < MIN_CHANGED:
                continue
            here = np.s_[top : top + high, left : left + wide]
            still = seconds - float(self._moved_at[here].max()) >= STILL_SECONDS
            for x, y, right, low in _tiles((left, top, left + wide, top + high), tile):
                here = np.s_[y:low, x:right]
                mine = labels[here] == n
                area = ((right - x) * across + 2 * room) * ((low - y) * down + 2 * room)
                if not still or (pieces and spent + area > most):
                    waiting[here][mine] = 1
                    continue
                spent += area
                self._read[here] = np.where(mine, now[here], self._read[here])
                pieces.append((int(x * across), int(y * down), int(right * across), int(low * down)))
        unread = {name for name, mask in self._masks.items() if cv2.countNonZero(cv2.bitwise_and(waiting, mask))}
        if unread != self.seen.unread:
            self.seen = replace(self.seen, unread=frozenset(unread))
        return pieces

    def read(self, image: Image, pieces: list[Piece], seconds: float) -> None:
        """Reads the cards in and around the given regions of the full image."""
        size = (image.shape[1], image.shape[0])
        room = MARGIN * (self.tall or GUESSED * size[1])
        for piece in merged(pieces, room):  # near ones in one pass
            left, top = max(0, int(piece[0] - room)), max(0, int(piece[1] - room))
            right, low = min(size[0], int(piece[2] + room)), min(size[1], int(piece[3] + room))
            cards = [
                _moved(card, left, top)
                for card in self._reader.read(image[top:low, left:right], tall=self.tall, unknown=False)
            ]
            self._put(cards, piece, size, seconds)
        named = [one for one in self.seen.cards if one.card.kind is not None]
        if named:
            self.tall = float(np.median([_tall(one.card) for one in named]))
        self.seen = replace(self.seen, seconds=seconds)

    def _begin(self, small: Grey, seconds: float) -> None:
        self._last = small
        self._read = np.full(small.shape, -np.inf, np.float32)  # nothing has been read, so everything counts as changed
        self._moved_at = np.full(small.shape, seconds, np.float32)
        self._left_out = np.zeros(small.shape, np.uint8)
        self._lay_masks(small.shape)

    def _lay_masks(self, shape: tuple[int, ...]) -> None:
        height, width = shape
        self._masks, self._mask = {}, np.zeros((height, width), np.uint8)
        for name, corners in self._zones.items():
            mask = np.zeros((height, width), np.uint8)
            points = np.round(np.array(corners) * (width, height)).astype(np.int32)
            cv2.fillPoly(mask, [points], 255)
            mask[self._left_out > 0] = 0
            self._masks[name] = mask
            self._mask |= mask // 255

    def _put(self, cards: list[SeenCard], piece: Piece, size: tuple[int, int], seconds: float) -> None:
        """Merges the cards read in one region into `seen`: updates known cards, adds new ones, removes missing ones."""
        resting, gone = list(self.seen.cards), list(self.seen.gone)
        for card in cards:
            zone = self._zone(card, size)
            if zone is None:
                continue
            before = next((one for one in resting if one.zone == zone and _same(one.card, card)), None)
            degrees = _degrees(card)
            odds = _log_odds(card)
            if before is None:
                before = next((one for one in resting if one.zone == zone and _moved_here(one, card)), None)
            if before is None:
                resting.append(RestingCard(zone, card, seconds, seconds, odds, degrees))
                continue
            resting.remove(before)
            across = abs((degrees - before.degrees + 90) % 180 - 90)
            turned = (seconds if before.turned is None else before.turned) if across > 90 - LEANING else None
            resting.append(
                replace(before, card=card, read_at=seconds, log_odds=max(odds, before.log_odds - 1), turned=turned)
            )
        for one in [one for one in resting if one.read_at < seconds and _within(one.card, piece)]:
            # The card may be covered by another card or a hand, so its kind is kept in `gone`.
            resting.remove(one)
            gone.append((one.zone, one.card.kind or "", seconds))
        self.seen = replace(self.seen, cards=tuple(resting), gone=tuple(gone[-MOST_GONE:]))

    def _zone(self, card: SeenCard, size: tuple[int, int]) -> str | None:
        """The first zone that contains the card's centre, or None."""
        x, y = np.array(card.quad).mean(axis=0) / size
        for name, corners in self._zones.items():
            if cv2.pointPolygonTest(np.array(corners, np.float32), (float(x), float(y)), False) >= 0:
                return name
        return None


MOST_GONE = 40  # removed cards remembered
_AROUND = np.ones((5, 5), np.uint8)


def smaller(image: Image) -> Grey:
    """The frame as a grey image WIDTH pixels wide."""
    height = max(1, round(image.shape[0] * WIDTH / image.shape[1]))
    grey = image if image.ndim == 2 else cv2.cvtColor(image[:: max(1, image.shape[0] // 360), :], cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def _log_odds(card: SeenCard) -> float:
    sure = min(0.9995, max(0.0005, card.confidence))
    return math.log(sure / (1 - sure))


def _same(one: SeenCard, other: SeenCard) -> bool:
    return one.kind == other.kind and overlap(np.array(one.quad), np.array(other.quad)) > SAME_CARD_OVERLAP


def _moved_here(one: RestingCard, card: SeenCard) -> bool:
    """Whether this is the same card after a player straightened or nudged it."""
    apart = np.hypot(*(np.array(one.card.quad).mean(axis=0) - np.array(card.quad).mean(axis=0)))
    return one.card.kind == card.kind and bool(apart < 0.6 * _tall(card))


def _within(card: SeenCard, piece: Piece) -> bool:
    """Whether the centre of a card is inside a region."""
    x, y = np.array(card.quad).mean(axis=0)
    return bool(piece[0] <= x <= piece[2] and piece[1] <= y <= piece[3])


def _degrees(card: SeenCard) -> float:
    """Clockwise rotation of a card in the image."""
    corners = np.array(card.quad)
    across = corners[1] - corners[0] + corners[2] - corners[3]
    return float(np.degrees(np.arctan2(across[1], across[0])))


def _tall(card: SeenCard) -> float:
    corners = np.array(card.quad)
    return float(np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))) / 2


def _moved(card: SeenCard, right: int, down: int) -> SeenCard:
    a, b, c, d = ((x + right, y + down) for x, y in card.quad)
    return replace(card, quad=(a, b, c, d))


def _tiles(piece: Piece, side: int) -> Iterator[Piece]:
    """Splits a region into tiles with sides of at most `side` pixels."""
    left, top, right, low = piece
    for y in range(top, low, side):
        for x in range(left, right, side):
            yield x, y, min(right, x + side), min(low, y + side)
