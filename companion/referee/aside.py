"""Where no row is known: which dice lie aside, told from what hands have done with them since the last throw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.referee.sight import minus, near, values
from companion.referee.wavering import PUT
from engine.dice import Faces, together
from vision.types import Reading, SeenDie

ASIDE_UNMOVED = -2.2  # where no kept row is known: a die nobody touched counts as set aside
ASIDE_NOT = -3.5  # … and one that a hand has put elsewhere does not
ASIDE_ADDED = -1.0  # … and one that was added
ASIDE_ALONE = -2.0  # … and one that lies for itself, while those set aside before lie together elsewhere
LEFT_IN_PLAY = -1.0  # a hand has put a die where none of those set aside lies, and it is in play
MOVED_AGAIN = -4.5  # a hand has carried a die elsewhere in play, showing the same, and then moved it again
ROLLED_THERE = -2.0  # a die rolled to where those set aside lie together
ROLLED_AGAINST = -4.0  # … and came to lie right beside one of them
KEPT_MOVED = -3.5  # a die set aside before the last throw was carried elsewhere since, for no other reason
TIDIED = 1.0  # die widths: so far hands push dice set aside when they put them in order
BESIDE = 2.25  # die widths: dice set aside lie at most so far from one another
AGAINST = 1.3  # … and side by side no farther
FAR = 2.0  # … and whoever puts them in order moves none farther


@dataclass(frozen=True, slots=True)
class Handled:
    """What hands did since the last throw, where no row is known. landed: that throw as it came to lie; was_kept:
    tracks of dice that did not roll with it; aside: … of those carried elsewhere since; added: … laid down beside all
    that lay there; lone: … of those that do not lie where the others set aside lie; throw: the last on record."""

    landed: Reading | None
    was_kept: frozenset[int] = frozenset()
    aside: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()
    lone: frozenset[int] = frozenset()
    throw: int = 0


def made_by_hand(lying: Sequence[SeenDie], landed: Reading | None) -> Faces:
    """Values among dice not thrown that the last throw did not leave there: turned or added."""
    return () if landed is None else minus(values(lying), values(landed.dice))


def carried(dice: Sequence[SeenDie], landed: Reading | None) -> Faces:
    """Values of the dice that a hand has put down since the last throw."""
    if landed is None:
        return ()
    old = {was.track for was in landed.dice}
    return values(die for die in dice if die.rolled <= PUT and die.track not in old)


def put_aside(dice: Sequence[SeenDie], handled: Handled) -> Faces:
    """… and that show what they showed: they lie elsewhere for no other reason."""
    surely = values(die for die in dice if die.track in handled.aside)
    others = [die for die in dice if die.track not in handled.aside | handled.added]
    made = minus(made_by_hand(dice, handled.landed), values(die for die in dice if die.track in handled.added))
    return together(surely, minus(carried(others, handled.landed), minus(made, surely)))


def carried_since(before: Reading | None, now: Reading) -> frozenset[int]:
    """Tracks of the dice that a hand has taken up since `before` and put down elsewhere, showing the same."""
    if before is None:
        return frozenset()
    old, new = {die.track for die in before.dice}, {die.track for die in now.dice}
    gone = list(values(die for die in before.dice if die.track not in new))
    found = set()
    for die in now.dice:
        if (
            die.track not in old
            and die.rolled <= PUT
            and die.value in gone
            and not any(near(d, die) for d in before.dice)
        ):
            gone.remove(die.value)
            found.add(die.track)
    return frozenset(found)


def lying_alone(dice: Sequence[SeenDie], was_kept: frozenset[int], aside: frozenset[int]) -> frozenset[int]:
    """Tracks of the dice that lie neither beside one of `was_kept` nor in a row with them; while nothing of those is to
    be seen, beside most of those that a hand has carried elsewhere (tracks `aside`), or the first of them."""
    row = [die for die in dice if die.track in was_kept]
    if not row:
        first = sorted((die for die in dice if die.track in aside), key=lambda die: die.track)
        row = max(_groups(first), key=len, default=[])
        if not row:
            return frozenset()
    return frozenset(die.track for die in dice) - frozenset(die.track for die in _joined(row, dice))


def _joined(row: Sequence[SeenDie], dice: Sequence[SeenDie]) -> list[SeenDie]:
    """The dice that lie beside one of the row, or beside one that does and that was put there, and so on; with the
    row."""
    found, ends = list(row), list(row)
    while more := [die for die in dice if die not in found and any(near(die, other, BESIDE) for other in ends)]:
        found += more
        ends = [die for die in more if die.rolled <= PUT]
    return found


def _groups(dice: Sequence[SeenDie]) -> Iterator[list[SeenDie]]:
    """The dice by who lies beside whom."""
    rest = list(dice)
    while rest:
        group = _joined(rest[:1], rest)
        rest = [die for die in rest if die not in group]
        yield group


def kept_moved(kept: Faces, was_kept: frozenset[int], landed: Reading | None, now: Reading) -> float:
    """Log chance of what hands have done since the last throw with the dice set aside before it (values `kept`), where
    no row is known: they lie there and are only put in order."""
    if now.knows_kept or landed is None or len(now.dice) < len(landed.dice):
        return 0.0
    lay = [die for die in landed.dice if die.kept or die.track in was_kept]
    there = values(die for die in now.dice if any(was.value == die.value and near(was, die, TIDIED) for was in lay))
    return KEPT_MOVED if minus(kept, there) else 0.0


def moved_again(before: Reading | None, now: Reading, aside: frozenset[int]) -> bool:
    """Whether a die that a hand had carried elsewhere (tracks `aside`) was taken up again since `before`; what is only
    put in order counts for nothing."""
    if before is None:
        return False
    lay, there = {die.track for die in before.dice}, {die.track for die in now.dice}
    return any(
        not any(die.value == other.value and near(die, other, FAR) for other in now.dice if other.track not in lay)
        for die in before.dice
        if die.track in aside and die.track not in there
    )


def lies_aside(die: SeenDie, aside: bool, made: Faces, handled: Handled) -> float:
    """Log chance of a die lying where it does when it is set aside, or still in play."""
    alone, landed = die.track in handled.lone, handled.landed
    lies = landed is not None and any(near(was, die) for was in landed.dice)
    arrived = die.came is not None and die.came > handled.throw and not lies  # not thrown, so a hand has put it there
    made_ = die.value in made or die.track in handled.added
    if die.track in handled.aside or (arrived and not made_):
        return (ASIDE_ALONE if alone else 0.0) if aside else (LEFT_IN_PLAY if alone else ASIDE_NOT)
    untouched = lies or (die.rolled > 0.5 and not arrived)
    if made_ and not untouched:
        return ASIDE_ADDED + (ASIDE_ALONE if alone else 0.0) if aside else 0.0
    if aside:
        return ASIDE_UNMOVED if untouched else 0.0
    return 0.0 if untouched else ASIDE_NOT


def rolled_there(thrown: Sequence[SeenDie], lying: Sequence[SeenDie], handled: Handled) -> float:
    """Log chance of a single die having been thrown to where it lies: elsewhere than those set aside."""
    row = [die for die in lying if die.track in handled.was_kept | handled.aside]
    if not row or len(thrown) != 1 or thrown[0].track in handled.lone:
        return 0.0
    return ROLLED_AGAINST if any(near(thrown[0], die, AGAINST) for die in row) else ROLLED_THERE


def takes(aside: Faces, die: SeenDie, rest: Sequence[SeenDie], carried: frozenset[int]) -> bool:
    """Whether this die is one of those that make up `aside`; of equal ones those that a hand has moved."""
    alike = [other for other in rest if other.value == die.value]
    alike.sort(key=lambda other: (other.track not in carried, other.rolled))
    return alike.index(die) < aside.count(die.value)
