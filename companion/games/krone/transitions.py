"""The transition model of Um Krone und Kragen, as `Transitions`.

Between two snapshots, hands can move dice, turn dice with cards and add dice. After that, dice can be rolled: all dice
in play (a normal roll), some of them (Fool, Merchant), or the dice of a new turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from companion.game.changes import Sentence
from companion.game.referee.model import Act, Hypothesis, Zone
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.publish import with_card
from companion.game.referee.sentences import NO_FIT
from companion.game.referee.stays import Sighting, Snapshot
from companion.game.referee.successors import landed
from companion.games.krone import counting
from companion.games.krone.cards_used import added as added
from companion.games.krone.cards_used import card_cost, unused
from companion.games.krone.cards_used import card_uses as card_uses
from companion.games.krone.cards_used import turns as turns
from companion.games.krone.counting import MAX_SKIPPED, to_roll
from companion.games.krone.rolls import same_turn as same_turn
from engine.errors import Illegal
from engine.games import game as game_called
from engine.krone.cards import CARDS, START_DICE
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rules import acting
from engine.krone.state import State
from vision.types import Reading

game = game_called("krone")


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Transitions.event`: an added die shows the face that its card gives."""
    match verb:
        case "roll":
            return Roll(after)
        case "keep":
            return Keep(after)
        case "buy":
            return Buy(card)
        case "pass":
            return Pass()
    if CARDS[card].ability == "add":
        if CARDS[card].pips not in (0, *after):
            raise Illegal(NO_FIT)  # excludes the hypothesis; players never see this sentence
        return Use(card, (), after if card == "queen" else ())
    return Use(card, before, after)


def cards_ready(state: State) -> State:
    """As `Transitions.cards_ready`."""
    return state.with_turn(replace(state.turn, used=frozenset()))


def dice_on_table(state: State) -> list[tuple[int, Zone]]:
    """As `Transitions.dice_on_table`."""
    turn = state.turn
    return [(face, Zone.ACTIVE) for face in turn.active] + [(face, Zone.KEPT) for face in turn.kept]


def rolling(h: Hypothesis) -> bool:
    """As `Transitions.rolling`."""
    return bool(h.state.turn.rolled)


def final(h: Hypothesis) -> bool:
    """As `Transitions.final`."""
    if not h.cleared or h.pending or not h.state.turn.rolled or any(die.zone is Zone.ACTIVE for die in h.dice):
        return False
    return bool(h.set_aside() or h.state.final)


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Transitions.closed`: the dice set aside become final, and no more cards turn dice."""
    if not h.state.turn.rolled:
        return None
    if everything and h.pending:
        named = with_card(h)
        return None if named.pending else closed(named, everything, preview)
    names = tuple(d.var for d in h.dice if d.zone is not Zone.KEPT) if everything else h.set_aside()
    done = h.kept(names)
    if done is not None and not everything and done.state.final and done.state.turn.over:
        done = done.then(Act(done.state.seat, "pass")) or done
    return done


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Transitions.unexplained`."""
    return counting.roll_notices(state, reading, cleared)


# The next turn


def next_turn(h: Hypothesis, rolled: Sequence[Sighting], snapshot: Snapshot, least: float) -> Iterator[Hypothesis]:
    """As `Transitions.next_turn`: the previous turn is over, and this is the first roll of a turn."""
    for ended in ends(h, least):
        for ready in (ended, *_with_purchase(ended, len(rolled))):
            for seat, hand in to_roll(ready.state):
                more = len(rolled) - hand
                unseen = together([snapshot.hidden] * -more)
                if (
                    (more < -2 and snapshot.whole and not snapshot.hand)
                    or hand == 0
                    or ready.step_log_chance + unseen < least
                ):
                    continue
                for cards in combinations(_early_cards(ready, seat), max(0, more)):
                    yield from _first_roll(ready, seat, cards, rolled, max(0, -more), snapshot)


def _first_roll(
    h: Hypothesis, seat: str, cards: Sequence[str], rolled: Sequence[Sighting], hidden: int, snapshot: Snapshot
) -> Iterator[Hypothesis]:
    if cards and seat == h.state.seat and h.state.turn.rolled:
        return  # the same player's next turn must start with the roll, not with a card
    ready: Hypothesis | None = h
    for card in cards:
        if ready is not None:
            ready, name = ready.with_variable(CARDS[card].pips or 6, None)
            ready = ready.then(Act(seat, "use", card, after=(name,)), card_cost(card, False) + PRIORS.early)
    if ready is None:
        return
    ready, names, dice = landed(ready, rolled, hidden, snapshot)
    done = ready.then(Act(seat, "roll", after=names, rolls=True))
    if done is not None:
        yield done.replace(dice=tuple(dice), cleared=False, pending=())


def ends(h: Hypothesis, least: float = -math.inf) -> Iterator[Hypothesis]:
    """As `Transitions.ends`: the dice still in play are set aside."""
    state = h.state
    if h.pending or state.finished:
        return
    ended: Hypothesis | None = h
    if state.turn.rolled:
        cost = PRIORS.not_set_aside if any(die.zone is Zone.ACTIVE for die in h.dice) else 0.0
        cost += 0.0 if h.cleared else PRIORS.not_cleared
        if h.step_log_chance + cost < least:
            return
        ended = h.kept(tuple(die.var for die in h.dice if die.zone is not Zone.KEPT))
        ended = None if ended is None else ended.weighted(cost)
        if ended is not None and state.final:
            ended = ended.then(Act(state.seat, "pass"))
    for _ in range(1 + (MAX_SKIPPED if state.final else 0)):
        if ended is None or ended.state.finished or ended.step_log_chance < least:
            return
        yield ended
        ended = ended.then(Act(ended.state.seat, "pass"), PRIORS.skipped) if ended.state.final else None


def _early_cards(h: Hypothesis, seat: str) -> list[str]:
    """Cards with which this seat can add dice before its first roll, if the rules allow that."""
    return unused(h.replace(state=acting(h.state, seat, Roll(()))), "add")


def _with_purchase(ended: Hypothesis, dice: int) -> Iterator[Hypothesis]:
    """The ended turn followed by a purchase, for the case that the same player then rolls more dice."""
    if not ended.state.turn.over or not any(s == ended.state.seat and dice > n for s, n in to_roll(ended.state)):
        return
    for card in START_DICE:
        bought = ended.then(Act(ended.state.seat, "buy", card), PRIORS.bought)
        if bought is not None:
            yield bought
