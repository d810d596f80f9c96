"""The solver's door: a turn and its goals in, odds out. Binds the library that the build makes of kernel/kernel.c.

Numbers are doubles or, where `exact`, integers over a power of six, so that odds are fractions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from engine.advice.deadline import Expired
from engine.dice import Faces
from engine.krone.advice.goals import Goal

MAX_CARDS = 16  # kernel/turn.h
MAX_DICE = 18  # kernel/dice.h
MAX_EXPONENT = 49  # kernel/turn.h: six to that power still fits into 128 bits
# The order of the enum in kernel/turn.h; kind 0 is a card that adds a die.
_KINDS = ("maid", "philosopher", "alchemist", "astronomer", "noblewoman", "nobleman", "magician", "fool", "merchant")
CARD_KINDS = {card: kind for kind, card in enumerate(_KINDS, 1)}


class Question(IntEnum):
    """FRESH, MET: between rolls with the duty open or met. ROLL: the active dice are rolled now. ONWARD: now, or after
    dice were added."""

    FRESH = 0
    MET = 1
    ROLL = 2
    ONWARD = 3


class Numbers(IntEnum):
    """What the tables are filled with, the order of the enum in kernel/turn.h. EXACT: fractions over a power of six.
    SINGLE: floats of four bytes, half as large and twice as fast, for estimates; errors stay below 1e-5."""

    DOUBLE = 0
    EXACT = 1
    SINGLE = 2


class _Card(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int), ("faces", ctypes.c_int))


class _Goal(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("need", ctypes.c_int32 * 6))


class _Answer(ctypes.Structure):
    _fields_ = (
        ("value", ctypes.c_double),
        ("high", ctypes.c_uint64),
        ("low", ctypes.c_uint64),
        ("exponent", ctypes.c_int32),
    )


Groups = Mapping[tuple[int, int], float]  # (so many dice, of this face) → worth
_Counts = ctypes.c_uint8 * 6
_GroupWorths = ctypes.c_double * (6 * (MAX_DICE + 1))
_Asked = ctypes.CFUNCTYPE(ctypes.c_int)
_preparing = Lock()
_SUFFIXES = (".so", ".dylib", ".dll")


@cache
def _library() -> ctypes.CDLL:
    here = Path(__file__).parent
    found = [here / f"_kernel{suffix}" for suffix in _SUFFIXES if (here / f"_kernel{suffix}").exists()]
    if not found:
        raise RuntimeError("the odds solver is not built: run `pip install -e .` in the checkout")
    library = ctypes.CDLL(str(found[0]))
    pointer = ctypes.c_void_p
    library.courtside_turn.restype = pointer
    library.courtside_turn.argtypes = (
        ctypes.c_int, ctypes.c_int, pointer, ctypes.c_int, pointer, ctypes.c_int, pointer, pointer, ctypes.c_double,
        pointer, _Counts, ctypes.c_int, ctypes.c_int,
    )  # fmt: skip
    library.courtside_cells.restype = ctypes.c_double
    library.courtside_cells.argtypes = library.courtside_exponent.argtypes = library.courtside_free.argtypes = (
        pointer,
    )
    library.courtside_solve.argtypes = (pointer, ctypes.c_int, pointer)
    library.courtside_hopeless.argtypes = (pointer, ctypes.c_int)
    library.courtside_ask.restype = _Answer
    library.courtside_ask.argtypes = (pointer, ctypes.c_int, ctypes.c_int, _Counts, _Counts, ctypes.c_int, ctypes.c_int)
    library.courtside_free.restype = None
    return library


@lru_cache(maxsize=65536)
def _counts(dice: Faces) -> ctypes.Array[ctypes.c_uint8]:
    return _Counts(*[dice.count(face) for face in range(1, 7)])


class Turn:
    """The tables of one turn for some goals. Use as a context manager: the tables are large and lie outside Python.

    unused: card id → face of the die it adds (0: any), None for a card that adds none; adders first. kept: dice set
    aside. dice: all dice of the turn so far. room: dice that can still be added. prices: for goals of kind WORTH, what
    meeting a goal is worth; `nothing` is the worth of meeting none. groups: for WORTH and LADDER, what a result is
    worth whose best group is (so many dice, of this face): one for all such goals, or one for every goal. alternatives:
    cards as in `unused`, of which a position has one or none; either all of them add a die, or none does.
    """

    def __init__(
        self,
        unused: Mapping[str, int | None],
        goals: Sequence[Goal],
        kept: Faces,
        dice: int,
        room: int,
        prices: Sequence[tuple[Goal, float]] = (),
        nothing: float = 0.0,
        groups: Groups | Sequence[Groups] = (),
        alternatives: Mapping[str, int | None] | None = None,
    ) -> None:
        either = alternatives or {}
        self._library = _library()
        with _preparing:
            if self._library.courtside_prepare(dice + min(room, len(unused) + bool(either))):
                raise MemoryError
        self._bits = {card: 1 << i for i, card in enumerate(unused)}
        self._bits |= {card: i << len(unused) for i, card in enumerate(either, 1)}
        self.kept, self.exact = kept, False
        cards = [
            _Card(CARD_KINDS[card], 0) if face is None else _Card(0, 63 if face == 0 else 1 << face - 1)
            for card, face in (*unused.items(), *either.items())
        ]
        self._turn: int | None = self._library.courtside_turn(
            len(unused),
            len(cards),
            (_Card * len(cards))(*cards),
            len(goals),
            _goals(goals),
            len(prices),
            _goals([goal for goal, _ in prices]),
            (ctypes.c_double * len(prices))(*[worth for _, worth in prices]),
            nothing,
            _groups(groups if isinstance(groups, Sequence) else [groups] * len(goals)),
            _counts(kept),
            dice,
            room,
        )
        if self._turn is None:
            raise MemoryError

    def __enter__(self) -> Turn:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory of the tables back."""
        self._library.courtside_free(self._turn)
        self._turn = None

    @property
    def cells(self) -> float:
        """Numbers the tables will hold: the measure of work, and of memory (8 bytes each, 16 exact, 4 single)."""
        return float(self._library.courtside_cells(self._turn))

    @property
    def exponent(self) -> int:
        """The power of six under the exact odds; `Numbers.EXACT` needs at most MAX_EXPONENT."""
        return int(self._library.courtside_exponent(self._turn))

    def hopeless(self, goal: int) -> bool:
        """Whether goal number `goal` is out of reach whatever the active dice become; known before `solve`."""
        return bool(self._library.courtside_hopeless(self._turn, goal))

    def solve(self, numbers: Numbers = Numbers.DOUBLE, expired: Callable[[], bool] | None = None) -> None:
        """Fills the tables. Raises Expired as soon as `expired()` is true (asked every few milliseconds)."""
        self.exact = numbers is Numbers.EXACT
        asked = _Asked(lambda: int(expired())) if expired else None
        status = self._library.courtside_solve(self._turn, numbers, asked)
        if status > 0:
            raise Expired
        if status < 0:
            raise MemoryError

    def ask(
        self,
        goal: int,
        unused: Iterable[str],
        active: Faces,
        more: Faces = (),
        question: Question = Question.FRESH,
        again: int = 0,
    ) -> Fraction | float:
        """The odds of goal number `goal` with these cards unused, `active` on the table, `more` dice set aside besides
        the turn's `kept`, and `again` dice being thrown by a card. For ROLL and ONWARD only the number of active dice
        counts."""
        cards = sum(self._bits[card] for card in unused)
        a: _Answer = self._library.courtside_ask(
            self._turn, goal, cards, _counts(active), _counts(more), again, question
        )
        if a.exponent < 0:
            raise ValueError("these dice and cards are no position of the turn that was solved")
        return Fraction((a.high << 64) + a.low, 6**a.exponent) if self.exact else float(a.value)


def _goals(goals: Sequence[Goal]) -> ctypes.Array[_Goal]:
    return (_Goal * len(goals))(*[_Goal(goal.kind, (ctypes.c_int32 * 6)(*goal.need)) for goal in goals])


def _groups(groups: Sequence[Groups]) -> ctypes.Array[ctypes.Array[ctypes.c_double]] | None:
    if not any(groups):
        return None
    table = (_GroupWorths * len(groups))()
    for row, worths in zip(table, groups, strict=True):
        for (count, face), worth in worths.items():
            row[6 * count + face - 1] = worth
    return table
