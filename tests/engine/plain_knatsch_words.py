"""Terms of Knatsch for `PlainKnatsch`: the kind of a card, the result of dice."""

from __future__ import annotations

from collections import Counter


def kind(card: str) -> str:
    return (
        card
        if card == "tournament"
        else "castle"
        if card.startswith("castle-") and card != "castle-guard"
        else "special"
    )


def result(dice: list[int]) -> tuple[int, int, int]:
    """(group, value, reserve)"""
    count = Counter(die for die in dice if die != 6)
    if not count:
        return 0, 0, 0
    value = max(count, key=lambda face: (count[face], face))
    return count[value], value, max((face for face in count if face != value), default=0)


def printed(shows: str) -> tuple[int, int, int]:
    group, reserve = shows.split("+")
    return len(group.split("-")), int(group[0]), int(reserve)
