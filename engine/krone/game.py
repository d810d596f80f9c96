"""The interface of Um Krone und Kragen to records: the functions of `engine.games.Game`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.dice import Faces
from engine.errors import Unreadable, reading_tag
from engine.games import Setup
from engine.krone.events import Buy, Event, Pass, Roll, Use, event_text, merged, read_event
from engine.krone.explain import explain
from engine.krone.legal import legal
from engine.krone.position import position_text, read_position
from engine.krone.rules import can, implied, play, verify
from engine.krone.state import BASE_DICE, MAX_PLAYERS, Rules, State, new_game
from engine.krone.state import RULESETS as _RULESETS

__all__ = [
    "can",
    "event_text",
    "explain",
    "implied",
    "legal",
    "merged",
    "play",
    "position_text",
    "read_event",
    "verify",
]

ID = "krone"
RULESETS = tuple(_RULESETS)
PLAYERS = range(2, MAX_PLAYERS + 1)
TAGS = ("DiceSupply",)


def start(setup: Setup) -> State:
    """The first state of a record.

    Raises:
        Unreadable: Naming the tag at fault.
    """
    rules = _RULESETS[setup.ruleset]
    if "DiceSupply" in setup.tags:
        rules = replace(rules, dice=_supply(setup.tags["DiceSupply"]))
    return new_game(setup.players, rules) if setup.position is None else _set_up(setup, setup.position, rules)


def _set_up(setup: Setup, text: str, rules: Rules) -> State:
    with reading_tag("Position"):
        state = read_position(text, rules)
    if state.players != setup.players:
        sentence = "the position has {seats} seats, not {players}"
        raise Unreadable(sentence, tag="Position", seats=state.players, players=setup.players)
    if state.rules.id != rules.id or ("DiceSupply" in setup.tags and state.rules != rules):
        raise Unreadable("the position has a different ruleset or dice supply than the header", tag="Position")
    return state


def _supply(values: tuple[str, ...]) -> int | None:
    value = values[0].lower() if len(values) == 1 else ""
    if value == "none":
        return None
    if re.fullmatch("[0-9]{1,4}", value) and int(value) >= BASE_DICE:
        return int(value)
    raise Unreadable("the dice supply must be a number of at least 3, or none", tag="DiceSupply")


def on_table(state: State) -> tuple[Faces, Faces]:
    """As `Game.on_table`: active dice, and dice set aside."""
    return state.turn.active, state.turn.kept


def rolled(event: Event) -> Faces:
    """The dice rolled, including those that the Fool or the Merchant rerolls."""
    match event:
        case Roll(dice):
            return dice
        case Use("fool" | "merchant", _, after):
            return after
    return ()


def ends_turn(event: Event) -> bool:
    """As `Game.ends_turn`: a purchase, or passing."""
    return isinstance(event, Buy | Pass)


def tableaux(state: State) -> Sequence[Sequence[str]]:
    """As `Game.tableaux`."""
    return state.tableaux


def display(state: State) -> Mapping[str, int | None]:
    """As `Game.display`."""
    return state.display


def rematch_tags(state: State) -> Mapping[str, str]:
    """As `Game.rematch_tags`: the dice supply if it differs from the ruleset's."""
    return {} if state.rules.dice == _RULESETS[state.rules.id].dice else {"DiceSupply": str(state.rules.dice).lower()}
