"""Usual turns without a camera, played on a page: the number of taps in addition to the faces that are entered."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from tests.kit.browser import begin, enter, events
from tests.kit.served_app import until

# A click on a label fires two events, but a finger or button goes down once.
COUNT_TAPS = "window.taps = 0; addEventListener('pointerdown', (event) => (taps += event.isTrusted), true);"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn.

    Attributes:
        steps: Faces to enter (digits), dice to tick (places), or the name of a button.
        record: The events that it leads to.
        most: Maximum number of taps other than the faces of its rolls.
    """

    name: str
    game: str
    before: tuple[str, ...]
    steps: tuple[str | tuple[int, ...], ...]
    record: tuple[str, ...]
    most: int

    @property
    def faces(self) -> int:
        """The number of faces to enter: nothing is known of a roll before all its dice are."""
        return sum(len(step) for step in self.steps if isinstance(step, str) and step.isdigit())


_ATTACK = ("A deal castle-red", "B deal castle-blue", "A reveal left castle-black 1-1-1+1", "A target left")
TURNS = (
    Turn(
        "Um Krone und Kragen, two rolls: three dice, two set aside, the third again, a card", "krone", (),
        ("552", (0, 1), "1", "Farmer"), ("A roll 5 5 2", "A keep 5 5", "A roll 1", "A keep 1", "A buy farmer"), 3,
    ),
    Turn(
        "Um Krone und Kragen, three rolls: one die set aside each time, a card", "krone", (),
        ("552", (0,), "51", (0,), "1", "Farmer"),
        ("A roll 5 5 2", "A keep 5", "A roll 5 1", "A keep 5", "A roll 1", "A keep 1", "A buy farmer"), 3,
    ),
    Turn(
        "Yatzy, two rolls: five dice, two kept, three again, a box", "yatzy", (),
        ("55321", (0, 1), "665", "Enter 27 in Full House"),
        ("A roll 5 5 3 2 1", "A keep 5 5", "A roll 6 6 5", "A score full-house"), 3,
    ),
    Turn(
        "Yatzy, three rolls: two kept, then a third one too, a box", "yatzy", (),
        ("55321", (0, 1), "542", (2,), "55", "Yatzy 50"),
        ("A roll 5 5 3 2 1", "A keep 5 5", "A roll 5 4 2", "A keep 5 5 5", "A roll 5 5", "A score yatzy"), 4,
    ),
    Turn(
        "Knatsch, two rolls: six dice, two kept, three again, no more", "knatsch", _ATTACK,
        ("655321", (1, 2), "542", "Stop rolling"),
        ("A roll 6 5 5 3 2 1", "A keep 5 5", "A roll 5 4 2", "A stop"), 3,
    ),
)  # fmt: skip


def tap(running_app: RunningApp, page: Page, turn: Turn) -> int:
    """Plays a turn of a new game on an open page with `COUNT_TAPS`.

    Returns:
        The number of taps other than the faces.

    Raises:
        AssertionError: The record is not that of the turn.
    """
    begin(running_app, page, turn.game)
    enter(running_app, *turn.before, seen_on=page)
    page.evaluate("window.taps = 0")
    rolls = 0
    for step in turn.steps:
        if isinstance(step, tuple):
            for place in step:
                page.locator(".tray .pick").nth(place).click()
        elif step.isdigit():
            for face in step:
                page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).click()
            rolls += 1
            until(lambda: sum(" roll " in event for event in events(running_app)) == rolls)  # noqa: B023
            enter(running_app, seen_on=page)
            expect(page.locator("[aria-busy]")).to_have_count(0)
        else:
            page.get_by_role("button", name=step).first.click()
    done = (*turn.before, *turn.record)
    until(lambda: len(events(running_app)) >= len(done))
    assert tuple(events(running_app)) == done
    return int(page.evaluate("taps")) - turn.faces
