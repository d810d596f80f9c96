"""The checklist for the first evening: what a camera needs to read rolls, with the limits of the check-up."""

from __future__ import annotations

from dataclasses import dataclass

from companion.camera.worker import Health
from vision.messages import BLIND, FROZEN
from vision.tracking.frame_quality import BLUR_DIE

# Width of a die: below the first, pips blur together; above the second, nothing is gained.
SMALL_PIXELS, GOOD_PIXELS = 24, 36
SLOW_RATE = 12.0  # frames a second
GLARE = 0.06  # share of a die's pixels that are overexposed
MIN_CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class Step:
    """One item of the checklist.

    Attributes:
        done: None while unknown.
        value: The measurement behind it, in the unit of its text.
        nearly: Good enough to play, but better would be safer.
    """

    id: str
    done: bool | None
    value: int = 0
    nearly: bool = False


def checklist(has_frames: bool, health: Health) -> list[Step]:
    """Every step in the order in which the player handles them.

    Args:
        has_frames: Frames arrive.
    """
    dice = health.quality
    bright = str(health.doubt) not in BLIND
    steps = [
        Step("picture", has_frames and str(health.doubt) != FROZEN, round(health.rate), health.rate < SLOW_RATE),
        Step("light", None if not has_frames else bright and not (dice and dice.glare > GLARE)),
        Step("mat", None if not has_frames else health.areas),
        Step("dice", None if not has_frames else bool(health.dice), health.dice),
    ]
    if dice is None or not has_frames:
        steps += [Step(name, None) for name in ("distance", "sharpness", "readable")]
    else:
        width = round(dice.die_pixels)
        steps += [
            Step("distance", width >= SMALL_PIXELS, width, width < GOOD_PIXELS),
            Step("sharpness", dice.blur <= BLUR_DIE),
            Step("readable", dice.confidence >= MIN_CONFIDENCE, round(100 * dice.confidence)),
        ]
    return [*steps, Step("roll", True if health.rolled else None)]
