"""The detector: finds the dice in an image and reads each."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.boxes import Piece, among
from vision.dice.aspect_ratio import stretch, stretched
from vision.dice.belief import (
    MIN_DIE_CHANCE,
    MIN_FACE_CHANCE_REFINED,
    MIN_LOG_ODDS,
    believed,
    chance_of_die,
    odds_of_die,
    reported,
)
from vision.dice.contrast import levelled
from vision.dice.detections import Detections, chosen
from vision.dice.face_reader import FACES, SECONDS_A_CROP, read_faces, read_faces_closely
from vision.dice.finding import MIN_SCORE, MIN_SCORE_LIVE, everywhere, settled, within
from vision.dice.fusion import agree, certain, doubtful, fused, lone, with_doubt
from vision.dice.networks import DamagedModel, load, load_instead
from vision.dice.nms import thin
from vision.dice.parts import Parts, at_once
from vision.dice.print_filter import without_printed
from vision.dice.print_reader import PrintReader
from vision.dice.pyramid import LOW, ImagePyramid
from vision.dice.selection import HARDLY, legible_candidates, needs_closer_reading
from vision.dice.tiling import Float
from vision.dice.verifier import Verifier
from vision.types import Image

# Longer sides of the smaller copies for further passes, pixels. A copy is skipped unless the photo is at least APART
# times as large.
COPIES, APART = (1600, 1000), 1.25
MAX_REMEMBERED = 4  # images whose candidates are kept so that `doubtful` needs no new pass
CONSIDERED = 0.05  # probability of a die from which a candidate of one pass is weighed against the other passes


class Detector:
    """Finds and reads the dice in an image.

    Args:
        path: A folder with `finder.onnx` and `reader.onnx`, or a finder in such a folder. Optional files in it:
            `glance.onnx`, a smaller finder for live frames; `close_reader.onnx`, a larger reader for refined passes;
            `print.onnx`, which detects dice printed on cards; `verifier.onnx`, which checks the candidates of a refined
            pass by their surroundings.
        threads: Processor threads of the networks.

    Raises:
        DamagedModel: The files cannot be used; the message is one sentence.
    """

    def __init__(self, path: str | Path, threads: int = 2) -> None:
        path = Path(path)
        finder = path / "finder.onnx" if path.is_dir() else path
        self._finder = load(finder, threads)
        if self._finder.classes != 1 or not self._finder.strides:
            raise DamagedModel(f"{finder} is not a finder: expected one class (a die) and the strides of its grids")
        self._glance = load_instead(path / "glance.onnx", self._finder, finder, threads)
        reader = finder.with_name("reader.onnx")
        self._reader = load(reader, threads)
        if (classes := self._reader.classes) != FACES + 1:
            raise DamagedModel(f"{reader} has {classes} classes, expected seven (the six faces and 'no die')")
        self._close_reader = load_instead(finder.with_name("close_reader.onnx"), self._reader, reader, threads)
        self._print = PrintReader.beside(finder.with_name("print.onnx"), threads)
        self._verifier = Verifier.beside(finder.with_name("verifier.onnx"), threads)
        # The latest photos or pieces of live frames, each with readings, finder scores and probabilities of a die.
        self._recent: deque[tuple[Image, Detections, Float, Float]] = deque(maxlen=MAX_REMEMBERED)
        self._newest: tuple[Image, ImagePyramid] | None = None  # several calls search and read one live frame

    def detect(self, image: Image, *, thorough: bool = False) -> Detections:
        """Finds and reads the dice in an image.

        Args:
            image: (H, W, 3) uint8 BGR.
            thorough: Run refined passes, for photos: about 0.1 s longer. They also use the larger finder on finer tiled
                copies and read every die several times. If a pass is uncertain or finds few dice, scaled and mirrored
                copies follow. Without `thorough`, dice smaller than about a 60th of the image's longer side are missed.
        """
        if thorough:
            return at_once(self.refined(image, agreed=True))
        whole = 0, 0, image.shape[1], image.shape[0]
        return self.search(image, [whole], 0.0, np.zeros((0, 4), np.float32))

    def detect_once(self, image: Image) -> Detections:
        """The dice in an image, or in a piece of a live frame, by one refined pass."""
        return at_once(self.refined(image))

    def refined(self, image: Image, *, agreed: bool = False, low: float = LOW) -> Parts[Detections]:
        """A refined pass over a live frame, in parts that can be spread over several frames.

        Args:
            image: (H, W, 3) uint8 BGR.
            agreed: Fuse several passes, as `detect` does with `thorough`; otherwise run one.
            low: Share of the image's height from which dice are low, for `agreed`; a single pass saves that time.
        """
        if agreed:
            return (yield from self._agreed(image, low))
        return without_printed((yield from self._in_proportion(ImagePyramid(levelled(image), np.inf), image)))

    def _agreed(self, image: Image, low: float) -> Parts[Detections]:
        """Fuses refined passes over a photo: one for each size, every other one mirrored.

        If they disagree, each size runs again with the mirroring swapped. The full-size copy, which costs most, runs
        only if there is no other or if it can decide.
        """
        first = yield from self._in_proportion(ImagePyramid(levelled(image), low), image, verified=True)
        if not doubtful(certain(first)):
            return with_doubt(certain(first))
        longest = max(image.shape[:2])
        scales = [side / longest for side in COPIES if APART * side < longest]
        passes = [first]
        for i, scale in enumerate(scales):
            passes.append((yield from self._copy(image, scale, low, mirrored=i % 2 == 0)))
        if not scales or not agree([certain(one) for one in passes]):
            for i, scale in enumerate(scales):
                passes.append((yield from self._copy(image, scale, low, mirrored=i % 2 == 1)))
            if not scales or lone([certain(one) for one in passes]):
                passes.append((yield from self._copy(image, 1.0, low, mirrored=True)))
        return with_doubt(fused(passes))

    def _copy(self, image: Image, scale: float, low: float, *, mirrored: bool) -> Parts[Detections]:
        """One refined pass over a scaled or mirrored copy; boxes are in pixels of the original. Includes print."""
        height, width = image.shape[:2]
        size = max(1, round(width * scale)), max(1, round(height * scale))
        copy = ImagePyramid(image).resized(size)
        copy = np.ascontiguousarray(copy[:, ::-1]) if mirrored else copy
        seen = yield from self._in_proportion(ImagePyramid(levelled(copy), low), copy, verified=True)
        boxes = seen.xyxy[:, [2, 1, 0, 3]] * (-1, 1, -1, 1) + (size[0], 0, size[0], 0) if mirrored else seen.xyxy
        return replace(seen, xyxy=np.asarray(boxes * np.tile((width / size[0], height / size[1]), 2), np.float32))

    def _in_proportion(self, picture: ImagePyramid, image: Image, *, verified: bool = False) -> Parts[Detections]:
        """One refined pass over a photo. A squeezed photo is read again with its aspect ratio corrected, and the better
        reading counts. Includes printed dice.

        Args:
            verified: Ask the verifier too. It was not trained on dice far out of focus, as live frames show them.
        """
        boxes, found, read = yield from self._weighed_and_read(picture)
        chances = yield from self._chances(picture, found, read, verified=verified)
        self._recent.append((image, read, found, chances))
        seen = self._still(read, chances, verified=verified)
        by = stretch(boxes[found >= MIN_SCORE], found[found >= MIN_SCORE])
        if by != (1.0, 1.0):
            wider = ImagePyramid(stretched(picture.image, by), picture.low / picture.size[1])
            _, found, read = yield from self._weighed_and_read(wider)
            chances = yield from self._chances(wider, found, read, verified=verified)
            other = self._still(read, chances, verified=verified)
            if other.quality > seen.quality:
                there = self._inked(wider, other, verified=verified)
                return replace(there, xyxy=np.asarray(there.xyxy / np.array([*by, *by]), np.float32))
        return self._inked(picture, seen, verified=verified)

    def _weighed_and_read(self, picture: ImagePyramid) -> Parts[tuple[Float, Float, Detections]]:
        """The candidates of a photo: boxes (n, 4), the finder's scores (n,) and the readings of a refined pass."""
        boxes, found = yield from self._weighed(picture)
        return boxes, found, (yield from read_faces_closely(self._close_reader, picture, boxes))

    def _chances(self, picture: ImagePyramid, found: Float, read: Detections, *, verified: bool) -> Parts[Float]:
        """(n,) the probability of a die in each candidate, from finder and reader, and from the verifier where it is
        asked."""
        odds = odds_of_die(read, found)
        if self._verifier is None or not verified:
            return chance_of_die(odds - MIN_LOG_ODDS)
        yield 2 * len(odds) * SECONDS_A_CROP
        return self._verifier.chances(picture, read.xyxy, odds)

    @staticmethod
    def _still(read: Detections, chances: Float, *, verified: bool) -> Detections:
        """The dice among the candidates of a photo, printed ones included."""
        if not verified:
            return chosen(read, reported(read, chances))
        rows = (chances >= CONSIDERED) & (read.confidences >= MIN_FACE_CHANCE_REFINED)
        return chosen(replace(read, scores=chances), rows)

    def doubtful(self, image: Image, least: float = 0.0) -> Detections:
        """Candidates that a refined pass read as dice but did not report. Cheap right after that pass.

        Args:
            least: If above 0, return every candidate to which finder and reader give at least this probability of a
                die, printed and reported ones included. Their `scores` are these probabilities.
        """
        picture = self._pyramid(image)
        known = next((seen for seen in self._recent if seen[0] is image), None)
        if known is not None:
            _, seen, found, chances = known
        else:
            _, found, seen = at_once(self._weighed_and_read(picture))
            chances = chance_of_die(odds_of_die(seen, found) - MIN_LOG_ODDS)
        if not least:
            doubted = chosen(seen, ~reported(seen, chances) & (seen.scores >= MIN_DIE_CHANCE))
            return without_printed(self._inked(picture, doubted))
        seen = replace(seen, scores=chance_of_die(odds_of_die(seen, found)))
        return self._inked(picture, chosen(seen, seen.scores >= least))

    def search(self, image: Image, pieces: Sequence[Piece], die: float, known: Float) -> Detections:
        """The dice of a live frame that are wholly inside one of these pieces.

        Args:
            die: Width of the dice in pixels if known; larger ones are not searched for. 0 if unknown.
            known: (n, 4) boxes of dice that are left out, because they need not be read again.
        """
        picture = self._pyramid(image)
        rows = [within(picture, piece, die, self._glance) for piece in pieces]
        boxes, found = settled(*(np.concatenate(parts) for parts in zip(*rows, strict=True)))
        new = ~among(boxes, known)
        boxes, found = boxes[new], found[new]
        seen = read_faces(self._reader, picture, boxes)
        return without_printed(self._inked(picture, chosen(seen, believed(seen, found)), quickly=True))

    def _inked(
        self, picture: ImagePyramid, seen: Detections, *, quickly: bool = False, verified: bool = False
    ) -> Detections:
        """The detections with the probability that each is printed; with `verified`, computed only for likely dice."""
        rows = seen.scores >= MIN_DIE_CHANCE if verified else np.ones(len(seen), np.bool_)
        ink = np.zeros(len(seen), np.float32)
        ink[rows] = self._ink(picture, seen.xyxy[rows], quickly=quickly)
        return replace(seen, ink=ink)

    def _pyramid(self, image: Image) -> ImagePyramid:
        """The pyramid of an image, built once for all calls with the same one."""
        newest = self._newest
        if newest is None or newest[0] is not image:
            newest = self._newest = image, ImagePyramid(levelled(image))
        return newest[1]

    def ink(self, image: Image, boxes: Float) -> Float:
        """(n,) the probability that each box (n, 4) holds a printed die, from its surroundings and its neighbours: a
        printed square and a die seen from straight above can look the same."""
        return self._ink(self._pyramid(image), boxes)

    def _ink(self, picture: ImagePyramid, boxes: Float, *, quickly: bool = False) -> Float:
        if self._print is None or len(boxes) == 0:
            return np.zeros(len(boxes), np.float32)
        return self._print.ink(picture, boxes, quickly=quickly)

    def candidates(self, image: Image, *, thorough: bool = False, least: float = MIN_SCORE_LIVE) -> tuple[Float, Float]:
        """The candidates that the finder alone scores with at least `least`: boxes (n, 4) in pixels and scores (n,)."""
        finder = self._finder if thorough else self._glance
        return settled(*at_once(everywhere(self._pyramid(image), finder, least, thorough=thorough)))

    def _weighed(self, picture: ImagePyramid) -> Parts[tuple[Float, Float]]:
        """Candidates from every scale, weak ones too, suppressed by how well a die can be read in each: boxes (n, 4)
        and the finder's scores (n,)."""
        boxes, scores = yield from everywhere(picture, self._finder, HARDLY, thorough=True)
        kept = thin(boxes, scores)
        boxes, scores = boxes[kept], scores[kept]
        yield len(boxes) * SECONDS_A_CROP / 2
        seen = read_faces(self._reader, picture, boxes)
        unsure = needs_closer_reading(scores, seen)
        closely = yield from read_faces_closely(self._close_reader, picture, boxes[unsure])
        kept = legible_candidates(boxes, scores, seen, unsure, closely)
        return boxes[kept], scores[kept]

    def read(self, image: Image, boxes: Float, *, thorough: bool = False) -> Detections:
        """Reads known dice again without searching the image.

        Args:
            boxes: (n, 4) pixels.

        Returns:
            One row for each box, in the same order. A score near 0 says that no die is there any more.
        """
        picture = self._pyramid(image)
        if thorough:
            return at_once(read_faces_closely(self._close_reader, picture, boxes))
        return read_faces(self._reader, picture, boxes)


def for_films(path: str | Path) -> Detector:
    """A detector for a process that does nothing but read consecutive frames.

    It uses one thread. A second thread would shorten the delay, but cost 12 % more processor time for the networks and
    5 % for the rest.

    Raises:
        DamagedModel: The files cannot be used.
    """
    cv2.setNumThreads(1)
    return Detector(path, threads=1)
