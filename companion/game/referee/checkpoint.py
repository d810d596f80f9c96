"""The belief where the record stands: the dice that lie there are taken for those of the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game.referee.habits import Habits
from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.observation import Entry, Lie, Scene
from companion.game.referee.priors import PRIORS


def as_recorded(habits: Habits, state: Any, scene: Scene | None, idle: frozenset[Lie] = frozenset()) -> Hypothesis:
    """That this position is the truth. scene: what lies there, if anybody has looked; idle: what was not played."""
    lying = habits.lying(state)
    entries = scene.entries if scene is not None else ()
    others = tuple(entry for entry in entries if entry.lie not in idle)
    chosen = _same_dice(lying, others if len(others) >= len(lying) else entries)
    dice: list[Die] = []
    for name, (face, zone) in enumerate(lying):
        entry = chosen.get(name)
        if entry is None:
            dice.append(Die(name, zone, out=PRIORS.hidden))
            continue
        aside = scene is not None and scene.knows_row and entry.kept and entry.lie.value == face
        dice.append(Die(name, Zone.ASIDE if aside and zone is Zone.ACTIVE else zone, entry.lie, True))
    return Hypothesis(
        habits,
        state,
        state,
        faces=tuple(face for face, _ in lying),
        links=tuple(() for _ in lying),
        dice=tuple(dice),
        idle=idle.union(entry.lie for entry in entries).difference(entry.lie for entry in chosen.values()),
        hard=frozenset(range(len(lying))),
        cleared=scene is not None and not others,  # before the first look nobody knows
    )


def _same_dice(lying: Sequence[tuple[int, Zone]], entries: Sequence[Entry]) -> dict[int, Entry]:
    """Which of the dice that lie there is which of the record's, those that fit best first: a die set aside lies there
    rather than one that a card has just added, which may still be in somebody's hand.
    """
    fits = [
        (entry.lie.log_chances[face] + (5.0 if entry.kept == (zone is Zone.KEPT) else 0.0), -name, -place)
        for name, (face, zone) in enumerate(lying)
        for place, entry in enumerate(entries)
        if len(entries) == len(lying) or entry.lie.value == face
    ]
    chosen: dict[int, Entry] = {}
    taken: set[int] = set()
    for _, name, place in sorted(fits, reverse=True):
        if -name not in chosen and -place not in taken:
            chosen[-name] = entries[-place]
            taken.add(-place)
    return chosen
