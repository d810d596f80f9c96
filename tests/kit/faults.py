"""Short scripts of mishaps at real tables, each with three dice rolled before and after."""

from __future__ import annotations

from tests.kit.script import Bump, Clear, Dim, Keep, Nudge, Rest, RollDice, Step, Wait

FIRST, AGAIN = (5, 4, 2), (6, 1)


def _around(*middle: Step) -> list[Step]:
    """A script: three dice are rolled, `middle` happens, one die is set aside and the others are rolled again."""
    return [
        Wait(seconds=0.6),
        RollDice(values=FIRST, line="A roll 5 4 2"),
        *middle,
        Keep(values=(5,), line="A keep 5"),
        RollDice(values=AGAIN, line="A roll 6 1"),
        Wait(seconds=0.6),
    ]


FAULTS: dict[str, list[Step]] = {
    "a hand rests in the picture": _around(Rest(seconds=3.0)),
    "a hand rests on the dice": _around(Rest(seconds=3.0, hide=True), Wait(seconds=0.8)),
    "the light is dimmed": _around(Dim(gain=0.55, seconds=0.3), Wait(seconds=1.0)),
    "the sun comes out": _around(Dim(gain=1.3, seconds=0.1), Wait(seconds=1.0)),
    "the camera is bumped": _around(Bump(mm=10.0, degrees=1.5)),
    "a die is nudged": _around(Nudge()),
    "a die falls off": [
        Wait(seconds=0.6),
        RollDice(values=FIRST, lost=1),
        Wait(seconds=1.5),
        RollDice(values=FIRST, line="A roll 5 4 2"),
        Wait(seconds=0.6),
    ],
    "a die leans": [
        Wait(seconds=0.6),
        RollDice(values=FIRST, cocked=1),
        Wait(seconds=1.5),
        RollDice(values=FIRST, line="A roll 5 4 2"),
        Wait(seconds=0.6),
    ],
    "all dice are taken up between throws": [
        Wait(seconds=0.6),
        RollDice(values=FIRST, line="A roll 5 4 2"),
        Clear(),
        RollDice(seat="B", values=FIRST, line="B roll 5 4 2"),
        Wait(seconds=0.6),
    ],
}
