"""A state in one line, and back.

    A castle-red=3-3-3+2! dice-4 / B castle-blue / left castle-green 22*? / right 22*? / king=? turn=A round=3 under=1

Players and stacks are separated by ` / `. Each player's cards are in the order they were taken, with `!` after a
guarded card; stacks are listed from the top down, `?` for an unseen card. The turn comes last: `king=`, `turn=`,
`round=`, and if they apply `under=1`, `again` (another attempt is allowed), `revenge`, `guarding=B`, `winner=A`. An
attempt adds `for=left|B:castle-red|king by=A throws=2 beat=3-3-3+2 leader=A dice=665532 kept=55` (`kept=none` for no
die).
"""

from __future__ import annotations

from itertools import groupby

from engine.dice import Faces, read_dice
from engine.errors import Unreadable
from engine.knatsch.combination import read, read_printed
from engine.knatsch.deck import Card, Deck, is_castle, is_special, read_card
from engine.knatsch.events import SIDES, Held, Place, TheKing, Top
from engine.knatsch.state import DICE, MAX_THROWS, Attempt, Player, State
from engine.registry import SEATS

_FLAGS = ("again", "revenge")
_VALUES = (
    "king",
    "turn",
    "round",
    "under",
    "guarding",
    "winner",
    "for",
    "by",
    "throws",
    "beat",
    "leader",
    "dice",
    "kept",
)


def position_text(state: State) -> str:
    """The state without its deck, which is in the record's header."""
    parts = [_player_text(seat, state.player(seat)) for seat in state.seats]
    parts += [" ".join([side, *_stack_words(state.stack(side))]) for side in SIDES]
    return " / ".join([*parts, _turn_text(state)])


def _player_text(seat: str, player: Player) -> str:
    return " ".join([seat, *(f"{card}{'!' if player.guarded(card.id) else ''}" for card in player.cards)])


def _stack_words(stack: tuple[Card | None, ...]) -> list[str]:
    words = []
    for card, run in groupby(stack):
        count = len(list(run))
        words.append(("" if count == 1 else f"{count}*") + ("?" if card is None else str(card)))
    return words


def _turn_text(state: State) -> str:
    words = [f"king={state.king or '?'}", f"turn={state.turn}", f"round={state.round}"]
    words += [f"under={state.put_under}"] * (state.put_under > 0)
    words += ["again"] * state.attempted + ["revenge"] * state.revenge
    words += [f"guarding={state.guarding}"] * (state.guarding is not None)
    words += [f"winner={state.winner}"] * (state.winner is not None)
    attempt = state.attempt
    if attempt:
        words += [
            f"for={_place_word(attempt.place)}",
            f"by={attempt.seat}",
            f"throws={attempt.throws}",
            f"beat={attempt.leading}",
        ]
        words += [f"leader={attempt.leader}"] * (attempt.leader is not None)
        words += [f"dice={_digits(attempt.dice)}"] if attempt.dice is not None else []
        words += [f"kept={_digits(attempt.kept)}"] if attempt.kept is not None else []
    return " ".join(words)


def _place_word(place: Place) -> str:
    match place:
        case Top(side):
            return side
        case Held(seat, card):
            return f"{seat}:{card}"
        case TheKing():
            return "king"


def _digits(dice: Faces) -> str:
    return "".join(map(str, reversed(dice))) or "none"


def read_position(text: str, players: int, deck: Deck) -> State:
    """Parses a state for this number of players and this deck.

    Raises:
        Unreadable: The line makes no state.
    """
    parts = [part.split() for part in text.split("/")]
    heads = [*SEATS[:players], *SIDES]
    if len(parts) != players + 3 or [part[0] if part else "" for part in parts[:-1]] != heads:
        raise Unreadable("a position needs one part per player, one for each stack and one for the turn")
    seated = tuple(_read_player(part[1:], deck) for part in parts[:players])
    left, right = (_read_stack(part[1:], deck) for part in parts[players : players + 2])
    fields = _read_turn(parts[-1])
    state = State(
        deck,
        seated,
        (left, right),
        king=None if fields.get("king", "?") == "?" else read_printed(fields["king"]),
        turn=_seat(fields.get("turn", "A"), players),
        round=_number(fields.get("round", "1"), 0, 9999),
        put_under=_number(fields.get("under", "0"), 0, 9999),
        attempted="again" in fields,
        revenge="revenge" in fields,
        guarding=_seat(fields["guarding"], players) if "guarding" in fields else None,
        winner=_seat(fields["winner"], players) if "winner" in fields else None,
        attempt=_read_attempt(fields, players),
    )
    state = state.counted()
    _check(state)
    return state


def _read_player(words: list[str], deck: Deck) -> Player:
    cards = tuple(deck.with_combination(read_card(word.removesuffix("!"))) for word in words)
    guarded = [card.id for card, word in zip(cards, words, strict=True) if word.endswith("!")]
    specials = [card for card in guarded if is_special(card)]
    if len(specials) > 1 or any(not (is_castle(card) or is_special(card)) for card in guarded):
        raise Unreadable("a Special Guard guards one special card")
    castles = tuple(sorted(card for card in guarded if is_castle(card)))
    return Player(cards, castles, specials[0] if specials else None)


def _read_stack(words: list[str], deck: Deck) -> tuple[Card | None, ...]:
    stack: list[Card | None] = []
    for word in words:
        count, star, card = word.rpartition("*")
        times = _number(count, 1, 99) if star else 1
        stack += [None if card == "?" else deck.with_combination(read_card(card))] * times
    return tuple(stack)


def _read_turn(words: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if (name not in _VALUES if equals else name not in _FLAGS) or name in fields:
            raise Unreadable("“{word}” is not a setting of the turn", word=word)
        fields[name] = value
    return fields


def _read_attempt(fields: dict[str, str], players: int) -> Attempt | None:
    if "for" not in fields:
        if {"by", "throws", "beat", "leader", "dice", "kept"} & fields.keys():
            raise Unreadable("name the target of the rolls, as in “for=left”")
        return None
    return Attempt(
        _read_place(fields["for"], players),
        _seat(fields.get("by", fields.get("turn", "A")), players),
        _number(fields.get("throws", "3"), 1, MAX_THROWS),
        read(fields.get("beat", "nothing")),
        _seat(fields["leader"], players) if "leader" in fields else None,
        _dice(fields["dice"]) if "dice" in fields else None,
        _dice(fields["kept"]) if "kept" in fields else None,
    )


def _read_place(word: str, players: int) -> Place:
    for side in SIDES:
        if word == side:
            return Top(side)
    if word == "king":
        return TheKing()
    seat, colon, card = word.partition(":")
    if not colon:
        raise Unreadable("“{word}” is not a target. Write left, right, king or B:castle-red", word=word)
    return Held(_seat(seat, players), read_card(card).id)


def _dice(word: str) -> Faces:
    found = () if word == "none" else read_dice(list(word))
    if 0 in found or len(found) > DICE:
        raise Unreadable("“{word}” is not six dice", word=word)
    return found


def _seat(word: str, players: int) -> str:
    if len(word) != 1 or word not in SEATS[:players]:
        raise Unreadable("“{word}” is not a seat in this game", word=word)
    return word


def _number(word: str, least: int, most: int) -> int:
    if not (word.isascii() and word.isdigit() and least <= int(word) <= most):
        raise Unreadable("“{word}” is not a number from {least} to {most}", word=word, least=least, most=most)
    return int(word)


def _check(state: State) -> None:
    """Raises Unreadable for an impossible state."""
    hidden = sum(card is None for stack in state.stacks for card in stack)
    left = sum(count for _, count in state.unseen)
    if not state.dealing and hidden != left:
        raise Unreadable(
            "the deck has {left} cards that the position does not show, but the position gives {hidden} as hidden",
            left=left,
            hidden=hidden,
        )
    for seat in state.seats:
        player = state.player(seat)
        owned = [card for card in state.tableau(seat) if card != "tournament"]
        if len(set(owned)) != len(owned):
            raise Unreadable("{seat} has a card twice", seat=seat)
        if len(player.guarded_castles) > 2 * player.has("castle-guard") or (
            player.guarded_special and (player.guarded_special == "special-guard" or not player.has("special-guard"))
        ):
            raise Unreadable("{seat} has guarded cards but no guard", seat=seat)
        if not (player.castles or state.dealing):
            raise Unreadable("{seat} has no castle", seat=seat)
        if player.wins and state.winner != seat:
            raise Unreadable("{seat} has won: add winner={seat}", seat=seat)
    _check_attempt(state)


def _check_attempt(state: State) -> None:
    attempt = state.attempt
    if attempt is None:
        return
    if not isinstance(attempt.place, TheKing) and state.card_at(attempt.place) is None:
        raise Unreadable("there is no such target")
    on_table = attempt.dice
    if on_table is not None and len(on_table) != DICE:
        raise Unreadable("there must be six dice on the table")
    if attempt.kept is not None and (
        on_table is None or any(attempt.kept.count(f) > on_table.count(f) or f == 6 for f in attempt.kept)
    ):
        raise Unreadable("only dice on the table that are not sixes can be kept")
