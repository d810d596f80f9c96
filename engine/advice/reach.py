"""How far a player gets in the final round: the chance of every group that can be thrown.

The groups that can be claimed or thrown form a ladder: seven 1s, seven 2s … seven 6s, eight 1s, … (rungs 0, 1, …). A
player's reach is the chance to get to a rung or above, under best play for that rung. It prices purchases and win
chances, many times a turn: where that takes long some rungs are solved and the others drawn from them. The odds that
people are told are those of `odds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from engine.advice.goals import Goal, Kind, Threshold
from engine.advice.kernel import Numbers
from engine.advice.odds import chances
from engine.advice.position import Position
from engine.advice.tables import affordable, value
from engine.krone.state import Rules

SEVEN = 7
MOST_CELLS = 2.5e7  # of the tables for one rung or six: about a second
_CHEAP = 2e5  # up to here every rung is solved
_NEGLIGIBLE = 1e-4  # more alike are not looked at where so many are rarer
_TELLING = 0.02  # how the faces of a count share what lies between is seen where it is that likely
_ONE_MORE = 7  # one more die is the next face after 6
# Of a count that is not wholly solved: the others were drawn within 1.8 points, or within 8.3
CLOSELY, ROUGHLY = (1, 5, 6), (1,)
_KNOWN_AT_MOST = 20_000

Reach = tuple[float, ...]  # the chance to end on rung k or above; what lies beyond the last is out of reach
Expired = Callable[[], bool] | None
_known: dict[tuple[object, ...], Reach] = {}  # the tableaux of a game come up again every turn


def rung(count: int, face: int) -> int:
    """The place on the ladder of so many dice showing `face`."""
    return (count - SEVEN) * 6 + face - 1


def group(place: int) -> tuple[int, int]:
    """(how many dice, of which face) stand on this rung."""
    return SEVEN + place // 6, place % 6 + 1


def reach(cards: Iterable[str], rules: Rules, expired: Expired = None, solved: tuple[int, ...] = CLOSELY) -> Reach:
    """The reach of a turn with these cards, from before the first roll. Raises kernel.Expired at the deadline. solved:
    of a count whose six rungs are not all solved, the faces that are, CLOSELY or ROUGHLY."""
    cards = tuple(sorted(cards))
    return _remembered((cards, rules, solved), lambda: reach_from(Position.begin(cards, rules), 0, expired, solved))


def challenge(
    cards: Iterable[str], rules: Rules, threshold: int, holds: Sequence[float], expired: Expired = None
) -> float:
    """The chance to win the final round with these cards where this rung has to be beaten, under the play that is best
    for it. holds: for every rung the chance that a group there then survives all who roll later."""
    position = Position.begin(tuple(sorted(cards)), rules)
    key = (position.cards, rules, threshold, tuple(round(chance, 9) for chance in holds))
    return _remembered(key, lambda: (challenge_from(position, threshold, holds, expired),))[0]


def challenge_from(position: Position, threshold: int, holds: Sequence[float], expired: Expired = None) -> float:
    """The same from any position of a turn. Of a turn with too many cards what is certainly within reach."""
    least = group(threshold + 1)
    if least[0] > position.most:
        return 0.0
    worths = {group(place): chance for place, chance in enumerate(holds) if place > threshold}
    goal = Goal(Kind.LADDER, _at_least(*least).need)
    turn, solved, _ = affordable(position, [goal], MOST_CELLS, groups=worths)
    with turn:
        turn.solve(Numbers.SINGLE, expired)
        return float(value(turn, 0, solved))


def reach_from(position: Position, first: int, expired: Expired = None, solved: tuple[int, ...] = CLOSELY) -> Reach:
    """The reach from any position of a turn; the rungs below `first` are not looked at and count as certain."""
    most = position.most
    fewest, lowest = group(first)
    if fewest > most:
        return (1.0,) * first
    with affordable(position, [_at_least(fewest, lowest)], MOST_CELLS)[0] as turn:
        whole = turn.cells <= _CHEAP
    rows = _every_rung if whole else partial(_some_rungs, faces=solved)
    found = [chance for row in rows(position, fewest, most, expired) for chance in row]
    found = found[first - rung(fewest, 1) :]
    if first and not whole:  # what has to be beaten now is not drawn from the rest
        found[0] = chances(position, [_at_least(fewest, lowest)], MOST_CELLS, expired)[0]
    return (1.0,) * first + tuple(min(found[0], chance) for chance in found)


def _every_rung(position: Position, fewest: int, most: int, expired: Expired) -> list[tuple[float, ...]]:
    """For every count from `fewest` on the chance of its six rungs."""
    found = []
    for count in range(fewest, most + 1):
        found.append(_row(position, count, expired))
        if found[-1][-1] < _NEGLIGIBLE:
            break
    return found


def _some_rungs(
    position: Position, fewest: int, most: int, expired: Expired, faces: tuple[int, ...]
) -> list[tuple[float, ...]]:
    """The same with less work. From the most alike (the quickest to solve) downwards all six rungs are solved until
    they are likely enough to tell how the faces share what lies between two counts; then only these faces are, and
    those between them, or between the last and one more die, share as they do there."""
    rows: list[tuple[float, ...]] = []
    telling: tuple[float, ...] = ()
    for count in range(most, fewest - 1, -1):
        if not telling:
            rows.append(_row(position, count, expired))
            if rows[-1][0] >= _TELLING:
                telling = (*rows[-1], rows[-2][0] if len(rows) > 1 else 0.0)
            continue
        solved = chances(position, [_at_least(count, face) for face in faces], MOST_CELLS, expired)
        rows.append(_drawn(telling, dict(zip((*faces, _ONE_MORE), (*solved, rows[-1][0]), strict=True))))
    return rows[::-1]


def _drawn(telling: Sequence[float], solved: Mapping[int, float]) -> tuple[float, ...]:
    """All six rungs of a count, from those solved by face: in between the faces share as in the telling row. Both know
    the first rung of one more die as face 7."""
    found = []
    for face in range(1, _ONE_MORE):
        here, there = max(at for at in solved if at <= face), min(at for at in solved if at > face)
        step = max(telling[here - 1] - telling[there - 1], 1e-12)
        share = min(1.0, (telling[here - 1] - telling[face - 1]) / step)
        found.append(solved[here] - (solved[here] - solved[there]) * share)
    return tuple(found)


def _row(position: Position, count: int, expired: Expired) -> tuple[float, ...]:
    """The chances of the six rungs of so many dice alike."""
    return chances(position, [_at_least(count, face) for face in range(1, 7)], MOST_CELLS, expired)


def _at_least(count: int, face: int) -> Goal:
    return Threshold(count, face, equal=True).goal()


def forget() -> None:
    """Thinks anew about every tableau from now on."""
    _known.clear()


def _remembered(key: tuple[object, ...], find: Callable[[], Sequence[float]]) -> Reach:
    found = _known.get(key)
    if found is None:
        if len(_known) >= _KNOWN_AT_MOST:
            _known.clear()
        found = _known[key] = tuple(find())
    return found
