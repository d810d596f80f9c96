"""Starts a belief at a position of the record: the dice on the table are assigned to those of the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game.referee.model import Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS
from companion.game.referee.stays import Sighting, Snapshot, Stay
from companion.game.referee.transitions import Transitions


def as_recorded(
    transitions: Transitions, state: Any, snapshot: Snapshot | None, idle: frozenset[Stay] = frozenset()
) -> Hypothesis:
    """The hypothesis that the record is right at this position.

    Args:
        snapshot: The dice on the table, if they have been seen.
        idle: Stays that were not part of the game.
    """
    recorded = transitions.dice_on_table(state)
    sightings = snapshot.sightings if snapshot is not None else ()
    others = tuple(sighting for sighting in sightings if sighting.stay not in idle)
    chosen = _same_dice(recorded, others if len(others) >= len(recorded) else sightings)
    dice: list[Die] = []
    for name, (face, zone) in enumerate(recorded):
        sighting = chosen.get(name)
        if sighting is None:
            dice.append(Die(name, zone, unseen_cost=PRIORS.hidden))
            continue
        aside = snapshot is not None and snapshot.has_kept_zone and sighting.kept and sighting.stay.value == face
        dice.append(Die(name, Zone.ASIDE if aside and zone is Zone.ACTIVE else zone, sighting.stay, True))
    return Hypothesis(
        transitions,
        state,
        state,
        faces=tuple(face for face, _ in recorded),
        stays=tuple(() for _ in recorded),
        dice=tuple(dice),
        idle=idle.union(sighting.stay for sighting in sightings).difference(
            sighting.stay for sighting in chosen.values()
        ),
        confirmed=frozenset(range(len(recorded))),
        cleared=snapshot is not None and not others,  # unknown before the first snapshot
    )


def _same_dice(recorded: Sequence[tuple[int, Zone]], sightings: Sequence[Sighting]) -> dict[int, Sighting]:
    """Matches dice of the record to sightings, the best fit first; index in `recorded` → sighting.

    A die set aside is preferred to one that a card has just added, which may still be in a hand.
    """
    fits = [
        (sighting.stay.log_chances[face] + (5.0 if sighting.kept == (zone is Zone.KEPT) else 0.0), -name, -place)
        for name, (face, zone) in enumerate(recorded)
        for place, sighting in enumerate(sightings)
        if len(sightings) == len(recorded) or sighting.stay.value == face
    ]
    chosen: dict[int, Sighting] = {}
    taken: set[int] = set()
    for _, name, place in sorted(fits, reverse=True):
        if -name not in chosen and -place not in taken:
            chosen[-name] = sightings[-place]
            taken.add(-place)
    return chosen
