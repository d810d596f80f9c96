"""Dice as multisets, the only representation of dice in the engine.

`Faces` is a tuple of 1..6 in ascending order; 0 (`UNREAD`) stands for a die that has not been read yet. Records print
dice in descending order, unread dice last as `?`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement

from engine.errors import Unreadable

Faces = tuple[int, ...]
UNREAD = 0
_SIGN = {face: str(face) for face in range(1, 7)} | {UNREAD: "?"}
_FACE = {sign: face for face, sign in _SIGN.items()}


def faces(dice: Iterable[int]) -> Faces:
    """Dice in any order → Faces.

    Raises:
        Unreadable: A value is not on a die.
    """
    found = tuple(sorted(dice))
    if found and not (type(found[0]) is int and found[0] >= 0 and found[-1] <= 6):
        raise Unreadable("a die shows 1 to 6, not {value}", value=str(found[0] if found[0] not in _SIGN else found[-1]))
    return found


def dice_text(dice: Faces) -> str:
    """Descending order with spaces, unread dice last: (0, 2, 5) → "5 2 ?"."""
    return " ".join([_SIGN[face] for face in reversed(dice)])


def read_dice(words: Sequence[str]) -> Faces:
    """The words of a record's list of dice → Faces.

    Raises:
        Unreadable: A word is not a die.
    """
    try:
        return tuple(sorted([_FACE[word] for word in words]))
    except KeyError as error:
        raise Unreadable(
            "“{word}” is not a die. Write 1 to 6, or ? for a die that has not been read yet", word=error.args[0]
        ) from None


def without(pool: Faces, part: Faces) -> Faces | None:
    """The multiset `pool` without `part`; None if `part` is not contained in it."""
    if part == pool:
        return ()
    rest = list(pool)
    try:
        for face in part:
            rest.remove(face)
    except ValueError:
        return None
    return tuple(rest)


def union(first: Faces, second: Faces) -> Faces:
    """The union of both multisets."""
    return tuple(sorted(first + second))


@cache
def parts(pool: Faces) -> tuple[Faces, ...]:
    """Every multiset contained in `pool`, each once, the empty one first."""
    found: list[Faces] = [()]
    for face in sorted(set(pool)):
        found = [part + (face,) * n for part in found for n in range(pool.count(face) + 1)]
    return tuple(sorted(found, key=lambda part: (len(part), part)))


@cache
def rolls(count: int, unread: bool = False) -> tuple[Faces, ...]:
    """Every result of `count` dice as a multiset; with `unread`, results with unread dice too."""
    return tuple(combinations_with_replacement(range(0 if unread else 1, 7), count))


def best_group(dice: Faces) -> tuple[int, int]:
    """(size, value) of the largest group of equal dice, the higher value if two are as large; unread dice do not
    count."""
    return max(((dice.count(face), face) for face in set(dice) if face != UNREAD), default=(0, 0))
