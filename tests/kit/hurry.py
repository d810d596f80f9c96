"""What people in a hurry and a camera in trouble do to a film: the numbers."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[float, float]  # the least and the most, drawn evenly


@dataclass(frozen=True, slots=True)
class Hurry:
    """Players who do not wait until the picture is quiet, filmed by a camera that loses frames.

    Chosen to be as hard as play gets, not counted: of the few real films at hand, in one five dice lie still for 0.37
    seconds before the hand is back, in another for 0.33.

    back: seconds that dice have lain still when a hand comes into the picture again; pace: times as fast as usual hands
    move; apart: the dice of a throw stop within so many seconds of each other; creeps: chance that one of them creeps
    on, in what manner `rolling` says; early: chance that hands begin to take dice while others of the throw still roll,
    the last of which then rolls for so many seconds more (`longer`);
    stays: chance that the hand which threw does not leave the picture; hovers: chance that a hand which comes back
    hovers over the dice first, for so many seconds (`hovering`) and mm above the table (`height`).
    shades: seconds from one passing shadow to the next on average; shading: each lasts so many seconds and leaves so
    much of the light (`shaded`).
    losses: seconds from one loss of frames to the next on average; lost: so many seconds of film each; cuts: chance
    that frames are lost as a die is taken, so that it is gone from one frame to the next.
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
