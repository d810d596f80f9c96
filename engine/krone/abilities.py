"""Rules for using each card's ability.

`card_ready` checks whether the card may be used at all now, `check_use` also whether the named dice fit its ability.
Only active dice ever change (the golden rule). An unread die may be rolled again but not turned, because its face is
unknown.
"""

from __future__ import annotations

from engine.dice import UNREAD, Faces, dice_text, without
from engine.errors import Illegal
from engine.krone.cards import CARDS
from engine.krone.events import Use
from engine.krone.state import State
from engine.registry import SEATS


def check_use(state: State, use: Use) -> None:
    """Raises Illegal unless the seat on turn may use this card in this way."""
    card_ready(state, use.card)
    card = CARDS[use.card]
    if card.ability == "add":
        _check_added(use)
        return
    active = state.turn.active
    if not use.before:
        raise Illegal("choose the dice that the {card} changes", card=use.card)
    if len(use.before) != len(use.after):
        raise Illegal("the {card} does not change the number of dice: {before} cannot become {after}", **_shown(use))
    if without(active, use.before) is None:
        raise Illegal(
            "only active dice can change: {before} is not among {active}",
            before=dice_text(use.before),
            active=dice_text(active),
        )
    if card.ability == "change":
        if UNREAD in use.before or UNREAD in use.after:
            raise Illegal("a die must be read before the {card} can change it", card=use.card)
        if use.before == use.after:
            raise Illegal("using the {card} must change the dice", card=use.card)  # R18
    _CHECKS[use.card](state, use.before, use.after)


def card_ready(state: State, card: str) -> None:
    """Raises Illegal unless this card may be used now on some dice."""
    turn, rules = state.turn, state.rules
    if card not in state.tableaux[SEATS.index(state.seat)]:
        raise Illegal("{seat} does not have the {card}", seat=state.seat, card=card)
    ability = CARDS[card].ability
    if ability == "start":
        raise Illegal("the {card} only adds dice at the start of the turn", card=card)
    if ability == "none":
        raise Illegal("the {card} has no ability to use", card=card)
    if card in turn.used:
        raise Illegal("the {card} was already used this turn", card=card)
    if not turn.rolled and not rules.early_cards:
        raise Illegal("you cannot use cards before the first roll")  # R1
    if ability == "add":
        if rules.dice is not None and turn.dice >= rules.dice:
            # R12
            raise Illegal("all {dice} dice are on the table, so the {card} cannot add one", dice=rules.dice, card=card)
    elif not turn.rolled:
        raise Illegal("before the first roll there is no active die for the {card}", card=card)
    elif not turn.active:
        raise Illegal("no die is active. The {card} cannot change dice that are set aside", card=card)
    elif card == "astronomer" and not any(turn.kept):
        raise Illegal("the {card} copies a die that you set aside this turn, and there is none yet", card=card)  # R7
    elif card in ("philosopher", "alchemist") and len(turn.active) < 2:
        raise Illegal("the {card} needs two active dice", card=card)


def _check_added(use: Use) -> None:
    if use.before or (use.after and use.card != "queen"):
        raise Illegal("the {card} adds a fixed die. Do not choose any dice", card=use.card)
    if use.card == "queen" and (len(use.after) != 1 or UNREAD in use.after):
        raise Illegal("the {card} adds one die. Choose its value", card=use.card)


def _fool(state: State, before: Faces, after: Faces) -> None:
    if len(before) != 1:
        raise Illegal("the {card} rerolls exactly one active die, not {count}", card="fool", count=len(before))


def _merchant(state: State, before: Faces, after: Faces) -> None:
    """Accepts any number of dice with any result (R6)."""


def _one(card: str, before: Faces) -> None:
    if len(before) != 1:
        raise Illegal("the {card} turns exactly one active die, not {count}", card=card, count=len(before))


def _maid(state: State, before: Faces, after: Faces) -> None:
    _one("maid", before)
    if not 1 <= after[0] - before[0] <= 3:
        raise Illegal(
            "the {card} adds 1, 2 or 3: a {die} cannot become {shown}", card="maid", die=before[0], shown=after[0]
        )


def _astronomer(state: State, before: Faces, after: Faces) -> None:
    _one("astronomer", before)
    if after[0] not in state.turn.kept:
        raise Illegal(
            "the {card} copies a die that you set aside this turn: there is no {shown} among {kept}",  # R7
            card="astronomer",
            shown=after[0],
            kept=dice_text(state.turn.kept),
        )


def _magician(state: State, before: Faces, after: Faces) -> None:
    _one("magician", before)


def _raised(card: str, pips: int, before: Faces, after: Faces) -> None:
    for die, shown in zip(before, after, strict=True):  # both are sorted, and adding the same number keeps the order
        if die + pips > 6 or die + pips != shown:
            raise Illegal(
                "the {card} adds exactly {pips}: a {die} cannot become {shown}",
                card=card,
                pips=pips,
                die=die,
                shown=die + pips if die + pips > 6 else shown,
            )


def _noblewoman(state: State, before: Faces, after: Faces) -> None:
    _raised("noblewoman", 1, before, after)


def _nobleman(state: State, before: Faces, after: Faces) -> None:
    _raised("nobleman", 2, before, after)


def _same_sum(card: str, before: Faces, after: Faces) -> None:
    if sum(before) != sum(after):
        raise Illegal(
            "the {card} does not change the sum: {before} is {sum}, but {after} is {other}",
            **_shown(Use(card, before, after)),
            sum=sum(before),
            other=sum(after),
        )


def _philosopher(state: State, before: Faces, after: Faces) -> None:
    if len(before) != 2:
        raise Illegal(
            "the {card} moves pips between two active dice, not {count}", card="philosopher", count=len(before)
        )
    _same_sum("philosopher", before, after)


def _alchemist(state: State, before: Faces, after: Faces) -> None:
    if len(before) not in (2, 3):
        # R9
        raise Illegal("the {card} changes two or three active dice, not {count}", card="alchemist", count=len(before))
    _same_sum("alchemist", before, after)


def _shown(use: Use) -> dict[str, str]:
    return {"card": use.card, "before": dice_text(use.before), "after": dice_text(use.after)}


_CHECKS = {
    "fool": _fool,
    "merchant": _merchant,
    "maid": _maid,
    "astronomer": _astronomer,
    "magician": _magician,
    "noblewoman": _noblewoman,
    "nobleman": _nobleman,
    "philosopher": _philosopher,
    "alchemist": _alchemist,
}
