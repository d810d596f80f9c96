"""The transition model of Knatsch, as `Transitions`.

All six dice belong to the attempt. Which dice stay beside the sixes may change until the next roll, so the dice that
still
rest then are the ones that stayed. A player who stops leaves the dice to the next one: the owner who defends, or the
next
player of a tournament. A roll is not explained until all its dice are seen and its card is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, log, prod

from companion.game.changes import Sentence
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.sentences import NAME_THE_CARD, NO_FIT, SIX_AGAIN, TOO_FEW, TOO_MANY, said
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.referee.successors import landed, rolled_there
from companion.game.timeline import Timeline
from engine.games import game as game_called
from engine.knatsch.events import Event, Keep, Roll, Stop
from engine.knatsch.state import DICE, State
from vision.types import Reading

game = game_called("knatsch")
MOST_HIDDEN = 2  # dice of a roll that are not seen


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Transitions.event`."""
    return Roll(after) if verb == "roll" else Keep(after) if verb == "keep" else Stop()


def cards_ready(state: State) -> State:
    """As `Transitions.cards_ready`: no card is used."""
    return state


def began(timeline: Timeline) -> int:
    """As `Transitions.cards_ready`: no card is used."""
    return max((i for i, state in enumerate(timeline.replay.states) if not state.throwing), default=0)


def lying(state: State) -> list[tuple[int, Zone]]:
    """As `Transitions.began`: a turn is one attempt, whoever rolls in it."""
    active, kept = game.on_table(state)
    return [(face, Zone.ACTIVE) for face in active] + [(face, Zone.ASIDE) for face in kept]


def added(h: Hypothesis) -> tuple[int, ...]:
    """As `Transitions.added`: no die is laid down."""
    return ()


def turns(h: Hypothesis) -> bool:
    """As `Transitions.added`: no die is added."""
    return False


def by_hand(
    h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Transitions.by_hand`: moved dice need no explanation."""
    yield h


def throwing(h: Hypothesis) -> bool:
    """As `Transitions.turns`: no die is turned."""
    return h.state.attempt is not None and h.state.attempt.dice is not None


def same_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: the dice that still rest there stayed, the others were rolled."""
    stay = [die for die in h.dice if die.seen]
    gone = [die for die in h.dice if not die.seen]
    others = [die for die in stay if h.faces[die.var] != 6]
    among = sum(die.zone is Zone.ACTIVE for die in others)  # one left among the rolled dice is rarely alone
    cost = together([PRIORS.put_back if snapshot.has_kept_zone else PRIORS.aside_unmoved] * among)
    cost += PRIORS.given_up if _beaten(h) else 0.0
    h = h.weighted(cost + (0.0 if snapshot.has_kept_zone else rolled_there(h, thrown)))
    hidden = len(gone) - len(thrown)
    yield from _thrown(h, stay, thrown, hidden, snapshot, least)
    lost = [die for die in gone if die.zone is Zone.ASIDE]
    if 0 < hidden <= len(lost):  # or some of the dice that stay are hidden
        stay += [die._replace(out=snapshot.hidden) for die in lost[:hidden]]
        yield from _thrown(h.weighted(together([snapshot.hidden] * hidden)), stay, thrown, 0, snapshot, least)


def _thrown(
    h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Sighting], hidden: int, snapshot: Snapshot, least: float
) -> Iterator[Hypothesis]:
    """These dice stayed and the others were rolled."""
    if h.step_log_chance < least or not 0 <= hidden <= MOST_HIDDEN:
        return
    if h.state.attempt.kept is None:
        h = h.weighted(0.0 if stay else PRIORS.none_kept)
        kept = h.then(Act(h.state.seat, "keep", after=tuple(die.var for die in stay if h.faces[die.var] != 6)))
        if kept is None:
            return
        h = kept
    yield from _rolled(h, stay, thrown, hidden, snapshot, least)


def next_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: the dice that still rest there stayed, the others were rolled."""
    if throwing(h):
        for ended in ends(h):
            yield from next_turn(ended.weighted(0.0 if h.cleared else PRIORS.not_cleared), thrown, snapshot, least)
    elif h.state.attempt is None or len(thrown) < DICE - MOST_HIDDEN:
        yield h.weighted(snapshot.hidden * (DICE - len(thrown))).replace(waiting=True)
    elif len(thrown) <= DICE:
        # With dice set aside the first roll may not have been seen at all.
        late = snapshot.has_kept_zone and any(sighting.kept for sighting in thrown)
        yield from _rolled(
            h.weighted(PRIORS.seen_late if late else 0.0), (), thrown, DICE - len(thrown), snapshot, least
        )


def _rolled(
    h: Hypothesis,
    stay: Sequence[Die],
    thrown: Sequence[Sighting],
    hidden: int,
    snapshot: Snapshot,
    least: float,
) -> Iterator[Hypothesis]:
    """This was rolled; each hidden die may show anything."""
    h, names, dice = landed(h, thrown, hidden, snapshot)
    if h.step_log_chance - log(6) * hidden < least:
        return
    for shown in combinations_with_replacement(range(1, 7), hidden):
        orders = factorial(hidden) / prod(factorial(shown.count(face)) for face in {*shown})
        faces = (*h.faces[: len(h.faces) - hidden], *shown)
        one = h.replace(faces=faces).then(Act(h.state.seat, "roll", after=names, throws=True), log(orders / 6**hidden))
        if one is not None:
            yield one.replace(dice=(*stay, *dice), cleared=False)


def taken_up(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.next_turn`: an attempt begins, or the next player rolls because this one has stopped."""
    over = throwing(h) and (h.state.attempt.sixes or _beaten(h))
    yield h.weighted(PRIORS.after_clearing if over else 0.0)
    yield from ends(h)


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.taken_up`: sixes stay and a beaten card is left alone, so the rolling is over."""
    better = throwing(h) and h.state.result.beats(h.state.attempt.leading)
    done = h.then(Act(h.state.seat, "stop", throws=True), 0.0 if better else PRIORS.given_up)
    if done is not None:
        yield done


def final(h: Hypothesis) -> bool:
    """As `Transitions.ends`: the player stops."""
    return False


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Transitions.final`: the next roll says which dice stayed."""
    if not throwing(h) or everything:
        return None
    if not preview:
        return next(ends(h), None) if _beaten(h) else None
    aside = tuple(die.var for die in h.dice if die.zone is Zone.ASIDE and h.faces[die.var] != 6)
    return h.then(Act(h.state.seat, "keep", after=aside)) if aside and all(die.seen for die in h.dice) else None


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Transitions.closed`: the dice set aside stay if another roll follows; a beaten card is left alone."""
    seen = len(reading.dice)
    if state.attempt is None:
        return (said(NAME_THE_CARD),) if state.choosing and seen == DICE else ()
    if seen != DICE:
        return (said(TOO_FEW if seen < DICE else TOO_MANY, seen=seen, expected=DICE),)
    return (said(SIX_AGAIN if state.attempt.sixes else NO_FIT),)


def _beaten(h: Hypothesis) -> bool:
    """Whether the dice beat what must be beaten. In a tournament players roll on for the best result."""
    state: State = h.state
    target = None if state.attempt is None else state.card_at(state.attempt.place)
    if state.attempt is None or (target is not None and target.id == "tournament"):
        return False
    return state.result.beats(state.attempt.leading)
