"""The groups that a player reaches in the final round, and their probabilities.

Groups form a ladder: seven 1s, seven 2s … seven 6s, eight 1s, … (rungs 0, 1, …). A player's reach is the probability of
each rung or a higher one, under best play for that rung. It prices purchases and win probabilities many times a turn,
so for large turns some rungs are solved and the others interpolated. The odds shown to players come from `odds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate

from engine.krone.advice.goals import Goal, Kind, Threshold
from engine.krone.advice.kernel import MAX_CARDS, Numbers
from engine.krone.advice.odds import chances
from engine.krone.advice.tables import affordable, tables, value
from engine.krone.advice.turn_position import MAX_DICE, Position
from engine.krone.cards import CARDS
from engine.krone.state import Rules

SEVEN = 7
MAX_CELLS = 2.5e7  # of the tables for one rung or six: about a second
_CHEAP = 2e5  # up to this size every rung is solved
_NEGLIGIBLE = 1e-4  # larger groups are skipped if this count is rarer
_LIKELY = 0.02  # a count at least this likely shows how its faces interpolate
_ONE_MORE = 7  # one more die counts as the face after 6
# Faces solved in addition to the lowest in a count that is not fully solved. The others were interpolated within 1.8
# percentage points, or within 8.3.
CLOSELY, ROUGHLY = (5, 6), ()
_MAX_CACHED = 20_000

Reach = tuple[float, ...]  # probability of rung k or above; beyond the last one it is 0
Expired = Callable[[], bool] | None
_cache: dict[tuple[object, ...], Reach] = {}  # cache: the tableaux of a game recur every turn


def rung(count: int, face: int) -> int:
    """The index on the ladder of `count` dice showing `face`."""
    return (count - SEVEN) * 6 + face - 1


def group(place: int) -> tuple[int, int]:
    """(count, face) of this rung."""
    return SEVEN + place // 6, place % 6 + 1


def reach(
    cards: Iterable[str], rules: Rules, first: int = 0, expired: Expired = None, solved: tuple[int, ...] = CLOSELY
) -> Reach:
    """The reach of a turn with these cards, from before the first roll.

    Args:
        first: Rungs below it are skipped and count as certain.
        solved: For a count whose six rungs are not all solved, the other faces solved: CLOSELY or ROUGHLY.

    Raises:
        Expired: The deadline came first.
    """
    cards = tuple(sorted(cards))
    key = (cards, rules, first, solved)
    return _cached(key, lambda: reach_from(Position.begin(cards, rules), first, expired, solved))


def challenge(
    cards: Iterable[str], rules: Rules, threshold: int, holds: Sequence[float], expired: Expired = None
) -> float:
    """The win probability in the final round with these cards against this threshold, under optimal play.

    Args:
        holds: For every rung, the probability that a group there survives all later players.
    """
    position = Position.begin(tuple(sorted(cards)), rules)
    return _cached(_key(position, threshold, holds), lambda: (challenge_from(position, threshold, holds, expired),))[0]


def challenges(
    cards: tuple[str, ...],
    others: Sequence[tuple[str, ...]],
    rules: Rules,
    threshold: int,
    holds: Sequence[float],
    expired: Expired = None,
) -> list[float]:
    """`challenge` for each of these other tableaux, most of which have one card more than `cards`. Turns that differ
    in one extra card are solved together, because their tables mostly coincide."""
    own = Position.begin(tuple(sorted(cards)), rules)
    found = [Position.begin(tuple(sorted(other)), rules) for other in others]
    for die_more in (False, True):
        alike = {position: _one_more(own, position, die_more) for position in found}
        _challenge_together(
            own, {p: card for p, card in alike.items() if card is not None}, die_more, threshold, holds, expired
        )
    return [challenge(position.cards, rules, threshold, holds, expired) for position in found]


def _one_more(own: Position, position: Position, die_more: bool) -> tuple[str, ...] | None:
    """The extra usable card of this turn over `own`, if there is at most one and it adds a die (or none, as
    `die_more` says); else None."""
    cards = tuple(card for card in position.unused if card not in own.unused)
    dice = position.hand - own.hand + any(CARDS[card].ability == "add" for card in cards)
    return cards if dice == die_more and len(cards) + position.hand - own.hand <= 1 else None


def _challenge_together(
    own: Position,
    alike: Mapping[Position, tuple[str, ...]],
    die_more: bool,
    threshold: int,
    holds: Sequence[float],
    expired: Expired,
) -> None:
    """Caches the challenges of these turns, unless their common tables would be too large."""
    keys = {position: _key(position, threshold, holds) for position in alike}
    least, most = group(threshold + 1), own.most + die_more
    either = list(dict.fromkeys(card for cards in alike.values() for card in cards))
    fits = (1 + len(either)) << len(own.unused) <= 1 << MAX_CARDS and most <= MAX_DICE
    if not either or not fits or most < least[0] or all(key in _cache for key in keys.values()):
        return
    with tables(own, [_ladder(*least)], groups=_group_values(threshold, holds), alternatives=either) as turn:
        if turn.cells <= MAX_CELLS:
            turn.solve(Numbers.SINGLE, expired)
            for position, key in keys.items():
                _cached(key, lambda position=position: (float(value(turn, 0, position)),))  # type: ignore[misc]


def challenge_from(position: Position, threshold: int, holds: Sequence[float], expired: Expired = None) -> float:
    """The win probability as from `challenge`, from any position of a turn; for a turn with too many cards a guaranteed
    lower bound."""
    least = group(threshold + 1)
    if least[0] > position.most:
        return 0.0
    turn, solved, _ = affordable(position, [_ladder(*least)], MAX_CELLS, groups=_group_values(threshold, holds))
    with turn:
        turn.solve(Numbers.SINGLE, expired)
        return float(value(turn, 0, solved))


def _key(position: Position, threshold: int, holds: Sequence[float]) -> tuple[object, ...]:
    return position.cards, position.rules, threshold, tuple(round(chance, 9) for chance in holds)


def _ladder(count: int, face: int) -> Goal:
    return Goal(Kind.LADDER, _at_least(count, face).need)


def _group_values(threshold: int, holds: Sequence[float]) -> dict[tuple[int, int], float]:
    return {group(place): chance for place, chance in enumerate(holds) if place > threshold}


def reach_from(position: Position, first: int, expired: Expired = None, solved: tuple[int, ...] = CLOSELY) -> Reach:
    """The reach from any position of a turn; rungs below `first` are skipped and count as certain."""
    most = position.most
    fewest, lowest = group(first)
    if fewest > most:
        return (1.0,) * first
    with affordable(position, [_at_least(fewest, lowest)], MAX_CELLS)[0] as turn:
        whole = turn.cells <= _CHEAP
    rows = _every_rung if whole else partial(_some_rungs, faces=solved)
    found = [chance for row in rows(position, first, most, expired) for chance in row]
    # A row that is only a lower bound may be below the row of one more die.
    at_least = [*accumulate(reversed(found), max)]
    return (1.0,) * first + tuple(reversed(at_least))


def _every_rung(position: Position, first: int, most: int, expired: Expired) -> list[tuple[float, ...]]:
    """For every count the probabilities of its six rungs, from `first` on."""
    found = []
    for count in range(group(first)[0], most + 1):
        found.append(_row(position, count, _faces(count, first), expired))
        if found[-1][-1] < _NEGLIGIBLE:
            break
    return found


def _some_rungs(
    position: Position, first: int, most: int, expired: Expired, faces: tuple[int, ...]
) -> list[tuple[float, ...]]:
    """For every count the probabilities of its six rungs, most of them interpolated.

    From the largest count (the quickest) downwards, all rungs are solved until they are likely enough to show how the
    faces of a count interpolate. After that only the first rung of a count and these faces are solved, and the others
    are interpolated in the same proportions.
    """
    rows: list[tuple[float, ...]] = []
    reference: tuple[float, ...] = ()
    for count in range(most, group(first)[0] - 1, -1):
        every = _faces(count, first)
        if not reference:
            rows.append(_row(position, count, every, expired))
            if rows[-1][0] >= _LIKELY:
                reference = (*rows[-1], rows[-2][0] if len(rows) > 1 else 0.0)
            continue
        some = [face for face in every if face in (every[0], *faces)]
        solved = dict(zip(some, _row(position, count, some, expired), strict=True))
        rows.append(_interpolated(reference, every, {**solved, _ONE_MORE: rows[-1][0]}))
    return rows[::-1]


def _interpolated(reference: Sequence[float], faces: Sequence[int], solved: Mapping[int, float]) -> tuple[float, ...]:
    """All rungs of a count, interpolated from those solved by face in the proportions of the row `reference`. In both,
    the first rung of one more die is face 7."""
    found = []
    for face in faces:
        here, there = max(at for at in solved if at <= face), min(at for at in solved if at > face)
        step = max(reference[here - 1] - reference[there - 1], 1e-12)
        share = min(1.0, (reference[here - 1] - reference[face - 1]) / step)
        found.append(solved[here] - (solved[here] - solved[there]) * share)
    return tuple(found)


def _faces(count: int, first: int) -> range:
    """The faces of a count that are not below the rung `first`."""
    fewest, lowest = group(first)
    return range(lowest if count == fewest else 1, 7)


def _row(position: Position, count: int, faces: Sequence[int], expired: Expired) -> tuple[float, ...]:
    """The probabilities of `count` equal dice showing at least each of these faces."""
    return chances(position, [_at_least(count, face) for face in faces], MAX_CELLS, expired)


def _at_least(count: int, face: int) -> Goal:
    return Threshold(count, face, equal=True).goal()


def clear_cache() -> None:
    """Clears the cache of reaches."""
    _cache.clear()


def _cached(key: tuple[object, ...], find: Callable[[], Sequence[float]]) -> Reach:
    found = _cache.get(key)
    if found is None:
        if len(_cache) >= _MAX_CACHED:
            _cache.clear()
        found = _cache[key] = tuple(find())
    return found
