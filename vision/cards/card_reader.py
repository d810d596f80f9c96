"""Finds and recognises all cards of an image.

The coarse pass proposes places by outlines and, if the height of the cards is known or can be estimated, by colour
patches. Local features are extracted only near card-sized outlines that are still unexplained, or everywhere if no card
is found. Each place is compared roughly with the face; promising ones are aligned and compared again. Where candidates
overlap, the best is accepted.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.boxes import Piece
from vision.cards.agreement import Agreement, Comparer, Pyramid
from vision.cards.candidates import Candidate, Chooser
from vision.cards.faces import Index
from vision.cards.features import around, enlarged, enlarged_for, features_in, whole
from vision.cards.matching import HEIGHTS, Matches, Proposal, matches, proposals
from vision.cards.outlines import outlines_and_rows
from vision.cards.patches import PatchVotes
from vision.cards.quads import Quad, clockwise, corners_of, overlap, sides
from vision.cards.thumbnails import Thumbnails
from vision.cards.types import Features, Matrix, SeenCard
from vision.types import Image

SMALLEST = 14.0  # pixels of the reduced image: minimum short side of an outline
MIN_SHARE = 0.21  # minimum share if several features proposed the place; tuned on synthetic editions
# Minimum share in the better half of the card, and in all of it, if patches, an outline or a single feature proposed
# the place.
HALF, WITH_HALF = 0.48, 0.27
WHOLE = 0.55  # minimum share if the outline is a whole card: correct kinds reach 0.9, others at most 0.51
HOPELESS = 0.08  # mean correlation before alignment: places below it are dropped
FEW = 6  # kinds: fewer do not reveal what all cards of a game share, so thresholds rise
STRICTER = 0.06  # added to the thresholds for each kind fewer than FEW
TRIED = 3  # kinds compared in detail per outline
MOST_SINGLE = 250  # single features tried
TRUSTED = 5  # inliers: a place with this number is aligned whatever its score
CLEAR = 0.5  # share from which further proposals of the same face here are skipped
SIZED = 1.3  # maximum ratio of card heights on one table
APART = 0.3  # maximum share of an unknown card that another unknown card covers
AT_LEAST = 3  # cards found at an estimated height: fewer may be a coincidence
LARGE = 320  # pixels: minimum long side of an image whose card height is estimated; features cost less in smaller ones
TOUCHING = 1.1  # maximum ratio of the height of a card in a row to the usual height
SAME_CARD = 0.55  # overlap from which an outline is a recognised card


class CardReader:
    """Recognises the cards of an index in images. Not thread-safe."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._compare = Comparer(index)
        self._aspects = sorted({round(face.aspect, 2) for face in index.faces})
        self._thumbnails = Thumbnails(index)
        self._votes = PatchVotes(index)
        self._choose = Chooser(index)
        stricter = STRICTER * max(0, FEW - len(index.kinds))
        self._sure, self._half, self._with_half = MIN_SHARE + stricter, HALF + stricter, WITH_HALF + stricter

    def read(self, image: Image, *, unknown: bool = True, tall: float | None = None) -> list[SeenCard]:
        """The cards of an image, partly covered ones included, from left to right.

        Args:
            image: (H, W, 3) BGR.
            unknown: Also return cards that match no face.
            tall: Height of the cards, pixels, if known.
        """
        pyramid = Pyramid(image)
        quads, touching = outlines_and_rows(image, self._aspects, least=SMALLEST)
        candidates = self._coarse(pyramid, quads, tall)
        accepted = self._choose.accepted(candidates)
        if accepted:
            tall = float(np.median([self._choose.height(one) for one in accepted]))
            left = [quad for quad in self._left([*quads, *touching], accepted) if _is_sized(quad, tall)]
            if left and len(self.index.owner):
                self._look(pyramid, candidates, quads, around(left, tall / 2, image), enlarged_for(tall), tall)
        elif len(self.index.owner):
            first = enlarged(image) if tall is None else enlarged_for(tall)
            found, tall = self._look(pyramid, candidates, quads, [whole(image)], first, tall)
            if found and enlarged_for(tall) > 1.3 * first:
                near = around([self._choose.corners(one) for one in self._choose.accepted(candidates)], tall, image)
                self._look(pyramid, candidates, quads, near, enlarged_for(tall), tall)
        accepted = self._choose.accepted(candidates)
        cards = [self._seen(one) for one in accepted]
        if unknown:
            rows = [quad for quad in touching if tall and tall / TOUCHING < _long_side(quad) < tall * TOUCHING]
            cards += self._unknown(quads + rows, accepted, tall)
        return sorted(cards, key=lambda card: min(x for x, _ in card.quad))

    def _coarse(self, pyramid: Pyramid, quads: list[Quad], tall: float | None) -> list[Candidate]:
        """Candidates by outlines and by patches.

        Patches need the cards' height. If it is given, patches come first, which is faster. Otherwise it comes from
        cards recognised by outline, or it is estimated in a large image and used if at least AT_LEAST cards are found
        with it.
        """
        if tall is not None:
            candidates = self._compared(pyramid, self._votes.proposals(pyramid.image, tall))
            return candidates + self._by_outline(pyramid, self._left(quads, candidates))
        candidates = self._by_outline(pyramid, quads)
        heights = [self._choose.height(one) for one in self._choose.accepted(candidates)]
        if heights:
            return candidates + self._compared(pyramid, self._votes.proposals(pyramid.image, float(np.median(heights))))
        if max(pyramid.image.shape[:2]) < LARGE:
            return candidates
        guessed = self._votes.likeliest_height(pyramid.image)
        found = self._compared(pyramid, self._votes.proposals(pyramid.image, guessed))
        return found if len(self._choose.accepted(found)) >= AT_LEAST else candidates

    def _agrees(self, found: Agreement) -> bool:
        """Whether the match suffices for a place that only one source proposed."""
        return found.half >= self._half and found.share >= self._with_half

    def _left(self, quads: list[Quad], candidates: list[Candidate]) -> list[Quad]:
        """The outlines that no clear candidate explains."""
        clear = [self._choose.corners(one) for one in candidates if one.found.share > CLEAR]
        return [quad for quad in quads if all(overlap(quad, other) < SAME_CARD for other in clear)]

    def _look(
        self,
        pyramid: Pyramid,
        candidates: list[Candidate],
        quads: list[Quad],
        pieces: list[Piece],
        enlarge: float,
        tall: float | None,
    ) -> tuple[bool, float]:
        """Adds candidates proposed by local features to `candidates`.

        Args:
            pieces: Regions in which features are extracted.
            enlarge: Factor by which the regions are enlarged first.
            tall: Height of the cards, pixels, if known.

        Returns:
            Whether any card is accepted now, and the height of the cards, pixels.
        """
        seen = features_in(pyramid.image, pieces, enlarge)
        found = matches(seen, self.index)
        heights = HEIGHTS if tall is None else (tall / SIZED, tall * SIZED)
        candidates += self._compared(pyramid, proposals(seen, self.index, found, heights))
        accepted = self._choose.accepted(candidates)
        here = [self._choose.height(one) for one in accepted] or [_long_side(quad) for quad in quads]
        if tall is None and here:
            tall = float(np.median(here))
        if tall is not None:
            candidates += self._by_single(pyramid, seen, found, accepted, tall)
        return bool(accepted), tall or 0.0

    def recognise(self, image: Image, quad: Quad) -> SeenCard:
        """The card with this outline, entirely visible; its kind is None if it matches no face."""
        found = [one for one in self._by_outline(Pyramid(image), [quad]) if one.found.share >= WHOLE]
        best = self._choose.accepted(found)
        return self._seen(best[0]) if best else _nameless(quad)

    def _by_outline(self, pyramid: Pyramid, quads: list[Quad]) -> list[Candidate]:
        """Candidates for each outline: the likeliest kinds by thumbnail, then compared in detail."""
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
                for number, likeness in self._thumbnails.most_similar(pyramid, corners, aspect, fits, TRIED):
                    face = self.index.faces[number]
                    place = cv2.getPerspectiveTransform(flat * np.array([face.aspect, 1], np.float32), corners)
                    tried.append((likeness, number, np.asarray(place, np.float64)))
            for _, number, place in sorted(tried, key=lambda one: -one[0])[:TRIED]:
                found = self._compare.compare(pyramid, number, place)
                if found is not None and self._agrees(found):
                    candidates.append(Candidate(number, found, self._sure))
        return candidates

    def _compared(self, pyramid: Pyramid, proposed: list[Proposal]) -> list[Candidate]:
        candidates: list[Candidate] = []
        clear: list[tuple[int, Quad]] = []
        for proposal in proposed:
            rough = self._compare.compare(pyramid, proposal.face, proposal.to_picture, exact=False)
            if rough is None or (rough.mean < HOPELESS and proposal.support < TRUSTED):
                continue
            if any(
                face == proposal.face and overlap(self._choose.quad(face, proposal.to_picture), quad) > 0.7
                for face, quad in clear
            ):
                continue
            found = self._compare.compare(pyramid, proposal.face, proposal.to_picture)
            if found is None:
                continue
            if self._agrees(found) or (proposal.support > 2 and found.share >= self._sure):
                candidates.append(Candidate(proposal.face, found, self._sure))
                if found.share > CLEAR:
                    clear.append((proposal.face, self._choose.corners(candidates[-1])))
        return candidates

    def _by_single(
        self, pyramid: Pyramid, seen: Features, found: Matches, accepted: list[Candidate], usual: float
    ) -> list[Candidate]:
        """Candidates proposed by one feature alone if the card would have the usual size; usual: height, pixels."""
        taken = [self._choose.corners(one) for one in accepted]
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
                if exact is not None and self._agrees(exact):
                    candidates.append(Candidate(face, exact, self._sure))
                    taken.append(self._choose.corners(candidates[-1]))
            tried += 1
            if tried >= MOST_SINGLE:
                break
        return candidates

    def _unknown(self, quads: list[Quad], accepted: list[Candidate], tall: float | None) -> list[SeenCard]:
        """Outlines of about the size of the accepted cards that none of them explains."""
        known = [self._choose.corners(one) for one in accepted]
        usual = float(np.median([self._choose.height(one) for one in accepted])) if accepted else tall
        nameless: list[Quad] = []
        if usual is not None:
            quads = sorted(quads, key=lambda quad: abs(np.log(_long_side(quad) / usual)))
        for quad in quads:
            if usual is not None and not _is_sized(quad, usual):
                continue
            if any(
                max(overlap(quad, other, of_first=True), overlap(other, quad, of_first=True)) > SAME_CARD
                for other in known
            ):
                continue
            if all(overlap(quad, other, of_first=True) < APART for other in nameless):
                nameless.append(quad)
        return [_nameless(quad) for quad in nameless]

    def _seen(self, one: Candidate) -> SeenCard:
        corners = self._choose.corners(one)
        across = corners[1] - corners[0] + corners[2] - corners[3]
        degrees = float(np.degrees(np.arctan2(across[1], across[0])))
        confidence = 1 / (1 + np.exp(-18 * (one.found.share - 0.17)))
        return SeenCard(self._choose.kind(one), float(confidence), corners_of(corners), round(degrees / 90) % 4 * 90)


def _long_side(quad: Quad) -> float:
    a, b, c, d = sides(quad)
    return float(max(a + c, b + d) / 2)


def _is_sized(quad: Quad, tall: float) -> bool:
    """Whether an outline is about as high as the cards."""
    return tall / SIZED < _long_side(quad) < tall * SIZED


def _nameless(quad: Quad) -> SeenCard:
    """A card that matches no face; its long side says whether it is upright or on its side."""
    corners = clockwise(quad)
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    upright = np.hypot(*down) >= np.hypot(*across)
    return SeenCard(None, 0.5, corners_of(corners), 0 if upright else 90)
