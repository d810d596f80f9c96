"""The belief: the likeliest histories of the running turn, side by side.

Each snapshot takes every hypothesis to all that may have followed. Equal futures are merged and unlikely ones dropped.
Snapshots are kept, so that the turn can be filtered again under a condition, such as a person's answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush, heappushpop
from itertools import count

from companion.game.moves import Move, Moves, without_keeps
from companion.game.referee.card_marks import CardMarks, due, forgotten, marked
from companion.game.referee.model import Hypothesis
from companion.game.referee.stays import Snapshot, Stay
from companion.game.referee.successors import Branch, successors

MAX_HYPOTHESES = 50  # hypotheses kept
ENOUGH = 2 * MAX_HYPOTHESES  # hypotheses to find, so that enough are left after merging
DROPPED = 12.0  # log odds against the likeliest from which a hypothesis is dropped
WORST = 30.0  # log odds from which nothing is tried, even if nothing else is found
MAX_TRIES = 500  # sets of rolled dice and hypotheses to try for one snapshot, the likeliest first


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that the events of a hypothesis must satisfy. Both attributes are events without dice set aside.

    Attributes:
        wanted: How its events must begin.
        unwanted: How they must not begin.
    """

    wanted: Moves = ()
    unwanted: Moves | None = None

    def holds(self, moves: Iterable[Move]) -> bool:
        """Whether these events satisfy it, or still may after further events."""
        explained = without_keeps(moves)
        if explained[: len(self.wanted)] != self.wanted[: len(explained)]:
            return False
        return self.unwanted is None or explained[: len(self.unwanted)] != self.unwanted

    def shown(self, place: int) -> tuple[int, ...]:
        """The faces after the wanted event at this place; empty where none is wanted."""
        return tuple(face for face in self.wanted[place].shows if face) if place < len(self.wanted) else ()


@dataclass(frozen=True, slots=True)
class Weighed:
    """A hypothesis with its log chance (up to a common constant) and its chance among all hypotheses."""

    hypothesis: Hypothesis
    score: float
    chance: float


class Belief:
    """Hypotheses about one turn, and the snapshots they explain."""

    def __init__(self, begun: Iterable[Hypothesis], snapshot: Snapshot | None = None) -> None:
        """Starts a belief.

        Args:
            begun: The hypotheses at the start of the turn.
            snapshot: The dice on the table at that time.
        """
        self.begun = tuple(begun)
        self.hypotheses = self.begun
        self.first = snapshot
        self.snapshots: list[Snapshot] = []
        self.marks: CardMarks | None = None  # what is seen of the cards
        self.due = math.inf  # seconds when unchanged cards will add evidence
        self.waiting = False  # the last snapshot is no evidence until more is known
        self._ranked: tuple[Weighed, ...] | None = None

    @property
    def snapshot(self) -> Snapshot | None:
        """The last snapshot."""
        return self.snapshots[-1] if self.snapshots else self.first

    def update(self, snapshot: Snapshot, condition: Condition | None = None) -> bool:
        """Advances every hypothesis to this snapshot. If none explains it, nothing changes and the result is False."""
        found = pruned(_stepped(self.hypotheses, snapshot, self.snapshot, condition))
        self.waiting = bool(found) and found[0].waiting
        if not found or self.waiting:
            return False
        self.snapshots.append(snapshot)
        self.keep(h for h in found if not h.waiting)
        self._mark(snapshot.seconds)
        return True

    def see_cards(self, marks: CardMarks, seconds: float) -> None:
        """Weighs the hypotheses by what is seen of the cards."""
        if self.marks is not None and self.marks.seat != marks.seat:
            self.keep(forgotten(h) for h in self.hypotheses)
        self.marks = marks
        self._mark(seconds)

    def _mark(self, seconds: float) -> None:
        if self.marks is not None:
            marks = self.marks
            self.keep(sorted((marked(h, marks, seconds) for h in self.hypotheses), key=_score, reverse=True))
            self.due = min((due(h, marks, seconds) for h in self.hypotheses), default=math.inf)

    def add(self, hypotheses: Iterable[Hypothesis]) -> None:
        """Adds hypotheses about the time before the last snapshot, and advances them to it."""
        before = self.snapshots[-2] if len(self.snapshots) > 1 else self.first
        more = _stepped(
            hypotheses, self.snapshots[-1], before, None, max(map(_score, self.hypotheses), default=-math.inf)
        )
        self.keep(pruned([*((_score(h), h) for h in self.hypotheses), *more]))

    def reread_dice(self) -> bool:
        """Weighs the hypotheses by the newest readings of the same dice. Returns whether a die may show another face
        than believed."""
        self._ranked = None
        more = [other for h in self.hypotheses for other in reread(h)]
        if more:
            self.hypotheses = pruned((h.log_prior + h.evidence, h) for h in (*self.hypotheses, *more))
        return bool(more)

    def keep(self, hypotheses: Iterable[Hypothesis]) -> None:
        """Replaces the hypotheses."""
        self.hypotheses, self._ranked = tuple(hypotheses), None

    def copied(self) -> Belief:
        """A copy, to be used after this belief has advanced."""
        other = Belief(self.begun, self.first)
        other.hypotheses, other.snapshots, other.marks = self.hypotheses, list(self.snapshots), self.marks
        return other

    def rebased(self, hypotheses: Iterable[Hypothesis], state: object, first: int) -> None:
        """Restarts from this position with these hypotheses and forgets the snapshots before number `first`."""
        self.keep(map(forgotten, hypotheses))
        before = self.snapshots[first - 1] if first else self.first
        idle = frozenset(() if before is None else (sighting.stay for sighting in before.sightings))
        self.begun = (Hypothesis(self.begun[0].transitions, state, state, idle=idle, cleared=True),)
        self.first, self.snapshots = before, self.snapshots[first:]

    @property
    def ranked(self) -> tuple[Weighed, ...]:
        """The hypotheses, the likeliest first."""
        if self._ranked is None:
            scored = sorted(((h.log_prior + h.evidence, h) for h in self.hypotheses), key=lambda one: -one[0])
            weights = [math.exp(score - scored[0][0]) for score, _ in scored]
            total = sum(weights)
            self._ranked = tuple(
                Weighed(h, score, weight / total) for (score, h), weight in zip(scored, weights, strict=True)
            )
        return self._ranked

    @property
    def playing(self) -> tuple[Weighed, ...]:
        """The hypotheses in which the game goes on, the likeliest first; all if there are none."""
        return tuple(one for one in self.ranked if not one.hypothesis.suspended) or self.ranked

    @property
    def suspended(self) -> float:
        """The chance, 0..1, that the dice on the table are not part of this game."""
        return sum(one.chance for one in self.ranked if one.hypothesis.suspended)

    @property
    def idle(self) -> frozenset[Stay]:
        """Stays that are more likely not part of the game than part of it."""
        chances: Counter[Stay] = Counter()
        for one in self.ranked:
            for stay in one.hypothesis.idle:
                chances[stay] += one.chance  # type: ignore[assignment]
        return frozenset(stay for stay, chance in chances.items() if chance > 0.5)

    def replayed(self, begun: Sequence[Hypothesis], condition: Condition) -> Belief:
        """The belief after filtering its snapshots again under a condition."""
        refiltered = Belief(begun, self.first)
        for snapshot in self.snapshots:
            if not refiltered.update(snapshot, condition):
                refiltered.keep(())
        if self.marks is not None:
            refiltered.see_cards(self.marks, self.snapshots[-1].seconds if self.snapshots else 0.0)
        return refiltered


def _score(h: Hypothesis) -> float:
    return h.log_prior + h.evidence


def _stepped(
    hypotheses: Iterable[Hypothesis],
    snapshot: Snapshot,
    before: Snapshot | None,
    condition: Condition | None,
    top: float = -math.inf,
) -> list[tuple[float, Hypothesis]]:
    """The successors with their log chances, by a best-first search. top: the best log chance known already."""
    found: list[tuple[float, Hypothesis]] = []
    best: list[float] = []  # the largest log chances found, as a heap
    scored = [(_score(h), h) for h in hypotheses]
    top = max([top, *(score - WORST + DROPPED for score, _ in scored)])
    queue: list[tuple[float, int, float, Callable[[float], Iterable[Hypothesis | Branch]]]]
    queue = [(-score, i, score, partial(successors, h, snapshot, before)) for i, (score, h) in enumerate(scored)]
    heapify(queue)
    numbers = count(len(queue))
    tried = 0
    while queue and tried < MAX_TRIES:
        least = max(top - DROPPED, best[0] if len(best) == ENOUGH else -math.inf)
        bound, _, score, follow = heappop(queue)
        if -bound < least:
            break
        tried += 1
        for one in follow(least - score):
            if isinstance(one, Branch):
                heappush(queue, (-score - one.bound, next(numbers), score, one.follow))
                continue
            if (tried := tried + 1) > MAX_TRIES:
                break
            for other in (one,) if condition is None else _agreeing_with(one, condition):
                found.append((_score(other), other))
                top = max(top, found[-1][0])
                (heappushpop if len(best) == ENOUGH else heappush)(best, found[-1][0])
    return found


def _agreeing_with(h: Hypothesis, condition: Condition) -> Iterator[Hypothesis]:
    """The hypothesis, or copies with another face in its last roll, as far as they satisfy the condition."""
    if condition.holds(h.moves):
        if not h.suspended or len(without_keeps(h.moves)) >= len(condition.wanted):
            yield h
        return
    if not h.last_roll_end or not condition.holds(h.moves[: h.last_roll_end - 1]):
        return
    act = h.acts[h.last_roll_end - 1]
    wanted = condition.shown(len(without_keeps(h.moves[: h.last_roll_end])) - 1)
    out, into = Counter(h.faces[name] for name in act.after), Counter(wanted)
    if wanted:
        changes = [(face, other) for face in out - into for other in into - out] if (out - into).total() == 1 else []
    else:  # any other face
        changes = [(face, other) for face in out for other in range(1, 7) if other != face]
    for name, instead in ((name, other) for name in act.after for face, other in changes if h.faces[name] == face):
        other = h.showing(name, instead)
        if other is not None and condition.holds(other.moves):
            yield other


def reread(h: Hypothesis) -> Iterator[Hypothesis]:
    """Copies in which one die shows the face that its readings together suggest."""
    for name, stays in enumerate(h.stays):
        if name in h.confirmed or all(stay.value == h.faces[name] for stay in stays):
            continue
        sums = [sum(stay.log_chances[face] for stay in stays) for face in range(1, 7)]
        best = max(range(6), key=sums.__getitem__) + 1
        if best != h.faces[name] and (other := h.showing(name, best)) is not None:
            yield other


def pruned(found: Iterable[tuple[float, Hypothesis]]) -> tuple[Hypothesis, ...]:
    """The likeliest hypotheses, equal futures merged, from pairs of log chance and hypothesis."""
    scored = sorted(found, key=lambda one: -one[0])
    kept: dict[object, Hypothesis] = {}
    for score, h in scored:
        if score < scored[0][0] - DROPPED or len(kept) >= MAX_HYPOTHESES:
            break
        positions = _positions(h)
        key = (h.state, without_keeps(h.moves), positions, h.idle, h.cleared, len(h.pending), h.waiting, h.suspended)
        kept.setdefault(key, h)
    return tuple(kept.values())


def _positions(h: Hypothesis) -> frozenset[object]:
    return frozenset((die.stay.number if die.stay else place, die.zone, die.seen) for place, die in enumerate(h.dice))
