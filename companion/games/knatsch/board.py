"""The view model of Knatsch: plain data, without language and HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

from companion.advice.statistics import CardsTaken
from companion.game.changes import Line
from companion.game.record_line import RecordLine
from companion.games.knatsch.advice import knatsch_value_function
from companion.games.knatsch.parts import Attack, FaceUpCard, KnatschBoard, Offer, PlayerView, Stack
from companion.games.parts import GameSnapshot, LineChoice, indices_of, kept_before, record_line
from engine.dice import Faces, read_dice
from engine.errors import Unreadable
from engine.knatsch.advice.targets import defence, targets, ways_to_go_on
from engine.knatsch.advice.value_function import missing
from engine.knatsch.combination import Combination, best
from engine.knatsch.deck import Card, is_castle
from engine.knatsch.events import (
    SIDES,
    Event,
    Guard,
    Held,
    Lose,
    Pass,
    Reveal,
    Side,
    Stop,
    Target,
    TheKing,
    Top,
    Under,
    event_text,
    place_text,
)
from engine.knatsch.rules import can
from engine.knatsch.state import State
from engine.replay import Replay
from vision.types import SeenDie


def knatsch_board(snapshot: GameSnapshot) -> KnatschBoard:
    """Arranges one version of a game."""
    state: State = snapshot.state
    names, attempt, offers = snapshot.names_by_seat, state.attempt, _offers(state, snapshot.advised)
    dice = tuple(reversed(attempt.dice or ())) if attempt else ()
    return KnatschBoard(
        **snapshot.common_fields(knatsch_lines),
        attack=_attack(state, names, snapshot.advised),
        dice=dice,
        kept=tuple(reversed(attempt.kept or ())) if attempt else (),
        to_roll=state.to_roll,
        stay=indices_of(dice, kept_before(snapshot.lines)),
        may_keep=bool(attempt and attempt.dice and attempt.kept is None and attempt.throws),
        moves=tuple(_moves(state)),
        asks=tuple(_asks(state, offers)),
        deals=_deals(state),
        king=FaceUpCard("king", str(state.king or ""), False, offer=offers.get("king")),
        seen=_combination_in_sight(snapshot.seen),
        stacks=tuple(_stack(state, side, offers) for side in SIDES),
        players=tuple(_player(state, seat, name, offers) for seat, name in names.items()),
    )


def _offers(state: State, advised: bool) -> dict[str, Offer]:
    """Every legal target by its place. advised: the best one is marked."""
    found = {}
    for number, one in enumerate(targets(state, knatsch_value_function())):
        place = place_text(one.place)
        best = advised and number == 0 and one.value > 0
        found[place] = Offer(f"{state.turn} target {place}", one.chance, best, state.to_beat(one.place) is not None)
    return found


def knatsch_phone(state: State, board: KnatschBoard, me: PlayerView, ahead: object) -> dict[str, Any]:
    """A player's phone: their moves, and their targets now or in their next turn."""
    moves = tuple(move for move in board.moves if move.startswith(me.seat))
    return {"board": replace(board, moves=moves), "chances": targets_ahead(state, me.seat)}


def targets_ahead(state: State, seat: str) -> list[tuple[str, str, str, float | None]]:
    """Targets of this player in their next turn if nothing changes, the best first: seat of the owner ("" on a stack),
    side or "", the card's id, the probability."""
    if state.dealing or state.finished:
        return []
    next_turn = replace(state, turn=seat, attempt=None, revenge=False, put_under=0, attempted=False, guarding=None)
    found: list[tuple[str, str, str, float | None]] = []
    for one in targets(next_turn, knatsch_value_function()):
        card = next_turn.card_at(one.place)
        owner = one.place.seat if isinstance(one.place, Held) else ""
        side = one.place.side if isinstance(one.place, Top) else ""
        found.append((owner, side, card.id if card else "king", one.chance))
    return found


def _moves(state: State) -> Iterator[str]:
    """Moves that need neither dice nor a target."""
    if state.dealing or state.finished:
        return
    plain: tuple[Event, ...] = (Stop(), Pass(), Under("left"), Under("right"))
    events: list[tuple[str, Event]] = [(state.seat, event) for event in plain]
    if state.revenge:
        events += [(state.turn, Lose(castle, side)) for castle in state.player(state.turn).castles for side in SIDES]
    for seat in dict.fromkeys((state.turn, state.guarding or state.turn)):
        events += [(seat, guard) for guard in _guards(state, seat)]
    yield from (f"{seat} {event_text(event)}" for seat, event in events if can(state, seat, event))


def _guards(state: State, seat: str) -> Iterator[Guard]:
    """Ways to use a guard: as many castles as it can protect, or any special card."""
    castles = state.player(seat).castles
    yield from map(Guard, combinations(castles, min(2, len(castles))))
    yield from (Guard((card.id,)) for card in state.player(seat).cards if not is_castle(card.id))


def _asks(state: State, offers: dict[str, Offer]) -> Iterator[tuple[str, ...]]:
    """Cards that could be attacked if their combination were known."""
    for place, offer in offers.items():
        if not offer.legal:
            yield tuple(place.split())


def _deals(state: State) -> tuple[str, ...]:
    if not state.dealing:
        return ()
    return tuple(card for card in state.deck.crests if not any(player.has(card) for player in state.seated))


def _stack(state: State, side: Side, offers: dict[str, Offer]) -> Stack:
    unseen = state.unseen if state.hidden(side) and not state.finished else ()
    order = {card: place for place, card in reversed(list(enumerate(state.deck.cards)))}
    reveals = tuple(
        (f"{state.seat} {event_text(Reveal(side, card.id, card.shows))}", card.id, str(card.shows or ""), count)
        for card, count in sorted(unseen, key=lambda one: order.get(one[0], 0))
    )
    return Stack(side, len(state.stack(side)), _shown(state.top(side), offers.get(side)), reveals)


def _combination_in_sight(seen: Sequence[SeenDie]) -> str:
    """The combination shown by four dice in front of the camera, if a card can have it: three equal ones and one
    more."""
    if len(seen) != 4:
        return ""
    shown = best(die.value for die in seen)
    if shown.group == 4:
        shown = Combination(3, shown.value, shown.value)
    return str(shown) if shown.printable else ""


def _attack(state: State, names: dict[str, str], advised: bool) -> Attack | None:
    attempt = state.attempt
    if attempt is None:
        return None
    target = tuple(event_text(Target(attempt.place)).split()[1:])
    owner = names[attempt.place.seat] if isinstance(attempt.place, Held) else ""
    card = state.card_at(attempt.place)
    ways = ways_to_go_on(state)
    return Attack(
        target[1:] if owner else target,
        owner,
        "king" if isinstance(attempt.place, TheKing) else card.id if card else "",
        str(attempt.leading) if attempt.leading.group else "",
        str(state.result) if attempt.dice else "",
        attempt.throws,
        names[attempt.seat],
        beaten=attempt.dice is not None and state.result.beats(attempt.leading),
        chance=ways[0].chance if ways else defence(state),
        advised=indices_of(tuple(reversed(attempt.dice or ())), ways[0].keep) if advised and ways else frozenset(),
        stop=advised and bool(ways) and not ways[0].thrown,
        defends=isinstance(attempt.place, Held) and attempt.seat == attempt.place.seat,
    )


def _shown(card: Card | None, offer: Offer | None = None, guarded: bool = False) -> FaceUpCard | None:
    if card is None:
        return None
    return FaceUpCard(card.id, "" if card.shows is None else str(card.shows), is_castle(card.id), guarded, offer)


def _player(state: State, seat: str, name: str, offers: dict[str, Offer]) -> PlayerView:
    player = state.player(seat)
    shown = [_shown(card, offers.get(f"{seat} {card.id}"), player.guarded(card.id)) for card in player.cards]
    cards = tuple(card for card in shown if card)
    tournaments = player.tournaments
    return PlayerView(seat, name, seat == state.seat, cards, len(player.castles), tournaments, missing(player))


def knatsch_lines(lines: Sequence[Line], names: Mapping[str, str]) -> tuple[RecordLine, ...]:
    """The record's lines. What is not dice is in `words`, the player it names in `owner`."""
    found: list[RecordLine] = []
    for line in lines:
        verb, *words = line.move.split()
        begins = not found or found[-1].seat != line.seat
        # Giving up a castle has its own verb, because "pass" means leaving cards for sale.
        shown = "decline" if verb == "pass" else verb
        named = {"verb": shown, "dice": _dice(words), "begins_turn": begins} | _named(words, names)
        found.append(record_line(line, names, **named))
    return tuple(found)


def _dice(words: Sequence[str]) -> Faces:
    try:
        return tuple(reversed(read_dice(words)))
    except Unreadable:
        return ()


def _named(words: Sequence[str], names: Mapping[str, str]) -> dict[str, Any]:
    """The values of an event other than its dice: `words`, `owner` and the combination it `shows`."""
    if not words or _dice(words) or words == ["none"]:
        return {}
    *rest, last = words
    shows = last if last[:1].isdigit() else ""
    rest = rest if shows else [*rest, last]
    owner = names.get(rest[0], "") if rest else ""
    return {"words": tuple(rest[1:] if owner else rest), "owner": owner, "shows": shows}


def choices(state: State, line: Line) -> list[LineChoice]:
    """All events without dice that the board offers this seat."""
    board = knatsch_board(GameSnapshot("", state, list(state.seats)))
    heads = [*board.moves, *(f"{line.seat} deal {castle}" for castle in board.deals)]
    heads += [event for stack in board.stacks for event, *_ in stack.reveals]
    held = [card.offer for player in board.players for card in player.cards]
    tops = [stack.top.offer for stack in board.stacks if stack.top]
    heads += [offer.event for offer in (*tops, *held, board.king.offer) if offer and offer.legal]
    return [(head, "other", "", True) for head in dict.fromkeys(heads) if head[:1] == line.seat]


def captures_by_round(replay: Replay) -> tuple[CardsTaken, ...]:
    """The cards each player won in each round, including tournaments and other players' castles."""
    taken: dict[int, list[tuple[str, ...]]] = {}
    for before, after in pairwise(replay.states):
        if before.dealing:
            continue
        row = taken.setdefault(before.round, [()] * before.players)
        for place, (had, has) in enumerate(zip(before.seated, after.seated, strict=True)):
            won = Counter(card.id for card in has.cards) - Counter(card.id for card in had.cards)
            row[place] += tuple(won.elements())
    return tuple(CardsTaken(number, tuple(cards)) for number, cards in sorted(taken.items()))
