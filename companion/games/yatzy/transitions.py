"""What can have happened between two looks at a table of Yatzy, as `Transitions`.

The dice say what was rolled and which dice stayed. The box is written down, so no picture shows it: once a turn's third
roll has come to rest, or a new turn's dice roll before a box is entered, the referee waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, log, prod

from companion.game.changes import Sentence
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.sentences import NO_FIT, TOO_FEW, TOO_MANY, said
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.referee.successors import landed, rolled_there
from companion.game.timeline import Timeline
from engine.games import game as game_called
from engine.yatzy.boxes import DICE
from engine.yatzy.events import Event, Keep, Roll
from engine.yatzy.state import State
from vision.types import Reading

game = game_called("yatzy")
MOST_HIDDEN = 2  # dice of a roll that nobody sees
CHOOSE_THE_BOX = "The dice were rolled again. Enter the box for the last roll first."


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Transitions.event`."""
    return Roll(after) if verb == "roll" else Keep(after)


def cards_ready(state: State) -> State:
    """As `Transitions.cards_ready`: there are no cards."""
    return state


def began(timeline: Timeline) -> int:
    """As `Transitions.began`."""
    return max((i for i, state in enumerate(timeline.replay.states) if state.dice is None), default=0)


def lying(state: State) -> list[tuple[int, Zone]]:
    """As `Transitions.lying`."""
    active, kept = game.on_table(state)
    return [(face, Zone.ACTIVE) for face in active] + [(face, Zone.ASIDE) for face in kept]


def added(h: Hypothesis) -> tuple[int, ...]:
    """As `Transitions.added`: no die is laid down."""
    return ()


def turns(h: Hypothesis) -> bool:
    """As `Transitions.turns`: no die is turned."""
    return False


def by_hand(
    h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Transitions.by_hand`: dice put elsewhere need no explanation."""
    yield h


def throwing(h: Hypothesis) -> bool:
    """As `Transitions.throwing`."""
    return h.state.dice is not None and h.state.rolls > 0


def same_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: what still rests there was kept, the others were rolled."""
    stay = [die for die in h.dice if die.seen]
    gone = [die for die in h.dice if not die.seen]
    among = sum(die.zone is Zone.ACTIVE for die in stay)
    cost = together([PRIORS.put_back if snapshot.has_kept_zone else PRIORS.aside_unmoved] * among)
    h = h.weighted(cost + (0.0 if snapshot.has_kept_zone else rolled_there(h, thrown)))
    hidden = len(gone) - len(thrown)
    yield from _thrown(h, stay, thrown, hidden, snapshot, least)
    lost = [die for die in gone if die.zone is Zone.ASIDE]
    if 0 < hidden <= len(lost):  # some of those that stay may be hidden
        stay += [die._replace(out=snapshot.hidden) for die in lost[:hidden]]
        yield from _thrown(h.weighted(together([snapshot.hidden] * hidden)), stay, thrown, 0, snapshot, least)


def _thrown(
    h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Sighting], hidden: int, snapshot: Snapshot, least: float
) -> Iterator[Hypothesis]:
    """These stayed, and the others were rolled."""
    if h.step_log_chance < least or not 0 <= hidden <= MOST_HIDDEN:
        return
    if h.state.kept is None:
        kept = h.weighted(0.0 if stay else PRIORS.none_kept).then(
            Act(h.state.seat, "keep", after=tuple(die.var for die in stay))
        )
        if kept is None:
            return
        h = kept
    yield from _rolled(h, stay, thrown, hidden, snapshot, least)


def next_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.next_turn`: a turn begins with all five dice, once the last box is entered."""
    if h.state.finished:
        return
    missing = DICE - len(thrown)
    if h.state.dice is not None:
        if h.cleared and missing <= MOST_HIDDEN:
            yield h.weighted(snapshot.hidden * max(0, missing)).replace(waiting=True)
    elif missing > MOST_HIDDEN:
        yield h.weighted(snapshot.hidden * missing).replace(waiting=True)
    elif missing >= 0:
        # A die in the kept zone already: the first roll may not have been seen at all.
        late = snapshot.has_kept_zone and any(sighting.kept for sighting in thrown)
        yield from _rolled(h.weighted(PRIORS.seen_late if late else 0.0), (), thrown, missing, snapshot, least)


def _rolled(
    h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Sighting], hidden: int, snapshot: Snapshot, least: float
) -> Iterator[Hypothesis]:
    """This is what was rolled; each hidden die may show anything."""
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
    """As `Transitions.taken_up`: all five are rolled again, or the box is being written."""
    yield h


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.ends`: only a person can say which box ends the turn."""
    yield from ()


def final(h: Hypothesis) -> bool:
    """As `Transitions.final`: what stays is said by the next roll."""
    return False


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Transitions.closed`: the dice set aside stay, if another roll follows."""
    if not throwing(h) or everything or not preview:
        return None
    aside = tuple(die.var for die in h.dice if die.zone is Zone.ASIDE)
    if not aside or len(aside) == DICE or not all(die.seen for die in h.dice):
        return None
    return h.then(Act(h.state.seat, "keep", after=aside))


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Transitions.unexplained`."""
    seen = len(reading.dice)
    if seen != DICE:
        return (said(TOO_FEW if seen < DICE else TOO_MANY, seen=seen, expected=DICE),)
    return (said(NO_FIT if state.dice is None else CHOOSE_THE_BOX),)
