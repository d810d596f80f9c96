"""A position of one turn as the odds need it: cards, which of them are used, and dice."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dice import Faces
from engine.errors import Illegal
from engine.krone.cards import CARDS, START_DICE
from engine.krone.state import BASE_DICE, RULESETS, Rules, State, Turn

MAX_DICE = 18  # maximum the solver has room for: three, and every card that adds one, with five Charlatans
_FOOLS = 5
TOO_MANY = "that turn can come to {dice} dice; there are odds for up to {most}"


@dataclass(frozen=True, slots=True)
class Position:
    """One player's turn. The constructor does not validate; `checked` does.

    Attributes:
        cards: The whole tableau.
        hand: Dice of the first roll, 0 once rolled.
        duty_met: A die was set aside since the last normal roll.
    """

    cards: tuple[str, ...]
    rules: Rules = RULESETS["amigo2006"]
    hand: int = 0
    active: Faces = ()
    kept: Faces = ()
    used: frozenset[str] = frozenset()
    duty_met: bool = False

    @classmethod
    def of(cls, state: State, seat: str | None = None) -> Position:
        """The current turn of a game; for a seat that is not on turn, its next turn before the first roll."""
        if seat is not None and seat != state.seat:
            return cls.begin(state.tableau(seat), state.rules)
        turn: Turn = state.turn
        return cls(
            cards=state.tableau(state.seat),
            rules=state.rules,
            hand=turn.hand,
            active=turn.active,
            kept=turn.kept,
            used=turn.used,
            duty_met=turn.rolled and not turn.duty,
        )

    @classmethod
    def begin(cls, cards: tuple[str, ...], rules: Rules = RULESETS["amigo2006"]) -> Position:
        """A turn before its first roll."""
        return cls(cards, rules, hand=_start_dice(cards, rules))

    @property
    def begun(self) -> bool:
        """Whether the first roll of the turn is over."""
        return not self.hand

    @property
    def dice(self) -> int:
        """Number of dice of the turn so far."""
        return self.hand + len(self.active) + len(self.kept)

    @property
    def room(self) -> int:
        """Number of dice that can still be added before the supply is empty."""
        return MAX_DICE if self.rules.dice is None else max(0, self.rules.dice - self.dice)

    @property
    def most(self) -> int:
        """Number of dice the turn can reach, with every card that can still add one."""
        return self.dice + min(self.room, sum(CARDS[card].ability == "add" for card in self.unused))

    @property
    def unused(self) -> tuple[str, ...]:
        """Cards that can still be used this turn, adders first, each group in the order of the table in the rules."""
        usable = {card for card in self.cards if CARDS[card].ability in ("add", "reroll", "change")} - self.used
        return tuple(sorted(usable, key=lambda card: (CARDS[card].ability != "add", list(CARDS).index(card))))


def _start_dice(cards: tuple[str, ...], rules: Rules) -> int:
    brought = BASE_DICE + sum(START_DICE.get(card, 0) for card in cards)
    return brought if rules.dice is None else min(brought, rules.dice)


def checked(
    cards: tuple[str, ...],
    rules: Rules,
    used: tuple[str, ...] = (),
    active: Faces = (),
    kept: Faces = (),
    duty_met: bool = False,
) -> Position:
    """A validated position; without dice the turn has not begun.

    Raises:
        Illegal: The description contradicts itself.
    """
    _check_cards(cards, used, rules)
    begun = bool(active or kept)
    adders = sum(CARDS[card].ability == "add" for card in used)
    expected = _start_dice(cards, rules) + adders
    if rules.dice is not None and expected > rules.dice:
        raise Illegal("this needs {dice} dice, but the box has only {supply}", dice=expected, supply=rules.dice)
    on_table = len(active) + len(kept)
    if begun and on_table != expected:
        raise Illegal(
            "there are {lying} dice, but with these cards there must be {expected}", lying=on_table, expected=expected
        )
    if not begun:
        if duty_met:
            raise Illegal("no die can be set aside before the first roll")
        if used and not rules.early_cards:
            raise Illegal("these rules do not allow cards before the first roll")
        for card in used:
            if CARDS[card].ability != "add":
                raise Illegal("before the first roll there is no active die for the {card}", card=card)
    if duty_met and not kept:
        raise Illegal("no die is kept, so none can have been set aside since the roll")
    found = Position(cards, rules, 0 if begun else expected, active, kept, frozenset(used), duty_met or not active)
    if found.most > MAX_DICE:
        raise Illegal(TOO_MANY, dice=found.most, most=MAX_DICE)
    return found


def _check_cards(cards: tuple[str, ...], used: tuple[str, ...], rules: Rules) -> None:
    for card in (*cards, *used):
        if card not in CARDS:
            raise Illegal("there is no card {name}", name=card)
    for card in sorted(set(cards)):
        if card != "charlatan" and cards.count(card) > 1:
            raise Illegal("a player cannot own the {card} twice", card=card)
    if not rules.endless_fools and cards.count("charlatan") + cards.count("fool") > _FOOLS:
        raise Illegal("there are only {fools} Fools", fools=_FOOLS)
    for card in used:
        if card not in cards:
            raise Illegal("the {card} is used but not owned", card=card)
        if CARDS[card].ability not in ("add", "reroll", "change"):
            raise Illegal("the {card} cannot be used during a turn", card=card)
        if used.count(card) > 1:
            raise Illegal("the {card} can be used only once a turn", card=card)
