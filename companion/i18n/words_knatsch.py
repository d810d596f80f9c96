"""The cards of Knatsch in words: what they are, what they are good for, how they are got."""

from __future__ import annotations

from collections.abc import Mapping

from engine.knatsch.deck import is_castle, is_special

# What each kind of card is good for. The King's stands apart: the other game has a card of that name.
DOES: Mapping[str, str] = {
    "castle": "four different ones win; so do three and the King beaten, or two and three tournaments",
    "tournament": "three of them and two castles win",
    "dice": "counts as one more die of this value in every throw",
    "catapult": "four throws instead of three against the castle of another player",
    "champion": "four throws instead of three in every tournament",
    "stack": "two cards a turn may be put under a stack instead of one",
    "castle-guard": "guards two castles of its owner: they cannot be attacked",
    "special-guard": "guards one special card of its owner: it cannot be taken",
    "betrayal": "every castle on a stack counts as 2-2-2+4 for its owner",
    "protection": "its owner loses no castle to the King",
}
KING_DOES = (
    "whoever begins a turn with three castles may challenge him; who beats him wins, who does not loses a castle"
)
# How each kind is got.
GOT: Mapping[str, str] = {
    "castle": "beat what it shows; in front of a player she may defend it and keeps it if she beats that throw",
    "special": "beat what it shows; taken from a stack it gives another attempt",
    "tournament": "all players throw for it, the one on turn up to four times; the best throw takes it",
    "king": "beat what he shows",
}
MESSAGES = (*DOES.values(), KING_DOES, *GOT.values())


def card_kind(card: str) -> str:
    """`castle`, `tournament`, `special` or `king`; "" for no card of Knatsch."""
    if card in ("king", "tournament"):
        return card
    if is_castle(card):
        return "castle"
    return "special" if is_special(card) else ""


def card_crest(card: str) -> str:
    """The crest of a castle, else ""."""
    return card.removeprefix("castle-") if is_castle(card) else ""


def does_template(card: str) -> str:
    """What a card of the deck is good for, as a message to translate; "" for cards of the other game."""
    if is_castle(card):
        return DOES["castle"]
    return DOES.get("dice" if card.startswith("dice-") else card, "")
