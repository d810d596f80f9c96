"""Dice as multisets: the only representation of dice in the engine.

`Faces` is a tuple of 1..6 sorted upwards; 0 (`UNREAD`) stands for a die that lies there but has not been read yet.
Records print dice high to low, an unread die as `?`, last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

from engine.errors import Unreadable

Faces = tuple[int, ...]
UNREAD = 0
_SIGN = {face: str(face) for face in range(1, 7)} | {UNREAD: "?"}
_FACE = {sign: face for face, sign in _SIGN.items()}


def faces(dice: Iterable[int]) -> Faces:
    """Dice in any order → Faces. Raises Unreadable for a value that no die shows."""
    found = tuple(sorted(dice))
    if found and not (type(found[0]) is int and found[0] >= 0 and found[-1] <= 6):
        raise Unreadable("a die shows 1 to 6, not {value}", value=str(found[0] if found[0] not in _SIGN else found[-1]))
    return found


def dice_text(dice: Faces) -> str:
    """High to low with spaces, unread dice last: (0, 2, 5) → "5 2 ?"."""
    return " ".join([_SIGN[face] for face in reversed(dice)])


def read_dice(words: Sequence[str]) -> Faces:
    """The words of a record's dice list → Faces. Raises Unreadable."""
    try:
        return tuple(sorted([_FACE[word] for word in words]))
    except KeyError as error:
        raise Unreadable(
            "“{word}” is not a die. Write 1 to 6, or ? for a die that has not been read yet", word=error.args[0]
        ) from None


def without(pool: Faces, part: Faces) -> Faces | None:
    """`pool` less `part` as multisets; None when `part` is not contained in it."""
    if part == pool:
        return ()
    rest = list(pool)
    try:
        for face in part:
            rest.remove(face)
    except ValueError:
        return None
    return tuple(rest)


def together(first: Faces, second: Faces) -> Faces:
    """Both as one multiset."""
    return tuple(sorted(first + second))


@cache
def parts(pool: Faces) -> tuple[Faces, ...]:
    """Every multiset contained in `pool`, the empty one first, each once."""
    found: list[Faces] = [()]
    for face in sorted(set(pool)):
        found = [part + (face,) * n for part in found for n in range(pool.count(face) + 1)]
    return tuple(sorted(found, key=lambda part: (len(part), part)))


@cache
def rolls(count: int, unread: bool = False) -> tuple[Faces, ...]:
    """Every result of `count` dice as a multiset; with unread dice among them if `unread`."""
    return tuple(combinations_with_replacement(range(0 if unread else 1, 7), count))


def weight(roll: Faces) -> int:
    """In how many of the 6**n ordered throws this multiset comes up: n! / Π(count!)."""
    ways = factorial(len(roll))
    for face in set(roll):
        ways //= factorial(roll.count(face))
    return ways


def completions(dice: Faces, more: int = 0) -> Iterator[Faces]:
    """Everything `dice` may turn out to be once the unread ones are read, with `more` unknown dice besides."""
    known = tuple(face for face in dice if face != UNREAD)
    for guess in rolls(len(dice) - len(known) + more):
        yield together(known, guess)


def best_group(dice: Faces) -> tuple[int, int]:
    """(number of alike dice, their value) of the largest group, the higher value among equals; unread dice left
    out."""
    return max(((dice.count(face), face) for face in set(dice) if face != UNREAD), default=(0, 0))
