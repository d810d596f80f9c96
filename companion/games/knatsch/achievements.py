"""Achievements of Knatsch."""

from __future__ import annotations

from companion.archive.facts import Facts
from companion.i18n.languages import gettext
from companion.plugins import Achievement


def _won_with(facts: Facts, place: int) -> tuple[int, int] | None:
    """The numbers of castles and tournaments if this player won; None otherwise."""
    if facts.players[place] not in facts.winners:
        return None
    cards = facts.seats[place].cards
    return tuple(sum(card.startswith(kind) for card in cards) for kind in ("castle", "tournament"))  # type: ignore[return-value]


def _beat_the_king(facts: Facts, place: int) -> bool:
    """Whether the player won without four castles and without two castles and three tournaments."""
    won = _won_with(facts, place)
    return won is not None and won[0] < 4 and not (won[0] >= 2 and won[1] >= 3)


ACHIEVEMENTS = (
    Achievement(
        lambda: gettext("Lord of the castles"),
        lambda: gettext("won with four castles"),
        lambda facts, place: (_won_with(facts, place) or (0, 0))[0] >= 4,
    ),
    Achievement(
        lambda: gettext("King for a day"),
        lambda: gettext("won by beating the King"),
        _beat_the_king,
    ),
)
