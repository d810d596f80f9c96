"""The hidden state: what happened in the running turn, and which dice rest where and show what.

Events name dice by *variables*. A variable is the face of one die from the roll or card that set it until the die is
rolled or turned again. All stays of the die in that time are evidence for it. If a face is
corrected, it changes in the whole history at once, provided the rules still allow that history.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.game.moves import Move, Moves, as_lines
from companion.game.referee.priors import PRIORS
from companion.game.referee.stays import Stay
from engine.errors import Illegal
from engine.games import Event

if TYPE_CHECKING:
    from companion.game.referee.transitions import Transitions

DELAY_SECONDS = 0.3  # of two dice that arrive together, one may be seen this much later


class Zone(IntEnum):
    """The zone of a die in the running turn: in play, set aside since the last roll, or set aside before it."""

    ACTIVE = 0
    ASIDE = 1
    KEPT = 2


class Die(NamedTuple):
    """One die of the running turn.

    Attributes:
        var: The variable of its face.
        stay: Its current or last stay.
        seen: It is seen now.
        unseen_cost: Log chance already counted for being out of sight.
    """

    var: int
    zone: Zone
    stay: Stay | None = None
    seen: bool = False
    unseen_cost: float = 0.0


class Purchase(NamedTuple):
    """One purchase.

    Attributes:
        event: Seat and text.
        at: Its place in the record, once those before it are made.
    """

    event: str
    at: int


class Act(NamedTuple):
    """One event, with its dice as variables.

    Attributes:
        verb: roll, keep, use, buy, pass or stop.
        rolls: The event rolls dice or ends the rolling, so it is reported as soon as it is seen. Other events are
            reported once they are final.
    """

    seat: str
    verb: str  # roll, keep, use, buy, pass, stop
    card: str = ""
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    rolls: bool = False


@dataclass(frozen=True, slots=False, eq=False)
class Hypothesis:
    """One history that may explain everything seen since `base`.

    Attributes:
        transitions: The transition model of the game.
        base, state: The positions before and after `acts`. Dice set aside since the last roll are still active in
            `state`.
        faces, stays: The face of each variable, and the stays that showed it.
        dice: The dice of the running turn.
        log_prior: Log chance of the events, without the faces read.
        step_log_chance: Log chance that the last snapshot added.
        idle: Stays of dice that are not part of the game.
        pending: Variables, before and after, of dice turned by a card that is not known yet.
        cleared: The table was empty since the last roll.
        confirmed: Variables whose face a person has given.
        bought: Purchases before `base` that no player has entered.
        waiting: Only the next snapshot will show which dice were rolled.
        marked: Part of `log_prior` that is due to the cards seen.
        uses: Cards used, with the seconds when the use was first seen.
        upright: Used cards that were not turned on the table.
        suspended: The dice on the table since the last act are not part of this game.
        missed: The game was suspended in the middle of this turn, so a part of the turn may not have been seen.
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
    idle: frozenset[Stay] = frozenset()
    pending: tuple[tuple[int, int], ...] = ()
    cleared: bool = False
    confirmed: frozenset[int] = frozenset()
    bought: tuple[Purchase, ...] = ()
    waiting: bool = False
    marked: float = 0.0
    uses: tuple[tuple[str, float], ...] = ()
    upright: frozenset[str] = frozenset()
    suspended: bool = False
    missed: bool = False

    def replace(self, **changes: Any) -> Hypothesis:
        """A copy with these fields changed; much faster than `dataclasses.replace`, which the search would notice."""
        other = object.__new__(Hypothesis)
        other.__dict__.update(self.__dict__)
        for cached in ("moves", "last_roll_end", "order"):
            other.__dict__.pop(cached, None)
        other.__dict__.update(changes)
        return other

    def weighted(self, cost: float) -> Hypothesis:
        """A copy whose log chance is changed by `cost`."""
        return (
            self.replace(log_prior=self.log_prior + cost, step_log_chance=self.step_log_chance + cost) if cost else self
        )

    @property
    def evidence(self) -> float:
        """Log chance of the faces read and of the order in which dice came to rest."""
        total = self.order
        for face, stays in zip(self.faces, self.stays, strict=True):
            for stay in stays:
                total += stay.log_chances[face]
        return total

    def values(self, names: Iterable[int]) -> tuple[int, ...]:
        """The faces of these variables, sorted."""
        return tuple(sorted(self.faces[name] for name in names))

    def event(self, act: Act) -> Event:
        """The engine's event for an act."""
        return _event(self.transitions, act.verb, act.card, *self._shown(act))

    def then(self, act: Act, cost: float = 0.0) -> Hypothesis | None:
        """A copy with one more event; None if the rules do not allow it."""
        try:
            state = self.transitions.game.play(self.state, act.seat, self.event(act))
        except Illegal:
            return None
        return self.weighted(cost).replace(state=state, acts=(*self.acts, act))

    @cached_property
    def order(self) -> float:
        """Log chance of the order in which the dice came to rest, given the order of the acts."""
        total, latest = 0.0, -math.inf  # latest: time of the acts so far
        for act in (*self.acts, Act("", "use", after=tuple(new for _, new in self.pending))):
            aside = act.verb == "keep"
            stays = [stay for name in act.after for stay in self._arrival_stays(name, aside)]
            delay = 0.0 if act.rolls else DELAY_SECONDS  # a roll takes longer than any delay of detection
            if not aside and any(stay.began + delay < latest for stay in stays):
                total += PRIORS.ghost
            latest = max([latest, *(stay.last_empty for stay in stays)])
        return total

    def _arrival_stays(self, name: int, aside: bool) -> tuple[Stay, ...]:
        """The stays in which the die arrived with this face; with `aside`, the stay in which it was set aside.

        Empty for a die that did not move or was rolled back to its place.
        """
        if aside:
            return self.stays[name][1:2]
        return tuple(stay for stay in self.stays[name][:1] if not any(stay in old for old in self.stays[:name]))

    def with_variable(self, face: int, stay: Stay | None) -> tuple[Hypothesis, int]:
        """A copy with one more variable, and the variable's name."""
        stays = (*self.stays, () if stay is None else (stay,))
        return self.replace(faces=(*self.faces, face), stays=stays), len(self.faces)

    def replayed(self, base: Any = None) -> Hypothesis | None:
        """A copy with the same acts replayed from `base`, or from another position; None where the rules do not allow
        them."""
        begun = state = self.base if base is None else base
        try:
            for act in self.acts:
                state = self.transitions.game.play(state, act.seat, self.event(act))
        except Illegal:
            return None
        return self.replace(base=begun, state=state)

    def showing(self, name: int, face: int) -> Hypothesis | None:
        """A copy in which one variable has another face; None if that is impossible."""
        if name in self.confirmed:
            return None
        faces = (*self.faces[:name], face, *self.faces[name + 1 :])
        return self.replace(faces=faces).replayed()

    def set_aside(self) -> tuple[int, ...]:
        """The variables of the dice set aside since the last roll."""
        return tuple(die.var for die in self.dice if die.zone is Zone.ASIDE)

    def kept(self, names: tuple[int, ...]) -> Hypothesis | None:
        """A copy with these dice set aside for good; the hypothesis itself where there are none."""
        if not names:
            return self
        done = self.then(Act(self.state.seat, "keep", after=names))
        if done is None:
            return None
        dice = tuple(die._replace(zone=Zone.KEPT) if die.var in names else die for die in self.dice)
        return done.replace(dice=dice)

    @cached_property
    def moves(self) -> Moves:
        """The events of the turn, one for each act."""
        return tuple(_move(self.transitions, act.seat, act.verb, act.card, *self._shown(act)) for act in self.acts)

    @property
    def lines(self) -> Moves:
        """The events of the turn as the record writes them."""
        return as_lines(self.transitions.game, self.moves)

    def _shown(self, act: Act) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.values(act.before), self.values(act.after)

    @cached_property
    def last_roll_end(self) -> int:
        """The number of acts up to and including the last roll."""
        return max((place + 1 for place, act in enumerate(self.acts) if act.rolls), default=0)

    @property
    def unread(self) -> int:
        """The number of dice of the last roll that were never seen."""
        acts = self.acts[: self.last_roll_end]
        return sum(not self.stays[name] for name in acts[-1].after) if acts else 0


@lru_cache(maxsize=4096)
def _event(transitions: Transitions, verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]) -> Event:
    return transitions.event(verb, card, before, after)


@lru_cache(maxsize=4096)
def _move(
    transitions: Transitions, seat: str, verb: str, card: str, before: tuple[int, ...], after: tuple[int, ...]
) -> Move:
    return Move(seat, _event(transitions, verb, card, before, after))
