"""Answers that differ only in which of two similar cards was used: one stands for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.plugins import effect

FIRST = 3  # answers that everybody reads

Events = tuple[str, ...]


def kind(answer: Events) -> Events:
    """The answer with the effects of its cards in place of their names."""
    return tuple(_kind(event.split()) for event in answer)


def spread(answers: Iterable[Events]) -> list[Events]:
    """The answers with one of each kind first. Those of the kind on record, the first, keep their places. Of answers
    that differ only in dice which a card left unchanged, two come first."""
    order = list(answers)
    kinds, needless = [kind(answer) for answer in order], [_changed(answer) for answer in order]
    later = [
        i
        for i, its in enumerate(kinds)
        if (its != kinds[0] and its in kinds[:i]) or needless[:i].count(needless[i]) > 1
    ]
    return [order[i] for i in range(len(order)) if i not in later] + [order[i] for i in later]


def still_open(answers: tuple[Events, ...], chosen: Events) -> tuple[Events, ...]:
    """The answers of the chosen kind, the chosen one first, if it stood for others farther down; else none."""
    alike = [i for i, answer in enumerate(answers) if kind(answer) == kind(chosen)]
    if not chosen or answers[alike[0]] != chosen or alike[-1] < FIRST or alike[0] == 0:
        return ()
    return tuple(answers[i] for i in alike)


def _changed(answer: Events) -> Events:
    """The answer without the dice that its cards left unchanged."""
    return tuple(_without_unchanged(event.split()) for event in answer)


def _without_unchanged(words: list[str]) -> str:
    if ">" not in words:
        return " ".join(words)
    arrow = words.index(">")
    before, after = Counter(words[3:arrow]), Counter(words[arrow + 1 :])
    return " ".join([*words[:3], *sorted((before - after).elements()), ">", *sorted((after - before).elements())])


def _kind(words: list[str]) -> str:
    if words[1] == "use":
        words = [*words[:2], effect(words[2]) or words[2], *words[3:]]
    return " ".join(words)
