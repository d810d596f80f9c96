"""What who throws may have thrown again in Um Krone und Kragen: all that is in play, or some by a card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from companion.game.referee.krone_cards import by_hand, card_cost, unused
from companion.game.referee.model import Act, Die, Hypothesis, Zone
from companion.game.referee.observation import Entry, Lie, Scene
from companion.game.referee.priors import PRIORS, together
from companion.game.referee.successors import landed, rolled_there
from engine.krone.cards import CARDS


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
    rolls = not lying and not h.pending
    if rolls or not (scene.knows_row or h.pending):
        left = h.at(PRIORS.aside_unmoved * len(lying))
        left = left.but(dice=tuple(d._replace(zone=Zone.ASIDE) if d in lying else d for d in h.dice))
        for begun, some in ((left, gone), *_put_aside_unseen(left, gone, len(thrown), scene)):
            for ready, its in _gathered(begun, some, aside_gone, len(thrown), least):
                yield from _rolled_all(ready, its, thrown, scene)
    if h.step + PRIORS.card >= least:
        yield from _by_card(h, gone, aside_gone, thrown, scene, rolls, least)


def _by_card(
    h: Hypothesis,
    gone: Sequence[Die],
    aside_gone: Sequence[Die],
    thrown: Sequence[Entry],
    scene: Scene,
    rolls: bool,
    least: float,
) -> Iterator[Hypothesis]:
    """The Fool or the Merchant threw some of what is in play. rolls: a roll may have done so, too."""
    for card in unused(h, "reroll"):
        for some, cost in _perhaps_hidden(gone, len(thrown), scene.hidden):
            begun = h.at(cost).seldom(card_cost(card, False))
            begun = begun.but(dice=tuple(d._replace(out=cost) if d in gone and d not in some else d for d in h.dice))
            for ready, its in _gathered(begun, some, aside_gone, len(thrown), least):
                if not its or (card == "fool" and len(its) != 1):
                    continue
                could = rolls and len(some) == len(gone) and (not ready.state.turn.duty or ready.set_aside())
                could = could and not _stayed(_lay_before(ready), thrown)
                ready = ready.at(PRIORS.needless if could else 0.0)
                act = Act(ready.state.seat, "use", card, its, throws=True)
                for one in _shown(ready, act, thrown, scene) if ready.step >= least else ():
                    after = one.seldom(PRIORS.second_card) if one.pending else one  # a hand has turned dice since
                    yield from by_hand(after, (), False, False, True, least)


def _put_aside_unseen(
    h: Hypothesis, gone: Sequence[Die], count: int, scene: Scene
) -> Iterator[tuple[Hypothesis, Sequence[Die]]]:
    """Of the dice that lie no longer where they lay only as many as are seen were thrown: the others have been set
    aside, where nobody sees them. With those thrown."""
    tried = set()
    for some in combinations(gone, count) if len(gone) > count else ():
        rest = [die for die in gone if die not in some]
        showing = tuple(sorted(h.faces[die.var] for die in rest))
        if showing in tried:
            continue
        tried.add(showing)
        dice = tuple(Die(d.var, Zone.ASIDE, out=scene.hidden) if d in rest else d for d in h.dice)
        yield h.at(together([scene.hidden] * len(rest))).but(dice=dice), some


def _perhaps_hidden(gone: Sequence[Die], count: int, hidden: float) -> Iterator[tuple[Sequence[Die], float]]:
    """The dice that lie no longer where they lay, as thrown by a card; where they are more than those seen, one of them
    may lie where nobody sees it. With the log chance."""
    yield gone, 0.0
    for place in range(len(gone)) if len(gone) > count else ():
        yield (*gone[:place], *gone[place + 1 :]), hidden


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
                lies = [lie for name in last.after for lie in h.links[name]]  # one that leans is not read surely
                unclear = not all(h.values(last.after)) or any(lie.confidence < PRIORS.confident for lie in lies)
                cost = PRIORS.again_unclear if unclear else PRIORS.again
                yield from _shown(begun.at(cost), Act(last.seat, "roll", before=its, throws=True), thrown, scene)
        return
    ready = h.at(PRIORS.ghost if _stayed(_lay_before(h), thrown) else 0.0).kept(aside)
    if ready is not None and its:
        yield from _shown(ready, Act(h.state.seat, "roll", before=its, throws=True), thrown, scene)


def _lay_before(h: Hypothesis) -> list[Lie]:
    """Where dice lay that have been set aside since the last throw."""
    aside = (die for die in h.dice if die.zone is Zone.ASIDE)
    return [lie for die in aside for lie in h.links[die.var] if lie is not die.lie]


def _stayed(lies: Iterable[Lie], thrown: Sequence[Entry]) -> bool:
    """Whether a die was still seen to lie at one of these places when the first of those thrown had come to lie: then
    it was neither thrown with them nor set aside before."""
    lay = min((entry.lie.since for entry in thrown if entry.shift is None), default=math.inf)
    return any(lie.until > lay for lie in lies)


def _shown(h: Hypothesis, act: Act, thrown: Sequence[Entry], scene: Scene) -> Iterator[Hypothesis]:
    """These dice were thrown, and show this."""
    gone = set(act.before)
    stayed = _stayed([lie for name in gone for lie in h.links[name]], thrown)
    h = h.at(PRIORS.ghost if stayed else 0.0)
    h, names, dice = landed(h, thrown, max(0, len(gone) - len(thrown)), scene)
    before = act.before if act.verb == "use" else ()
    done = h.then(act._replace(before=before, after=names))
    if done is not None:
        rest = tuple(die for die in h.dice if die.var not in gone)
        yield done.but(dice=(*rest, *dice), cleared=False)
