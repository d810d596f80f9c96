"""What can have happened between two scenes of Um Krone und Kragen, as `Habits`.

Hands may have put dice elsewhere, turned some by a card or laid one down, and then dice may have been thrown: all in
play (a roll), some of them (the Fool, the Merchant), or all of a new turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from companion.game.changes import Sentence
from companion.game.referee import counting
from companion.game.referee.counting import MOST_SKIPPED, to_roll
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.observation import Entry, Lie, Scene
from companion.game.referee.priors import PRIORS
from companion.game.referee.sentences import NO_FIT
from companion.game.referee.successors import landed, rolled_there
from companion.game.timeline import Timeline
from engine.errors import Illegal
from engine.games import game as game_called
from engine.krone.cards import CARDS, ORDER, START_DICE
from engine.krone.events import Buy, Event, Keep, Pass, Roll, Use
from engine.krone.rules import acting
from engine.krone.state import State
from vision.types import Reading

game = game_called("krone")
SEVERAL = ("philosopher", "alchemist", "noblewoman", "nobleman")  # cards that turn several dice, one after the other


def event(verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    """As `Habits.event`: what a card lays down shows what the card says."""
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
            raise Illegal(NO_FIT)  # what a card lays down shows what the card says; nobody reads this
        return Use(card, (), after if card == "queen" else ())
    return Use(card, before, after)


def began(timeline: Timeline) -> int:
    """As `Habits.began`."""
    states = timeline.replay.states
    place = max((i for i, state in enumerate(states) if not state.turn.rolled), default=0)
    while place and not states[place - 1].turn.rolled and states[place - 1].seat == states[place].seat:
        place -= 1  # cards used before the first roll
    return place


def lying(state: State) -> list[tuple[int, Zone]]:
    """As `Habits.lying`."""
    turn = state.turn
    return [(face, Zone.ACTIVE) for face in turn.active] + [(face, Zone.KEPT) for face in turn.kept]


def throwing(h: Hypothesis) -> bool:
    """As `Habits.throwing`."""
    return bool(h.state.turn.rolled) and not h.pending


def taken_up(h: Hypothesis) -> Iterator[Hypothesis]:
    """As `Habits.taken_up`."""
    yield h


def final(h: Hypothesis) -> bool:
    """As `Habits.final`."""
    if not h.cleared or h.pending or not h.state.turn.rolled or any(die.zone is Zone.ACTIVE for die in h.dice):
        return False
    return bool(h.set_aside() or h.state.final)


def closed(h: Hypothesis, everything: bool, preview: bool) -> Hypothesis | None:
    """As `Habits.closed`: the dice set aside stay so."""
    if not h.state.turn.rolled:
        return None
    names = tuple(d.var for d in h.dice if d.zone is not Zone.KEPT) if everything else h.set_aside()
    done = h.kept(names)
    if done is not None and not everything and done.state.final and done.state.turn.over:
        done = done.then(Act(done.state.seat, "pass")) or done
    return done


def unexplained(state: State, reading: Reading, cleared: bool) -> tuple[Sentence, ...]:
    """As `Habits.unexplained`."""
    return counting.thrown(state, reading, cleared)


# What hands did


def added(h: Hypothesis) -> set[int]:
    """As `Habits.added`."""
    return {CARDS[card].pips for card in unused(h, "add")}


def turns(h: Hypothesis) -> bool:
    """As `Habits.turns`."""
    return bool(unused(h, "change"))


def by_hand(
    h: Hypothesis, new: Sequence[int], throwing: bool, aside: bool, turned: bool, least: float
) -> Iterator[Hypothesis]:
    """As `Habits.by_hand`: cards laid dice down, and turned some."""
    if new and not h.state.turn.rolled:
        return
    for more in _added(h, new, busy=False):
        if more.step >= least:
            yield from _turned(more, throwing, aside, turned, bool(new), least)


def unused(h: Hypothesis, *abilities: str) -> list[str]:
    """Cards of these abilities that the seat on turn may still use, the cheapest first."""
    own = h.state.tableau(h.state.seat)
    found = {card for card in own if CARDS[card].ability in abilities and card not in h.state.turn.used}
    return sorted(found, key=ORDER.__getitem__)


def _added(h: Hypothesis, names: Sequence[int], busy: bool) -> Iterator[Hypothesis]:
    """Cards that lay down these dice."""
    if not names:
        yield h
        return
    name, rest = names[0], names[1:]
    for card in unused(h, "add"):
        if CARDS[card].pips not in (0, h.faces[name]):
            continue
        done = h.then(Act(h.state.seat, "use", card, after=(name,)), card_cost(card, busy) - PRIORS.card)
        if done is not None:
            yield from _added(done, rest, True)


def _turned(
    h: Hypothesis, throwing: bool, moved_aside: bool, turned: bool, busy: bool, least: float
) -> Iterator[Hypothesis]:
    """Cards that turned the dice whose turning nobody has explained yet."""
    if not h.pending:
        yield h
        return
    real = tuple((old, new) for old, new in h.pending if h.faces[old] != h.faces[new])
    begun = h.at(PRIORS.put_back * (len(h.pending) - len(real)))  # a die was turned and turned back, for nothing
    cards = unused(h, "change")
    if turned and begun.step + PRIORS.card >= least:  # who turns no more dice now would have been done before
        for card in cards:
            yield from _used(begun, card, real, h.pending, busy)
    several = turned and 1 < len(real) <= 4 and begun.step + 2 * PRIORS.card + PRIORS.second_card >= least
    for some in (some for size in range(1, len(real)) for some in combinations(real, size)) if several else ():
        others = tuple(pair for pair in real if pair not in some)
        for half in (half for card in cards for half in _used(begun, card, some, some, busy)):
            for card in unused(half, "change"):
                yield from _used(half, card, others, h.pending, True)
    if not throwing and not moved_aside and any(card in SEVERAL for card in cards):
        yield h  # all lay still while a card had turned only some: so it is with two of three


def _used(
    h: Hypothesis, card: str, pairs: Sequence[tuple[int, int]], settled: Iterable[tuple[int, int]], busy: bool
) -> Iterator[Hypothesis]:
    """This card turned these dice."""
    act = Act(h.state.seat, "use", card, tuple(old for old, _ in pairs), tuple(new for _, new in pairs))
    done = h.then(act, card_cost(card, busy))
    if done is None and card == "astronomer":  # it copies a die set aside: those beside are final
        turned = {new for _, new in pairs}
        ready = h.kept(tuple(name for name in h.set_aside() if name not in turned))
        done = None if ready is None else ready.then(act, card_cost(card, busy))
    if done is not None:
        explained = set(settled)
        yield done.but(pending=tuple(pair for pair in h.pending if pair not in explained))


def card_cost(card: str, busy: bool) -> float:
    """Log chance of this card being used. busy: right after another, with nobody looking in between."""
    return PRIORS.card + PRIORS.dearer * ORDER[card] + (PRIORS.second_card if busy else 0.0)


# What was thrown


def same_turn(h: Hypothesis, thrown: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """The player on turn threw: all that is in play, or some by a card. What is not seen was thrown."""
    if h.cleared:
        h = h.at(PRIORS.after_clearing)
    lying = [die for die in h.dice if die.zone is Zone.ACTIVE and die.seen]
    gone = [die for die in h.dice if die.zone is Zone.ACTIVE and not die.seen]
    aside_gone = [die for die in h.dice if die.zone is Zone.ASIDE and not die.seen]
    if not scene.knows_row:
        h = h.at(rolled_there(h, thrown))
    if h.step < least:
        return
    rolls = not lying
    if rolls or not scene.knows_row:
        left = h.at(PRIORS.aside_unmoved * len(lying))
        left = left.but(dice=tuple(d._replace(zone=Zone.ASIDE) if d in lying else d for d in h.dice))
        for ready, its in _gathered(left, gone, aside_gone, len(thrown), least):
            yield from _rolled_all(ready, its, thrown, scene)
    if h.step + PRIORS.card < least:
        return
    for card in unused(h, "reroll"):
        for ready, its in _gathered(h, gone, aside_gone, len(thrown), least - PRIORS.card):
            if not its or (card == "fool" and len(its) != 1):
                continue
            could = rolls and (not ready.state.turn.duty or ready.set_aside())
            cost = card_cost(card, False) + (PRIORS.needless if could else 0.0)
            if ready.step + cost >= least:
                yield from _shown(ready.at(cost), Act(ready.state.seat, "use", card, its, throws=True), thrown, scene)


def _gathered(
    h: Hypothesis, gone: Sequence[Die], aside: Sequence[Die], count: int, least: float
) -> Iterator[tuple[Hypothesis, tuple[int, ...]]]:
    """The dice that were thrown, as many as are seen or more: those in play that lie no longer where they lay; if
    these are too few, with some laid down by cards that nobody saw, or taken back."""
    names = tuple(die.var for die in gone)
    more = count - len(names)
    if h.step < least:
        return
    if more <= 0:
        yield h, names
        return
    if more <= len(aside):
        taken = {die.var for die in aside[:more]}
        dice = tuple(die._replace(zone=Zone.ACTIVE) if die.var in taken else die for die in h.dice)
        yield h.but(dice=dice).at(PRIORS.taken_back * more), (*names, *taken)
    if h.step + (PRIORS.card + PRIORS.second_card) * more < least:
        return
    for cards in combinations(unused(h, "add"), more):
        ready: Hypothesis | None = h
        added: list[int] = []
        for card in cards:
            if ready is not None:
                ready, name = ready.with_variable(CARDS[card].pips or 6, None)
                added.append(name)
                ready = ready.then(Act(h.state.seat, "use", card, after=(name,)), card_cost(card, True))
        if ready is not None:
            dice = tuple(Die(name, Zone.ACTIVE) for name in added)
            yield ready.but(dice=(*ready.dice, *dice)), (*names, *added)


def _rolled_all(h: Hypothesis, its: tuple[int, ...], thrown: Sequence[Entry], scene: Scene) -> Iterator[Hypothesis]:
    aside = h.set_aside()
    if h.state.turn.duty and not aside:
        last = h.acts[-1] if h.acts else None
        if last is not None and last.verb == "roll" and len(its) == len(last.after) == len(thrown):
            begun = h.but(acts=h.acts[:-1]).replayed()
            if begun is not None:
                unclear = any(not h.faces[name] or not _clear(h.links[name]) for name in last.after)
                cost = PRIORS.again_unclear if unclear else PRIORS.again
                yield from _shown(begun.at(cost), Act(last.seat, "roll", before=its, throws=True), thrown, scene)
        return
    ready = h.kept(aside)
    if ready is not None and its:
        yield from _shown(ready, Act(h.state.seat, "roll", before=its, throws=True), thrown, scene)


def _clear(lies: Iterable[Lie]) -> bool:
    """Whether a die that lay there was read surely; one that leans is not."""
    return all(lie.confidence >= PRIORS.confident for lie in lies)


def _shown(h: Hypothesis, act: Act, thrown: Sequence[Entry], scene: Scene) -> Iterator[Hypothesis]:
    """These dice were thrown, and show this."""
    gone = set(act.before)
    h, names, dice = landed(h, thrown, max(0, len(gone) - len(thrown)), scene)
    before = act.before if act.verb == "use" else ()
    done = h.then(act._replace(before=before, after=names))
    if done is not None:
        rest = tuple(die for die in h.dice if die.var not in gone)
        yield done.but(dice=(*rest, *dice), cleared=False)


# The next turn


def next_turn(h: Hypothesis, thrown: Sequence[Entry], scene: Scene, least: float) -> Iterator[Hypothesis]:
    """The turn was over, or had not begun, and this is the first roll of a turn."""
    for ended in ends(h, least):
        for ready in (ended, *_with_purchase(ended, len(thrown))):
            for seat, hand in to_roll(ready.state):
                more = len(thrown) - hand
                if more < -2 or hand == 0 or ready.step + PRIORS.first_hidden * max(0, -more) < least:
                    continue
                for cards in combinations(_early_cards(ready, seat), max(0, more)):
                    yield from _first_roll(ready, seat, cards, thrown, max(0, -more), scene)


def _first_roll(
    h: Hypothesis, seat: str, cards: Sequence[str], thrown: Sequence[Entry], hidden: int, scene: Scene
) -> Iterator[Hypothesis]:
    if cards and seat == h.state.seat and h.state.turn.rolled:
        return  # the same player's next turn must begin with the roll
    ready: Hypothesis | None = h
    for card in cards:
        if ready is not None:
            ready, name = ready.with_variable(CARDS[card].pips or 6, None)
            ready = ready.then(Act(seat, "use", card, after=(name,)), card_cost(card, False))
    if ready is None:
        return
    ready, names, dice = landed(ready.at(PRIORS.first_hidden * hidden), thrown, hidden, scene)
    done = ready.then(Act(seat, "roll", after=names, throws=True))
    if done is not None:
        yield done.but(dice=tuple(dice), cleared=False, pending=())


def ends(h: Hypothesis, least: float = -math.inf) -> Iterator[Hypothesis]:
    """The running turn is over: what is still in play is set aside too."""
    state = h.state
    if h.pending or state.finished:
        return
    ended: Hypothesis | None = h
    if state.turn.rolled:
        cost = PRIORS.not_set_aside if any(die.zone is Zone.ACTIVE for die in h.dice) else 0.0
        cost += 0.0 if h.cleared else PRIORS.not_cleared
        if h.step + cost < least:
            return
        ended = h.kept(tuple(die.var for die in h.dice if die.zone is not Zone.KEPT))
        ended = None if ended is None else ended.at(cost)
        if ended is not None and state.final:
            ended = ended.then(Act(state.seat, "pass"))
    for _ in range(1 + (MOST_SKIPPED if state.final else 0)):
        if ended is None or ended.state.finished or ended.step < least:
            return
        yield ended
        ended = ended.then(Act(ended.state.seat, "pass"), PRIORS.skipped) if ended.state.final else None


def _early_cards(h: Hypothesis, seat: str) -> list[str]:
    """Cards with which this seat can add dice before its first roll (R1)."""
    following = acting(h.state, seat, Roll(()))
    return unused(h.but(state=following), "add") if following.rules.early_cards else []


def _with_purchase(ended: Hypothesis, dice: int) -> Iterator[Hypothesis]:
    """Where the same player goes on with more dice than she had: the turn just ended has paid for one."""
    if not ended.state.turn.over or not any(s == ended.state.seat and dice > n for s, n in to_roll(ended.state)):
        return
    for card in START_DICE:
        bought = ended.then(Act(ended.state.seat, "buy", card), PRIORS.bought)
        if bought is not None:
            yield bought
