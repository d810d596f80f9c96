"""Deck files of Knatsch: parsed with one sentence for each error, and written with the combinations learned in a game.

`datasets/decks/knatsch.toml` is the deck of the box (`engine.knatsch.deck.BOX`) in this format.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.errors import Unreadable
from engine.knatsch.combination import Combination, read_printed
from engine.knatsch.deck import BOX, Card, Deck, is_castle, is_special

LONGEST_LINE = 1000
MAX_DECK_BYTES = 200_000  # bytes; the shipped deck has about 5,000
MAX_COPIES = 99  # copies of one card
# `id`, `players`, `name` and `names` say nothing about the cards; files may contain them.
_KNOWN = ("id", "players", "tournaments", "king", "name", "castles", "specials", "combinations", "names")


def deck_file_tags(deck: Path | None) -> dict[str, str]:
    """The header tags of a new game with the deck of this file, else of the box.

    Raises:
        Unreadable: The file is not a deck.
    """
    return {"Deck": str(read_deck_file(deck) if deck else BOX)}


def deck_form_tags(deck: bytes) -> dict[str, str]:
    """The header tags of a new game with a deck file uploaded with the form “New game”.

    Raises:
        Unreadable: The file is not a deck.
    """
    if not deck.strip():
        return {"Deck": str(BOX)}
    if len(deck) > MAX_DECK_BYTES:
        raise Unreadable("the deck file is too large")
    try:
        return {"Deck": str(parse_deck(deck.decode("utf-8-sig")))}
    except UnicodeDecodeError:
        raise Unreadable("the deck file must be a text file in TOML format") from None


def read_deck_file(path: Path) -> Deck:
    """The deck in the file.

    Raises:
        Unreadable: The file is not a deck; one sentence that names it.
    """
    try:
        if path.stat().st_size > MAX_DECK_BYTES:
            raise Unreadable("{file}: too large for a deck", file=str(path))
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("{file}: is not text; a deck in TOML was expected", file=str(path)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unreadable("{file}: cannot be read ({reason}); expected a deck", file=str(path), reason=reason) from None
    try:
        return parse_deck(text)
    except Unreadable as error:
        raise Unreadable("{file}: {reason}", file=str(path), reason=str(error)) from None


def parse_deck(text: str) -> Deck:
    """The deck in a TOML text.

    Raises:
        Unreadable: The text is not a deck.
    """
    if max(map(len, text.splitlines()), default=0) > LONGEST_LINE:
        raise Unreadable("the deck file is too large")  # the parser takes quadratic time in the dots of a name
    try:
        deck = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number with thousands of digits raises only ValueError
        raise Unreadable("is no TOML: {reason}", reason=str(error).partition("\n")[0]) from None
    for key in deck:
        if key not in _KNOWN:
            raise Unreadable("“{key}” says nothing about a deck: write {known}", key=key, known=", ".join(_KNOWN))
    counts = {f"castle-{crest}": count for crest, count in _counts(deck, "castles").items()}
    counts |= _counts(deck, "specials")
    for card in counts:
        if not (is_castle(card) or is_special(card)):
            raise Unreadable("there is no card “{word}” in Knatsch", word=card)
    printed = _combinations(deck, counts)
    cards = [
        Card(card, printed[card][place] if place < len(printed.get(card, ())) else None)
        for card, count in counts.items()
        for place in range(count)
    ]
    cards += [Card("tournament")] * _number(deck.get("tournaments", 0), "tournaments")
    king = deck.get("king")
    if king is not None and not isinstance(king, str):
        raise Unreadable('the king’s combination is written like "5-5-5+1"')
    return Deck(tuple(cards), None if king is None else read_printed(king))


def _table(deck: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = deck.get(key, {})
    if not isinstance(table, dict):
        raise Unreadable("[{key}] is a table", key=key)
    return table


def _counts(deck: Mapping[str, Any], key: str) -> dict[str, int]:
    return {card: _number(count, card) for card, count in _table(deck, key).items()}


def _number(value: Any, name: str) -> int:
    if type(value) is not int or not 0 <= value <= MAX_COPIES:
        raise Unreadable("“{name}” is a number of cards from 0 to {most}", name=name, most=MAX_COPIES)
    return value


def _combinations(deck: Mapping[str, Any], counts: Mapping[str, int]) -> dict[str, list[Combination]]:
    found = {}
    for card, listed in _table(deck, "combinations").items():
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            raise Unreadable('the combinations of “{word}” are a list like ["3-3-3+2"]', word=card)
        if len(listed) > counts.get(card, 0):
            raise Unreadable(
                "“{word}” has {n} combinations for {count} cards", word=card, n=len(listed), count=counts.get(card, 0)
            )
        found[card] = [read_printed(one) for one in listed]
    return found


def deck_text(deck: Deck) -> str:
    """A deck file in TOML with the combinations learned in a game."""
    counted = Counter(card.id for card in deck.cards)
    lines = ['id = "own"', f"tournaments = {counted.pop('tournament', 0)}"]
    lines += [f'king = "{deck.king}"'] if deck.king else []
    lines += ["", "[castles]", *(f"{id.removeprefix('castle-')} = {n}" for id, n in counted.items() if is_castle(id))]
    lines += ["", "[specials]", *(f"{id} = {n}" for id, n in counted.items() if not is_castle(id))]
    lines += ["", "[combinations]"]
    for id in counted:
        printed = [f'"{card.shows}"' for card in deck.cards if card.id == id and card.shows]
        lines += [f"{id} = [{', '.join(printed)}]"] if printed else []
    return "\n".join(lines) + "\n"
