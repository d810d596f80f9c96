"""Alternatives for a line of a game of Um Krone und Kragen."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game.changes import Line
from companion.games.parts import Needs, Offered
from engine.krone.cards import CARDS
from engine.krone.events import Buy
from engine.krone.rules import can
from engine.krone.state import State


def choices(state: State, line: Line) -> Iterator[Offered]:
    """Uses of the seat's own cards, every card it may buy, and buying none."""
    verb, card = [*line.move.split(), ""][:2]
    own = dict.fromkeys([*state.tableau(line.seat), *([card] if verb == "use" else [])])
    for one in own:
        if CARDS[one].ability in ("add", "reroll", "change"):
            needs: Needs = "after" if one == "queen" else "" if CARDS[one].ability == "add" else "both"
            yield f"{line.seat} use {one}", "use", needs, True
    for one in CARDS:
        if one != "queen" and (
            state.display[one] != 0 or can(state, line.seat, Buy(one)) or (verb, card) == ("buy", one)
        ):
            yield f"{line.seat} buy {one}", "take", "", can(state, line.seat, Buy(one))
    yield f"{line.seat} pass", "take", "", True
