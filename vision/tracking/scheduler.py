"""How the detector is asked: a quick search, known dice read again, a close look at what has come to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.dice.detections import Detections, chosen, joined, kept_as_it_is
from vision.dice.detector_api import Detects, DetectsOnce, Doubts, Reads, Searches, TellsPrint
from vision.dice.print_memory import PrintMemory
from vision.dice.side_filter import side_mask
from vision.dice.tiling import search_grid, uncut
from vision.tracking.association import greedy_match
from vision.tracking.boxes import Boxes, among, boxes_of, overlapping
from vision.tracking.constants import (
    AGAIN_SECONDS,
    CROWDED,
    DOUBLE,
    HUNTING_SECONDS,
    LARGEST,
    LIES,
    RATHER,
    REST_LOOKS,
    SAME_PLACE,
    STILL_SECONDS,
    SURE_NEWS,
    SURELY_THERE,
)
from vision.tracking.motion import MotionGate, Scene
from vision.tracking.regions import Piece
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Image


class Scheduler:
    """Asks a detector no more than it has to.

    Searching the picture takes several times as long as reading the dice known to lie there, and looking closely ten
    times as long. So the picture is searched while something in it differs from the last search, and while something
    moves only where it does; dice are read where they lie otherwise, and what has come to rest is looked at closely
    once, where the picture has changed. As long as nothing changes there, that look decides what is a die and counts
    most for what it shows.
    """

    def __init__(self, detector: Detects, gate: MotionGate, tracker: Tracker) -> None:
        # Asked once: comparing with a protocol takes as long as looking at the small picture.
        self._reads = detector if isinstance(detector, Reads) else None
        self._searches = detector if isinstance(detector, Searches) else None
        self._doubts = detector if isinstance(detector, Doubts) else None
        self._looks = detector if isinstance(detector, DetectsOnce) else None
        self._detector = detector
        self._gate = gate
        self._tracker = tracker
        self._close: set[int] = set()  # the dice lying there that have been looked at closely
        self._beside_hands: set[Box] = set()  # where a close look saw dice while a hand was in the picture
        self._closely = -np.inf  # seconds
        self._quiet = 0  # looks in a row without anything moving
        self._whole = -np.inf  # seconds when all of the picture was last searched
        self._print = PrintMemory(detector if isinstance(detector, TellsPrint) else None)
        self._denied: list[Box] = []  # where a close look has shown that there is no die
        self._looked_at: list[tuple[Piece, Image]] = []  # the pieces of the last close look
        self._in_motion = True  # the last search may have missed a blurred die
        self.closely = False  # whether what is at rest has just been looked at closely, with no hand in the picture

    def detections(self, image: Image, seconds: float, scene: Scene, always: bool = False) -> Detections:
        """The dice of the gate's newest picture. always: search it even if nothing has changed."""
        if self._reads is None:
            self._gate.was_searched()
            return self._detector.detect(image)
        known = [*self._tracker.dice, *self._tracker.hidden]
        for die, unchanged in zip(known, self._gate.as_looked_at([die.box for die in known]), strict=True):
            die.unchanged = unchanged
        closely = self._at_rest(seconds, scene)
        searched = self._to_search(image, seconds, scene, always)
        untouched = self._untouched(image, searched)
        found = Detections.none()
        if searched:
            found = _not_too_large(self._found(image, searched, untouched), image)
            found = self._news(self._print.lying(found, seconds))
            self._in_motion = bool(scene.moving)
            self._whole = seconds if _is_whole(searched, image) else self._whole
            self._gate.was_searched()
        self.closely = closely and not scene.hands
        if closely:
            found = self._closer(image, found, seconds, judge=self.closely)
        return self._with_the_known(image, found, untouched, seconds)

    def perhaps(self, image: Image, beside: Detections, seconds: float) -> Detections:
        """What may be a die too, the likeliest first: too doubtful for a close look, unless more are known to lie there
        than those beside it."""
        if self._doubts is None:
            return Detections.none()
        seen = _not_too_large(self._doubts.doubtful(image), image)
        seen = self._worth_telling(image, beside, seen, seconds)
        return chosen(seen, np.argsort(-seen.scores))

    def rather(self, image: Image, beside: Detections, seconds: float) -> Detections:
        """What the close look at this picture rather takes for dice, beside those found: a few more looks tell."""
        found, size = Detections.none(), (image.shape[1], image.shape[0])
        for piece, part in self._looked_at:
            if self._doubts is None:
                break
            seen = _moved(_not_too_large(self._doubts.doubtful(part), image), *piece[:2])
            found = joined(found, chosen(seen, (seen.legible >= RATHER) & uncut(seen.xyxy, piece, size)))
        return self._worth_telling(image, beside, found, seconds)

    def blinded(self) -> None:
        """Nobody knows what has happened meanwhile: the next search is of the whole picture."""
        self._whole = -np.inf
        self._print.forget()

    def _to_search(self, image: Image, seconds: float, scene: Scene, always: bool) -> list[Piece]:
        """The pieces of the picture to search: none while nothing changes, the changed ones while something moves.

        All of it when motion has just ended, for the last look may have missed a blurred die, and every second.
        """
        whole = [(0, 0, image.shape[1], image.shape[0])]
        if always or not 0 <= seconds - self._whole < AGAIN_SECONDS:
            return whole
        if not scene.moving or self._searches is None:
            return whole if scene.fresh or self._in_motion else []
        return self._gate.to_search(self._tracker.width, *search_grid(image)) or whole

    def _untouched(self, image: Image, searched: Sequence[Piece]) -> list[TrackedDie]:
        """The dice followed that this search is not about: where they lie nothing has changed, or no piece reaches."""
        dice = self._tracker.dice
        if not searched:
            return [*dice]
        if _is_whole(searched, image):
            return []
        same = self._gate.as_searched([die.box for die in dice])
        return [
            die
            for die, unchanged in zip(dice, same, strict=True)
            if (die.still and unchanged) or not _within_any(die.box, searched, image)
        ]

    def _found(self, image: Image, searched: Sequence[Piece], untouched: Sequence[TrackedDie]) -> Detections:
        """The dice in these pieces, without those that lie as they lay: an edge near by would only move their boxes."""
        if _is_whole(searched, image) or self._searches is None:
            return self._detector.detect(image)
        found = self._searches.search(image, searched, self._tracker.width or 0.0)
        lying = [die.box for die in untouched if die.still]
        return chosen(found, ~among(found.xyxy, np.array(lying, np.float32).reshape(-1, 4)))

    def _with_the_known(
        self, image: Image, found: Detections, untouched: Sequence[TrackedDie], seconds: float
    ) -> Detections:
        """Also the dice that were not found again, and those that nobody looked for.

        They are read anew where they lie, but for those that a close look has read and that show what they showed then.
        """
        assert self._reads is not None
        missed = self._tracker.missing(found, untouched)
        known = [die for die in missed if die in untouched and die.close and die.unchanged and die.still >= LIES]
        anew = [die for die in missed if die not in known]
        if known:
            found = joined(found, kept_as_it_is([die.box for die in known], [die.probabilities for die in known]))
        if anew:
            boxes = np.array([die.box for die in anew], np.float32)
            again, believed = self._reads.read(image, boxes), np.array([die.believed for die in anew])
            there = again.scores >= np.where(believed, RATHER, SURE_NEWS)
            if not believed.all():
                there &= believed | ~self._print.printed(image, boxes, seconds)
            found = joined(found, chosen(again, there))
        return found

    def _at_rest(self, seconds: float, scene: Scene) -> bool:
        """Whether something has come to rest that nobody has looked at closely."""
        dice = [die for die in self._tracker.dice if die.believed]
        again = not 0 <= seconds - self._closely < AGAIN_SECONDS
        self._close &= {die.track for die in dice if die.still and (die.close or not again)}
        self._quiet = 0 if scene.moving or scene.hands else self._quiet + 1
        arriving = any(not die.believed and not die.missed for die in self._tracker.dice)
        # In a quiet picture a die that is missed has not rolled on: a close look finds it where it lies, or nothing.
        if arriving or any(not die.resting(seconds) and (scene.moving or not die.missed) for die in dice):
            return False
        shaken = bool(dice) and not any(die.unchanged for die in dice) and seconds - self._closely >= HUNTING_SECONDS
        anew = self._beside_hands and self._quiet > 0
        if self._close.issuperset(die.track for die in dice) and self._quiet != REST_LOOKS and not (shaken or anew):
            return False
        self._close, self._closely = {die.track for die in dice}, seconds
        return True

    def _news(self, found: Detections) -> Detections:
        """Without doubtful finds of a quick search beside the dice known, where a close look at the same found none.

        What such a look has denied there comes not back, however sure quick ones are.
        """
        if not len(found):
            return found
        same = self._gate.as_looked_at(self._denied)
        self._denied = [box for box, unchanged in zip(self._denied, same, strict=True) if unchanged]
        again = greedy_match(boxes_of(found), self._denied, SAME_PLACE)
        found = chosen(found, np.array([row not in again for row in range(len(found))], np.bool_))
        boxes = boxes_of(found)
        known = greedy_match(boxes, [die.box for die in (*self._tracker.dice, *self._tracker.hidden)], SAME_PLACE)
        same = self._gate.as_looked_at(boxes)
        sure = _sure(found)
        news = [row in known or sure[row] or not same[row] for row in range(len(boxes))]
        return chosen(found, np.array(news, np.bool_))

    def _closer(self, image: Image, found: Detections, seconds: float, judge: bool) -> Detections:
        """What a close look at the changed pieces of the picture adds to what was found, or puts in its place.

        judge: what was doubtful and it does not confirm is no die; else a hand may cover a part of it, and only what
        has come to rest is looked at: the rest is still changing.
        """
        assert self._reads is not None
        self._looked_at.clear()
        also = [die.box for die in self._tracker.dice if die.believed and die.close is None]
        if judge:
            also += self._beside_hands
            self._beside_hands.clear()
        size = image.shape[1], image.shape[0]
        for piece in self._gate.to_look_at(self._tracker.width, also, all_changed=judge):
            left, top, right, low = piece
            part = image[top:low, left:right]
            self._looked_at.append((piece, part))
            looked = _moved(_not_too_large(self._closely_seen(part), image), left, top)
            looked = self._without_sides(image, self._print.lying(looked, seconds, closely=judge))
            boxes = looked.xyxy
            seen = self._tracker.like_others(chosen(looked, uncut(boxes, piece, size)))
            denied = uncut(found.xyxy, piece, size) & ~_sure(found) & judge
            found = self._without_sides(image, joined(seen, chosen(found, ~(among(found.xyxy, boxes) | denied))))
            if judge:
                self._judge(image, seen, boxes, piece, seconds)
                self._forget_what_is_gone(looked, piece, size)
            else:
                self._beside_hands |= {_rounded(box) for box in boxes_of(seen)}
        self._gate.was_looked_at([piece for piece, _ in self._looked_at])
        return self._with_hidden(image, found) if judge else found

    def _worth_telling(self, image: Image, beside: Detections, seen: Detections, seconds: float) -> Detections:
        """Of what may be dice, what is neither printed nor a side or a part of those beside it, nor unlike them."""
        if not len(seen):
            return seen
        seen = self._tracker.like_others(self._print.lying(seen, seconds))
        seen = chosen(seen, ~among(seen.xyxy, beside.xyxy))
        both = np.concatenate([beside.xyxy, seen.xyxy])
        worth = np.concatenate([np.ones(len(beside), np.float32), seen.scores])
        return chosen(seen, ~side_mask(image, both, worth, self._tracker.width or 0.0)[len(beside) :])

    def _forget_what_is_gone(self, seen: Detections, piece: Piece, size: tuple[int, int]) -> None:
        """What close looks saw of a die no longer counts once one does not see it where it lay: nothing will seem to
        have changed there since. From now on it is read anew like a die that nobody has looked at closely, and gone
        when it is missed."""
        closely = [die for die in self._tracker.dice if die.close]
        seen_there = greedy_match([die.box for die in closely], boxes_of(seen), SAME_PLACE)
        for row, die in enumerate(closely):
            if row not in seen_there and uncut(np.array([die.box], np.float32), piece, size)[0]:
                die.missed_closely()

    def _closely_seen(self, piece: Image) -> Detections:
        """What one thorough look sees."""
        assert self._reads is not None
        return self._looks.detect_once(piece) if self._looks else self._reads.detect(piece, thorough=True)

    def _with_hidden(self, image: Image, found: Detections) -> Detections:
        """Also the dice that a hand had hidden and that surely show what they showed where they lay: one beside another
        may seem a part of it."""
        assert self._reads is not None
        dice = [*boxes_of(found), *(die.box for die in self._tracker.dice if not die.missed)]
        seen_there = greedy_match([die.box for die in self._tracker.hidden], dice, CROWDED)
        unseen = [die for row, die in enumerate(self._tracker.hidden) if row not in seen_there]
        if not unseen:
            return found
        there = self._reads.read(image, np.array([die.box for die in unseen], np.float32))
        sure = there.legible >= SURELY_THERE
        sure &= there.faces == [die.value for die in unseen]  # else it is a part of the other one that is read
        return self._without_sides(image, joined(found, chosen(there, sure)))

    def _without_sides(self, image: Image, found: Detections) -> Detections:
        """Without sides and shadows of dice."""
        worth = found.legible
        return chosen(found, ~side_mask(image, found.xyxy, worth, self._tracker.width or 0.0))

    def _judge(self, image: Image, seen: Detections, boxes: Boxes, piece: Piece, seconds: float) -> None:
        """Of the dice lying in a piece of the picture that was looked at closely, deny those that are none.

        seen: the dice that look found; boxes: (n, 4), those too that are cut by its edge or unlike the others.
        """
        lying = [*self._tracker.dice]
        confirmed = greedy_match([die.box for die in lying], boxes_of(seen), SAME_PLACE)
        for row, die in enumerate(lying):
            box = np.array([die.box], np.float32)
            if row in confirmed or not uncut(box, piece, (image.shape[1], image.shape[0]))[0]:
                continue
            there = overlapping(box, seen.xyxy)
            others = {*there} <= {*confirmed.values()} and len(there) == len(overlapping(box, boxes))
            calm = die.stirred < seconds - STILL_SECONDS
            beside = np.concatenate([box, seen.xyxy]), np.append(0.0, np.ones(len(seen)))
            side = side_mask(image, *beside, self._tracker.width or 0.0)[0]
            if others and calm and (side or self._doubtful(image, die, seconds)):
                # Nothing is there, or only another die.
                self._tracker.deny(die)
                self._denied.append(die.box)
            elif greedy_match([die.box], boxes_of(seen), DOUBLE):
                self._tracker.deny(die)  # no two dice lie so near to each other, and the other one is there

    def _doubtful(self, image: Image, die: TrackedDie, seconds: float) -> bool:
        """Whether a die that a close look does not see is printed, or quick looks are unsure of it too. Of one that an
        earlier close look has seen, the last of them: the picture may be out of focus now; and a printed one that lies
        there for long is harmless, but not one that comes and goes."""
        assert self._reads is not None
        if die.close:
            return die.last_chance < SURE_NEWS
        boxes = np.array([die.box, *(other.box for other in self._tracker.dice if other is not die)], np.float32)
        unsure = not _sure(self._reads.read(image, boxes[:1]))[0]
        return unsure or bool(self._print.printed(image, boxes, seconds)[0])


def _moved(seen: Detections, left: int, top: int) -> Detections:
    """What a close look saw in a piece of a picture, in pixels of the picture."""
    boxes = seen.xyxy + np.array([left, top, left, top], np.float32)
    return replace(seen, xyxy=boxes, looks=np.maximum(seen.looks, 2.0))


def _rounded(box: Box) -> Box:
    """Whole pixels: a die seen a hundred times in one place is one place."""
    left, top, right, low = (float(round(side)) for side in box)
    return left, top, right, low


def _sure(found: Detections) -> npt.NDArray[np.bool_]:
    """What is surely a die and surely shows its value."""
    return np.asarray(found.legible >= SURE_NEWS)


def _not_too_large(found: Detections, image: Image) -> Detections:
    """Without what is too large for a die of a game with room for seven in this picture, unless it surely is one."""
    sides = found.xyxy[:, 2:] - found.xyxy[:, :2]
    return chosen(found, (sides < LARGEST * min(image.shape[:2])).all(axis=1) | _sure(found))


def _is_whole(pieces: Sequence[Piece], image: Image) -> bool:
    """Whether they are all of the picture."""
    return any(piece == (0, 0, image.shape[1], image.shape[0]) for piece in pieces)


def _within_any(box: Box, pieces: Sequence[Piece], image: Image) -> bool:
    """Whether the box lies wholly in one of the pieces, none of whose edges cuts it."""
    row, size = np.array([box], np.float32), (image.shape[1], image.shape[0])
    return any(among(row, np.array([piece]))[0] and uncut(row, piece, size)[0] for piece in pieces)
