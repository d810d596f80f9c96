"""Suspended games: the dice on the table are used for something else.

People roll for fun, begin with the wrong number of dice, lose one on the floor, or clear the table and play something
else. A suspended hypothesis explains every snapshot at a fixed price and adds nothing to the record. With each snapshot
the game may resume where it stopped: with the same dice in their places, or laid out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.game.referee.counting import due
from companion.game.referee.model import Hypothesis
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.rolled import faces_by_chance
from companion.game.referee.stays import Snapshot


def suspensions(h: Hypothesis, snapshot: Snapshot, before: Snapshot | None) -> Iterator[Hypothesis]:
    """The hypotheses in which the game is suspended in this snapshot, or still is. The first snapshot and a partial one
    suspend nothing."""
    if not (snapshot.whole and snapshot.sightings):
        yield from (h,) if h.suspended else ()
    elif h.suspended:
        yield h.weighted(_still(h, snapshot, before))
    elif before is not None:
        dice = tuple(die._replace(seen=False, unseen_cost=0.0) for die in h.dice)
        begun = h.weighted(PRIORS.suspended + _misfit(h, snapshot) + faces_by_chance(snapshot, before))
        yield begun.replace(dice=dice, suspended=True, waiting=False)


def _misfit(h: Hypothesis, snapshot: Snapshot) -> float:
    """Log odds for another game from the number of dice, between two turns. Within a turn hands hide some dice."""
    count, expected = sum(sighting.stay not in h.idle for sighting in snapshot.sightings), due(h.state)
    if count == expected or not _between(h) or (count < expected and snapshot.hand):
        return 0.0
    return PRIORS.other_number + (PRIORS.fewer if count < expected else 0.0)


def _still(h: Hypothesis, snapshot: Snapshot, before: Snapshot | None) -> float:
    """Log chance that a suspended game still is. In this game, too, a hand may have turned or added dice."""
    if before is None or snapshot.rolled:
        return PRIORS.still_suspended + min(PRIORS.other_number, _misfit(h, snapshot))
    shown, was = (Counter(sighting.stay.value for sighting in one.sightings) for one in (snapshot, before))
    return PRIORS.still_handled if shown <= was and _between(h) else PRIORS.still_suspended


def _between(h: Hypothesis) -> bool:
    """Whether a turn is over, as far as is known, and the next has not begun."""
    return h.cleared or not h.transitions.rolling(h)


def resumptions(h: Hypothesis, snapshot: Snapshot, before: Snapshot | None) -> Iterator[Hypothesis]:
    """The states in which a suspended game can resume with this snapshot.

    Args:
        before: The last snapshot while the game was suspended.
    """
    if not (snapshot.whole and snapshot.sightings):
        return
    one = h.weighted(PRIORS.resumed).replace(suspended=False, missed=h.missed or not _between(h))
    own = {die.stay for die in h.dice}
    there = () if before is None else (e.stay for e in snapshot.sightings if e.stay.number in before.numbers)
    strangers = [stay for stay in there if stay not in own and stay not in h.idle]
    if len(strangers) < len(snapshot.sightings):
        yield one.weighted(together([PRIORS.stranger] * len(strangers))).replace(idle=h.idle.union(strangers))
    yield one.weighted(PRIORS.laid_out).replace(dice=tuple(die._replace(stay=None) for die in h.dice))
