"""What one line of the record may say instead, for people to pick from: plain data, no language, no HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.game.changes import Line
from companion.game.record_line import RecordLine
from companion.web.view_models.games import view_of
from engine.dice import Faces, read_dice
from engine.games import Game
from engine.knatsch.state import State as KnatschState
from engine.krone.cards import CARDS
from engine.krone.events import Buy
from engine.krone.rules import can
from engine.krone.state import State as KroneState

Group = Literal["dice", "use", "take", "other"]
Needs = Literal["", "dice", "after", "both"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may have happened. head: its text up to the dice; needs: which dice belong to it (both: those it
    was used on and what they became); line: for its words; fits: allowed there, as far as the record tells; chosen: it
    is what stands there."""

    head: str
    group: Group
    needs: Needs
    line: RecordLine
    fits: bool
    chosen: bool


def split_dice(event: str) -> tuple[str, Faces]:
    """An event's text up to its last dice, and those dice."""
    words = event.split()
    first = len(words)
    while first and (words[first - 1].isdigit() or words[first - 1] == "?"):
        first -= 1
    return " ".join(words[:first]), read_dice(words[first:])


def parts(event: str) -> tuple[str, Faces, Faces]:
    """Head, dice it was used on, and the dice at its end: `A use fool 5 > 3` → `A use fool`, (5,), (3,)."""
    head, after = split_dice(event)
    if not head.endswith(">"):
        return head.removesuffix(" none"), (), after
    head, before = split_dice(head.removesuffix(">").strip())
    return head, before, after


def choices(game: Game, state: Any, line: Line, names: Mapping[str, str]) -> list[Choice]:
    """What this seat may have done where the position was `state`, and what stands there in any case."""
    now, _, _ = parts(line.event)
    seat = line.seat
    found = [
        Choice(f"{seat} {verb}", "dice", "dice", _said(game, f"{seat} {verb} 1", names), True, False)
        for verb in ("roll", "keep")
    ]
    offered = _krone(state, line) if isinstance(state, KroneState) else _knatsch(game, state, seat)
    found += [Choice(head, group, needs, _said(game, head, names), fits, False) for head, group, needs, fits in offered]
    if now not in {choice.head for choice in found}:
        found.append(Choice(now, "other", "", _said(game, now, names), True, False))
    return [replace(choice, chosen=choice.head == now) for choice in found]


def _krone(state: KroneState, line: Line) -> Iterable[tuple[str, Group, Needs, bool]]:
    verb, card = [*line.move.split(), ""][:2]
    own = dict.fromkeys([*state.tableau(line.seat), *([card] if verb == "use" else [])])
    for one in own:
        if CARDS[one].ability in ("add", "reroll", "change"):
            needs: Needs = "after" if one == "queen" else "" if CARDS[one].ability == "add" else "both"
            yield f"{line.seat} use {one}", "use", needs, True
    for one in CARDS:
        if one != "queen" and (
            state.display[one] != 0 or can(state, line.seat, Buy(one)) or (verb, card) == ("buy", one)
        ):
            yield f"{line.seat} buy {one}", "take", "", can(state, line.seat, Buy(one))
    yield f"{line.seat} pass", "take", "", True


def _knatsch(game: Game, state: KnatschState, seat: str) -> Iterable[tuple[str, Group, Needs, bool]]:
    board = view_of(game.ID).arrange("", state, [str(one) for one in state.seats], ())
    heads = [*board.moves, *(f"{seat} deal {castle}" for castle in board.deals)]
    heads += [event for stack in board.stacks for event, *_ in stack.reveals]
    held = [card.offer for player in board.players for card in player.cards]
    tops = [stack.top.offer for stack in board.stacks if stack.top]
    heads += [offer.event for offer in (*tops, *held, board.king.offer) if offer and offer.legal]
    return [(head, "other", "", True) for head in dict.fromkeys(heads) if head[:1] == seat]


def _said(game: Game, event: str, names: Mapping[str, str]) -> RecordLine:
    """The words of an event; its dice are shown beside it."""
    line: RecordLine = view_of(game.ID).lines([Line(0, event, "person")], names)[0]
    return line
