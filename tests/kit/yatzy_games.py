"""Simulated games of Yatzy with typical choices."""

from __future__ import annotations

import random

from engine.record import Entry, Record
from engine.record_header import new_record
from engine.yatzy.boxes import RULESETS
from engine.yatzy.events import Keep, Roll, Score
from engine.yatzy.rules import play
from engine.yatzy.state import State, new_game


def sensible_game(seed: int, players: int, boxes: int) -> Record:
    """The first boxes of a game. Players keep the most frequent face and fill the box with the highest score."""
    chance, entries = random.Random(seed), list[Entry]()
    state = new_game(players, RULESETS["scandinavian"])
    while state.sheets[-1].filled < boxes:
        event = _chosen(chance, state)
        entries.append(Entry(state.seat, event))
        state = play(state, state.seat, event)
    header = new_record("yatzy", ("Anna", "Bert", "Carl")[:players], "scandinavian")
    return Record(header.tags, tuple(entries))


def _chosen(chance: random.Random, state: State) -> Roll | Keep | Score:
    if state.to_roll:
        return Roll(tuple(chance.randint(1, 6) for _ in range(state.to_roll)))
    dice, sheet = state.dice or (), state.sheet(state.seat)
    most = max(dice, key=lambda face: (dice.count(face), face))
    keep = (most,) * dice.count(most)
    if state.rolls and len(keep) < 5 and chance.random() < 0.8:
        return Keep(keep)
    return Score(max(sheet.open, key=lambda box: sheet.points_for(box, dice)))
