"""The transition model of Knatsch, as `Transitions`.

An attempt uses all six dice. Players may change which dice they keep beside the sixes until the next roll, so the kept
dice are those that still rest at that roll. A player who stops passes the dice on: to the owner who defends, or to the
next player of a tournament. The referee explains a roll once all its dice are seen and its card is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.game.changes import Sentence
from companion.game.referee import kept_dice
from companion.game.referee.model import Act, Die, Hypothesis
from companion.game.referee.priors import PRIORS
from companion.game.referee.sentences import NAME_THE_CARD, SIX_AGAIN, message
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.timeline import Timeline
from engine.games import game as game_called
from engine.knatsch.events import Event, Keep, Roll, Stop
from engine.knatsch.state import DICE, State
from vision.types import Reading

game = game_called("knatsch")


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Transitions.event`."""
    return Roll(after) if verb == "roll" else Keep(after) if verb == "keep" else Stop()


def began(timeline: Timeline) -> int:
    """As `Transitions.began`: a turn is one attempt, even if several players roll in it."""
    return max((i for i, state in enumerate(timeline.replay.states) if not state.throwing), default=0)


def rolling(h: Hypothesis) -> bool:
    """As `Transitions.rolling`."""
    return h.state.attempt is not None and h.state.attempt.dice is not None


def same_turn(h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.same_turn`: the rules keep sixes, and the player chooses other dice to keep."""
    h = h.weighted(PRIORS.given_up if _beaten(h) else 0.0)
    keeps = h.state.attempt.kept is None
    yield from kept_dice.rolled_rest(h, rolled, snapshot, least, _chosen(h), keeps)


def next_turn(h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.next_turn`: an attempt begins, or the next player rolls because this one has stopped."""
    if rolling(h):
        for ended in ends(h):
            yield from next_turn(ended.weighted(0.0 if h.cleared else PRIORS.not_cleared), rolled, snapshot, least)
    else:
        yield from kept_dice.first_roll(h, DICE, h.state.attempt is not None, rolled, snapshot, least)


def table_cleared(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.table_cleared`: with sixes, or after beating the card, the player does not roll again."""
    over = rolling(h) and (h.state.attempt.sixes or _beaten(h))
    yield h.weighted(PRIORS.after_clearing if over else 0.0)
    yield from ends(h)


def ends(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Transitions.ends`: the player stops."""
    better = rolling(h) and h.state.result.beats(h.state.attempt.leading)
    done = h.then(Act(h.state.seat, "stop", rolls=True), 0.0 if better else PRIORS.given_up)
    if done is not None:
        yield done


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Transitions.closed`: dice set aside are kept for the next roll; a player who beat the card stops."""
    if not rolling(h) or everything:
        return None
    if not preview:
        return next(ends(h), None) if _beaten(h) else None
    return kept_dice.kept_aside(h, _chosen(h))


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Transitions.unexplained`."""
    six_dice = len(reading.dice) == DICE
    if state.attempt is None:
        return (message(NAME_THE_CARD),) if state.choosing and six_dice else ()
    if six_dice and state.attempt.sixes:
        return (message(SIX_AGAIN),)
    return kept_dice.unexplained(state, reading, cleared)


def _chosen(h: Hypothesis) -> Callable[[Die], bool]:
    """Whether a kept die is the player's choice; the rules keep sixes."""
    return lambda die: h.faces[die.var] != 6


def _beaten(h: Hypothesis) -> bool:
    """Whether the result beats its target. Never in a tournament, where players roll on for the best result."""
    state: State = h.state
    target = None if state.attempt is None else state.card_at(state.attempt.place)
    if state.attempt is None or (target is not None and target.id == "tournament"):
        return False
    return state.result.beats(state.attempt.leading)
