"""Finds the events that lead from a state to the dice on the table: the inverse of `play`.

The search runs backwards, from the dice on the table to those of the state. Undoing a card replaces the dice after it
by the dice before it. Undoing a roll keeps only the number of rolled dice, because they may have shown anything before.
Every course found is then played forwards, so all results are legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from engine.dice import UNREAD, Faces, parts, rolls, union, without
from engine.errors import Illegal
from engine.games import Course
from engine.krone.cards import CARDS
from engine.krone.events import Event, Keep, Roll, Use
from engine.krone.rules import play
from engine.krone.state import State

MAX_CARDS = 2  # cards used in one course, by default
RAISED = {"noblewoman": 1, "nobleman": 2}  # pips that a card adds to any number of dice
EXCHANGED = {"philosopher": (2,), "alchemist": (2, 3)}  # numbers of dice among which a card moves pips
# The number of dice that a card changes at most, where this is limited; a card that adds a die counts as one.
_MAX_DICE = dict.fromkeys(("fool", "maid", "astronomer", "magician"), 1) | {"philosopher": 2, "alchemist": 3}
_MAX_DICE |= {card: 1 for card, one in CARDS.items() if one.ability == "add"}
ROLLED_AT_ONCE = 6  # recorded for a die that the Queen adds and the same course then rolls


class _Reroll(NamedTuple):
    """A card rerolls dice, whatever they showed before.

    Attributes:
        after: The faces of the rerolled dice.
        rest: Active dice that are not rerolled.
    """

    card: str
    after: Faces
    rest: Faces


_Act = Event | _Reroll
_Change = tuple[Faces | None, Faces, Faces]  # dice before (None: any), dice after, those after that were needed


class _Need(NamedTuple):
    """The dice that must be on the table before a series of acts.

    Attributes:
        faces: Faces that active dice must show before the acts.
        free: The number of other active dice, which a later act rolls, so they may show anything.
        aside: The dice to set aside after the acts.
        acts: The acts, in order.
        turned: Faces, after the acts, of the dice that cards turn before or in them; None if unknown.
    """

    faces: Faces
    free: int
    aside: Faces
    acts: tuple[_Act, ...] = ()
    turned: Faces | None = None

    @property
    def dice(self) -> int:
        """The number of active dice before the acts."""
        return len(self.faces) + self.free

    @property
    def done(self) -> tuple[_Act, ...]:
        """The acts, followed by setting dice aside."""
        return (*self.acts, Keep(self.aside)) if self.aside else self.acts


@lru_cache(maxsize=4096)
def explain(
    state: State,
    active: Faces,
    kept: Faces,
    cards: int = MAX_CARDS,
    roll_count: int | None = None,
    turned: Faces | None = None,
) -> tuple[Course, ...]:
    """Every course of the running turn with at most one roll and at most `cards` cards that leaves these dice.

    Dice are set aside as late as the rules allow. Courses with a needless card, or with a needlessly raised die, are
    left out. A die that is rolled twice is unread in between. A card used before the first roll is explained together
    with that roll.

    Args:
        active, kept: The dice on the table, as in `game.on_table`; 0 for an unread one.
        cards: The largest number of cards used.
        roll_count: The number of rolls, normal ones and those by cards; None if unknown.
        turned: Without rolls, the faces of the dice that cards turned, each once; None if unknown.

    Returns:
        The courses, those with fewer cards first.
    """
    aside = without(kept, state.turn.kept)
    if state.finished or aside is None:
        return ()
    if not (state.turn.rolled or active or kept):
        return (Course((), state),)
    added = len(active) + len(kept) - state.turn.dice
    own = dict.fromkeys(state.tableau(state.seat))
    able = ("add", "change") if roll_count == 0 else tuple(_CHANGES)
    usable = tuple(card for card in own if card not in state.turn.used and CARDS[card].ability in able)
    end = _Need(union(active, aside), 0, aside, turned=turned)
    found: dict[tuple[Event, ...], Course] = {}
    for count in range(max(0, added), cards + 1):
        ways = [*_by_hand(state, usable, count, end)]
        ways += _with_roll(state, usable, count, active, aside) if roll_count != 0 else ()
        for acts in ways:
            if roll_count in (None, sum(isinstance(act, Roll | _Reroll) for act in acts)):
                found |= {course.events: course for course in _played(state, acts)}
    return tuple(course for course in found.values() if not _needless(state, course))


def _by_hand(state: State, usable: Sequence[str], count: int, end: _Need) -> Iterator[tuple[_Act, ...]]:
    """Courses without a normal roll that use `count` of these cards."""
    if state.turn.rolled:
        uses = _before(end, usable, count, state.turn.kept, state.turn.active, len(state.turn.active))
        yield from (need.done for need, _ in uses)


def _with_roll(
    state: State, usable: Sequence[str], count: int, active: Faces, aside: Faces
) -> Iterator[tuple[_Act, ...]]:
    """Courses with a normal roll that use `count` of these cards, before or after it."""
    turn = state.turn
    for first in parts(aside)[1 if turn.duty else 0 :]:
        rest = _less(aside, first)
        end = _Need(union(active, rest), 0, rest)
        for later in range(count + 1):
            for rolled, unused in _before(end, usable, later, union(turn.kept, first), None, None):
                dice = union(rolled.faces, (UNREAD,) * rolled.free)
                start = _Need(first, len(dice), first)
                for need, _ in _before(start, unused, count - later, turn.kept, turn.active, state.to_roll):
                    if dice:
                        yield (*need.done, Roll(dice), *rolled.done)


def _before(
    need: _Need, usable: Sequence[str], count: int, kept: Faces, pool: Faces | None, dice: int | None
) -> Iterator[tuple[_Need, Sequence[str]]]:
    """Goes back over `count` uses of cards: the needs before the first one, and the cards left.

    Args:
        need: The need after the last use.
        usable: Cards that can be used, each once.
        kept: The dice set aside before the cards.
        pool: The active dice before the cards; None if they may show anything.
        dice: The number of active dice before the cards; None if unknown.
    """
    added = None if dice is None else need.dice - dice  # number of these cards that add a die
    if added is not None and not 0 <= added <= count:
        return
    missing = () if pool is None else _less(need.faces, pool)
    if need.turned is not None and len(_less(missing, need.turned)) > (added or 0):
        return
    if len(missing) > sum(sorted((_MAX_DICE.get(card, len(missing)) for card in usable), reverse=True)[:count]):
        return
    if not (count or need.turned):
        yield need, usable
    for card in usable if count else ():
        ability, others = CARDS[card].ability, tuple(other for other in usable if other != card)
        if added == (0 if ability == "add" else count):
            continue  # too many dice would be added, or too few
        must: Faces = ()
        if count == 1 and pool is not None:
            must, needless = missing, not missing and ability == "change"
            if needless or len(must) > _MAX_DICE.get(card, len(must)):
                continue
        for earlier in _undone(need, card, kept, must):
            yield from _before(earlier, others, count - 1, kept, pool, dice)


def _undone(need: _Need, card: str, kept: Faces, must: Faces) -> Iterator[_Need]:
    """The needs before this card is used. kept: as in `_before`; must: needed dice that the card has to lead to."""
    for before, after, taken in _CHANGES[CARDS[card].ability](card, need):
        if must and _less(must, taken):
            continue
        left, aside = _less(need.faces, taken), need.aside
        turned = _less(need.turned, taken) if need.turned and CARDS[card].ability == "change" else need.turned
        free = need.free - len(after) + len(taken)
        if before is None:
            acts: tuple[_Act, ...] = (_Reroll(card, after, left), *need.acts)
            free += len(after)
        else:
            acts = (Use(card, before, after if before or card == "queen" else ()), *need.acts)
        if card == "astronomer" and after[0] not in kept:  # the copied die must be set aside first
            if after[0] not in aside:
                continue
            acts, aside = (Keep(after), *acts), _less(aside, after)
        yield _Need(union(left, before or ()), free, aside, acts, turned)


def _added(card: str, need: _Need) -> Iterator[_Change]:
    pips = CARDS[card].pips
    for face in (pips,) if pips else dict.fromkeys((*need.faces, ROLLED_AT_ONCE)):
        if face in need.faces or need.free:
            yield (), (face,), (face,) if face in need.faces else ()


def _rerolled(card: str, need: _Need) -> Iterator[_Change]:
    if card == "fool":
        yield from ((None, (face,), (face,)) for face in dict.fromkeys(need.faces))
        yield from ((None, (UNREAD,), ()) for _ in range(min(1, need.free)))
        return
    for taken in parts(need.faces):
        for lost in range(0 if taken else 1, need.free + 1):
            yield None, (UNREAD,) * lost + taken, taken


def _turned(card: str, need: _Need) -> Iterator[_Change]:
    if card in RAISED:
        pips = RAISED[card]
        for taken in parts(need.faces if need.turned is None else need.turned)[1:]:
            if taken[0] > pips:
                yield tuple(face - pips for face in taken), taken, taken
        return
    befores = _exchanges(card)
    for after in befores if need.turned is None else parts(need.turned):
        taken = _less(after, _less(after, need.faces))
        if taken and len(after) - len(taken) <= need.free:
            yield from ((before, after, taken) for before in befores.get(after, ()))


@cache
def _exchanges(card: str) -> dict[Faces, tuple[Faces, ...]]:
    """Dice after → all that they may have been before, for a card that turns a fixed number of dice."""
    return {
        after: tuple(before for before in rolls(count) if _turns(card, before, after))
        for count in EXCHANGED.get(card, (1,))
        for after in rolls(count)
    }


def _turns(card: str, before: Faces, after: Faces) -> bool:
    """Whether a card that turns a fixed number of dice can turn `before` to `after`."""
    if set(before).intersection(after):
        return False
    more = sum(after) - sum(before)
    return more == 0 if card in EXCHANGED else 1 <= more <= 3 if card == "maid" else True


_CHANGES = {"add": _added, "reroll": _rerolled, "change": _turned}


def _less(first: Faces, second: Faces) -> Faces:
    """The dice of `first` that are not in `second`, as multisets."""
    rest = list(second)
    left = []
    for face in first:
        if face in rest:
            rest.remove(face)
        else:
            left.append(face)
    return tuple(left)


def _played(state: State, acts: Sequence[_Act], events: tuple[Event, ...] = ()) -> Iterator[Course]:
    """Plays the acts, for each choice of dice to reroll; illegal ones are left out."""
    if not acts:
        yield Course(events, state)
        return
    act = acts[0]
    choices: list[Event] = []
    if isinstance(act, _Reroll):
        spare = without(state.turn.active, act.rest) or ()
        choices += [Use(act.card, some, act.after) for some in parts(spare) if len(some) == len(act.after)]
    else:
        choices.append(act)
    for event in choices:
        try:
            then = play(state, state.seat, event)
        except Illegal:
            continue
        yield from _played(then, acts[1:], (*events, event))


def _needless(state: State, course: Course) -> bool:
    """Whether a simpler course leaves the same dice. This happens if dice changed by a card are rolled afterwards."""
    events = course.events
    last_roll = max((place for place, event in enumerate(events) if _rolls_dice(event)), default=0)
    return any(
        _reaches(state, (*events[:place], *simpler, *events[place + 1 :]), course.state)
        for place, event in enumerate(events[:last_roll])
        if isinstance(event, Use)
        for simpler in _simpler(event)
    )


def _rolls_dice(event: Event) -> bool:
    return isinstance(event, Roll) or (isinstance(event, Use) and CARDS[event.card].ability == "reroll")


def _simpler(use: Use) -> Iterator[tuple[Use, ...]]:
    """Simpler forms of a card use: none at all, one die fewer, or a fixed face for a die that is rolled again."""
    if CARDS[use.card].ability == "change":
        yield ()
    if use.card in RAISED and len(use.before) > 1:
        for i in range(len(use.before)):  # both are sorted, and raising keeps the order
            yield (Use(use.card, use.before[:i] + use.before[i + 1 :], use.after[:i] + use.after[i + 1 :]),)
    if use.card == "queen" and use.after != (ROLLED_AT_ONCE,):
        yield (Use(use.card, (), (ROLLED_AT_ONCE,)),)
    if CARDS[use.card].ability == "reroll":
        for face in set(use.after) - {UNREAD}:
            yield (Use(use.card, use.before, (UNREAD, *_less(use.after, (face,)))),)


def _reaches(state: State, events: Sequence[Event], end: State) -> bool:
    """Whether these events are legal and leave the same dice."""
    try:
        for event in events:
            state = play(state, state.seat, event)
    except Illegal:
        return False
    return (state.turn.active, state.turn.kept) == (end.turn.active, end.turn.kept)
