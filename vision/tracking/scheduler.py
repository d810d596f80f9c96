"""How the detector is asked: a quick search, known dice read again, a close look at what has come to rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.dice.detections import Detections, chosen, joined, kept_as_it_is
from vision.dice.detector_api import Detects, DetectsOnce, Reads, Searches
from vision.dice.parts import Parts
from vision.dice.print_memory import CAME_WITH_IT
from vision.dice.tiling import search_grid, uncut
from vision.tracking.boxes import among, areas_of_groups, width
from vision.tracking.close_look import CloseLook, not_too_large
from vision.tracking.constants import (
    AGAIN_SECONDS,
    HUNTING_SECONDS,
    LIES,
    MOSTLY,
    REST_LOOKS,
    SMALLEST_FLYING,
    SURE_NEWS,
    SURELY_THERE,
)
from vision.tracking.focus import Focus
from vision.tracking.motion import MotionGate, Scene
from vision.tracking.regions import Piece
from vision.tracking.tracked_die import TrackedDie
from vision.tracking.tracker import Tracker
from vision.types import Box, Image

BUSY = 0.5  # share of the time between two pictures that a close look may take (guessed)
BUSY_SECONDS = 0.05  # but at least this long: a fast camera loses one picture, and the dice are read soon (tried)
Missing = Callable[[Image, Detections, float], Parts[Detections]]


class Refining:
    """A close look at one picture, taken in parts over the next ones: no picture waits for all of it."""

    def __init__(self, image: Image, parts: Parts[Detections]) -> None:
        self._image, self._parts = image, parts
        self._begun = False
        self._next = 0.0  # seconds that the next part takes

    def due_now(self, image: Image, scene: Scene) -> bool:
        """Whether all of it is to be done in this picture: it is a still that is held up, or a hand may soon take what
        it is about."""
        held, self._begun = self._begun and image is self._image, True
        return held or bool(scene.hands)

    def go_on(self, apart: float | None) -> Detections | None:
        """Do the parts that are due so many seconds after the last picture, None for all; what it finds, at the end."""
        spent = 0.0
        while apart is None or spent == 0.0 or spent + self._next <= max(BUSY * apart, BUSY_SECONDS):
            spent += self._next
            try:
                self._next = next(self._parts)
            except StopIteration as done:
                found: Detections = done.value
                return found
        return None


class Scheduler:
    """Asks a detector no more than it has to.

    Searching the picture takes several times as long as reading the dice known to lie there, and looking closely ten
    times as long. So the picture is searched while something in it differs from the last search, and while something
    moves only where it does; dice are read where they lie otherwise, and what has come to rest is looked at closely
    once, where the picture has changed (`CloseLook`).
    """

    def __init__(self, detector: Detects, gate: MotionGate, tracker: Tracker, missing: Missing | None = None) -> None:
        """missing: what else a close look finds of dice that must lie there, given what has been found."""
        # Asked once: comparing with a protocol takes as long as looking at the small picture.
        self._reads = detector if isinstance(detector, Reads) else None
        self._searches = detector if isinstance(detector, Searches) else None
        self._looks = detector if isinstance(detector, DetectsOnce) else None
        self._detector = detector
        self._gate = gate
        self._tracker = tracker
        self.close_look = CloseLook(detector, gate, tracker)
        self._close: set[int] = set()  # the dice lying there that have been looked at closely …
        self._closely_at = -np.inf  # … and when, seconds
        self._again = False  # whether the last close look was given up before it was done
        self._quiet = 0  # looks in a row without anything moving
        self._whole = -np.inf  # seconds when all of the picture was last searched
        self._in_motion = True  # the last search may have missed a blurred die
        self._focus = Focus()
        self._missing = missing
        self._refining: Refining | None = None  # the close look that is being taken, over several frames
        self._seconds = -np.inf  # of the last picture
        self.looked = True  # whether all that lies there has been looked at closely, as far as that is possible

    def detections(
        self, image: Image, seconds: float, scene: Scene, always: bool = False, blurred: bool = False
    ) -> Detections:
        """The dice of the gate's newest picture. always: search it even if nothing has changed; blurred: the camera
        itself moves fast, and nothing is looked at closely."""
        if self._reads is None:
            self._gate.was_searched()
            return self._detector.detect(image)
        known = [*self._tracker.dice, *self._tracker.hidden]
        for die, unchanged in zip(known, self._gate.as_looked_at([die.box for die in known]), strict=True):
            die.unchanged = unchanged
        self._focus.step(image, self._tracker.dice, scene.hands, seconds)
        apart, self._seconds = seconds - self._seconds, seconds
        if self._focus.hunting:  # nobody can tell more than that they are there
            self._refining, self._in_motion, there = None, True, self._focus.unproven
            return kept_as_it_is([die.box for die in there], [die.probabilities for die in there])
        self._without_printed(image, seconds)
        closely = self._at_rest(seconds, scene, blurred)
        searched = self._to_search(image, seconds, scene, always)
        untouched = self._untouched(image, searched)
        found = Detections.none()
        if searched:
            found = self._tracker.single(not_too_large(self._found(image, searched, untouched), image))
            found = self.close_look.news(self.close_look.print.lying(self._of_one_size(found), seconds))
            self._in_motion = bool(scene.moving)
            self._whole = seconds if _is_whole(searched, image) else self._whole
            self._gate.was_searched()
        if closely:
            parts = self._closely(image, found, untouched, seconds, scene)
            self._refining = Refining(image, parts)
        if self._refining is not None:
            now = always or self._refining.due_now(image, scene)
            wait = closely and bool(searched)  # the search has taken the time that this picture has
            refined = None if wait and not now else self._refining.go_on(None if now else apart)
            self.looked = refined is not None and not self.close_look.doubted
            if refined is not None:
                self._refining = None
                return refined
        return self._with_the_known(image, found, untouched, seconds, scene)

    def _closely(
        self, image: Image, found: Detections, untouched: Sequence[TrackedDie], seconds: float, scene: Scene
    ) -> Parts[Detections]:
        """What a close look at this picture finds, in parts."""
        found = yield from self.close_look.add_to(image, found, seconds, judge=not scene.hands)
        found = self._with_the_known(image, found, untouched, seconds, scene)
        if not scene.hands and self._missing is not None:
            found = yield from self._missing(image, found, seconds)
        return found

    @property
    def hunting(self) -> bool:
        """Whether the last look was at a picture out of focus."""
        return self._focus.hunting

    def remember(self, image: Image, seconds: float) -> None:
        """The tracker has followed what this picture shows."""
        self._focus.remember(image, self._tracker.dice, seconds)

    def in_place(self, image: Image) -> bool:
        """Whether the dice that lay still are seen where they lay."""
        return self._focus.in_place(image, self._tracker.dice)

    def blinded(self) -> None:
        """Nobody knows what has happened meanwhile: the next search is of the whole picture."""
        self._whole = -np.inf
        self.give_up()
        self.close_look.print.forget()

    def give_up(self) -> None:
        """The close look that is being taken is at a picture that tells nothing any more."""
        if self._refining is not None:
            self._refining, self._again = None, True

    def _without_printed(self, image: Image, seconds: float) -> None:
        """Denies what was taken for a die and turns out, as soon as nothing moves there, to have come with a card on
        which it is printed."""
        dice = [die for die in self._tracker.dice if die.believed and not die.alone]
        boxes, all_boxes = (
            np.array([die.box for die in some], np.float32).reshape(-1, 4) for some in (dice, self._tracker.dice)
        )
        for die, box, around, hand in zip(dice, boxes, *self._gate.new_around(boxes, all_boxes), strict=True):
            if around >= CAME_WITH_IT and self.close_look.print.printed(image, box[None], seconds)[0]:
                self.close_look.deny(die)
            die.alone = not (np.isnan(around) or hand)

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

    def _of_one_size(self, found: Detections) -> Detections:
        """Without what is far smaller or larger than several dice that close looks have seen, if these are more."""
        like, dice = self._tracker.like_others(found), (*self._tracker.dice, *self._tracker.hidden)
        several = sum(die.believed and bool(die.close) for die in dice)
        return like if 1 < several > len(found) - len(like) else found

    def _with_the_known(
        self, image: Image, found: Detections, untouched: Sequence[TrackedDie], seconds: float, scene: Scene
    ) -> Detections:
        """Also the dice that were not found again, and those that nobody looked for.

        They are read anew where they lie, but for those that a close look has read and that show what they showed then;
        closely if that look has left in doubt what they show.
        """
        assert self._reads is not None
        missed = self._tracker.missing(found, untouched)
        known = [
            die
            for die in missed
            if die in untouched and die.close and die.unchanged and die.still >= LIES and die.believed
        ]
        doubtful = [die for die in known if die.undecided] if self._looks else []
        known, anew = [die for die in known if die not in doubtful], [die for die in missed if die not in known]
        if known:
            found = joined(found, kept_as_it_is([die.box for die in known], [die.probabilities for die in known]))
        if doubtful and self._looks:
            boxes = np.array([die.box for die in doubtful], np.float32)
            found = joined(found, self._looks.read(image, boxes, thorough=True))
        # A hand has gone from where one lay, and its place shows what a close look saw when it did.
        back = [die for die in self._tracker.hidden if die.close and die.unchanged]
        if anew or back:
            boxes = np.array([die.box for die in (*anew, *back)], np.float32)
            again = self._reads.read(image, boxes)
            believed = np.array([die.believed for die in anew] + [True] * len(back))
            there = again.scores >= np.where(believed, MOSTLY, SURE_NEWS)
            soft = [die for die, lies in zip(anew, there, strict=False) if not lies and die in self._focus.unproven]
            closely = np.array([bool(die.close) for die in (*anew, *back)])
            if not closely.all():
                there &= closely | ~self.close_look.print.printed(image, boxes, seconds)
            found = joined(found, self.close_look.no_sides(image, found, chosen(again, there)))
            found = joined(found, kept_as_it_is([die.box for die in soft], [die.probabilities for die in soft]))
            for die, lies in zip(back, there[len(anew) :], strict=True):
                if not lies and not self.close_look.out_of_focus(image, die):
                    die.missed_closely()
        self._look_for_hidden(image, scene)
        return found

    def _look_for_hidden(self, image: Image, scene: Scene) -> None:
        """Whether the places are bare where dice lay that are out of sight, once no hand holds them any more."""
        assert self._reads is not None
        hidden = [die for die in self._tracker.hidden if not die.bare]
        largest = max(areas_of_groups(scene.moving), default=0.0)
        if hidden and not scene.hands and largest < SMALLEST_FLYING * width(hidden[0].box) ** 2:
            there = self._reads.read(image, np.array([die.box for die in hidden], np.float32)).scores
            for die, lies in zip(hidden, there >= 1 - SURELY_THERE, strict=True):
                seen = lies or self.close_look.out_of_focus(image, die)
                die.bare_looks = 0 if seen else die.bare_looks + self._tracker.worth

    def _at_rest(self, seconds: float, scene: Scene, blurred: bool) -> bool:
        """Whether something has come to rest that nobody has looked at closely."""
        dice = [die for die in self._tracker.dice if die.believed]
        again = not 0 <= seconds - self._closely_at < AGAIN_SECONDS
        self._close &= {die.track for die in dice if die.still and (die.close or not again) and not die.perhaps_turned}
        self._quiet = 0 if scene.moving or scene.hands else self._quiet + 1
        unclear = [die for die in self._tracker.dice if not die.believed and not die.missed]
        arriving = any(die.hits <= REST_LOOKS or not die.resting(seconds) for die in unclear)
        # In a quiet picture a die that is missed has not rolled on: a close look finds it where it lies, or nothing.
        if blurred or arriving or any(not die.resting(seconds) and (scene.moving or not die.missed) for die in dice):
            self.give_up()
            self.looked = False
            return False
        if self._refining is not None:
            return False
        self.looked = True
        shaken = bool(dice) and not any(die.unchanged for die in dice) and seconds - self._closely_at >= HUNTING_SECONDS
        anew = (self.close_look.beside_hands and self._quiet > 0) or (self.close_look.doubted and not scene.hands)
        # Where something keeps stirring, that no die is seen is no proof; nor that quick looks see another face.
        unproven = not (dice or scene.hands or self._quiet) or any(die.contested for die in dice)
        late = shaken or anew or (unproven and again) or self._again
        if self._close.issuperset(die.track for die in dice) and self._quiet != REST_LOOKS and not late:
            return False
        self._close, self._closely_at, self._again = {die.track for die in dice}, seconds, False
        return True


def _is_whole(pieces: Sequence[Piece], image: Image) -> bool:
    """Whether they are all of the picture."""
    return any(piece == (0, 0, image.shape[1], image.shape[0]) for piece in pieces)


def _within_any(box: Box, pieces: Sequence[Piece], image: Image) -> bool:
    """Whether the box lies wholly in one of the pieces, none of whose edges cuts it."""
    row, size = np.array([box], np.float32), (image.shape[1], image.shape[0])
    return any(among(row, np.array([piece]))[0] and uncut(row, piece, size)[0] for piece in pieces)
