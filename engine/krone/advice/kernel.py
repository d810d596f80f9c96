"""Python binding of the solver, kernel/kernel.c: a turn and its goals in, odds out.

Numbers are floats or, with `Numbers.EXACT`, integers over a power of six, so that odds are exact fractions.
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


class TurnMoment(IntEnum):
    """The moment of the turn that `TurnSolver.ask` asks about.

    Attributes:
        FRESH, MET: Between rolls, the duty to set a die aside open or met.
        ROLL: The active dice are rolled now.
        ONWARD: Now, or after dice were added.
    """

    FRESH = 0
    MET = 1
    ROLL = 2
    ONWARD = 3


class Numbers(IntEnum):
    """Number format of the tables, in the order of the enum in kernel/turn.h.

    Attributes:
        EXACT: Fractions over a power of six.
        SINGLE: Floats of four bytes, half the size and twice the speed; errors below 1e-5.
    """

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


Groups = Mapping[tuple[int, int], float]  # (count, face) → value
_Counts = ctypes.c_uint8 * 6
_GroupValues = ctypes.c_double * (6 * (MAX_DICE + 1))
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


class TurnSolver:
    """The tables of one turn for some goals. Use as a context manager: the tables are large and outside Python's
    memory.

    Args:
        unused: Card id → face of the die it adds (0: any), None for a card that adds none; adders first.
        kept: Dice set aside.
        dice: Number of dice of the turn so far.
        room: Number of dice that can still be added.
        prices: For goals of kind VALUE, the value of meeting each goal.
        nothing: The value of meeting none.
        groups: For VALUE and LADDER, the value of a result by its best group (count, face): one table for all such
            goals, or one for each goal.
        alternatives: Cards as in `unused`, of which a position has at most one; either all of them add a die, or none
            does.
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
            (ctypes.c_double * len(prices))(*[price for _, price in prices]),
            nothing,
            _groups(groups if isinstance(groups, Sequence) else [groups] * len(goals)),
            _counts(kept),
            dice,
            room,
        )
        if self._turn is None:
            raise MemoryError

    def __enter__(self) -> TurnSolver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the tables."""
        self._library.courtside_free(self._turn)
        self._turn = None

    @property
    def cells(self) -> float:
        """Size of the tables in cells, the measure of work and memory (8 bytes each, 16 exact, 4 single)."""
        return float(self._library.courtside_cells(self._turn))

    @property
    def exponent(self) -> int:
        """The power of six of the exact odds; `Numbers.EXACT` needs at most MAX_EXPONENT."""
        return int(self._library.courtside_exponent(self._turn))

    def hopeless(self, goal: int) -> bool:
        """Whether this goal is out of reach whatever the active dice show; known before `solve`."""
        return bool(self._library.courtside_hopeless(self._turn, goal))

    def solve(self, numbers: Numbers = Numbers.DOUBLE, expired: Callable[[], bool] | None = None) -> None:
        """Fills the tables.

        Args:
            expired: Called every few milliseconds.

        Raises:
            Expired: `expired()` returned true.
        """
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
        question: TurnMoment = TurnMoment.FRESH,
        again: int = 0,
    ) -> Fraction | float:
        """The odds of a goal in a state of this turn.

        Args:
            goal: Number of the goal.
            unused: Cards still unused.
            active: Active dice; for ROLL and ONWARD only their number counts.
            more: Dice set aside in addition to the turn's `kept`.
            again: Number of dice being rerolled by a card.
        """
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
    table = (_GroupValues * len(groups))()
    for row, values in zip(table, groups, strict=True):
        for (count, face), value in values.items():
            row[6 * count + face - 1] = value
    return table
