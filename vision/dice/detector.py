"""From a picture to Detections: find the dice (YOLO), then read each."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.boxes import Piece
from vision.dice.agreement import agree, doubtful, fused, lone
from vision.dice.aspect_ratio import stretch, stretched
from vision.dice.belief import AT_LEAST, BELIEVED, PERHAPS, believed, chance_of_die, odds_of_die, reported
from vision.dice.contrast import levelled
from vision.dice.detections import Detections, chosen, matched
from vision.dice.face_reader import FACES, SECONDS_A_CROP, read_faces, read_faces_closely
from vision.dice.finding import FOUND, GLANCED, everywhere, settled, within
from vision.dice.networks import DamagedModel, Network, load
from vision.dice.nms import lonely_specks, of_two, suppress, thin
from vision.dice.parts import Parts, at_once
from vision.dice.print_filter import lying
from vision.dice.print_reader import PrintReader
from vision.dice.pyramid import Pyramid
from vision.dice.tensors import shares
from vision.dice.tiling import Float
from vision.dice.verifier import Verifier
from vision.types import Image

FAINT = 0.15  # the same for stills, where every candidate is read before candidates are compared
HARDLY = 0.01  # the finder's score from which a still's candidate is read at all; below FAINT the reader must be sure:
PLAINLY = 0.5  # … from which it is, whatever the quick reader says of it
SURELY_DIE, SURELY_FACE = 0.995, 0.97  # chances of being a die and of its likeliest face from which it is
NEARLY_DIE, CLOSELY_DIE, CLOSELY_FACE = 0.9, 0.99, 0.95  # … or the first nearly, and in a close look it is
LEGIBLE_AT_ONCE = 0.85  # chance of die times chance of face from which a candidate swallows smaller ones within it …
PLAIN = 0.98  # … but one as plain as this only if its own score is no better …
PERHAPS_ONE, A_PIP = 0.05, 0.4  # … or not 2.5 times as good, where a one is so likely that it may be a pip
# The longer side, in pixels, of the smaller copies in which a doubtful still is looked at too, where it is larger than
# that by more than APART; less small a copy would show the same.
COPIES, APART = (1600, 1000), 1.25
MOST_PIECES = 4  # of one picture, whose doubtful finds may be asked for without looking again


class Detector:
    """Finds and reads the dice of a picture.

    Args:
        path: a folder with `finder.onnx` and `reader.onnx`. Optional files in it: `glance.onnx`, a smaller finder for
            live pictures; `close_reader.onnx`, a larger reader for close looks; `print.onnx`, which detects dice
            printed on cards; `verifier.onnx`, which checks the candidates of a close look by their surroundings. Or a
            YOLO file (`.onnx`, or `.pt` where Ultralytics is installed) whose classes are the six faces, or one with
            the single class "die", read by the readers beside it.
        threads: processor threads of the networks.

    Raises:
        DamagedModel: with one sentence, when the files cannot be used.
    """

    def __init__(self, path: str | Path, threads: int = 2) -> None:
        path = Path(path)
        finder = path / "finder.onnx" if path.is_dir() else path
        self._finder = load(finder, threads)
        self._glance = self._other(path / "glance.onnx", self._finder, finder, threads)
        self._reader: Network | None = None
        self._print: PrintReader | None = None
        self._verifier: Verifier | None = None
        # The last stills, or pieces of a live picture: what was read in each, the finder's scores, chances of a die.
        self._looked_at: deque[tuple[Image, Detections, Float, Float]] = deque(maxlen=MOST_PIECES)
        if self._finder.classes == 1:
            reader = finder.with_name("reader.onnx")
            self._reader = load(reader, threads)
            if self._reader.classes != FACES + 1:
                raise DamagedModel(
                    f"{reader} tells {self._reader.classes} classes apart, expected seven (the six faces and 'no die')"
                )
            self._close_reader = self._other(finder.with_name("close_reader.onnx"), self._reader, reader, threads)
            self._print = PrintReader.beside(finder.with_name("print.onnx"), threads)
            self._verifier = Verifier.beside(finder.with_name("verifier.onnx"), threads)
        elif self._finder.classes != FACES:
            raise DamagedModel(
                f"{finder} has {self._finder.classes} classes, expected one (a die) or six (its top faces 1 to 6)"
            )

    @staticmethod
    def _other(path: Path, instead: Network, its: Path, threads: int) -> Network:
        """A network of the same kind as `instead` (its file), and that one where there is no such file."""
        if not path.is_file():
            return instead
        other = load(path, threads)
        if other.classes != instead.classes:
            raise DamagedModel(f"{path} has {other.classes} classes, expected as many as {its}: {instead.classes}")
        return other

    def detect(self, image: Image, *, thorough: bool = False) -> Detections:
        """The dice of a picture, (H, W, 3) uint8 BGR.

        thorough: search with the larger finder, in finer copies in tiles too, and read every die several times; for
        stills, where a tenth of a second more does not matter. What is doubtful, or shows few dice, is looked at again
        mirrored and in other sizes. Without it dice below about a 60th of the picture's longer side are lost.
        """
        if thorough and self._reader is not None:
            return at_once(self._agreed(image))
        picture = Pyramid(levelled(image))
        if self._reader is None:
            return self._of_six_classes(*at_once(self._find(picture, thorough=thorough, least=FOUND)))
        boxes, found = settled(*at_once(self._find(picture)))
        seen = self._read(picture, boxes)
        return lying(self._inked(picture, chosen(seen, believed(seen, found)), quickly=True))

    def detect_once(self, image: Image) -> Detections:
        """The dice of a picture, or of a piece of a live one, by one thorough look alone."""
        return at_once(self.refined(image))

    def refined(self, image: Image, *, agreed: bool = False) -> Parts[Detections]:
        """A thorough look at a picture (H, W, 3) in parts, for live pictures.

        Args:
            agreed: several looks have to find the same, as in `detect` with `thorough`; else it is one look.
        """
        if self._reader is None:
            return self.detect(image, thorough=True)
        if agreed:
            return (yield from self._agreed(image))
        return lying((yield from self._in_proportion(Pyramid(levelled(image)), image)))

    def _agreed(self, image: Image) -> Parts[Detections]:
        """What thorough looks at a still agree on: one of each size, every other in a mirror, and where these disagree
        as many the other way round, the dearest of them only if there is no other or it may decide."""
        first = yield from self._in_proportion(Pyramid(levelled(image)), image, verified=True)
        if not doubtful(lying(first, still=True)):
            return lying(first, still=True)
        longest = max(image.shape[:2])
        scales = [side / longest for side in COPIES if APART * side < longest]
        looks = [first]
        for i, scale in enumerate(scales):
            looks.append((yield from self._copy(image, scale, mirrored=i % 2 == 0)))
        if not scales or not agree([lying(look, still=True) for look in looks]):
            for i, scale in enumerate(scales):
                looks.append((yield from self._copy(image, scale, mirrored=i % 2 == 1)))
            if not scales or lone([lying(look, still=True) for look in looks]):
                looks.append((yield from self._copy(image, 1.0, mirrored=True)))
        return fused(looks)

    def _copy(self, image: Image, scale: float, *, mirrored: bool) -> Parts[Detections]:
        """What is seen of a picture made so many times as large, or in a mirror, printed dice among it."""
        height, width = image.shape[:2]
        size = max(1, round(width * scale)), max(1, round(height * scale))
        copy = Pyramid(image).resized(size)
        copy = np.ascontiguousarray(copy[:, ::-1]) if mirrored else copy
        seen = yield from self._in_proportion(Pyramid(levelled(copy)), copy, verified=True)
        boxes = seen.xyxy[:, [2, 1, 0, 3]] * (-1, 1, -1, 1) + (size[0], 0, size[0], 0) if mirrored else seen.xyxy
        return replace(seen, xyxy=np.asarray(boxes * np.tile((width / size[0], height / size[1]), 2), np.float32))

    def _in_proportion(self, picture: Pyramid, image: Image, *, verified: bool = False) -> Parts[Detections]:
        """The dice of a still, printed ones too, in its true proportions where they are read better than squeezed.

        verified: the verifier is asked too. Dice far out of focus, as live pictures show them, it does not know.
        """
        boxes, found, read = yield from self._weighed_and_read(picture)
        chances = yield from self._chances(picture, found, read, verified=verified)
        self._looked_at.append((image, read, found, chances))
        seen = self._still(read, chances)
        by = stretch(boxes[found >= FOUND], found[found >= FOUND])
        if by != (1.0, 1.0):
            wider = Pyramid(stretched(picture.image, by))
            _, found, read = yield from self._weighed_and_read(wider)
            chances = yield from self._chances(wider, found, read, verified=verified)
            other = self._still(read, chances)
            if _worth(other) > _worth(seen):
                there = self._inked(wider, other)
                return replace(there, xyxy=np.asarray(there.xyxy / np.array([*by, *by]), np.float32))
        return self._inked(picture, seen)

    def _weighed_and_read(self, picture: Pyramid) -> Parts[tuple[Float, Float, Detections]]:
        """The candidates of a still: boxes (n, 4), the finder's scores (n,), and how a close look reads them."""
        boxes, found = yield from self._weighed(picture)
        return boxes, found, (yield from self._read_closely(picture, boxes))

    def _chances(self, picture: Pyramid, found: Float, read: Detections, *, verified: bool) -> Parts[Float]:
        """(n,) The chance of a die in each candidate, by finder and reader, and by the verifier where it is asked."""
        odds = odds_of_die(read, found)
        if self._verifier is None or not verified:
            return chance_of_die(odds - BELIEVED)
        yield 2 * len(odds) * SECONDS_A_CROP
        return self._verifier.chances(picture, read.xyxy, odds)

    @staticmethod
    def _still(read: Detections, chances: Float) -> Detections:
        """The dice among the candidates of a still, printed ones too."""
        specks = lonely_specks(read.xyxy, read.legible, sure=0.98, share=0.35)
        return chosen(read, reported(read, chances) & ~specks)

    def doubtful(self, image: Image, least: float = 0.0) -> Detections:
        """What a thorough look at a picture took for dice and does not report; right after that look at little cost.

        least: instead all that is one with at least this chance by what the finder and the reader say together, which
        the scores then are, printed dice and those reported among it.
        """
        if self._reader is None:
            return Detections.none()
        picture = Pyramid(levelled(image))
        known = next((seen for seen in self._looked_at if seen[0] is image), None)
        if known is not None:
            _, seen, found, chances = known
        else:
            _, found, seen = at_once(self._weighed_and_read(picture))
            chances = chance_of_die(odds_of_die(seen, found) - BELIEVED)
        if not least:
            doubted = chosen(seen, ~reported(seen, chances) & (seen.scores >= PERHAPS))
            return lying(self._inked(picture, doubted))
        seen = replace(seen, scores=chance_of_die(odds_of_die(seen, found)))
        return self._inked(picture, chosen(seen, seen.scores >= least))

    def search(self, image: Image, pieces: Sequence[Piece], die: float = 0.0) -> Detections:
        """The dice of a live picture that lie wholly in one of these pieces of it, found as `detect` finds them.

        die: how wide the dice there are, pixels, where it is known: larger ones are not looked for.
        """
        picture = Pyramid(levelled(image))
        rows = [within(picture, piece, die, self._glance) for piece in pieces]
        boxes, scores = (np.concatenate(parts) for parts in zip(*rows, strict=True))
        if self._reader is None:
            kept = scores.max(axis=1, initial=0) >= FOUND
            return self._of_six_classes(boxes[kept], scores[kept])
        boxes, found = settled(boxes, scores)
        seen = self._read(picture, boxes)
        return lying(self._inked(picture, chosen(seen, believed(seen, found)), quickly=True))

    def _inked(self, picture: Pyramid, seen: Detections, *, quickly: bool = False) -> Detections:
        """The same, and how likely each is printed."""
        return replace(seen, ink=self._ink(picture, seen.xyxy, quickly=quickly))

    def ink(self, image: Image, boxes: Float) -> Float:
        """(n,) The chance that what these boxes (n, 4) hold is printed on cards, by what is to be seen around each and
        what is said of those beside it: a printed square and a die seen from straight above may look the same."""
        return self._ink(Pyramid(levelled(image)), boxes)

    def _ink(self, picture: Pyramid, boxes: Float, *, quickly: bool = False) -> Float:
        if self._print is None or len(boxes) == 0:
            return np.zeros(len(boxes), np.float32)
        return self._print.ink(picture, boxes, quickly=quickly)

    def candidates(self, image: Image, *, thorough: bool = False, least: float = GLANCED) -> tuple[Float, Float]:
        """Where the finder alone sees a die with at least that score: boxes (n, 4) in pixels and scores (n,)."""
        return settled(*at_once(self._find(Pyramid(levelled(image)), thorough=thorough, least=least)))

    @staticmethod
    def _of_six_classes(boxes: Float, rows: Float) -> Detections:
        scores = rows.max(axis=1, initial=0)
        kept = suppress(boxes, scores, scores >= FOUND)
        return Detections(boxes[kept], shares(rows[kept]), scores[kept])

    def _weighed(self, picture: Pyramid) -> Parts[tuple[Float, Float]]:
        """Candidates from every scale, weak ones too, compared by how well a die can be read in each: boxes
        (n, 4) and the finder's scores (n,)."""
        boxes, rows = yield from self._find(picture, thorough=True, least=HARDLY)
        scores = rows.max(axis=1, initial=0)
        kept = thin(boxes, scores)
        kept = kept[~lonely_specks(boxes[kept], scores[kept], sure=0.5, share=0.25)]
        boxes, scores = boxes[kept], scores[kept]
        yield len(boxes) * SECONDS_A_CROP / 2
        seen = self._read(picture, boxes)
        # The quick reader may doubt a die out of focus that the finder is sure of: the close one tells.
        legible = (scores >= PLAINLY) | ((seen.scores >= 0.5) & (seen.confidences >= 0.75 * AT_LEAST))
        # A large or touching die may hardly look like one to the finder and be plain to the reader.
        certain = (seen.scores >= SURELY_DIE) & (seen.confidences >= SURELY_FACE)
        nearly = legible & (scores < FAINT) & ~certain & (seen.scores >= NEARLY_DIE)
        closely = yield from self._read_closely(picture, boxes[nearly])
        certain[nearly] = (closely.scores >= CLOSELY_DIE) & (closely.confidences >= CLOSELY_FACE)
        kept = np.flatnonzero(legible & ((scores >= FAINT) | certain))
        kept = kept[~of_two(boxes[kept], seen.legible[kept])]
        plain, worth = seen.legible[kept], scores[kept] * seen.legible[kept]
        # Cards with pips and whole heaps are read as one large die too, which the dice upon them must outlive.
        worse = np.where(seen.probabilities[kept, 0] >= PERHAPS_ONE, A_PIP, 1) * worth
        stands = np.where(plain >= PLAIN, worse, 0)
        kept = kept[suppress(boxes[kept], worth, plain >= LEGIBLE_AT_ONCE, stands)]
        return boxes[kept], scores[kept]

    def read(self, image: Image, boxes: Float, *, thorough: bool = False) -> Detections:
        """Reads known dice again without searching the picture: one row for each box, in the same order.

        boxes: (n, 4) pixels. A score near 0 says that no die lies there any more. With a six-class model the
        picture is searched and each box takes over what was found around its middle.
        """
        if self._reader is None and len(boxes):
            return matched(self.detect(image), boxes)
        picture = Pyramid(levelled(image))
        return at_once(self._read_closely(picture, boxes)) if thorough else self._read(picture, boxes)

    def _read(self, picture: Pyramid, boxes: Float) -> Detections:
        """Known dice of a levelled picture, each read once."""
        return Detections.none() if self._reader is None else read_faces(self._reader, picture, boxes)

    def _read_closely(self, picture: Pyramid, boxes: Float) -> Parts[Detections]:
        """Known dice of a levelled picture, each read several times by the larger reader."""
        if self._reader is None:
            return Detections.none()
        return (yield from read_faces_closely(self._close_reader, picture, boxes))

    def _find(self, picture: Pyramid, *, thorough: bool = False, least: float = GLANCED) -> Parts[tuple[Float, Float]]:
        """Candidates: boxes (n, 4) in picture pixels and class scores (n, classes), not yet suppressed."""
        return everywhere(picture, self._finder if thorough else self._glance, least, thorough=thorough)


def for_films(path: str | Path) -> Detector:
    """A detector of pictures that come one after the other, in a process that does nothing else.

    A second thread reads a picture sooner, but waits in vain for most of what it takes from the processor: with one a
    frame takes an eighth less of it (networks) and a twentieth (OpenCV, of the whole process). Raises DamagedModel.
    """
    cv2.setNumThreads(1)
    return Detector(path, threads=1)


def _worth(seen: Detections) -> float:
    """How well dice are read together: what is as likely wrong as right adds nothing."""
    return float((2 * seen.legible - 1).sum())
