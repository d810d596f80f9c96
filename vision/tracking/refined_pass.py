"""Refined passes over dice that have come to rest: what they find, read and reject."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.boxes import Boxes, Piece, among, overlapping
from vision.dice.detections import Detections, boxes_of, chosen, joined
from vision.dice.detector_api import Detects, DetectsOnce, DetectsPrint, Doubts, Reads, Refines
from vision.dice.parts import Parts
from vision.dice.print_memory import PrintMemory
from vision.dice.pyramid import LOW
from vision.dice.side_filter import side_mask
from vision.dice.tiling import uncut
from vision.tracking.association import greedy_match
from vision.tracking.constants import (
    FOUND,
    MOSTLY,
    REST_SECONDS,
    SAME_PLACE,
    SURE_CHANGE,
)
from vision.tracking.motion import MotionGate
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Image

LEAST_NEW = 1 / (1 + math.exp(FOUND))  # minimum probability of a new die, or of one that was there before


class RefinedPass:
    """Runs refined passes over the changed regions of the newest frame.

    As long as nothing changes in a region, the refined pass decides what is a die there, and its readings count most.

    Attributes:
        doubted: Regions in which the last pass did not find dice that fast passes had found. One pass is no proof, so
            the next time several passes must agree.
    """

    def __init__(self, detector: Detects, gate: MotionGate, tracker: Tracker) -> None:
        self._reads = detector if isinstance(detector, Reads) else None
        self._doubts = detector if isinstance(detector, Doubts) else None
        self._once = detector if isinstance(detector, DetectsOnce) else None
        self._refines = detector if isinstance(detector, Refines) else None
        self._gate = gate
        self._tracker = tracker
        self.print_memory = PrintMemory(detector if isinstance(detector, DetectsPrint) else None, gate.new_around)
        self.doubted: list[Piece] = []
        self._rejected: list[Box] = []  # rejected places
        self._last_pieces: list[tuple[Piece, Image]] = []  # the regions of the last pass

    def add_to(self, image: Image, found: Detections, seconds: float, judge: bool) -> Parts[Detections]:
        """The detections after a refined pass over the changed regions, computed in parts.

        The pass uses the frame that was newest at its start, even if something moves meanwhile.

        Args:
            judge: Reject doubtful detections that the pass does not confirm. False while a hand may cover a part of
                them; then only dice at rest are read.
        """
        assert self._reads is not None
        also: list[Box] = [die.box for die in self._tracker.dice if die.believed and die.refined_logs is None]
        also += self.doubted if judge else []
        agreed, doubted = judge and bool(self.doubted), list[Piece]()
        size = image.shape[1], image.shape[0]
        pieces = self._gate.to_refine(self._tracker.width, also, all_changed=judge)
        as_now = self._gate.once_refined(pieces)
        parts = [image[top:low, left:right] for left, top, right, low in pieces]
        for piece, part in zip(pieces, parts, strict=True):
            left, top, _, _ = piece
            refined = yield from self._run(part, agreed, (LOW * len(image) - top) / len(part))
            refined = _moved(refined, left, top)
            refined = joined(refined, self._found_by_fast_passes(part, piece, refined))
            refined = self._without_sides(image, self.print_memory.without_printed(refined, seconds, refined=judge))
            boxes = refined.xyxy
            seen = self._tracker.of_one_size(chosen(refined, uncut(boxes, piece, size)))
            rejected = uncut(found.xyxy, piece, size) & judge
            found = self._without_sides(image, joined(seen, chosen(found, ~(among(found.xyxy, boxes) | rejected))))
            no_longer_found = self._no_longer_found(refined, piece, size)
            if judge and not any(self.out_of_focus(image, die) for die in no_longer_found):
                if self._judge(image, seen, boxes, piece, seconds, agreed):
                    doubted.append(piece)
                # Nothing will seem to have changed there, so drop what refined passes saw of these dice. They are then
                # read again like dice without a refined pass, and are gone once they are missed.
                for die in no_longer_found:
                    die.not_found_refined()
        self._last_pieces = [*zip(pieces, parts, strict=True)]
        self.doubted = doubted if judge else self.doubted
        self._gate.was_refined(as_now)
        return found

    def _found_by_fast_passes(self, part: Image, piece: Piece, refined: Detections) -> Detections:
        """Candidates of a pass over a region that are likelier dice than not, given that fast passes found them.

        Args:
            refined: What the pass reported without that knowledge, in pixels of the frame.
        """
        believed = [die.box for die in self._tracker.dice if die.believed and not die.missed]
        there = greedy_match(believed, boxes_of(refined), SAME_PLACE)
        missed = [box for row, box in enumerate(believed) if row not in there]
        if self._doubts is None or not missed:
            return Detections.none()
        seen = _moved(self._doubts.doubtful(part, MOSTLY), *piece[:2])
        seen = chosen(seen, ~among(seen.xyxy, refined.xyxy))
        return chosen(seen, np.array([*greedy_match(boxes_of(seen), missed, SAME_PLACE)], np.intp))

    def without_rejected(self, found: Detections) -> Detections:
        """The detections of a fast pass, without doubtful new ones where a refined pass found nothing and nothing has
        changed.

        A rejected place stays rejected, however confident later fast passes are.
        """
        if not len(found):
            return found
        same = self._gate.unchanged_since_refined(self._rejected)
        self._rejected = [box for box, unchanged in zip(self._rejected, same, strict=True) if unchanged]
        again = greedy_match(boxes_of(found), self._rejected, SAME_PLACE)
        found = chosen(found, np.array([row not in again for row in range(len(found))], np.bool_))
        boxes = boxes_of(found)
        known = greedy_match(boxes, [die.box for die in (*self._tracker.dice, *self._tracker.hidden)], SAME_PLACE)
        same = self._gate.unchanged_since_refined(boxes)
        sure = surely(found)
        accepted = [row in known or sure[row] or not same[row] for row in range(len(boxes))]
        return chosen(found, np.array(accepted, np.bool_))

    def whole(self, image: Image, seconds: float) -> Parts[Detections]:
        """Detections on which several refined passes over the whole frame agree. They may include dice that a pass over
        a region missed."""
        seen = _moved((yield from self._run(image, True, LOW)), 0, 0)
        return self._without_sides(image, self._tracker.of_one_size(self.print_memory.without_printed(seen, seconds)))

    def possible_candidates(self, image: Image, whole: Detections, beside: Detections, seconds: float) -> Detections:
        """Further possible dice in the whole frame, likeliest first: too doubtful for a refined pass, but useful if
        more dice are known to be there."""
        if self._doubts is None:
            return Detections.none()
        doubted = _moved(self._doubts.doubtful(image), 0, 0)
        seen = joined(whole, self.print_memory.without_printed(doubted, seconds))
        seen = self._plausible(image, beside, seen)
        return chosen(seen, np.argsort(-seen.scores))

    def likely_candidates(self, image: Image, beside: Detections, seconds: float) -> Detections:
        """Candidates of the last refined pass with a probability above one half, given that a die was there a moment
        ago or that something new is on the table.

        Without them, a table with a missing die would seem complete.
        """
        found, size = Detections.none(), (image.shape[1], image.shape[0])
        rejected = np.array(self._rejected, np.float32).reshape(-1, 4)
        for piece, part in self._last_pieces:
            if self._doubts is None or self.doubted:
                break
            seen = _moved(self._doubts.doubtful(part, LEAST_NEW), *piece[:2])
            seen = chosen(seen, uncut(seen.xyxy, piece, size) & ~among(seen.xyxy, rejected))
            boxes, known = boxes_of(seen), np.zeros(len(seen), np.bool_)
            known[[*greedy_match(boxes, [die.box for die in self._tracker.dice if die.confirmed], SAME_PLACE)]] = True
            new = np.array(self._gate.newly_there(boxes, self._tracker.width), np.bool_)
            # Once a long-resting die is gone, its place differs from the learned table, but nothing new is there.
            new[[*greedy_match(boxes, [die.box for die in self._tracker.hidden], SAME_PLACE)]] = False
            odds = np.log(seen.scores / np.maximum(1 - seen.scores, 1e-9)) + FOUND
            seen = replace(seen, scores=np.where(new | known, 1 / (1 + np.exp(-odds)), seen.scores))
            plain = known | (seen.legible >= MOSTLY)
            seen = chosen(seen, new | (plain & ~among(seen.xyxy, beside.xyxy)))
            found = joined(found, self.print_memory.without_printed(seen, seconds))
        return self._plausible(image, beside, found)

    def _plausible(self, image: Image, beside: Detections, seen: Detections) -> Detections:
        """Possible dice of similar size that are neither sides nor parts of the dice `beside`."""
        if not len(seen):
            return seen
        seen = self._tracker.of_one_size(seen)
        return self.no_sides(image, beside, chosen(seen, ~among(seen.xyxy, beside.xyxy)))

    def no_sides(self, image: Image, beside: Detections, seen: Detections) -> Detections:
        """Possible dice that are neither a side nor a shadow of the dice `beside`."""
        if not len(seen):
            return seen
        both = np.concatenate([beside.xyxy, seen.xyxy])
        scores = np.concatenate([np.ones(len(beside), np.float32), seen.scores])
        return chosen(seen, ~side_mask(image, both, scores, self._tracker.width or 0.0)[len(beside) :])

    def _no_longer_found(self, seen: Detections, piece: Piece, size: tuple[int, int]) -> list[TrackedDie]:
        """Dice in a region that earlier refined passes found and the last one did not."""
        known = [die for die in (*self._tracker.dice, *self._tracker.hidden) if die.refined_logs]
        seen_there = greedy_match([die.box for die in known], boxes_of(seen), SAME_PLACE)
        inside = uncut(np.array([die.box for die in known], np.float32).reshape(-1, 4), piece, size)
        return [die for row, die in enumerate(known) if row not in seen_there and inside[row]]

    def out_of_focus(self, image: Image, die: TrackedDie) -> bool:
        """Whether the die's place looks as before but blurred, so the frame does not prove that the die is gone."""
        return bool(die.blur_in(image))

    def _run(self, piece: Image, agreed: bool, low: float) -> Parts[Detections]:
        """Detections of one refined pass or, if `agreed`, those on which several passes agree.

        Args:
            low: Share of the piece's height from which a die is low in the frame.
        """
        assert self._reads is not None
        if self._refines is not None:
            return (yield from self._refines.refined(piece, agreed=agreed, low=low))
        return self._once.detect_once(piece) if self._once and not agreed else self._reads.detect(piece, thorough=True)

    def _without_sides(self, image: Image, found: Detections) -> Detections:
        """The detections without sides and shadows of dice."""
        scores = found.legible
        return chosen(found, ~side_mask(image, found.xyxy, scores, self._tracker.width or 0.0))

    def _judge(self, image: Image, seen: Detections, boxes: Boxes, piece: Piece, seconds: float, agreed: bool) -> bool:
        """Rejects the tracked dice in this region that the refined pass did not find.

        Args:
            seen: The dice that the pass found.
            boxes: (n, 4) all its detections, including cut ones and those of unusual size.
            agreed: Several passes have agreed.

        Returns:
            Whether any die is in doubt that a single pass cannot reject.
        """
        dice, unsure = [*self._tracker.dice], False
        confirmed = greedy_match([die.box for die in dice], boxes_of(seen), SAME_PLACE)
        for row, die in enumerate(dice):
            box = np.array([die.box], np.float32)
            if row in confirmed or not uncut(box, piece, (image.shape[1], image.shape[0]))[0]:
                continue
            die.proven = die.proven or None
            there = overlapping(box, seen.xyxy)
            others = {*there} <= {*confirmed.values()} and len(there) == len(overlapping(box, boxes))
            calm = die.last_motion < seconds - REST_SECONDS
            if others and calm and not self.out_of_focus(image, die) and self._doubtful(image, die, seconds):
                if agreed:
                    self.reject(die)  # nothing is there, or only another die
                else:
                    unsure, die.proven = True, bool(die.proven)
        return unsure

    def reject(self, die: TrackedDie) -> None:
        """Rejects a die. The place stays rejected until something changes there."""
        self._tracker.reject(die)
        self._rejected.append(die.box)

    def _doubtful(self, image: Image, die: TrackedDie, seconds: float) -> bool:
        """Whether a die that a refined pass did not find may be no die: no refined pass has ever found it, fast passes
        are unsure too, or it is printed."""
        assert self._reads is not None
        if not die.proven:
            return True
        boxes = np.array([die.box, *(other.box for other in self._tracker.dice if other is not die)], np.float32)
        unsure = not surely(self._reads.read(image, boxes[:1]))[0]
        return unsure or bool(self.print_memory.printed(image, boxes, seconds)[0])


def _moved(seen: Detections, left: int, top: int) -> Detections:
    """Detections of a region in pixels of the frame."""
    boxes = seen.xyxy + np.array([left, top, left, top], np.float32)
    return replace(seen, xyxy=boxes, passes=np.maximum(seen.passes, 2.0))


def surely(found: Detections) -> npt.NDArray[np.bool_]:
    """(n,) whether each row is surely a die with a surely read face."""
    return np.asarray(found.legible >= SURE_CHANGE)
