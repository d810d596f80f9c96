"""Shared parts of transition models for games in which a player keeps some dice and rolls the others.

No die is added or turned, and moving dice by hand has no meaning. The kept dice are those that still rest when the
others roll.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, log, prod
from typing import Any

from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.referee.successors import landed, rolled_there
from engine.games import game as game_called

MOST_HIDDEN = 2  # dice of a roll that are not seen


def added(h: Hypothesis) -> tuple[int, ...]:
    """As `Transitions.added`: no die is added."""
    return ()


def turns(h: Hypothesis) -> bool:
    """As `Transitions.turns`: no die is turned."""
    return False


def cards_ready(state: Any) -> Any:
    """As `Transitions.cards_ready`: no card is used."""
    return state


def lying(state: Any) -> list[tuple[int, Zone]]:
    """As `Transitions.lying`."""
    active, kept = game_called(state.GAME).on_table(state)
    return [(face, Zone.ACTIVE) for face in active] + [(face, Zone.ASIDE) for face in kept]


def final(h: Hypothesis) -> bool:
    """As `Transitions.final`: only the next roll shows which dice were kept."""
    return False


def by_hand(
    h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Transitions.by_hand`: moved dice need no explanation."""
    yield h


def rolled_rest(
    h: Hypothesis,
    thrown: Sequence[Sighting],
    snapshot: Snapshot,
    least: float,
    chosen: Callable[[Die], bool],
    keeps: bool,
) -> Iterator[Hypothesis]:
    """The dice that still rest in their places were kept, and the others were rolled.

    Args:
        thrown: The rolled dice that are seen.
        least: The smallest log chance that is worth finding.
        chosen: Whether the player chose to keep a resting die; the rules keep the others.
        keeps: Whether the record still lacks the choice of kept dice.
    """
    stay = [die for die in h.dice if die.seen]
    gone = [die for die in h.dice if not die.seen]
    among = sum(die.zone is Zone.ACTIVE for die in stay if chosen(die))  # one unmoved kept die makes others likely
    h = h.weighted(together([PRIORS.put_back if snapshot.has_kept_zone else PRIORS.aside_unmoved] * among))
    h = h if snapshot.has_kept_zone else h.weighted(rolled_there(h, thrown))
    hidden = len(gone) - len(thrown)
    lost = [die for die in gone if die.zone is Zone.ASIDE]
    ways = [(h, stay, hidden)]
    if 0 < hidden <= len(lost):  # or some kept dice are hidden
        more = [die._replace(out=snapshot.hidden) for die in lost[:hidden]]
        ways.append((h.weighted(together([snapshot.hidden] * hidden)), [*stay, *more], 0))
    for ready, its, unseen in ways:
        if ready.step_log_chance < least or not 0 <= unseen <= MOST_HIDDEN:
            continue
        kept: Hypothesis | None = ready
        if keeps:
            begun = ready.weighted(0.0 if its else PRIORS.none_kept)
            kept = begun.then(Act(h.state.seat, "keep", after=tuple(die.var for die in its if chosen(die))))
        if kept is not None:
            yield from rolled_beside(kept, its, thrown, unseen, snapshot, least)


def rolled_beside(
    h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Sighting], hidden: int, snapshot: Snapshot, least: float
) -> Iterator[Hypothesis]:
    """These dice were rolled, and `stay` were kept. Each of the `hidden` rolled dice may show any face."""
    h, names, dice = landed(h, thrown, hidden, snapshot)
    if h.step_log_chance - log(6) * hidden < least:
        return
    for shown in combinations_with_replacement(range(1, 7), hidden):
        orders = factorial(hidden) / prod(factorial(shown.count(face)) for face in {*shown})
        faces = (*h.faces[: len(h.faces) - hidden], *shown)
        one = h.replace(faces=faces).then(Act(h.state.seat, "roll", after=names, throws=True), log(orders / 6**hidden))
        if one is not None:
            yield one.replace(dice=(*stay, *dice), cleared=False)
