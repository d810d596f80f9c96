"""The hidden state: what has happened in the running turn, and which dice lie where on the table showing what.

What happened is told of dice by name ("variables"): a variable is what one die shows from the throw (or the card) that
made it so until it is thrown or turned again. All lies of the die in that time are evidence for it. So a face that
turns out to be another is put right in the whole history at once, as far as the rules allow that history then.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.game.referee.observation import Stay
from companion.game.referee.priors import PRIORS
from companion.game.referee.purchases import Purchase
from engine.errors import Illegal
from engine.games import Event

if TYPE_CHECKING:
    from companion.game.referee.transitions import Transitions

DELAY_SECONDS = 0.3  # by which one die may be seen later than another that came at the same time


class Zone(IntEnum):
    """Where a die of the running turn lies: in play, set aside since the last throw, set aside before it."""

    ACTIVE = 0
    ASIDE = 1
    KEPT = 2


class Die(NamedTuple):
    """One die of the running turn. var: what it shows; lie: where it was seen last; seen: it is seen now; out: log
    chance that counts already for its being out of sight."""

    var: int
    zone: Zone
    stay: Stay | None = None
    seen: bool = False
    out: float = 0.0


class Act(NamedTuple):
    """One event, its dice as variables. throws: dice are thrown in it, or it says that they are not thrown any more:
    it is told as soon as it is seen, and what hands do after it only when that is final."""

    seat: str
    verb: str  # roll, keep, use, buy, pass, stop
    card: str = ""
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    throws: bool = False


@dataclass(frozen=True, slots=False, eq=False)
class Hypothesis:
    """One way all that has been seen since `base` may have come about.

    habits: of the game; state: the position after `acts`; dice set aside since the last throw are still active in it.
    faces, links: of each variable what it shows and the lies that showed it; prior: log chance of all that happened,
    without what the dice look like; step: what the last scene added to it; habit: so much of that because people seldom
    do it; idle: lies that are no dice of the game; pending: variables of dice that were turned by a card nobody has
    named yet, before and after; cleared: the table was empty since the last throw; hard: variables about which a
    person's word is given; bought: purchases before `base` nobody has entered; waiting: not all is known yet that is
    needed to say what was thrown: the next look tells; marked: what the cards on the table add to `prior`; uses: cards
    used, and when that was first seen; upright: those that were not turned afterwards; throws: how many vision would
    expect if it had seen all of these; suspended: what rests there since the last act is not this game;
    missed: it was so in the middle of this turn, so something of the turn may not have been seen.
    """

    transitions: Transitions
    base: Any
    state: Any
    acts: tuple[Act, ...] = ()
    faces: tuple[int, ...] = ()
    stays: tuple[tuple[Stay, ...], ...] = ()
    dice: tuple[Die, ...] = ()
    log_prior: float = 0.0
    step_log_chance: float = 0.0
    habit_log_chance: float = 0.0
    idle: frozenset[Stay] = frozenset()
    pending: tuple[tuple[int, int], ...] = ()
    cleared: bool = False
    confirmed: frozenset[int] = frozenset()
    bought: tuple[Purchase, ...] = ()
    waiting: bool = False
    marked: float = 0.0
    uses: tuple[tuple[str, float], ...] = ()
    upright: frozenset[str] = frozenset()
    throws: float | None = None
    suspended: bool = False
    missed: bool = False

    def replace(self, **changes: Any) -> Hypothesis:
        """The same with these fields otherwise: `dataclasses.replace` by hand, which the search needs fast."""
        other = object.__new__(Hypothesis)
        other.__dict__.update(self.__dict__)
        for worked_out in ("texts", "thrown", "order"):
            other.__dict__.pop(worked_out, None)
        other.__dict__.update(changes)
        return other

    def weighted(self, cost: float) -> Hypothesis:
        """The same, less or more likely."""
        return (
            self.replace(log_prior=self.log_prior + cost, step_log_chance=self.step_log_chance + cost) if cost else self
        )

    def unusual(self, cost: float) -> Hypothesis:
        """The same, less likely because people seldom do that."""
        return self.weighted(cost).replace(habit_log_chance=self.habit_log_chance + cost) if cost else self

    @property
    def fit(self) -> float:
        """Log chance of the last scene looking as it does, whatever people have done."""
        return self.step_log_chance - self.habit_log_chance

    @property
    def evidence(self) -> float:
        """Log chance of what the dice look like, and of the order in which they came to lie there."""
        total = self.order
        for face, stays in zip(self.faces, self.stays, strict=True):
            for stay in stays:
                total += stay.log_chances[face]
        return total

    def values(self, names: Iterable[int]) -> tuple[int, ...]:
        """What these variables show, as Faces."""
        return tuple(sorted(self.faces[name] for name in names))

    def event(self, act: Act) -> Event:
        """The engine's event of an act."""
        return _event(self.transitions, act.verb, act.card, *self._shown(act))

    def then(self, act: Act, cost: float = 0.0) -> Hypothesis | None:
        """With one more event, None where the rules do not allow it."""
        try:
            state = self.transitions.game.play(self.state, act.seat, self.event(act))
        except Illegal:
            return None
        return self.unusual(cost).replace(state=state, acts=(*self.acts, act))

    @cached_property
    def order(self) -> float:
        """Log chance of the dice having come to lie there in the order that is told, as far as that was seen."""
        total, latest = 0.0, -math.inf  # … when what was told last had not happened yet
        for act in (*self.acts, Act("", "use", after=tuple(new for _, new in self.pending))):
            aside = act.verb == "keep"
            stays = [stay for name in act.after for stay in self._came(name, aside)]
            late = 0.0 if act.throws else DELAY_SECONDS  # dice roll for longer than one is seen late
            if not aside and any(stay.began + late < latest for stay in stays):
                total += PRIORS.ghost
            latest = max([latest, *(stay.last_empty for stay in stays)])
        return total

    def _came(self, name: int, aside: bool) -> tuple[Stay, ...]:
        """Where this die came to lie as it is, or, `aside`, where it was put first; none where it stayed, or was thrown
        to where it lay."""
        if aside:
            return self.stays[name][1:2]
        return tuple(stay for stay in self.stays[name][:1] if not any(stay in old for old in self.stays[:name]))

    def with_variable(self, face: int, stay: Stay | None) -> tuple[Hypothesis, int]:
        """With one more variable; its name."""
        stays = (*self.stays, () if stay is None else (stay,))
        return self.replace(faces=(*self.faces, face), stays=stays), len(self.faces)

    def replayed(self, base: Any = None) -> Hypothesis | None:
        """The same acts played anew, from another position if one is given; None where the rules do not allow them."""
        begun = state = self.base if base is None else base
        try:
            for act in self.acts:
                state = self.transitions.game.play(state, act.seat, self.event(act))
        except Illegal:
            return None
        return self.replace(base=begun, state=state)

    def showing(self, name: int, face: int) -> Hypothesis | None:
        """With one die having shown this all the time."""
        if name in self.confirmed:
            return None
        faces = (*self.faces[:name], face, *self.faces[name + 1 :])
        return self.replace(faces=faces).replayed()

    def set_aside(self) -> tuple[int, ...]:
        """The variables of the dice set aside since the last throw."""
        return tuple(die.var for die in self.dice if die.zone is Zone.ASIDE)

    def kept(self, names: tuple[int, ...]) -> Hypothesis | None:
        """With these dice set aside for good; the same when there are none."""
        if not names:
            return self
        done = self.then(Act(self.state.seat, "keep", after=names))
        if done is None:
            return None
        dice = tuple(die._replace(zone=Zone.KEPT) if die.var in names else die for die in self.dice)
        return done.replace(dice=dice)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Its events as a record writes them, one for one act."""
        return tuple(_text(self.transitions, act.seat, act.verb, act.card, *self._shown(act)) for act in self.acts)

    def _shown(self, act: Act) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.values(act.before), self.values(act.after)

    @cached_property
    def thrown(self) -> int:
        """So many of the acts lead up to and include the last throw."""
        return max((place + 1 for place, act in enumerate(self.acts) if act.throws), default=0)

    @property
    def unread(self) -> int:
        """Dice of the last throw that nobody has seen."""
        acts = self.acts[: self.thrown]
        return sum(not self.stays[name] for name in acts[-1].after) if acts else 0


@lru_cache(maxsize=4096)
def _event(transitions: Transitions, verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    return transitions.event(verb, card, before, after)


@lru_cache(maxsize=4096)
def _text(
    transitions: Transitions, seat: str, verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]
) -> str:
    return f"{seat} {transitions.game.event_text(_event(transitions, verb, card, before, after))}"


@lru_cache(maxsize=4096)
def merged(one: str, other: str) -> str:
    """Two lines of dice set aside as one."""
    dice = (one[7:] + " " + other[7:]).split()
    dice.sort(key=lambda d: (d == "?", -int(d) if d != "?" else 0))
    return f"{one[0]} keep {' '.join(dice)}"


def joins(one: str, other: str) -> bool:
    """Whether a record writes these two lines as one."""
    return one[1:7] == " keep " == other[1:7] and one[0] == other[0]


def lines(texts: Iterable[str]) -> tuple[str, ...]:
    """Events as lines of a record: dice set aside one after the other make one line."""
    found: list[str] = []
    for text in texts:
        if found and joins(found[-1], text):
            found[-1] = merged(found[-1], text)
        else:
            found.append(text)
    return tuple(found)


def without_keeps(texts: Iterable[str]) -> tuple[str, ...]:
    """Without what was set aside."""
    return tuple(text for text in texts if text[1:7] != " keep ")
