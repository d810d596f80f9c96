"""A state in one line, to set up a game that was not recorded from its start.

    amigo2006; A farmer guard; B -; turn B; round 3; start A; active 5 3; kept 2; used laborer; duty

Fields are separated by `;`, in any order. One per seat is required: its cards or `-`. Defaults of the others: turn and
start marker at seat A, round 1, a display of all cards that players do not hold, a turn before its first roll.

- `dice 10|none`: dice in the box.
- `display farmer 0 …`: cards of which another number is left.
- `active …|-`, `kept …`, `used …`, `duty`: the current turn.
- `open B 5 5 3`: a turn whose purchase is open.
- `final`, `threshold 7x2`: the King is claimed (King and Queen are in tableaux).
- `won A`: the game is over.
"""

from __future__ import annotations

from dataclasses import replace

from engine.dice import dice_text, read_dice
from engine.errors import Unreadable
from engine.fields import NOTHING, number, split_fields, unknown_field
from engine.krone.cards import CARDS, ORDER, copies
from engine.krone.consistency import check_position
from engine.krone.names import read_card
from engine.krone.state import (
    MAX_PLAYERS,
    RULESETS,
    OpenPurchase,
    Rules,
    State,
    Turn,
    in_display_order,
    new_game,
    new_turn,
)
from engine.registry import SEATS


def position_text(state: State) -> str:
    """The state in one line, which `read_position` parses."""
    rules, turn = state.rules, state.turn
    fields = [rules.id]
    if rules.dice != Rules().dice:
        fields.append(f"dice {'none' if rules.dice is None else rules.dice}")
    fields += [f"{seat} {' '.join(state.tableau(seat)) or NOTHING}" for seat in state.seats]
    usual = _stock(rules, state.tableaux)
    fields += [
        f"display {card} {'endless' if left is None else left}"
        for card, left in state.display.items()
        if left != usual[ORDER[card]]
    ]
    fields += [f"turn {state.seat}", f"round {state.round}", f"start {state.start}"]
    fields += [f"open {waiting.seat} {dice_text(waiting.result)}" for waiting in state.waiting]
    if state.threshold:
        fields.append("threshold {}x{}".format(*state.threshold))
    fields += ["final"] if state.final else []
    if state.winner:
        return "; ".join([*fields, f"won {state.winner}"])
    fields += [f"active {dice_text(turn.active) or NOTHING}"] if turn.rolled else []
    fields += [f"kept {dice_text(turn.kept)}"] if turn.kept else []
    fields += [f"used {' '.join(in_display_order(list(turn.used)))}"] if turn.used else []
    return "; ".join(fields + (["duty"] if turn.duty else []))


def read_position(text: str, rules: Rules | None = None) -> State:
    """Parses a state, under `rules` unless the line names its own ruleset.

    Raises:
        Unreadable: The line makes no state.
    """
    rules = rules or Rules()
    fields: dict[str, list[str]] = {}
    opened: list[OpenPurchase] = []
    for key, words in split_fields(text):
        if key == "open" and words:
            opened.append(OpenPurchase(words[0].upper(), read_dice(words[1:])))
        elif key == "display":
            fields.setdefault(key, []).extend(words)
        elif key in RULESETS:
            rules = replace(RULESETS[key], dice=rules.dice)
        elif key in fields or key not in _FIELDS:
            raise unknown_field(key, words)
        else:
            fields[key] = words
    if "dice" in fields:
        rules = replace(rules, dice=None if fields["dice"] == ["none"] else _number(fields, "dice"))
    state = _placed(rules, fields, tuple(opened))
    check_position(state)
    return state


_FIELDS = (*SEATS, "dice", "turn", "round", "start", "active", "kept", "used", "duty", "threshold", "final", "won")


def _placed(rules: Rules, fields: dict[str, list[str]], opened: tuple[OpenPurchase, ...]) -> State:
    given = [seat for seat in SEATS if seat in fields]
    if not 2 <= len(given) <= MAX_PLAYERS or given != list(SEATS[: len(given)]):
        raise Unreadable("a position lists the cards of two to five seats starting with A, as in “A farmer guard; B -”")
    tableaux = tuple(in_display_order([read_card(name) for name in fields[seat] if name != NOTHING]) for seat in given)
    stock = _stock(rules, tableaux)
    shown = fields.get("display", [])
    for name, left in zip(shown[::2], [*shown[1::2], ""], strict=False):
        stock[ORDER[read_card(name)]] = None if left == "endless" else number(left)
    seat = _seat(fields, "turn", given)
    state = replace(new_game(len(given), rules), tableaux=tableaux, stock=tuple(stock), seat=seat, waiting=opened)
    state = replace(
        state,
        start=_seat(fields, "start", given),
        round=_number(fields, "round") if "round" in fields else 1,
        claimant=_holder(tableaux, "queen"),
        king=_holder(tableaux, "king"),
        threshold=_threshold(fields),
        final="final" in fields,
        winner=_seat(fields, "won", given) if "won" in fields else None,
    )
    return replace(state, turn=Turn(0) if state.winner else _turn(state, fields))


def _turn(state: State, fields: dict[str, list[str]]) -> Turn:
    fresh = new_turn(state.rules, state.tableau(state.seat))
    used = frozenset(read_card(name) for name in fields.get("used", []))
    if "active" not in fields and "kept" not in fields:
        return replace(fresh, used=used, hand=fresh.hand + len(used))
    active, kept = ([] if fields.get(key) == [NOTHING] else fields.get(key, []) for key in ("active", "kept"))
    return Turn(0, read_dice(active), read_dice(kept), used, rolled=True, duty="duty" in fields)


def _stock(rules: Rules, tableaux: tuple[tuple[str, ...], ...]) -> list[int | None]:
    """The copies left for sale if the players hold these cards; a Charlatan is one of the Fools."""
    held = [card for tableau in tableaux for card in tableau]
    stock: list[int | None] = [copies(card, len(tableaux)) - held.count(card) for card in CARDS]
    fools = held.count("fool") + held.count("charlatan")
    stock[ORDER["charlatan"]] = 0
    stock[ORDER["fool"]] = None if rules.endless_fools else copies("fool", len(tableaux)) - fools
    return stock


def _holder(tableaux: tuple[tuple[str, ...], ...], card: str) -> str | None:
    return next((SEATS[place] for place, tableau in enumerate(tableaux) if card in tableau), None)


def _number(fields: dict[str, list[str]], key: str) -> int:
    return number(" ".join(fields[key]))


def _seat(fields: dict[str, list[str]], key: str, seats: list[str]) -> str:
    seat = " ".join(fields.get(key, ["A"])).upper()
    if seat not in seats:
        raise Unreadable("“{key} {seat}” does not name a seat in this game", key=key, seat=seat)
    return seat


def _threshold(fields: dict[str, list[str]]) -> tuple[int, int] | None:
    if "threshold" not in fields:
        return None
    alike, _, value = " ".join(fields["threshold"]).lower().partition("x")
    return number(alike), number(value)
