"""The view model of Um Krone und Kragen: plain data, without language and HTML.

State, lines of the record and odds → Scoreboard. All decisions are made here, so that templates only arrange and
translate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from companion.advice.budget import Chances
from companion.advice.statistics import CardsTaken
from companion.game.changes import Line
from companion.game.record_line import RecordLine
from companion.games.krone.final_round import final_standings
from companion.games.krone.parts import Owned, Pile, PlayerView, RunningTurn, Scoreboard, Usable
from companion.games.parts import GameSnapshot, LineChoice, Needs, indices_of, record_line, second_guesses
from engine.dice import read_dice
from engine.errors import Illegal
from engine.games import SEATS
from engine.krone.abilities import card_ready
from engine.krone.advice.goals import GOALS
from engine.krone.advice.odds import odds
from engine.krone.advice.tables import QUICK_CELLS
from engine.krone.advice.turn_position import Position
from engine.krone.cards import CARDS
from engine.krone.costs import COSTS, payable_cards
from engine.krone.events import Buy, Keep, Pass, Use
from engine.krone.rules import can, play
from engine.krone.state import OpenPurchase, State, new_turn
from engine.replay import Replay
from vision.types import SeenDie

ROWS = tuple(
    (row, tuple(card.id for card in CARDS.values() if card.row == row and card.id != "queen")) for row in range(6)
)


def scoreboard(snapshot: GameSnapshot) -> Scoreboard:
    """Arranges one version of a game for the page."""
    state: State = snapshot.state
    chances, names = snapshot.chances or Chances(), snapshot.names_by_seat
    players = tuple(_player(state, seat, name, chances) for seat, name in names.items())
    start = state.seats.index(state.start)
    end = _set_all_aside(state)
    return Scoreboard(
        **snapshot.common_fields(krone_lines),
        final_round=state.final,
        turn=_running(state, snapshot.names, chances, snapshot.seen),
        order=players[start:] + players[:start],
        players=players,
        rows=tuple((row, tuple(_pile(state, end, card, row, chances) for card in cards)) for row, cards in ROWS),
        threshold=state.threshold if state.final else None,
        beat=chances.beat,
        standings=final_standings(state, snapshot.lines, names),
    )


def _running(state: State, names: Sequence[str], chances: Chances, seen: Sequence[SeenDie]) -> RunningTurn:
    turn = state.turn
    active = tuple(reversed(turn.active))
    return RunningTurn(
        seat=state.seat,
        name=names[state.seats.index(state.seat)],
        active=active,
        kept=tuple(reversed(turn.kept)),
        to_roll=0 if turn.duty or state.finished else state.to_roll,
        may_pass=not state.finished and (turn.over or (state.final and not turn.rolled)),
        uses=_uses(state),
        advised=indices_of(active, chances.set_aside),
        guesses=second_guesses(active, [die for die in seen if not die.kept]),
    )


def _uses(state: State) -> tuple[Usable, ...]:
    if state.finished:
        return ()
    found = []
    for id in state.tableau(state.seat):
        try:
            card_ready(state, id)
        except Illegal:
            continue
        found.append(Usable(id, CARDS[id].row, plain=can(state, state.seat, Use(id))))
    return tuple(dict.fromkeys(found))


def _pile(state: State, end: State | None, card: str, row: int, chances: Chances) -> Pile:
    own = state.tableau(state.seat)
    return Pile(
        id=card,
        row=row,
        left=state.display[card] if card != "charlatan" else own.count("fool"),
        offer=_offer(state, card),
        buyable=end is not None and can(end, end.seat, Buy(card)),
        owned=card in own,
        chance=chances.cards.get(card),
    )


def _set_all_aside(state: State) -> State | None:
    """The state after the active dice are set aside; None if that would not end the turn."""
    if not state.turn.rolled or state.finished:
        return None
    if not state.turn.active:
        return state
    keep = Keep(state.turn.active)
    return play(state, state.seat, keep) if can(state, state.seat, keep) else None


def _offer(state: State, card: str) -> str:
    turn = state.turn
    if not turn.rolled:
        return ""
    if turn.over:
        return "now" if card in state.purchases() else ""
    if card in state.purchases():
        return "kept"
    return "rest" if card in state.purchases(turn.active) else ""


def _player(state: State, seat: str, name: str, chances: Chances) -> PlayerView:
    tableau = state.tableau(seat)
    running = seat == state.seat and not state.finished
    used = state.turn.used if running else frozenset()
    return PlayerView(
        seat=seat,
        name=name,
        to_move=running,
        starts=seat == state.start,
        dice=new_turn(state.rules, tableau).hand,
        cards=tuple(Owned(card, CARDS[card].row, card in used, CARDS[card].ability == "start") for card in tableau),
        late=tuple(card for waiting in state.waiting if waiting.seat == seat for card in _late(state, waiting)),
        win_chance=chances.wins.get(seat),
    )


def _late(state: State, waiting: OpenPurchase) -> tuple[str, ...]:
    """Cards that an open turn may still buy, judged by its result and the current display; the table decides."""
    own = state.tableau(waiting.seat)
    return tuple(
        card
        for card in CARDS
        if card in payable_cards(waiting.result)
        and ((card == "charlatan" and "fool" in own) or (card not in own and state.display[card] != 0))
    )


def krone_phone(state: State, board: Scoreboard, me: PlayerView, ahead: Callable[..., Any]) -> dict[str, Any]:
    """The odds on a player's phone, as card and probability, the likeliest first: of this turn if it is theirs, else
    of their next one, which `ahead` computes."""
    if state.finished or state.final:
        return {"chances": []}
    if me.to_move:
        chances = {pile.id: pile.chance for _, row in board.rows for pile in row if pile.chance is not None}
    else:
        wanted = tuple(
            card for card in COSTS if card in GOALS and state.display[card] != 0 and card not in state.tableau(me.seat)
        )
        position = Position.of(state, me.seat)

        def answer(expired: Callable[[], bool]) -> dict[str, float]:
            found = odds(position, wanted, expired=expired, most_cells=QUICK_CELLS)
            return {card: chance.p for card, chance in found.items()}

        chances = ahead((position, wanted), answer) or {}
    found = ((card, chance) for card, chance in chances.items() if chance > 0.001)
    return {"chances": sorted(found, key=lambda pair: -pair[1])}


def krone_lines(lines: Sequence[Line], names: Mapping[str, str]) -> tuple[RecordLine, ...]:
    """The record's lines as the page shows them. `names` are by the letter of the seat."""
    found: list[RecordLine] = []
    for line in lines:
        before = found[-1] if found else None
        begins = before is None or before.seat != line.seat or before.verb in ("buy", "pass")
        found.append(record_line(line, names, **_named(line), begins_turn=begins))
    return tuple(found)


def _named(line: Line) -> dict[str, Any]:
    """The card and the dice that an event names."""
    verb, *words = line.move.split()
    card = words.pop(0) if verb in ("use", "buy") and words else None
    arrow = words.index(">") if ">" in words else 0
    before, after = read_dice(words[:arrow]), read_dice(words[arrow + 1 if arrow else 0 :])
    return {"card": card, "before": tuple(reversed(before)), "dice": tuple(reversed(after))}


def choices(state: State, line: Line) -> Iterator[LineChoice]:
    """Uses of the seat's own cards, every card it may buy, and buying none."""
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


def cards_by_round(replay: Replay) -> tuple[CardsTaken, ...]:
    """Purchases by round. A player who plays twice in a row does so in two rounds."""
    taken: dict[int, list[tuple[str, ...]]] = {}
    players = len(replay.record.players)
    for entry, before in zip(replay.record.entries, replay.states, strict=False):
        if isinstance(entry.event, Buy | Pass) and not before.final:
            row = taken.setdefault(before.round, [()] * players)
            row[SEATS.index(entry.seat)] = (entry.event.card,) if isinstance(entry.event, Buy) else ()
    return tuple(CardsTaken(number, tuple(cards)) for number, cards in sorted(taken.items()))
