"""The interface of Yatzy to records: the functions of `engine.games.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Faces, without
from engine.errors import reading_tag
from engine.games import Setup
from engine.yatzy.boxes import RULESETS as _RULESETS
from engine.yatzy.events import event_text, read_event
from engine.yatzy.explain import explain
from engine.yatzy.position import position_text, read_position
from engine.yatzy.rules import can, implied, legal, play, verify
from engine.yatzy.state import State, new_game

__all__ = ["can", "event_text", "explain", "implied", "legal", "play", "position_text", "read_event", "verify"]

ID = "yatzy"
RULESETS = tuple(_RULESETS)
PLAYERS = range(1, 7)
TAGS: tuple[str, ...] = ()


def start(setup: Setup) -> State:
    """The first state of a record.

    Raises:
        Unreadable: Naming the tag at fault.
    """
    rules = _RULESETS[setup.ruleset]
    if setup.position is None:
        return new_game(setup.players, rules)
    with reading_tag("Position"):
        return read_position(setup.position, setup.players, rules)


def on_table(state: State) -> tuple[Faces, Faces]:
    """As `Game.on_table`: dice to be rolled, and dice kept."""
    kept = state.kept or ()
    return without(state.dice or (), kept) or (), kept


def details(state: State, names: Sequence[str]) -> Mapping[str, Any]:
    """Data for other programs.

    Returns:
        sheets: By player the points of each box (null while open), the upper bonus, further fives of a kind and the
            total. rolls: Left in the turn.
    """
    sheets = {
        name: {
            "boxes": dict(zip(state.rules.boxes, sheet.scored, strict=True)),
            "bonus": sheet.bonus,
            "further": sheet.further,
            "total": sheet.total,
        }
        for name, sheet in zip(names, state.sheets, strict=True)
    }
    return {"sheets": sheets, "rolls": state.rolls}
