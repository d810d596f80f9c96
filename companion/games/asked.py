"""Shortens a question for display: a short sentence, and of each answer only what distinguishes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.game.changes import Sentence
from companion.game.record_line import RecordLine
from companion.game.referee.sentences import WHAT_HAPPENED, WHICH_CARD, WHICH_VALUE
from engine.dice import Faces

Answer = tuple[RecordLine, ...]
# The referee's sentences quote the answers for speech output. On the page the answers follow as buttons.
_SHORT = {
    WHICH_CARD: Sentence("Which card was it?"),
    WHAT_HAPPENED: Sentence("What happened?"),
    WHICH_VALUE: Sentence("What do the dice show?"),
}


def short(sentence: Sentence) -> Sentence:
    """The sentence without the answers that it quotes."""
    return _SHORT.get(sentence.template, sentence)


def differences(answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers without the lines, words and dice that all of them share, in the same order.

    A line reduced to its dice or card has the verb "".
    """
    if len(answers) < 2:
        return tuple(answers)
    before = _alike(answers)
    after = _alike([answer[before:][::-1] for answer in answers])
    left = [answer[before : len(answer) - after] for answer in answers]
    if any(len(answer) != 1 for answer in left):
        return tuple(left)
    lines = [answer[0] for answer in left]
    return tuple((line,) for line in _bare(lines))


def _alike(answers: Sequence[Answer]) -> int:
    """Number of first lines that all answers share."""
    count = 0
    for lines in zip(*answers, strict=False):
        if any(line != lines[0] for line in lines):
            break
        count += 1
    return count


def _bare(lines: list[RecordLine]) -> list[RecordLine]:
    first = lines[0]
    if all(replace(line, dice=first.dice) == first for line in lines):
        dice = _unlike([line.dice for line in lines])
        return [replace(line, verb="", card=None, dice=own) for line, own in zip(lines, dice, strict=True)]
    if first.card and all(replace(line, card=first.card) == first for line in lines):
        return [replace(line, verb="", before=(), dice=()) for line in lines]
    return lines


def _unlike(dice: Sequence[Faces]) -> list[Faces]:
    """Each set of dice without the dice common to all; unchanged if one would become empty."""
    shared = [face for face in range(1, 7) for _ in range(min(hand.count(face) for hand in dice))]
    found = []
    for hand in dice:
        left = list(hand)
        for face in shared:
            left.remove(face)
        found.append(tuple(left))
    return found if all(found) else list(dice)
