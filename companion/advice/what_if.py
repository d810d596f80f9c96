"""What if the dice or the cards of a turn had been others: the position changed, the odds, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.advice.worth import knatsch_worth, worth_table
from companion.game.changes import Sentence
from engine.advice.advise import advise
from engine.advice.goals import GOALS
from engine.advice.knatsch_targets import targets, ways_to_go_on
from engine.advice.knatsch_words import instead
from engine.advice.odds import odds
from engine.advice.position import Position, checked
from engine.advice.tables import QUICK_CELLS
from engine.advice.words import remarks
from engine.dice import Faces, faces
from engine.errors import Illegal
from engine.knatsch.events import Keep, Stop
from engine.knatsch.state import DICE, MOST_THROWS
from engine.knatsch.state import State as KnatschState
from engine.krone.state import State, arranged, for_sale

_MOST_WAYS = 6


@dataclass(frozen=True, slots=True)
class Changed:
    """What may be changed of a turn. active: dice that may be thrown again (in Knatsch all that lie there); kept: set
    aside; cards: of whose turn it is; throws: left in Knatsch, None in the other game."""

    active: Faces
    kept: Faces = ()
    cards: tuple[str, ...] = ()
    throws: int | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What could be had. cards: id and chance, the likeliest first; ways: what to do in Knatsch, with the chance of
    success; said: the advice."""

    cards: tuple[tuple[str, float], ...] = ()
    ways: tuple[tuple[Sentence, float], ...] = ()
    said: tuple[Sentence, ...] = ()


def unchanged(state: State | KnatschState) -> Changed | None:
    """The turn as it was; None where there is nothing to change: no dice to throw, or the game is over."""
    if state.finished:
        return None
    if isinstance(state, KnatschState):
        attempt = state.attempt
        if attempt is None:
            return None
        return Changed(tuple(reversed(attempt.dice or ())), throws=attempt.throws)
    turn = state.turn
    return Changed(tuple(reversed(turn.active)), tuple(reversed(turn.kept)), state.tableau(state.seat))


def changed(state: State | KnatschState, asked: Changed) -> State | KnatschState:
    """The position with these dice and cards. Raises Illegal for what could not lie on a table."""
    return _knatsch_changed(state, asked) if isinstance(state, KnatschState) else _krone_changed(state, asked)


def _krone_changed(state: State, asked: Changed) -> State:
    active, kept, turn = faces(asked.active), faces(asked.kept), state.turn
    cards = arranged(list(asked.cards))
    used = tuple(card for card in turn.used if card in cards)
    checked(cards, state.rules, used, active, kept)
    place = state.seats.index(state.seat)
    tableaux = (*state.tableaux[:place], cards, *state.tableaux[place + 1 :])
    if active or kept:
        met = bool(kept) and not turn.duty and turn.rolled
        turn = replace(
            turn, hand=0, active=active, kept=kept, used=frozenset(used), rolled=True, duty=bool(active) and not met
        )
    else:
        begin = Position.begin(cards, state.rules)
        turn = replace(turn, hand=begin.hand, active=(), kept=(), used=frozenset(used), rolled=False, duty=False)
    return replace(state, tableaux=tableaux, turn=turn)


def _knatsch_changed(state: KnatschState, asked: Changed) -> KnatschState:
    attempt = state.attempt
    if attempt is None:
        return state
    throws = attempt.throws if asked.throws is None else asked.throws
    if not 1 <= throws <= MOST_THROWS:
        raise Illegal("choose 1 to {most} rolls", most=MOST_THROWS)
    if asked.active and len(asked.active) != DICE:
        raise Illegal("enter all six dice, including sixes")
    dice = faces(asked.active) if asked.active else None
    return replace(state, attempt=replace(attempt, dice=dice, kept=None, throws=throws))


def worked_out(state: State | KnatschState, expired: Callable[[], bool]) -> Outlook:
    """What the position promises. Raises Expired."""
    if isinstance(state, KnatschState):
        return _of_knatsch(state)
    goals = () if state.final else tuple(card for card in GOALS if for_sale(state, card))
    found = odds(Position.of(state), goals, None, expired=expired, most_cells=QUICK_CELLS) if goals else {}
    counsel = advise(state, worth_table(), expired=expired, most_cells=QUICK_CELLS)
    ranked = sorted(((card, chance.p) for card, chance in found.items()), key=lambda one: -one[1])
    return Outlook(tuple(ranked), said=tuple(Sentence(one.template, one.values) for one in remarks(counsel)))


def _of_knatsch(state: KnatschState) -> Outlook:
    found = []
    for way in ways_to_go_on(state)[:_MOST_WAYS]:
        remark = instead(state, Keep(faces(way.keep)) if way.thrown else Stop())
        found.append((Sentence(remark.template, remark.values), way.chance))
    aims = [] if found else targets(state, knatsch_worth())
    cards = [(card.id, one.chance) for one in aims if one.chance is not None and (card := state.card_at(one.place))]
    return Outlook(tuple(cards), tuple(found))
