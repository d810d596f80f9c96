"""What can have happened between two looks at a table of Yatzy, as `Habits`.

The dice say what was rolled and which dice stayed. The box is written down, so no picture shows it: once a turn's third
roll has come to rest, or a new turn's dice roll before a box is entered, the referee waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import factorial, log, prod

from companion.game.changes import Sentence
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.observation import Entry, Scene
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.sentences import NO_FIT, TOO_FEW, TOO_MANY, said
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
    """As `Habits.event`."""
    return Roll(after) if verb == "roll" else Keep(after)


def cards_ready(state: State) -> State:
    """As `Habits.cards_ready`: there are no cards."""
    return state


def began(timeline: Timeline) -> int:
    """As `Habits.began`."""
    return max((i for i, state in enumerate(timeline.replay.states) if state.dice is None), default=0)


def lying(state: State) -> list[tuple[int, Zone]]:
    """As `Habits.lying`."""
    active, kept = game.on_table(state)
    return [(face, Zone.ACTIVE) for face in active] + [(face, Zone.ASIDE) for face in kept]


def added(h: Hypothesis) -> tuple[int, ...]:
    """As `Habits.added`: no die is laid down."""
    return ()


def turns(h: Hypothesis) -> bool:
    """As `Habits.turns`: no die is turned."""
    return False


def by_hand(
    h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Habits.by_hand`: dice put elsewhere need no explanation."""
    yield h


def throwing(h: Hypothesis) -> bool:
    """As `Habits.throwing`."""
    return h.state.dice is not None and h.state.rolls > 0


def same_turn(h: Hypothesis, thrown: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """As `Habits.same_turn`: what still rests there was kept, the others were rolled."""
    stay = [die for die in h.dice if die.seen]
    gone = [die for die in h.dice if not die.seen]
    among = sum(die.zone is Zone.ACTIVE for die in stay)
    cost = together([PRIORS.put_back if scene.knows_row else PRIORS.aside_unmoved] * among)
    h = h.at(cost + (0.0 if scene.knows_row else rolled_there(h, thrown)))
    hidden = len(gone) - len(thrown)
    yield from _thrown(h, stay, thrown, hidden, scene, least)
    lost = [die for die in gone if die.zone is Zone.ASIDE]
    if 0 < hidden <= len(lost):  # some of those that stay may be hidden
        stay += [die._replace(out=scene.hidden) for die in lost[:hidden]]
        yield from _thrown(h.at(together([scene.hidden] * hidden)), stay, thrown, 0, scene, least)


def _thrown(
    h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Entry], hidden: int, scene: Scene, least: float
) -> Iterator[Hypothesis]:
    """These stayed, and the others were rolled."""
    if h.step < least or not 0 <= hidden <= MOST_HIDDEN:
        return
    if h.state.kept is None:
        kept = h.at(0.0 if stay else PRIORS.none_kept).then(
            Act(h.state.seat, "keep", after=tuple(die.var for die in stay))
        )
        if kept is None:
            return
        h = kept
    yield from _rolled(h, stay, thrown, hidden, scene, least)


def next_turn(h: Hypothesis, thrown: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """As `Habits.next_turn`: a turn begins with all five dice, once the last box is entered."""
    if h.state.finished:
        return
    missing = DICE - len(thrown)
    if h.state.dice is not None:
        if h.cleared and missing <= MOST_HIDDEN:
            yield h.at(scene.hidden * max(0, missing)).but(waiting=True)
    elif missing > MOST_HIDDEN:
        yield h.at(scene.hidden * missing).but(waiting=True)
    elif missing >= 0:
        late = scene.knows_row and any(entry.kept for entry in thrown)  # the first roll may not have been seen at all
        yield from _rolled(h.at(PRIORS.seen_late if late else 0.0), (), thrown, missing, scene, least)


def _rolled(
    h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Entry], hidden: int, scene: Scene, least: float
) -> Iterator[Hypothesis]:
    """This is what was rolled; each hidden die may show anything."""
    h, names, dice = landed(h, thrown, hidden, scene)
    if h.step - log(6) * hidden < least:
        return
    for shown in combinations_with_replacement(range(1, 7), hidden):
        orders = factorial(hidden) / prod(factorial(shown.count(face)) for face in {*shown})
        faces = (*h.faces[: len(h.faces) - hidden], *shown)
        one = h.but(faces=faces).then(Act(h.state.seat, "roll", after=names, throws=True), log(orders / 6**hidden))
        if one is not None:
            yield one.but(dice=(*stay, *dice), cleared=False)


def taken_up(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Habits.taken_up`: all five are rolled again, or the box is being written."""
    yield h


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Habits.ends`: only a person can say which box ends the turn."""
    yield from ()


def final(h: Hypothesis) -> bool:
    """As `Habits.final`: what stays is said by the next roll."""
    return False


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Habits.closed`: the dice set aside stay, if another roll follows."""
    if not throwing(h) or everything or not preview:
        return None
    aside = tuple(die.var for die in h.dice if die.zone is Zone.ASIDE)
    if not aside or len(aside) == DICE or not all(die.seen for die in h.dice):
        return None
    return h.then(Act(h.state.seat, "keep", after=aside))


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Habits.unexplained`."""
    seen = len(reading.dice)
    if seen != DICE:
        return (said(TOO_FEW if seen < DICE else TOO_MANY, seen=seen, expected=DICE),)
    return (said(NO_FIT if state.dice is None else CHOOSE_THE_BOX),)
