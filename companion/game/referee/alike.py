"""Groups answers that differ only in which of two similar cards was used; one stands for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from companion.game.moves import Move, Moves
from companion.plugins import effect

FIRST = 3  # number of answers that players read


def kind(answer: Moves) -> Moves:
    """The answer with the effects of its cards in place of their names."""
    return tuple(
        Move(move.seat, replace(move.event, card=effect(move.event.card))) if move.verb == "use" else move
        for move in answer
    )


def spread(answers: Iterable[Moves]) -> list[Moves]:
    """Moves answers to the end that differ little from earlier ones.

    The first answer of each kind stays, and all of the kind on record (the first one). Of answers that differ only in
    dice that a card left unchanged, two stay.
    """
    order = list(answers)
    kinds, needless = [kind(answer) for answer in order], [_changed(answer) for answer in order]
    later = [
        i
        for i, one in enumerate(kinds)
        if (one != kinds[0] and one in kinds[:i]) or needless[:i].count(needless[i]) > 1
    ]
    return [order[i] for i in range(len(order)) if i not in later] + [order[i] for i in later]


def still_open(answers: Sequence[Moves], chosen: Moves) -> tuple[Moves, ...]:
    """Answers of the chosen kind, the chosen one first, if it stood for some that were not shown; otherwise none."""
    alike = [i for i, answer in enumerate(answers) if kind(answer) == kind(chosen)]
    if not chosen or answers[alike[0]] != chosen or alike[-1] < FIRST or alike[0] == 0:
        return ()
    return tuple(answers[i] for i in alike)


def _changed(answer: Moves) -> Moves:
    """The answer without the dice that its cards left unchanged."""
    return tuple(_without_unchanged(move) if move.verb == "use" else move for move in answer)


def _without_unchanged(move: Move) -> Move:
    before, after = Counter(move.event.before), Counter(move.event.after)
    changed = replace(move.event, before=tuple((before - after).elements()), after=tuple((after - before).elements()))
    return Move(move.seat, changed)
