"""A position of the game, as values: who has which cards, what is for sale, the running turn, where the round stands.

Nothing here decides what is allowed; `rules` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Faces, best_group
from engine.krone.cards import CARDS, ORDER, START_DICE, copies
from engine.krone.costs import met
from engine.registry import SEATS

MOST_PLAYERS = 5
HAND = 3  # dice every turn starts with, before the cards that bring more


@dataclass(frozen=True, slots=True)
class Rules:
    """One ruleset and its options.

    Attributes:
        id: of the ruleset.
        early_cards: cards may be used before the first roll (R1).
        endless_fools: unlimited supply of Fools (R2).
        dice: how many dice are in the box (R12), None = no limit.
    """

    id: str = "amigo2006"
    early_cards: bool = True
    endless_fools: bool = False
    dice: int | None = 12


RULESETS: dict[str, Rules] = {
    "amigo2006": Rules(),
    "riogrande2007": Rules("riogrande2007", early_cards=False, endless_fools=True),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """The running turn.

    hand: dice to throw first (0 once thrown); active, kept: the dice on the table; used: cards turned sideways;
    duty: a die must be set aside before the active dice may be rolled again.
    """

    hand: int
    active: Faces = ()
    kept: Faces = ()
    used: frozenset[str] = frozenset()
    rolled: bool = False
    duty: bool = False

    @property
    def dice(self) -> int:
        """Dice this turn has out of the box."""
        return self.hand + len(self.active) + len(self.kept)

    @property
    def over(self) -> bool:
        """Everything thrown is set aside: the player may end the rolling."""
        return self.rolled and not self.active


@dataclass(frozen=True, slots=True)
class Open:
    """A turn that ended without saying what was taken: the purchase is still open. `result` is what it may pay
    with."""

    seat: str
    result: Faces


@dataclass(frozen=True, slots=True)
class State:
    """A position. Tableaux in seat order, cards in the order of the rules' table; display by card in that order, None
    = endless.

    start: the seat with the start player marker. claimant: who first took the King and so owns the Queen; king: who
    holds him now; threshold: (alike dice, value) to beat. final: this is the final round. winner: set when the game
    is over.
    """

    GAME: ClassVar[str] = "krone"

    rules: Rules
    tableaux: tuple[tuple[str, ...], ...]
    stock: tuple[int | None, ...]
    seat: str
    start: str
    round: int
    turn: Turn
    waiting: tuple[Open, ...] = ()
    claimant: str | None = None
    king: str | None = None
    threshold: tuple[int, int] | None = None
    final: bool = False
    winner: str | None = None

    def with_turn(self, turn: Turn) -> State:
        """This position with another running turn: `dataclasses.replace` by hand, which self-play needs fast."""
        return State(
            self.rules,
            self.tableaux,
            self.stock,
            self.seat,
            self.start,
            self.round,
            turn,
            self.waiting,
            self.claimant,
            self.king,
            self.threshold,
            self.final,
            self.winner,
        )

    @property
    def players(self) -> int:
        return len(self.tableaux)

    @property
    def seats(self) -> str:
        """The letters of all seats, in order."""
        return SEATS[: len(self.tableaux)]

    @property
    def finished(self) -> bool:
        return self.winner is not None

    @property
    def display(self) -> dict[str, int | None]:
        """Card id → copies for sale, every card, None = endless."""
        return dict(zip(CARDS, self.stock, strict=True))

    def tableau(self, seat: str) -> tuple[str, ...]:
        """The cards in front of a player, the King and Queen included."""
        return self.tableaux[SEATS.index(seat)]

    @property
    def to_roll(self) -> int:
        """How many dice the next throw of this turn has; 0 when all are set aside."""
        return self.turn.hand or len(self.turn.active)

    @property
    def open(self) -> tuple[str, ...]:
        """Seats with a purchase still open, the running turn's included once its dice are all set aside."""
        found = {waiting.seat for waiting in self.waiting}
        if self.turn.over and not self.final and not self.finished:
            found.add(self.seat)
        return tuple(sorted(found))

    def result(self) -> tuple[int, int]:
        """The running turn's best group: (alike dice, value)."""
        return best_group(self.turn.kept)

    def purchases(self, preview: Faces = ()) -> tuple[str, ...]:
        """Cards this turn's result buys for certain, whatever the dice still active will show.

        preview: active dice that somebody is setting aside right now, counted as kept.
        """
        if self.finished or self.final:
            return ()
        turn = self.turn
        kept = tuple(sorted(turn.kept + preview))
        paid = met(kept, max(0, turn.hand + len(turn.active) - len(preview)))
        return tuple(card for card in CARDS if card in paid and for_sale(self, card))


def new_turn(rules: Rules, tableau: tuple[str, ...]) -> Turn:
    """A turn before its first roll: three dice and the mandatory ones, as far as the box has them (R11, R12)."""
    hand = HAND + sum([START_DICE.get(card, 0) for card in tableau])
    return Turn(hand if rules.dice is None else min(hand, rules.dice))


def new_game(players: int, rules: Rules) -> State:
    """The position before the first turn; seat A starts."""
    stock = tuple(None if card == "fool" and rules.endless_fools else copies(card, players) for card in CARDS)
    return State(rules, ((),) * players, stock, seat="A", start="A", round=1, turn=new_turn(rules, ()))


def for_sale(state: State, card: str) -> bool:
    """Whether the seat on turn could take this card if the dice paid for it: on the display, and not owned (Fool,
    Charlatan apart: another Fool once all own Fools are turned; a Charlatan is an own Fool turned over)."""
    own = state.tableau(state.seat)
    if card == "charlatan":
        return "fool" in own
    return card not in own and card != "queen" and state.stock[ORDER[card]] != 0


def arranged(cards: list[str]) -> tuple[str, ...]:
    """A tableau in the order of the rules' table, so that equal tableaux are equal values."""
    return tuple(sorted(cards, key=ORDER.__getitem__))
