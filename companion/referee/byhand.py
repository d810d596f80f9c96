"""What hands do between two throws: set dice aside, add one, turn some. Stories that end in the dice seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from companion.referee.sight import minus, overlap
from companion.referee.story import CARD, DEARER, SECOND_CARD, Story
from engine.dice import Faces, parts, together, without
from engine.krone.cards import CARDS, ORDER
from engine.krone.events import Use

SHARING = ("philosopher", "alchemist")  # cards that move pips from die to die: allowed only once all are turned
RAISED = {"noblewoman": 1, "nobleman": 2}  # cards that turn several dice up by so many pips each
MORE_TURNED = -3.0  # log chance of each die turned beyond those that must have been
HALFWAY = -1.0  # dice lay still while a card was used
MOST_TURNED = 4  # dice that two cards together may have turned; more is not searched


def by_hand(start: Story, kept: Faces, active: Faces, deep: bool = False) -> Iterator[Story]:
    """Stories from `start` after which exactly these dice are kept and active; deep: two cards may have turned
    dice."""
    aside = _newly_kept(start, kept)
    if aside is None:
        return
    for story in _adding(start, len(kept) + len(active), aside, together(aside, active)):
        yield from _turning(story, aside, together(aside, active), deep)


def half_turned(start: Story, kept: Faces, active: Faces) -> Iterator[tuple[Story, str]]:
    """Stories from `start` after which these dice are kept and active when the card named is used to its end."""
    aside = _newly_kept(start, kept)
    ready = None if aside is None else start.keep(aside)
    if ready is None:
        return
    pool = ready.state.turn.active
    gone, come = minus(pool, active), minus(active, pool)
    if not gone or len(gone) != len(come) or not (cards := [c for c in unused(ready, "change") if c in SHARING]):
        return
    rest = minus(pool, gone)
    for card in cards:
        if any(
            ready.then(Use(card, together(gone, more), together(come, after))) is not None
            for size in ((1,) if card == "philosopher" else (1, 2))
            for more in parts(rest)
            if len(more) == size
            for after in combinations_with_replacement(range(1, 7), size)
            if not overlap(together(gone, more), together(come, after))
        ):
            yield ready.at(card_cost(ready, card) + HALFWAY), card


def before_throw(start: Story, kept: Faces, count: int, deep: bool = False) -> Iterator[Story]:
    """Stories from `start` after which these dice are kept and `count` are active, whatever they show: they were
    thrown.

    deep: a card nobody saw used may have turned dice before they were set aside.
    """
    aside = _newly_kept(start, kept)
    if aside is None:
        return
    for story in _adding(start, len(kept) + count, aside, aside):
        missing = minus(aside, story.state.turn.active)
        if not missing:
            yield from _one(story.keep(aside))
        elif deep:
            yield from _making(story, aside, missing)


def _newly_kept(start: Story, kept: Faces) -> Faces | None:
    turn = start.state.turn
    return without(kept, turn.kept) if turn.rolled else None


def unused(story: Story, ability: str) -> list[str]:
    """Cards of this ability that the seat on turn may still use, the cheapest first."""
    turn = story.state.turn
    own = story.state.tableau(story.state.seat)
    return sorted(
        {card for card in own if CARDS[card].ability == ability and card not in turn.used}, key=ORDER.__getitem__
    )


def card_cost(story: Story, card: str) -> float:
    """Log chance of using this card now."""
    busy = any(isinstance(event, Use) for _, event in story.events[story.known :])
    return CARD + (SECOND_CARD if busy else 0.0) + DEARER * ORDER[card]


def adding(story: Story, cards: tuple[str, ...], queens: Faces = (6,)) -> Iterator[Story]:
    """`story` with all these cards used to add their dice; the Queen's shows one of `queens`."""
    if not cards:
        yield story
        return
    card, rest = cards[0], cards[1:]
    shown: list[Faces] = [(value,) for value in sorted(set(queens))] if CARDS[card].pips == 0 else [()]
    for after in shown:
        more = story.then(Use(card, (), after), card_cost(story, card))
        if more is not None:
            yield from adding(more, rest, queens)


def _adding(start: Story, dice: int, aside: Faces, seen: Faces) -> Iterator[Story]:
    turn = start.state.turn
    more = dice - len(turn.kept) - len(turn.active)
    if more < 0:
        return
    for cards in combinations(unused(start, "add"), more):
        yield from adding(start, cards, seen or (6,))


def _turning(story: Story, aside: Faces, wanted: Faces, deep: bool) -> Iterator[Story]:
    """The active dice were turned until `wanted` lay there, and `aside` of them set aside."""
    pool = story.state.turn.active
    gone, come = minus(pool, wanted), minus(wanted, pool)
    if not gone:
        yield from _one(story.keep(aside))
        return
    for turned in _turned(story, aside, gone, come):
        yield from _one(turned.keep(without(aside, _kept_since(story, turned)) or ()))
    if not deep or len(gone) > MOST_TURNED:
        return
    for first_gone, first_come in _halves(gone, come):
        for turned in _turned(story, aside, first_gone, first_come):
            rest = without(aside, _kept_since(story, turned)) or ()
            now = turned.state.turn.active
            left = minus(wanted, _kept_since(story, turned))
            for twice in _turned(turned, rest, minus(now, left), minus(left, now)):
                yield from _one(twice.keep(without(aside, _kept_since(story, twice)) or ()))


def _turned(story: Story, aside: Faces, gone: Faces, come: Faces, only: str | None = None) -> Iterator[Story]:
    """One card turned dice so that `come` lies there instead of `gone`; if need be, some of `aside` were set aside
    first."""
    for card in [only] if only else unused(story, "change"):
        for before, after in _readings_of(card, gone, come):
            use = Use(card, before, after)
            cost = card_cost(story, card) + MORE_TURNED * (len(before) - len(gone))
            done = story.then(use, cost)
            if done is None and card == "astronomer":  # it needs a die set aside to copy
                first = story.keep(overlap(aside, minus(story.state.turn.active, before)))
                done = None if first is None else first.then(use, cost)
            if done is not None:
                yield done


def _readings_of(card: str, gone: Faces, come: Faces) -> Iterator[tuple[Faces, Faces]]:
    yield gone, come
    if card not in RAISED:
        return
    # 2 3 raised to 3 4 looks as if the 2 had become a 4: put the dice between back in.
    pips = RAISED[card]
    between = [value for low, high in zip(gone, come, strict=True) for value in range(low + pips, high, pips)]
    if between and all(high > low and (high - low) % pips == 0 for low, high in zip(gone, come, strict=True)):
        yield together(gone, tuple(between)), together(come, tuple(between))


def _halves(gone: Faces, come: Faces) -> Iterator[tuple[Faces, Faces]]:
    """Ways the first of two cards may have had a part in it: some dice each, or one die turned twice."""
    if len(gone) == 1:
        yield from ((gone, (value,)) for value in range(1, 7) if value not in (*gone, *come))
    for some in parts(gone):
        if 0 < len(some) < len(gone):
            yield from ((some, shown) for shown in parts(come) if len(shown) == len(some))


def _making(story: Story, aside: Faces, missing: Faces) -> Iterator[Story]:
    """One card made the dice `missing`, which were then set aside; what else it changed was thrown."""
    pool = story.state.turn.active
    spare = minus(pool, overlap(aside, pool))
    for card in unused(story, "change"):
        for more in range(2 if card in SHARING else 1):
            size = len(missing) + more
            for before, rest in product((p for p in parts(spare) if len(p) == size), range(1, 7) if more else (0,)):
                after = together(missing, (rest,)) if more else missing
                if not overlap(before, after):  # list nothing that did not change
                    for done in _turned(story, aside, before, after, card):
                        yield from _one(done.keep(without(aside, _kept_since(story, done)) or ()))


def _kept_since(earlier: Story, later: Story) -> Faces:
    return without(later.state.turn.kept, earlier.state.turn.kept) or ()


def _one(story: Story | None) -> Iterator[Story]:
    if story is not None:
        yield story
