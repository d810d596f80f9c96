"""Which frames of a film can be lost so that everything relevant is still visible.

A film is performed twice from the same seed: first to know what each frame would show, then to be filmed without the
lost frames. Each die must be at rest and uncovered for LEAST after every roll, and no gap may hide a whole roll.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tests.kit.hands import in_picture, outlines
from tests.kit.hurry import Hurry
from tests.kit.scene import Place, Scene
from tests.kit.setting import Setting
from tests.kit.truth import truth_of

LEAST = 0.3  # seconds that a die must be visible at rest
LEAST_FRAMES = 3  # frames that must show it
CUT = (0.1, 0.45)  # seconds before a die is taken that a cut begins, if the hand comes no sooner
RestingPose = tuple[int, bytes]  # a die by number, and its pose


@dataclass(frozen=True, slots=True)
class FrameContent:
    """What one frame would show.

    Attributes:
        rest: Resting dice in play, by number and pose, so that a moved die is a new one.
        uncovered: Those of them that nothing covers.
        held: Dice in a hand.
        hand: A hand is in view.
        rolling: The current roll, 0 for none.
    """

    rest: frozenset[RestingPose]
    uncovered: frozenset[RestingPose]
    held: frozenset[int]
    hand: bool
    rolling: int


def frame_contents(scenes: Iterable[Scene], table: Setting) -> list[FrameContent]:
    """The content of every frame of a performance."""
    return list(_frame_contents(scenes, table))


def _frame_contents(scenes: Iterable[Scene], table: Setting) -> Iterator[FrameContent]:
    for scene in scenes:
        limbs = outlines(scene.hand, scene.camera)
        uncovered, rest = [], []
        for die, true in zip(scene.dice, truth_of(scene, table, False, 0, 0.0).dice, strict=True):
            if die.place is Place.ACTIVE and die.value is not None and true.xyxy is not None:
                key = (die.number, die.position.tobytes() + die.rotation.tobytes())
                rest.append(key)
                if not true.covered:
                    uncovered.append(key)
        held = frozenset(scene.hand.held) if scene.hand else frozenset()
        rolling = any(die.place is Place.ACTIVE and die.value is None for die in scene.dice)
        hand = in_picture(limbs, scene.camera)
        yield FrameContent(frozenset(rest), frozenset(uncovered), held, hand, scene.rolls if rolling else 0)


class RemainingFrames:
    """The remaining frames, and whether they show enough."""

    def __init__(self, frames: Sequence[FrameContent], fps: float) -> None:
        self._frames, self._fps = frames, fps
        self._seen: dict[RestingPose, set[int]] = {}  # frames that show this resting die
        self._between: dict[int, set[int]] = {}  # frames that show a roll: its dice roll, or are in the hand
        for number, frame in enumerate(frames):
            for key in frame.rest:
                self._seen.setdefault(key, set())
            for key in frame.uncovered:
                self._seen[key].add(number)
            if frame.rolling:
                if frame.rolling not in self._between:
                    self._between[frame.rolling] = set(self._in_hand(number))
                self._between[frame.rolling].add(number)
        self.lost: set[int] = set()

    def _in_hand(self, number: int) -> Iterator[int]:
        """The frames directly before this one in which a hand holds dice."""
        while number and self._frames[number - 1].held:
            number -= 1
            yield number

    @property
    def fair(self) -> bool:
        """Whether every resting die in play is visible for long enough, and every roll in at least one frame."""
        enough = max(LEAST_FRAMES, round(LEAST * self._fps))
        shown = all(len(frames - self.lost) >= enough for frames in self._seen.values())
        return shown and all(frames - self.lost for frames in self._between.values())

    def lose(self, first: int, last: int) -> bool:
        """Removes these frames if the remaining ones show enough; returns whether it did. The first and last frames of
        the film stay."""
        gap = set(range(max(first, 2), min(last + 1, len(self._frames) - 2))) - self.lost
        self.lost |= gap
        if not self.fair:
            self.lost -= gap
            return False
        return bool(gap)


def lost_frames(
    frames: Sequence[FrameContent], fps: float, hurry: Hurry, rng: np.random.Generator
) -> frozenset[int] | None:
    """The numbers of the lost frames; None if the film does not show enough even without losses."""
    film = RemainingFrames(frames, fps)
    if not film.fair:
        return None
    taken = [i for i in range(1, len(frames)) if frames[i].held & {die for die, _ in frames[i - 1].rest}]
    for number in taken:
        if rng.uniform() < hurry.cuts:
            early = round(fps * float(rng.uniform(*CUT)))
            first = next((i for i in range(number - 1, number - early - 1, -1) if i > 0 and not frames[i].hand), None)
            begin = number - early if first is None else first + 1
            film.lose(begin, begin + round(fps * float(rng.uniform(0.5, hurry.lost[1]))) - 1)
    for _ in range(rng.poisson(len(frames) / fps / hurry.losses)):
        begin = int(rng.integers(len(frames)))
        film.lose(begin, begin + max(1, round(fps * float(rng.uniform(*hurry.lost)))) - 1)
    return frozenset(film.lost)
