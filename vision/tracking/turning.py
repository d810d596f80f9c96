"""Maps the pictures of a camera back after they were rotated, mirrored or changed in shape."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.tracking.constants import CALM_SECONDS, LONGEST_BUMP, MOSTLY, STRUCTURE
from vision.tracking.small_picture import Small, changed, hardly_differs
from vision.tracking.turn import UNTURNED, Landmarks, Turn, fitted
from vision.types import Image

Finds = Callable[[Image, bool], bool | None]


class Turning:
    """Compares a frame with the last calm one if much changes at once, if the shape changes, after lost frames, and
    when the table comes to rest.

    Attributes:
        turned: The newest frame is turned differently from the one before.
        searching: It has another shape, and its turn is still unknown.
        other: It has another shape and content, so everything known about the table is void.
    """

    def __init__(self) -> None:
        self.turned = self.searching = self.other = False
        self._turn, self._size = UNTURNED, (0, 0)  # (width, height) of the pictures that are turned back
        self._calm: Image | None = None  # the last picture in which nothing moved, mapped back
        self._small: Small | None = None  # its small copy
        self._landmarks: Landmarks | None = None  # its landmarks; computed on demand
        self._taken: Image | None = None  # the newest original picture
        self._back: tuple[Image, Image] | None = None  # an original picture, and the same mapped back
        self._held = False  # whether the newest picture equals the one before, as with a still
        self._last: Small | None = None
        self._seconds = -np.inf  # of the newest picture
        self._since = -np.inf  # seconds since which the picture rests
        self._tried = -np.inf  # seconds when a turn was last searched for
        self._reshaped: float | None = None  # seconds when the shape changed; None once that is explained
        self._blind = False  # whether pictures were lost since the newest
        self._restless = False  # whether anything has moved since the last search for a turn in a picture at rest

    def blinded(self) -> None:
        """Notes that frames were lost or showed nothing."""
        self._blind = True

    def back(self, image: Image) -> Image:
        """Any frame, mapped back like the newest one."""
        if self._back is None or self._back[0] is not image:
            self._back = image, self._turn.back(image, self._size)
        return self._back[1]

    def step(self, image: Image, small: Small, seconds: float, finds: Finds) -> tuple[Image, Small]:
        """Maps the next frame, (H, W, 3) BGR, and its small copy back.

        Args:
            finds: Whether the camera was also rotated by an angle, given a frame that was mapped back and whether it
                was mirrored.
        """
        taken, self._taken = self._taken, image
        held, self._held = self._held, image is taken
        last, self._last = self._last, small
        before, self._seconds = self._seconds, seconds
        self.turned = self.searching = self.other = False
        if taken is None or last is None or seconds < before:
            self._begin(image)
            return image, small
        if image.shape != taken.shape:
            self._reshaped = seconds
        if self._reshaped is not None:
            if not self._finds(image, UNTURNED):
                self.searching = not held and seconds - self._reshaped < LONGEST_BUMP and self._calm is not None
                if self.searching:
                    return image, small
                if not self._finds_otherwise(image, fitted(image, self._size), finds):
                    self.other = not held
                    self._begin(image)
                    return image, small
            self._reshaped, self.turned = None, True
        else:
            self._watch(image, last, small, before, finds)
        back = self.back(image)
        small = small if back is image else Small.of(back)
        if seconds - self._since >= CALM_SECONDS and not self._restless:
            self._calm, self._small, self._landmarks = back, small, None
        return back, small

    def _watch(self, image: Image, last: Small, now: Small, before: float, finds: Finds) -> None:
        """Searches for a turn if there may have been one. last, before: small copy and seconds of the frame before."""
        rests, was_calm = hardly_differs(last, now), before - self._since >= CALM_SECONDS
        jumps = not rests and was_calm and self._shows_else(now)
        at_once = self._blind or jumps
        if not rests:
            self._since, self._restless = self._seconds, True
        came_to_rest = rests and self._restless and self._seconds - self._tried >= CALM_SECONDS
        if at_once or came_to_rest:
            self._blind, self._tried, self._restless = False, self._seconds, not rests
            turn = self._turn
            if self._finds(image, turn, spread=not at_once):
                self.turned = self._turn != turn
            elif came_to_rest:
                self.turned = self._finds_otherwise(image, turn, finds)

    def _shows_else(self, now: Small) -> bool:
        """Whether most of the structure of the last calm picture is no longer in its place. A hand changes less."""
        known = self._small
        if known is None or known.shape != now.shape or self._turn != UNTURNED:
            return True
        structure = known.span > STRUCTURE
        return bool(np.count_nonzero(structure & changed(known, now)) > MOSTLY * np.count_nonzero(structure))

    def _finds(self, image: Image, stands: Turn, spread: bool = False) -> bool:
        """Whether the turn of the frame is known: `stands` or another one. A turn that was not sudden must show in
        several parts of the frame."""
        if self._calm is None:
            return False
        self._landmarks = self._landmarks or Landmarks(self._calm)
        found = self._landmarks.turn(image, stands, spread)
        if found is not None:
            self._turn, self._back = found, None
        return found is not None

    def _finds_otherwise(self, image: Image, near: Turn, finds: Finds) -> bool:
        """Whether the frame is rotated by an angle in addition to a half turn or mirroring."""
        known = self._landmarks
        if known is None or not (known.patterned and known.lost):
            return False
        for turn in (near, near.mirrored):
            found = finds(turn.back(image, self._size), turn is not near)
            if found:
                self._turn, self._back = turn, None
            if found is not None:  # not turned, or only knocked: a symmetric table looks the same mirrored
                return found
        return False

    def _begin(self, image: Image) -> None:
        """Restarts with this frame."""
        self._turn, self._size, self._calm, self._back = UNTURNED, (image.shape[1], image.shape[0]), None, None
        self._since, self._reshaped, self._blind, self._restless = self._seconds, None, False, False
