"""Parameters of players in a hurry and of a camera that loses frames."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[float, float]  # minimum and maximum of a uniform distribution


@dataclass(frozen=True, slots=True)
class Hurry:
    """Players who do not wait, filmed by a camera that loses frames.

    The values are chosen as a worst case and not measured: in the few real films, five dice rest for 0.37 and 0.33
    seconds before the hand is back.

    Attributes:
        back: Seconds of rest before a hand comes into view again.
        pace: Speed of hands, as a multiple of the usual one.
        apart: The dice of a roll stop within this many seconds.
        creeps: Probability that one of them creeps on, as `rolling` says.
        early: Probability that hands take dice while others still roll, which then roll `longer` seconds more.
        stays: Probability that the rolling hand stays in view.
        hovers: Probability that a returning hand hovers first, for `hovering` seconds at `height` mm.
        shades, shading, shaded: Mean seconds between shadows, their duration, and the share of light that remains.
        losses, lost: Mean seconds between losses of frames, and their duration.
        cuts: Probability that frames are lost while a die is taken.
    """

    back: Span = (0.3, 0.7)
    pace: float = 1.6
    apart: float = 0.4
    creeps: float = 0.25
    early: float = 0.3
    longer: Span = (0.4, 1.0)
    stays: float = 0.2
    hovers: float = 0.2
    hovering: Span = (0.4, 1.5)
    height: Span = (25.0, 60.0)
    shades: float = 8.0
    shading: Span = (0.5, 1.5)
    shaded: Span = (0.55, 0.85)
    losses: float = 10.0
    lost: Span = (0.1, 1.0)
    cuts: float = 0.1


HURRIED = Hurry()
