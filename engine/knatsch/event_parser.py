"""Parses the events of a record, in any case and with card names in any language. Raises Unreadable with one
sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.errors import Unreadable
from engine.events import nothing_after, read_keep, read_roll
from engine.knatsch.combination import Combination, read_printed
from engine.knatsch.events import (
    SIDES,
    Deal,
    Event,
    Guard,
    Held,
    Learn,
    Lose,
    Pass,
    Place,
    Reveal,
    Side,
    Stop,
    Target,
    TheKing,
    Top,
    Under,
)
from engine.knatsch.names import card_named
from engine.registry import SEATS


def read_event(text: str) -> Event:
    """Parses the event of a record's line without its seat."""
    verb, *words = text.split() or [""]
    read = _READERS.get(verb.lower())
    if read is None:
        raise Unreadable("“{verb}” is not a known entry. Write {verbs}", verb=verb, verbs=_VERBS)
    return read(words)


def _deal(words: list[str]) -> Deal:
    return Deal(*_card_and_combination(words))


def _reveal(words: list[str]) -> Reveal:
    card, shows = _card_and_combination(words[1:])
    return Reveal(_side(words), card, shows)


def _combination(words: list[str]) -> Learn:
    place, shown = _shown(words)
    if shown is None:
        raise Unreadable("“combination” needs a card and its dice, as in “combination left 3-3-3+2”")
    return Learn(_place(place), shown)


def _under(words: list[str]) -> Under:
    nothing_after(words[1:], "under")
    return Under(_side(words))


def _lose(words: list[str]) -> Lose:
    if len(words) < 2:
        raise Unreadable("“lose” needs a castle and a stack, as in “lose castle-red left”")
    return Lose(_card(words[:-1]), _side(words[-1:]))


def _stop(words: list[str]) -> Stop:
    nothing_after(words, "stop")
    return Stop()


def _pass(words: list[str]) -> Pass:
    nothing_after(words, "pass")
    return Pass()


def _side(words: list[str]) -> Side:
    word = words[0].lower() if words else ""
    for side in SIDES:
        if word == side:
            return side
    raise Unreadable("choose a stack: left or right")


def _card(words: list[str]) -> str:
    card = card_named(" ".join(words))
    if card is None:
        raise Unreadable("there is no card “{text}”", text=" ".join(words))
    return card


def _card_and_combination(words: list[str]) -> tuple[str, Combination | None]:
    card, shown = _shown(words)
    return _card(card), shown


def _shown(words: list[str]) -> tuple[list[str], Combination | None]:
    """The words before a combination, and the combination: `3-3-3+2`, or its four dice in any order: `3 2 3 3`."""
    if words and words[-1][0].isdigit() and "-" in words[-1]:
        return words[:-1], read_printed(words[-1])
    if len(words) > 1 and len(words[-1]) == 4 and words[-1].isdigit():
        words = [*words[:-1], *words[-1]]
    dice = sorted(words[-4:])
    if len(words) > 4 and all(len(word) == 1 and word in "123456" for word in dice):
        alike = dice[1]
        if dice.count(alike) < 3:
            raise Unreadable(
                "a card shows three equal dice and one reserve die, not “{text}”", text=" ".join(words[-4:])
            )
        dice.remove(alike)
        reserve = next((die for die in dice if die != alike), alike)
        return words[:-4], read_printed(f"{alike}-{alike}-{alike}+{reserve}")
    return words, None


def _place(words: list[str]) -> Place:
    if len(words) == 1 and words[0].lower() == "king":
        return TheKing()
    if len(words) == 1 and words[0].lower() in SIDES:
        return Top(_side(words))
    if words and len(words[0]) == 1 and words[0].upper() in SEATS:
        return Held(words[0].upper(), _card(words[1:]))
    raise Unreadable("choose a card: left, right, king, or a player’s letter and card, as in “B castle-red”")


def _guard(words: list[str]) -> Guard:
    """One or two cards. Names of several words are tried as one card first, then split in two at every place."""
    whole = card_named(" ".join(words))
    if whole:
        return Guard((whole,))
    for cut in range(1, len(words)):
        pair = card_named(" ".join(words[:cut])), card_named(" ".join(words[cut:]))
        if pair[0] and pair[1]:
            return Guard((pair[0], pair[1]))
    raise Unreadable("“guard” needs one or two castles or a special card, not “{text}”", text=" ".join(words))


_READERS: Mapping[str, Callable[[list[str]], Event]] = {
    "deal": _deal,
    "reveal": _reveal,
    "combination": _combination,
    "under": _under,
    "guard": _guard,
    "target": lambda words: Target(_place(words)),
    "roll": read_roll,
    "keep": read_keep,
    "stop": _stop,
    "lose": _lose,
    "pass": _pass,
}
_VERBS = " or ".join((", ".join([*_READERS][:-1]), "pass"))
