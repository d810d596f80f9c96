"""The state of the game as values: cards of the players, cards for sale, the current turn, the round.

Rules are in `rules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.dice import Faces, best_group
from engine.game_state import GameState
from engine.krone.cards import CARDS, ORDER, START_DICE, copies
from engine.krone.costs import payable_cards
from engine.registry import SEATS

MAX_PLAYERS = 5
BASE_DICE = 3  # dice at the start of every turn, before the cards that add more


@dataclass(frozen=True, slots=True)
class Rules:
    """One ruleset and its options.

    Attributes:
        id: Of the ruleset.
        early_cards: Cards may be used before the first roll (R1).
        endless_fools: Unlimited supply of Fools (R2).
        dice: Number of dice in the box (R12); None for no limit.
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
    """The current turn.

    Attributes:
        hand: Dice of the first roll; 0 once rolled.
        active, kept: The dice on the table.
        used: Cards turned sideways.
        duty: A die must be set aside before the active dice may be rolled again.
    """

    hand: int
    active: Faces = ()
    kept: Faces = ()
    used: frozenset[str] = frozenset()
    rolled: bool = False
    duty: bool = False

    @property
    def dice(self) -> int:
        """Number of dice this turn has from the box."""
        return self.hand + len(self.active) + len(self.kept)

    @property
    def over(self) -> bool:
        """Whether all dice are set aside, so that the player may end the turn."""
        return self.rolled and not self.active


@dataclass(frozen=True, slots=True)
class OpenPurchase:
    """A turn that ended without a recorded purchase, which `result` may still pay for."""

    seat: str
    result: Faces


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The state of a game.

    Attributes:
        tableaux: In seat order; cards in the order of the table in the rules.
        display: By card in that order; None means unlimited.
        start: The seat with the start player marker.
        claimant: The seat that first took the King and so owns the Queen.
        king: The seat that holds the King.
        threshold: (equal dice, value) to beat.
        final: This is the final round.
        winner: Set when the game is over.
    """

    GAME: ClassVar[str] = "krone"

    rules: Rules
    tableaux: tuple[tuple[str, ...], ...]
    stock: tuple[int | None, ...]
    seat: str
    start: str
    round: int
    turn: Turn
    waiting: tuple[OpenPurchase, ...] = ()
    claimant: str | None = None
    king: str | None = None
    threshold: tuple[int, int] | None = None
    final: bool = False
    winner: str | None = None

    def with_turn(self, turn: Turn) -> State:
        """This state with another current turn: a fast `dataclasses.replace` for self-play."""
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
        """The number of players."""
        return len(self.tableaux)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.winner is not None

    @property
    def display(self) -> dict[str, int | None]:
        """Card id → copies for sale, for every card; None means unlimited."""
        return dict(zip(CARDS, self.stock, strict=True))

    def tableau(self, seat: str) -> tuple[str, ...]:
        """The cards in front of a player, including King and Queen."""
        return self.tableaux[SEATS.index(seat)]

    @property
    def to_roll(self) -> int:
        """Number of dice of this turn's next roll; 0 if all are set aside."""
        return self.turn.hand or len(self.turn.active)

    @property
    def open(self) -> tuple[str, ...]:
        """Seats with an open purchase, including the current turn's if all its dice are set aside."""
        found = {waiting.seat for waiting in self.waiting}
        if self.turn.over and not self.final and not self.finished:
            found.add(self.seat)
        return tuple(sorted(found))

    def result(self) -> tuple[int, int]:
        """The current turn's best group: (equal dice, value)."""
        return best_group(self.turn.kept)

    def purchases(self, preview: Faces = ()) -> tuple[str, ...]:
        """Cards that this turn's result certainly buys, whatever the active dice show.

        Args:
            preview: Active dice that are being set aside right now; they count as kept.
        """
        if self.finished or self.final:
            return ()
        turn = self.turn
        kept = tuple(sorted(turn.kept + preview))
        paid = payable_cards(kept, max(0, turn.hand + len(turn.active) - len(preview)))
        return tuple(card for card in CARDS if card in paid and for_sale(self, card))


def new_turn(rules: Rules, tableau: tuple[str, ...]) -> Turn:
    """A turn before its first roll: three dice and the mandatory ones, as far as the box has them (R11, R12)."""
    hand = BASE_DICE + sum([START_DICE.get(card, 0) for card in tableau])
    return Turn(hand if rules.dice is None else min(hand, rules.dice))


def new_game(players: int, rules: Rules) -> State:
    """The state before the first turn; seat A starts."""
    stock = tuple(None if card == "fool" and rules.endless_fools else copies(card, players) for card in CARDS)
    return State(rules, ((),) * players, stock, seat="A", start="A", round=1, turn=new_turn(rules, ()))


def for_sale(state: State, card: str) -> bool:
    """Whether the seat on turn could buy this card if the dice paid for it: it is for sale and the seat does not own
    it. A further Fool is allowed once all own Fools are turned; a Charlatan is an own Fool turned over."""
    own = state.tableau(state.seat)
    if card == "charlatan":
        return "fool" in own
    return card not in own and card != "queen" and state.stock[ORDER[card]] != 0


def in_display_order(cards: list[str]) -> tuple[str, ...]:
    """A tableau in the order of the table in the rules, so that equal tableaux are equal values."""
    return tuple(sorted(cards, key=ORDER.__getitem__))
