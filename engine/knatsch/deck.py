"""The cards, and the deck as data: which cards it has and, if known, the combination of each.

Card ids: `castle-red` (any crest of lower-case letters and digits), `tournament`, `dice-1` … `dice-5`, `catapult`,
`champion`, `stack`, `castle-guard`, `special-guard`, `betrayal`, `protection`. A deck in one line, as in a record's
`[Deck "…"]` (`?` or nothing means unknown):

    3*castle-red castle-blue=3-3-3+2 9*tournament 2*dice-1 … king=?
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.errors import Unreadable
from engine.knatsch.combination import Combination, read_printed

DICE_CARDS = tuple(f"dice-{value}" for value in range(1, 6))
SPECIALS = (*DICE_CARDS, "catapult", "champion", "stack", "castle-guard", "special-guard", "betrayal", "protection")
_CASTLE = re.compile(r"castle-(?!guard$)[a-z0-9]+")


@lru_cache(1024)  # called hundreds of times in a turn, with about twenty words
def is_castle(card: str) -> bool:
    """Whether the id is that of a castle."""
    return _CASTLE.fullmatch(card) is not None


def is_special(card: str) -> bool:
    """Whether the id is that of a special card."""
    return card in SPECIALS


def is_card(card: str) -> bool:
    """Whether the id is that of any card; the King is none."""
    return card == "tournament" or is_special(card) or is_castle(card)


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its id, and its combination (None: not known; a tournament has none)."""

    id: str
    shows: Combination | None = None

    def __str__(self) -> str:
        return self.id if self.shows is None else f"{self.id}={self.shows}"


@dataclass(frozen=True, slots=True)
class Deck:
    """Every card of the game in a fixed order, and the King's combination.

    Raises:
        Unreadable: The deck is not playable.
    """

    cards: tuple[Card, ...]
    king: Combination | None = None

    def __post_init__(self) -> None:
        for card in self.cards:
            if not is_card(card.id):
                raise Unreadable("there is no card “{word}” in Knatsch", word=card.id)
            if card.shows is not None and card.id == "tournament":
                raise Unreadable("a tournament card shows no combination")
        if len(self.crests) < 2:
            raise Unreadable("a deck needs castles of at least two crests")
        object.__setattr__(self, "cards", tuple(sorted(self.cards, key=_order)))

    @property
    def crests(self) -> tuple[str, ...]:
        """The ids of the castles, each once."""
        return tuple(dict.fromkeys(card.id for card in self.cards if is_castle(card.id)))

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all cards, each once."""
        return tuple(dict.fromkeys(card.id for card in self.cards))

    def __str__(self) -> str:
        counted = Counter(str(card) for card in self.cards)
        words = [word if count == 1 else f"{count}*{word}" for word, count in counted.items()]
        return " ".join([*words, f"king={self.king or '?'}"])

    def with_combination(self, card: Card) -> Card:
        """The card with its combination, if all cards of its kind in the deck have the same."""
        printed = {one.shows for one in self.cards if one.id == card.id}
        return card if card.shows or len(printed) != 1 else Card(card.id, *printed)

    def left_after(self, seen: Iterable[Card]) -> Counter[Card]:
        """The deck without these cards. A card seen with its combination matches the card with that combination if
        there is one left, else one with an unknown combination.

        Raises:
            Unreadable: The deck does not have them all.
        """
        left = Counter(self.cards)
        known_first = sorted(seen, key=lambda card: card.shows is None)
        for card in known_first:
            known = card if left[card] else Card(card.id)
            if not left[known]:
                raise Unreadable("the deck has no {word} like that left", word=str(card))
            left[known] -= 1
        return +left


def _order(card: Card) -> tuple[object, ...]:
    """Sort key: castles, tournaments, specials in the order of the rules; known combinations first."""
    place = (*SPECIALS,).index(card.id) if is_special(card.id) else -1
    return (not is_castle(card.id), place, card.id, card.shows is None, card.shows or ())


def read_card(word: str) -> Card:
    """`castle-red`, `castle-red=?` or `castle-red=3-3-3+2` → Card.

    Raises:
        Unreadable: It is not a card.
    """
    card, _, shows = word.partition("=")
    if not is_card(card):
        raise Unreadable("there is no card “{word}” in Knatsch", word=card)
    return Card(card, None if shows in ("", "?") else read_printed(shows))


def read_deck(text: str) -> Deck:
    """Parses the one-line form of a deck.

    Raises:
        Unreadable: It is not a deck.
    """
    cards: list[Card] = []
    king = None
    for word in text.split():
        count, star, rest = word.rpartition("*")
        if word.startswith("king="):
            king = None if word == "king=?" else read_printed(word.removeprefix("king="))
            continue
        if star and not (count.isascii() and count.isdigit() and 0 < int(count) <= 99):
            raise Unreadable("“{word}” is not a number of cards", word=count)
        cards += [read_card(rest)] * (int(count) if star else 1)
    return Deck(tuple(cards), king)


# The box according to the rules. They do not say how castles spread over the crests and dice cards over their values,
# so the spread is as even as possible. They show no combination together with its card, so none is known.
BOX = Deck(
    tuple(
        Card(card)
        for card, count in {
            "castle-red": 3,
            "castle-green": 3,
            "castle-blue": 3,
            "castle-yellow": 3,
            "castle-black": 2,
            "castle-white": 2,
            "tournament": 9,
            "dice-1": 2,
            "dice-2": 2,
            "dice-3": 2,
            "dice-4": 1,
            "dice-5": 1,
            "catapult": 3,
            "champion": 1,
            "stack": 3,
            "castle-guard": 3,
            "special-guard": 3,
            "betrayal": 1,
            "protection": 1,
        }.items()
        for _ in range(count)
    )
)
