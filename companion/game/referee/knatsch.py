"""What can have happened between two scenes of Knatsch, as `Habits`.

All six dice belong to the attempt. Which ones stay beside the sixes may change until the next throw, so that throw says
it: those that still lie there. Who stops leaves the dice to the next one who throws (the owner who defends, the next of
a tournament). A throw of which not all dice are seen, or for which no card is named yet, is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.game.changes import Sentence
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.observation import Entry, Scene
from companion.game.referee.priors import PRIORS
from companion.game.referee.successors import landed, rolled_there
from companion.game.timeline import Timeline
from companion.referee.sentences import NAME_THE_CARD, NO_FIT, SIX_AGAIN, TOO_FEW, TOO_MANY, said
from engine.games import game as game_called
from engine.knatsch.events import Event, Keep, Roll, Stop
from engine.knatsch.state import DICE, State
from vision.types import Reading

game = game_called("knatsch")


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Habits.event`."""
    return Roll(after) if verb == "roll" else Keep(after) if verb == "keep" else Stop()


def began(timeline: Timeline) -> int:
    """As `Habits.began`: a turn is one attempt, whoever throws in it."""
    return max((i for i, state in enumerate(timeline.replay.states) if not state.throwing), default=0)


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


def by_hand(h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool) -> Iterator[Hypothesis]:
    """As `Habits.by_hand`: dice put elsewhere need no explanation."""
    yield h


def throwing(h: Hypothesis) -> bool:
    """As `Habits.throwing`."""
    return h.state.attempt is not None and h.state.attempt.dice is not None


def same_turn(h: Hypothesis, thrown: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """As `Habits.same_turn`: what still lies there was let lie, the others were thrown."""
    stay = [die for die in h.dice if die.seen]
    gone = [die for die in h.dice if not die.seen]
    others = [die for die in stay if h.faces[die.var] != 6]
    among = sum(die.zone is Zone.ACTIVE for die in others)  # who leaves one among those thrown leaves others too
    cost = (PRIORS.final_moved if scene.knows_row else PRIORS.aside_unmoved) * (1 + PRIORS.together * (among - 1))
    cost = (cost if among else 0.0) + (PRIORS.needless if _beaten(h) else 0.0)
    h = h.at(cost + (0.0 if scene.knows_row else rolled_there(h, thrown)))
    if len(gone) > len(thrown):
        yield h.at(PRIORS.hidden * (len(gone) - len(thrown))).but(waiting=True)
    if len(gone) != len(thrown):
        return
    if h.state.attempt.kept is None:
        kept = h.then(Act(h.state.seat, "keep", after=tuple(die.var for die in others)))
        if kept is None:
            return
        h = kept
    yield from _rolled(h, stay, thrown, scene)


def next_turn(h: Hypothesis, thrown: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """As `Habits.next_turn`: an attempt begins, or the next one throws because this one has stopped."""
    if throwing(h):
        for ended in ends(h):
            yield from next_turn(ended.at(0.0 if h.cleared else PRIORS.not_cleared), thrown, scene, least)
    elif h.state.attempt is None or len(thrown) < DICE:
        yield h.at(PRIORS.first_hidden * (DICE - len(thrown))).but(waiting=True)
    else:
        yield from _rolled(h, (), thrown, scene)


def _rolled(h: Hypothesis, stay: Sequence[Die], thrown: Sequence[Entry], scene: Scene) -> Iterator[Hypothesis]:
    h, names, dice = landed(h, thrown, 0, scene)
    done = h.then(Act(h.state.seat, "roll", after=names, throws=True))
    if done is not None:
        yield done.but(dice=(*stay, *dice), cleared=False)


def taken_up(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Habits.taken_up`: sixes stay, and a beaten card is left alone, so either says that the throwing is over."""
    over = throwing(h) and (h.state.attempt.sixes or _beaten(h))
    yield h.at(PRIORS.after_clearing if over else 0.0)
    yield from ends(h)


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Habits.ends`: who throws stops."""
    better = throwing(h) and h.state.result.beats(h.state.attempt.leading)
    done = h.then(Act(h.state.seat, "stop", throws=True), 0.0 if better else PRIORS.needless)
    if done is not None:
        yield done


def final(h: Hypothesis) -> bool:
    """As `Habits.final`: what stays is said by the next throw."""
    return False


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Habits.closed`: the dice set aside stay, if another throw follows; a beaten card is left alone."""
    if not throwing(h) or everything:
        return None
    if not preview:
        return next(ends(h), None) if _beaten(h) else None
    aside = tuple(die.var for die in h.dice if die.zone is Zone.ASIDE and h.faces[die.var] != 6)
    return h.then(Act(h.state.seat, "keep", after=aside)) if aside and all(die.seen for die in h.dice) else None


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Habits.unexplained`."""
    seen = len(reading.dice)
    if state.attempt is None:
        return (said(NAME_THE_CARD),) if state.choosing and seen == DICE else ()
    if seen != DICE:
        return (said(TOO_FEW if seen < DICE else TOO_MANY, seen=seen, expected=DICE),)
    return (said(SIX_AGAIN if state.attempt.sixes else NO_FIT),)


def _beaten(h: Hypothesis) -> bool:
    """Whether the dice beat what must be beaten; in a tournament one throws on for the best."""
    state: State = h.state
    target = None if state.attempt is None else state.card_at(state.attempt.place)
    if state.attempt is None or (target is not None and target.id == "tournament"):
        return False
    return state.result.beats(state.attempt.leading)
