"""Default functions of `Transitions` for games in which a player keeps some dice and rolls the others.

No die is added or turned, and moving dice by hand has no meaning. The kept dice are those that still rest when the
others roll. A game overrides the functions that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, log, prod
from types import ModuleType
from typing import Any, cast

from companion.game.changes import Sentence
from companion.game.referee.counting import due
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.sentences import NO_FIT, TOO_FEW, TOO_MANY, message
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.referee.successors import landed, rolled_there
from companion.game.referee.transitions import Transitions
from companion.game.timeline import Timeline
from engine.events import Keep, Roll
from engine.games import game as game_called
from vision.types import Reading

MAX_HIDDEN = 2  # dice of a roll that are not seen


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Roll | Keep:
    """As `Transitions.event`: a roll, or dice kept."""
    return Roll(after) if verb == "roll" else Keep(after)


def began(timeline: Timeline) -> int:
    """As `Transitions.began`: a turn begins with an empty table, perhaps with cards before the first roll."""
    states = timeline.replay.states
    empty = [timeline.game.on_table(state) == ((), ()) for state in states]
    place = max((place for place, state in enumerate(states) if empty[place]), default=0)
    while place and empty[place - 1] and states[place - 1].seat == states[place].seat:
        place -= 1
    return place


def added(h: Hypothesis) -> tuple[int, ...]:
    """As `Transitions.added`: no die is added."""
    return ()


def turns(h: Hypothesis) -> bool:
    """As `Transitions.turns`: no die is turned."""
    return False


def cards_ready(state: Any) -> Any:
    """As `Transitions.cards_ready`: no card is used."""
    return state


def dice_on_table(state: Any) -> list[tuple[int, Zone]]:
    """As `Transitions.dice_on_table`."""
    active, kept = game_called(state.GAME).on_table(state)
    return [(face, Zone.ACTIVE) for face in active] + [(face, Zone.ASIDE) for face in kept]


def card_uses(
    h: Hypothesis, new: Sequence[int], before_roll: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Transitions.card_uses`: moved dice need no explanation."""
    yield h


def table_cleared(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.table_cleared`: the turn goes on, or something that is not seen ends it."""
    yield h


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.ends`: no dice show how the turn ends."""
    yield from ()


def final(h: Hypothesis) -> bool:
    """As `Transitions.final`: only the next roll shows which dice were kept."""
    return False


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Transitions.closed`: dice set aside are kept for the next roll."""
    return kept_aside(h, lambda die: True) if preview and not everything and h.transitions.rolling(h) else None


def unexplained(state: Any, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Transitions.unexplained`: another number of dice than the rules expect, or impossible ones."""
    seen, expected = len(reading.dice), due(state)
    if seen == expected:
        return (message(NO_FIT),)
    return (message(TOO_FEW if seen < expected else TOO_MANY, seen=seen, expected=expected),)


USUAL = (
    event,
    began,
    added,
    turns,
    cards_ready,
    dice_on_table,
    card_uses,
    table_cleared,
    ends,
    final,
    closed,
    unexplained,
)


def usual(module: ModuleType) -> Transitions:
    """The transition model in this module, with default functions for those that it omits."""
    for answer in USUAL:
        vars(module).setdefault(answer.__name__, answer)
    return cast(Transitions, module)


def kept_aside(h: Hypothesis, chosen: Callable[[Die], bool]) -> Hypothesis | None:
    """The hypothesis after the player keeps the dice set aside for the next roll; None if that is illegal or a die is
    unseen.

    Args:
        chosen: Whether the player chooses to keep such a die; the rules keep the others.
    """
    aside = tuple(die.var for die in h.dice if die.zone is Zone.ASIDE and chosen(die))
    return h.then(Act(h.state.seat, "keep", after=aside)) if aside and all(die.seen for die in h.dice) else None


def first_roll(
    h: Hypothesis, dice: int, legal: bool, rolled: Sequence[Sighting], snapshot: Snapshot, least: float
) -> Iterator[Hypothesis]:
    """Hypotheses in which the sightings are the first roll of a turn, of `dice` dice.

    Args:
        legal: Whether the rules allow it now. If not, or if many dice are hidden, the referee waits for more.
    """
    missing = dice - len(rolled)
    if not legal or missing > MAX_HIDDEN:
        yield h.weighted(together([snapshot.hidden] * missing)).replace(waiting=True)  # one hand may hide several
    elif missing >= 0:
        # If a die is already in the kept zone, the first roll was perhaps not seen.
        late = snapshot.has_kept_zone and any(sighting.kept for sighting in rolled)
        yield from rolled_beside(h.weighted(PRIORS.seen_late if late else 0.0), (), rolled, missing, snapshot, least)


def rolled_rest(
    h: Hypothesis,
    rolled: Sequence[Sighting],
    snapshot: Snapshot,
    least: float,
    chosen: Callable[[Die], bool],
    keeps: bool,
) -> Iterator[Hypothesis]:
    """Hypotheses in which the dice that rest in their old places were kept and the others were rolled.

    Args:
        rolled: The rolled dice that are seen.
        least: The smallest log chance of interest.
        chosen: Whether the player chose to keep a resting die; the rules keep the others.
        keeps: Whether the record still lacks the choice of kept dice.
    """
    resting = [die for die in h.dice if die.seen]
    unseen_dice = [die for die in h.dice if not die.seen]
    among = sum(die.zone is Zone.ACTIVE for die in resting if chosen(die))  # one unmoved kept die makes others likely
    h = h.weighted(together([PRIORS.put_back if snapshot.has_kept_zone else PRIORS.aside_unmoved] * among))
    h = h if snapshot.has_kept_zone else h.weighted(rolled_there(h, rolled))
    hidden = len(unseen_dice) - len(rolled)
    lost = [die for die in unseen_dice if die.zone is Zone.ASIDE]
    for count in range(min(hidden, len(lost)) + 1):  # kept dice that a hand hides
        unseen = hidden - count
        cost = together([snapshot.hidden] * hidden) - together([snapshot.hidden] * unseen)  # one hand hides them all
        ready, kept_dice = (
            h.weighted(cost),
            [*resting, *(die._replace(unseen_cost=snapshot.hidden) for die in lost[:count])],
        )
        if ready.step_log_chance < least or unseen > MAX_HIDDEN:
            continue
        kept: Hypothesis | None = ready
        if keeps:
            begun = ready.weighted(0.0 if kept_dice else PRIORS.none_kept)
            kept = begun.then(Act(h.state.seat, "keep", after=tuple(die.var for die in kept_dice if chosen(die))))
        if kept is not None:
            yield from rolled_beside(kept, kept_dice, rolled, unseen, snapshot, least)


def rolled_beside(
    h: Hypothesis, resting: Sequence[Die], rolled: Sequence[Sighting], hidden: int, snapshot: Snapshot, least: float
) -> Iterator[Hypothesis]:
    """Hypotheses in which `rolled` and `hidden` further dice were rolled and `resting` were kept.

    Hidden dice may show any face.
    """
    h, names, dice = landed(h, rolled, hidden, snapshot)
    if h.step_log_chance - log(6) * hidden < least:
        return
    for shown in combinations_with_replacement(range(1, 7), hidden):
        orders = factorial(hidden) / prod(factorial(shown.count(face)) for face in {*shown})
        faces = (*h.faces[: len(h.faces) - hidden], *shown)
        one = h.replace(faces=faces).then(Act(h.state.seat, "roll", after=names, rolls=True), log(orders / 6**hidden))
        if one is not None:
            yield one.replace(dice=(*resting, *dice), cleared=False)
