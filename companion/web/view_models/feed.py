"""The JSON feed of the current game for other programs, as described in docs/streaming.md."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.game.changes import Line
from engine.dice import read_dice
from engine.errors import Unreadable
from engine.games import Game
from engine.registry import SEATS
from engine.replay import Replay

_MAX_EVENTS = 30  # at the end of the record
_KINDS = {"roll": "roll", "buy": "purchase", "keep": "keep", "use": "card", "pass": "pass"}


def final_lines(replay: Replay, in_question: Collection[int] = ()) -> int:
    """Number of first lines of the record that are final: of finished turns, and before anything that a question may
    change.

    Args:
        in_question: Indices of uncertain lines, from 1.
    """
    states, final = replay.states, len(replay.states) - 1
    if not replay.state.finished:
        running = _turn(replay.game, replay.state)
        while final and _turn(replay.game, states[final - 1]) == running:
            final -= 1
    return min(final, *(place - 1 for place in in_question)) if in_question else final


def _turn(game: Game, state: Any) -> tuple[int, str]:
    """Identifies a turn by its round and seat."""
    return state.round, game.on_turn(state)


def feed(
    version: str,
    replay: Replay,
    shown: Any,
    lines: Sequence[Line],
    wins: Mapping[str, float],
    in_question: Collection[int] = (),
) -> dict[str, Any]:
    """The game now.

    Args:
        shown: The state as the board shows it.
        wins: Win probability by seat, if known.
    """
    record, names = replay.record, replay.record.players
    seated = dict(zip(SEATS, names, strict=False))
    places = {line.number: place for place, line in enumerate(lines, 1)}
    final = final_lines(replay, [places[number] for number in in_question if number in places])
    tableaux = replay.game.tableaux(shown)
    return {
        "version": version,
        "game": replay.game.ID,
        "ruleset": record.ruleset,
        "round": shown.round,
        "winner": seated[shown.winners[0]] if len(shown.winners) == 1 else None,
        "winners": [seated[seat] for seat in shown.winners],
        "turn": None if shown.finished else _running(replay.game, shown, seated),
        "players": [
            {
                "seat": seat,
                "name": name,
                "cards": list(tableaux[place]),
                "win_chance": None if seat not in wins else round(wins[seat], 4),
            }
            for place, (seat, name) in enumerate(seated.items())
        ],
        "events": [_event(line, seated, place <= final) for place, line in list(enumerate(lines, 1))[-_MAX_EVENTS:]],
        "asking": bool(in_question),
    }


def _running(game: Game, shown: Any, seated: Mapping[str, str]) -> dict[str, Any]:
    """Dice in descending order: active ones may be rolled again, kept ones stay."""
    active, kept = game.on_table(shown)
    return {
        "seat": shown.seat,
        "name": seated[shown.seat],
        "active": list(reversed(active)),
        "kept": list(reversed(kept)),
        "to_roll": shown.to_roll,
    }


def _event(line: Line, seated: Mapping[str, str], final: bool) -> dict[str, Any]:
    verb, *words = line.move.split()
    return {
        "number": line.number,
        "seat": line.seat,
        "name": seated.get(line.seat, line.seat),
        "kind": _KINDS.get(verb, verb),
        "text": line.move,
        "dice": _dice(words[words.index(">") + 1 :] if ">" in words else words),
        "card": words[0] if verb in ("buy", "use") and words else None,
        "by": line.by,
        "final": final,
    }


def _dice(words: Sequence[str]) -> list[int]:
    try:
        return list(reversed(read_dice([word for word in words if word.isdigit() or word == "?"])))
    except Unreadable:
        return []
