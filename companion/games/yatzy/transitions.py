"""The transition model of Yatzy, as `Transitions`.

The dice show what was rolled and which dice were kept. No image shows the chosen box, because players write it down.
The referee waits for it after the third roll of a turn, and if the dice roll again before a box is entered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.game.changes import Sentence
from companion.game.referee.kept_dice import MOST_HIDDEN, rolled_beside, rolled_rest
from companion.game.referee.kept_dice import added as added
from companion.game.referee.kept_dice import by_hand as by_hand
from companion.game.referee.kept_dice import cards_ready as cards_ready
from companion.game.referee.kept_dice import final as final
from companion.game.referee.kept_dice import lying as lying
from companion.game.referee.kept_dice import turns as turns
from companion.game.referee.model import Act, Hypothesis, Zone
from companion.game.referee.priors import PRIORS
from companion.game.referee.sentences import NO_FIT, TOO_FEW, TOO_MANY, said
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.timeline import Timeline
from engine.games import game as game_called
from engine.yatzy.boxes import DICE
from engine.yatzy.events import Event, Keep, Roll
from engine.yatzy.state import State
from vision.types import Reading

game = game_called("yatzy")
CHOOSE_THE_BOX = "The dice were rolled again. Enter the box for the last roll first."


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Transitions.event`."""
    return Roll(after) if verb == "roll" else Keep(after)


def began(timeline: Timeline) -> int:
    """As `Transitions.began`."""
    return max((i for i, state in enumerate(timeline.replay.states) if state.dice is None), default=0)


def throwing(h: Hypothesis) -> bool:
    """As `Transitions.throwing`."""
    return h.state.dice is not None and h.state.rolls > 0


def same_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: dice that still rest in their places were kept; the others were rolled."""
    yield from rolled_rest(h, thrown, snapshot, least, lambda die: True, keeps=h.state.kept is None)


def next_turn(h: Hypothesis, thrown: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.next_turn`: a turn starts with all five dice, after the last box was entered."""
    if h.state.finished:
        return
    missing = DICE - len(thrown)
    if h.state.dice is not None:
        if h.cleared and missing <= MOST_HIDDEN:
            yield h.weighted(snapshot.hidden * max(0, missing)).replace(waiting=True)
    elif missing > MOST_HIDDEN:
        yield h.weighted(snapshot.hidden * missing).replace(waiting=True)
    elif missing >= 0:
        # If a die is already in the kept zone, the first roll was perhaps not seen.
        late = snapshot.has_kept_zone and any(sighting.kept for sighting in thrown)
        yield from rolled_beside(h.weighted(PRIORS.seen_late if late else 0.0), (), thrown, missing, snapshot, least)


def taken_up(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.taken_up`: the player rolls all five dice again or writes down a box."""
    yield h


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.ends`: only a person can say which box ends the turn."""
    yield from ()


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Transitions.closed`: dice set aside are kept for the next roll."""
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
