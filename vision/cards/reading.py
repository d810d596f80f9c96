"""Finding and recognising all cards of a picture.

Places come from features that agree (small, covered and overlapping cards), from outlines (cards nobody was taught, and
plain ones), and, once the size of the cards on this table is known, from single features too. Each is compared roughly
with the taught face, what is not hopeless is made exact and compared again; of what explains the same part of the
picture the best stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.agreement import AGREES, Agreement, Comparer, Pyramid, height_of
from vision.cards.faces import Index
from vision.cards.features import features
from vision.cards.matching import HEIGHTS, Matches, Proposal, matches, proposals
from vision.cards.outlines import Quad, clockwise, outlines_and_rows, overlap
from vision.cards.types import Corners, Features, Matrix, SeenCard
from vision.types import Image

SURE = 0.21  # of what tells a kind must agree, where several features proposed the place; chosen on drawn editions
FROM_ONE = 0.30  # … where one or two features or an outline proposed it: of those many more are tried
LEAD = 0.06  # more must agree where a face has next to nothing to tell, less and less up to PLENTY windows' worth
PLENTY = 12.0
HOPELESS = 0.08  # mean correlation: a place that does not reach it roughly is not made exact
ENOUGH = 2.2  # windows' worth of evidence that no other card explains
THUMB = (9, 12)  # width and height of the thumbnail that says which kinds an outline may be
FEW = 6  # kinds: fewer do not show what all cards of their game share, so more must agree
STRICTER = 0.06  # by so much a kind that is missing from those
TRIED = 3  # kinds compared closely in an outline
MOST_SINGLE = 250
ENLARGED_TO = 190.0  # pixels: a card shows SIFT most of what it has when it is about so high
OF_A_CELL = 24  # features kept in each cell of the picture
TRUSTED = 5  # features that agree on a place: it is made exact however it looks before
TWIN = 0.7  # shared area of two places that are one
CLEAR = 0.5  # share that agrees: other places for the same face here are not compared any more
SIZED = 1.3  # cards on one table differ no more in height than so many times
APART = 0.3  # of a card without a name: what it may share with others
TOUCHING = 1.1  # times another's height at most, each of the cards that a row's outline is cut into
SAME_CARD = 0.55  # shared area from which an outline and a recognised card are one
Piece = tuple[int, int, int, int]  # left, top, right, bottom in pixels


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    face: int
    found: Agreement
    needed: float


class CardReader:
    """Reads pictures with the faces of an index. `read` may be called from one thread at a time."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._compare = Comparer(index)
        self._aspects = sorted({round(face.aspect, 2) for face in index.faces})
        self._thumbs, self._mean = self._thumbnails()
        stricter = STRICTER * max(0, FEW - len(index.kinds))
        self._sure, self._from_one = SURE + stricter, FROM_ONE + stricter

    def read(self, image: Image, *, unknown: bool = True, tall: float | None = None) -> list[SeenCard]:
        """The cards of a picture (H, W, 3) BGR, those that cover nothing of others included, from left to right.

        unknown: also those that are none of the taught; tall: how high cards are on this table, pixels, where known.
        """
        pyramid = Pyramid(image)
        quads, touching = outlines_and_rows(image, self._aspects)
        candidates = self._by_outline(pyramid, quads)
        if len(self.index.owner):
            first = _enlarged(image) if tall is None else _enlarged_for(tall)
            found, tall = self._look(pyramid, candidates, quads, [whole(image)], first, tall)
            if found and _enlarged_for(tall) > 1.3 * first:
                near = _around([self._corners(one) for one in self._accepted(candidates)], tall, image)
                self._look(pyramid, candidates, quads, near, _enlarged_for(tall), tall)
        accepted = self._accepted(candidates)
        cards = [self._seen(one) for one in accepted]
        if unknown:
            rows = [quad for quad in touching if tall and tall / TOUCHING < _long_side(quad) < tall * TOUCHING]
            cards += self._unknown(quads + rows, accepted, tall)
        return sorted(cards, key=lambda card: min(x for x, _ in card.quad))

    def _look(
        self,
        pyramid: Pyramid,
        candidates: list[_Candidate],
        quads: list[Quad],
        pieces: list[Piece],
        enlarge: float,
        tall: float | None,
    ) -> tuple[bool, float]:
        """Look for features in pieces of the picture, enlarged so many times, and add what they propose to
        `candidates`. Whether any card is accepted now, and how high cards are, pixels.
        """
        seen = _features_in(pyramid.image, pieces, enlarge)
        found = matches(seen, self.index)
        heights = HEIGHTS if tall is None else (tall / SIZED, tall * SIZED)
        candidates += self._by_features(pyramid, proposals(seen, self.index, found, heights))
        accepted = self._accepted(candidates)
        here = [self._height(one) for one in accepted] or [_long_side(quad) for quad in quads]
        if tall is None and here:
            tall = float(np.median(here))
        if tall is not None:
            candidates += self._by_single(pyramid, seen, found, accepted, tall)
        return bool(accepted), tall or 0.0

    def recognise(self, image: Image, quad: Quad) -> SeenCard:
        """The card with this outline: which of the taught, or none of them."""
        best = self._accepted(self._by_outline(Pyramid(image), [quad]))
        return self._seen(best[0]) if best else _nameless(quad)

    def _by_outline(self, pyramid: Pyramid, quads: list[Quad]) -> list[_Candidate]:
        """The likeliest kinds in each outline, by thumbnail, then compared."""
        candidates = []
        for quad in quads:
            tried: list[tuple[float, int, Matrix]] = []
            for turn in range(4):
                corners = np.roll(quad, -turn, axis=0).astype(np.float32)
                wide = np.hypot(*(corners[1] - corners[0])) + np.hypot(*(corners[2] - corners[3]))
                tall = np.hypot(*(corners[3] - corners[0])) + np.hypot(*(corners[2] - corners[1]))
                aspect = float(wide / max(tall, 1e-6))
                fits = [
                    n for n, face in enumerate(self.index.faces) if abs(np.log(face.aspect / max(aspect, 1e-6))) < 0.25
                ]
                if not fits:
                    continue
                flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
                for number, likeness in self._like(pyramid, corners, aspect, fits):
                    face = self.index.faces[number]
                    place = cv2.getPerspectiveTransform(flat * np.array([face.aspect, 1], np.float32), corners)
                    tried.append((likeness, number, np.asarray(place, np.float64)))
            for _, number, place in sorted(tried, key=lambda one: -one[0])[:TRIED]:
                found = self._compare.compare(pyramid, number, place)
                if found is not None and found.share >= self._from_one:
                    candidates.append(_Candidate(number, found, self._from_one))
        return candidates

    def _by_features(self, pyramid: Pyramid, proposed: list[Proposal]) -> list[_Candidate]:
        candidates: list[_Candidate] = []
        clear: list[tuple[int, Quad]] = []
        for proposal in proposed:
            rough = self._compare.compare(pyramid, proposal.face, proposal.to_picture, exact=False)
            if rough is None or (rough.mean < HOPELESS and proposal.support < TRUSTED):
                continue
            if any(
                face == proposal.face and overlap(self._quad(face, proposal.to_picture), quad) > 0.7
                for face, quad in clear
            ):
                continue
            found = self._compare.compare(pyramid, proposal.face, proposal.to_picture)
            needed = self._sure if proposal.support > 2 else self._from_one
            if found is not None and found.share >= needed:
                candidates.append(_Candidate(proposal.face, found, needed))
                if found.share > CLEAR:
                    clear.append((proposal.face, self._corners(candidates[-1])))
        return candidates

    def _by_single(
        self, pyramid: Pyramid, seen: Features, found: Matches, accepted: list[_Candidate], usual: float
    ) -> list[_Candidate]:
        """Places that one feature alone proposes, where the card would have the size that cards have here."""
        taken = [self._corners(one) for one in accepted]
        candidates, tried = [], 0
        for row in np.argsort(-found.closeness):
            at, taught = int(found.picture[row]), int(found.taught[row])
            tall = float(seen.scales[at] / max(1e-6, self.index.table.scales[taught]))
            point = seen.points[at]
            if not usual / SIZED < tall < usual * SIZED:
                continue
            if any(
                cv2.pointPolygonTest(quad.astype(np.float32), (float(point[0]), float(point[1])), False) > 0
                for quad in taken
            ):
                continue
            angle = np.radians(seen.angles[at] - self.index.table.angles[taught])
            turn = usual * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            place = np.eye(3)
            place[:2, :2], place[:2, 2] = turn, point - turn @ self.index.table.points[taught]
            face = int(self.index.owner[taught])
            rough = self._compare.compare(pyramid, face, place, exact=False)
            if rough is not None and rough.mean > HOPELESS:
                exact = self._compare.compare(pyramid, face, place)
                if exact is not None and exact.share >= self._from_one:
                    candidates.append(_Candidate(face, exact, self._from_one))
                    taken.append(self._corners(candidates[-1]))
            tried += 1
            if tried >= MOST_SINGLE:
                break
        return candidates

    def _accepted(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """Of candidates that explain the same part of the picture the best; each must explain something of its own."""
        accepted: list[tuple[_Candidate, Quad, npt.NDArray[np.float64]]] = []  # with corners and windows that agree
        for one in sorted(candidates, key=lambda one: -one.found.share * min(1.0, float(one.found.weight.sum()) / 20)):
            if not self._leads(one):
                continue
            corners, side = self._corners(one), self._height(one) / 8
            low, high = corners.min(axis=0) - side, corners.max(axis=0) + side
            near = [row for row in accepted if (row[1].max(axis=0) > low).all() and (row[1].min(axis=0) < high).all()]
            if any(
                overlap(corners, theirs) > (0.5 if self._kind(one) == self._kind(other) else 0.85)
                for other, theirs, _ in near
            ):
                continue
            middles, evidence = self._windows(one)
            free = np.ones(len(middles), np.bool_)
            for _, _, others in near:
                if len(others) and len(middles):
                    free &= np.abs(middles[:, None] - others[None]).max(axis=2).min(axis=1) > 0.6 * side
            own, total = float(evidence[free].sum()), float(one.found.weight.sum())
            if own >= ENOUGH and own >= 0.75 * one.needed * total:
                accepted.append((one, corners, middles))
        return [one for one, _, _ in accepted]

    def _leads(self, one: _Candidate) -> bool:
        """A face with little to tell it is believed only where much of that agrees."""
        return one.found.share >= one.needed + LEAD * max(0.0, 1 - float(one.found.weight.sum()) / PLENTY)

    def _windows(self, one: _Candidate) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float32]]:
        """(n, 2) where the windows that agree lie in the picture, and what each is worth."""
        rows, columns = one.found.correlation.shape
        agree = (one.found.correlation > AGREES) & (one.found.weight > 0.05)
        y, x = np.nonzero(agree)
        aspect = self.index.faces[one.face].aspect
        places = np.column_stack([(x + 1.0) / (columns + 1) * aspect, (y + 1.0) / (rows + 1)])
        if not len(places):
            return np.zeros((0, 2)), np.zeros(0, np.float32)
        return cv2.perspectiveTransform(places[None], one.found.to_picture)[0], one.found.weight[agree]

    def _unknown(self, quads: list[Quad], accepted: list[_Candidate], tall: float | None) -> list[SeenCard]:
        """Outlines of cards that are none of the accepted, of about their size."""
        known = [self._corners(one) for one in accepted]
        usual = float(np.median([self._height(one) for one in accepted])) if accepted else tall
        nameless: list[Quad] = []
        if usual is not None:
            quads = sorted(quads, key=lambda quad: abs(np.log(_long_side(quad) / usual)))
        for quad in quads:
            if usual is not None and not usual / SIZED < _long_side(quad) < usual * SIZED:
                continue
            if any(
                max(overlap(quad, other, of_first=True), overlap(other, quad, of_first=True)) > SAME_CARD
                for other in known
            ):
                continue
            if all(overlap(quad, other, of_first=True) < APART for other in nameless):
                nameless.append(quad)
        return [_nameless(quad) for quad in nameless]

    def _seen(self, one: _Candidate) -> SeenCard:
        corners = self._corners(one)
        across = corners[1] - corners[0] + corners[2] - corners[3]
        degrees = float(np.degrees(np.arctan2(across[1], across[0])))
        confidence = 1 / (1 + np.exp(-18 * (one.found.share - 0.17)))
        return SeenCard(self._kind(one), float(confidence), _tuple(corners), round(degrees / 90) % 4 * 90)

    def _kind(self, one: _Candidate) -> str:
        return self.index.faces[one.face].kind

    def _corners(self, one: _Candidate) -> Quad:
        return self._quad(one.face, one.found.to_picture)

    def _quad(self, face: int, to_picture: Matrix) -> Quad:
        aspect = self.index.faces[face].aspect
        flat = np.array([[[0, 0], [aspect, 0], [aspect, 1], [0, 1]]], np.float64)
        return np.asarray(cv2.perspectiveTransform(flat, to_picture)[0] - 0.5, np.float64)

    def _height(self, one: _Candidate) -> float:
        return height_of(one.found.to_picture, self.index.faces[one.face].aspect)

    def _thumbnails(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        rows = [_thumb(face.image) for face in self.index.faces]
        table = np.array(rows, np.float32).reshape(len(rows), 3 * THUMB[0] * THUMB[1])
        mean = table.mean(axis=0) if len(self.index.kinds) > 3 else np.zeros(table.shape[1], np.float32)
        return _unit(table - mean), mean

    def _like(
        self, pyramid: Pyramid, corners: npt.NDArray[np.float32], aspect: float, fits: list[int]
    ) -> list[tuple[int, float]]:
        """The faces most like what lies within these corners, and how much, -1..1."""
        flat = np.array([[0, 0], [aspect, 0], [aspect, 1], [0, 1]], np.float32)
        place = np.asarray(cv2.getPerspectiveTransform(flat, corners), np.float64)
        cut = pyramid.cut_picture(place, round(48 * aspect), 48)
        if cut is None:
            return []
        alike = self._thumbs[fits] @ _unit((_thumb(cut) - self._mean)[None])[0]
        return [(fits[number], float(alike[number])) for number in np.argsort(-alike)[:TRIED]]


def _thumb(image: Image) -> npt.NDArray[np.float32]:
    """A card's colours as (n,) float32: a small Lab picture, each plane without its mean."""
    lab = cv2.cvtColor(cv2.resize(image, THUMB, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 1:] *= 2
    return np.asarray(lab - lab.mean(axis=(0, 1)), np.float32).ravel()


def _unit(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(rows / np.maximum(1e-6, np.linalg.norm(rows, axis=1, keepdims=True)), np.float32)


def _enlarged(image: Image) -> float:
    """How many times a picture is enlarged before features are looked for: small pictures show small cards."""
    long = max(image.shape[:2])
    return 4.0 if long < 240 else 3.0 if long < 480 else 2.0 if long < 900 else 1.0


def _enlarged_for(tall: float) -> float:
    """The same where it is known how high cards are, pixels."""
    return float(np.clip(ENLARGED_TO / max(1.0, tall), 1.0, 4.0))


def whole(image: Image) -> Piece:
    """All of a picture."""
    return 0, 0, image.shape[1], image.shape[0]


def _around(quads: list[Quad], tall: float, image: Image) -> list[Piece]:
    """Where cards are, and as far about them as one more would reach: boxes, those that meet made one."""
    boxes = [np.concatenate([quad.min(axis=0) - tall, quad.max(axis=0) + tall]) for quad in quads]
    merged: list[npt.NDArray[np.float64]] = []
    while boxes:
        box = boxes.pop()
        meets = [n for n, other in enumerate(boxes) if (box[:2] < other[2:]).all() and (other[:2] < box[2:]).all()]
        if not meets:
            merged.append(box)
            continue
        other = boxes.pop(meets[0])
        boxes.append(np.concatenate([np.minimum(box[:2], other[:2]), np.maximum(box[2:], other[2:])]))
    size = np.array(image.shape[1::-1])
    limits = [(np.maximum(0, box[:2]), np.minimum(size, box[2:])) for box in merged]
    return [(int(a[0]), int(a[1]), int(b[0]), int(b[1])) for a, b in limits]


def _features_in(image: Image, pieces: list[Piece], enlarge: float) -> Features:
    """The features of pieces of a picture, places in pixels of the picture."""
    parts = []
    for left, top, right, low in pieces:
        part = features(image[top:low, left:right], enlarge, of_a_cell=OF_A_CELL)
        parts.append(part._replace(points=part.points + np.array([left, top], np.float32)))
    return Features(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _long_side(quad: Quad) -> float:
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return float(max(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def _nameless(quad: Quad) -> SeenCard:
    """A card none was taught of: upright or lying on its side, by its long side."""
    corners = clockwise(quad)
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    upright = np.hypot(*down) >= np.hypot(*across)
    return SeenCard(None, 0.5, _tuple(corners), 0 if upright else 90)


def _tuple(quad: Quad) -> Corners:
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return a, b, c, d
