"""The state of Knatsch as values: cards of the players, the two stacks, the current turn and attempt.

Rules are in `rules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.dice import Faces
from engine.game_state import GameState
from engine.knatsch.combination import BETRAYED, NOTHING, Combination, best
from engine.knatsch.deck import Card, Deck, is_castle, is_special
from engine.knatsch.events import SIDES, Held, Place, Side, TheKing, Top
from engine.registry import SEATS

DICE = 6
THROWS = 3
MAX_THROWS = 4  # K4: the maximum, whatever cards combine


@dataclass(frozen=True, slots=True)
class Player:
    """A player's cards, in the order they were taken, and which of them guards protect: at most two castles, one
    special card."""

    cards: tuple[Card, ...] = ()
    guarded_castles: tuple[str, ...] = ()
    guarded_special: str | None = None

    def has(self, card: str) -> bool:
        """Whether the player has this card (its id)."""
        return card in [own.id for own in self.cards]

    def card(self, card: str) -> Card | None:
        """The player's card with this id; None if they do not have it."""
        return next((own for own in self.cards if own.id == card), None)

    @property
    def castles(self) -> tuple[str, ...]:
        """Ids of the player's castles."""
        return tuple([card.id for card in self.cards if is_castle(card.id)])

    @property
    def tournaments(self) -> int:
        """Number of the player's tournament cards."""
        return sum(card.id == "tournament" for card in self.cards)

    @property
    def dice_cards(self) -> Faces:
        """The values of the player's dice cards; all of them count in every throw (K5, K15)."""
        return tuple(sorted(int(card.id[-1]) for card in self.cards if card.id.startswith("dice-")))

    def guarded(self, card: str) -> bool:
        """Whether a guard protects this card of the player."""
        return card in self.guarded_castles or card == self.guarded_special

    @property
    def wins(self) -> bool:
        """Whether the player has four castles, or two and three tournaments; castles of one player are always
        different."""
        if len(self.cards) < 4:
            return False
        castles = len(self.castles)
        return castles >= 4 or (castles >= 2 and self.tournaments >= 3)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a card.

    Attributes:
        place: Where the card is.
        seat: The rolling player.
        throws: Throws left.
        dice: All six dice; None before the first throw.
        kept: Dice that stay beside the sixes; None while undecided.
        leading: The combination to beat.
        leader: The seat whose throw that is; None if a card shows it.
    """

    place: Place
    seat: str
    throws: int
    leading: Combination = NOTHING
    leader: str | None = None
    dice: Faces | None = None
    kept: Faces | None = None

    @property
    def sixes(self) -> int:
        """Number of sixes among the dice."""
        return self.dice.count(6) if self.dice else 0

    @property
    def to_roll(self) -> int:
        """Number of dice of the next throw; 0 while the kept ones are undecided."""
        if self.dice is None:
            return DICE
        return 0 if self.kept is None else DICE - self.sixes - len(self.kept)


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The state of a game.

    Attributes:
        stacks: From the top down; None for an unseen card.
        king: The King's combination, if known.
        turn: The seat on turn.
        put_under: Cards put under a stack in this turn.
        attempted: An attempt of this turn is over and another one is allowed.
        revenge: The King takes a castle.
        guarding: The seat whose turn has just ended and that may still place guards.
        round: 0 while castles are dealt.
        unseen: Cards that may still turn up, and how many of each.
    """

    GAME: ClassVar[str] = "knatsch"

    deck: Deck
    seated: tuple[Player, ...]
    stacks: tuple[tuple[Card | None, ...], tuple[Card | None, ...]] = ((), ())
    king: Combination | None = None
    turn: str = "A"
    round: int = 0
    put_under: int = 0
    attempted: bool = False
    attempt: Attempt | None = None
    revenge: bool = False
    guarding: str | None = None
    winner: str | None = None
    unseen: tuple[tuple[Card, int], ...] = ()

    def counted(self) -> State:
        """The state with `unseen` recomputed: the deck without every card whose place is known."""
        return replace(self, unseen=tuple(self.deck.left_after(self.seen()).items()))

    @property
    def seat(self) -> str:
        """The acting seat: the rolling one during an attempt, else the one on turn; the winner when the game is
        over."""
        return self.winner or (self.attempt.seat if self.attempt else self.turn)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seated)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.winner is not None

    @property
    def dealing(self) -> bool:
        """Whether castles are still being dealt."""
        return self.round == 0

    @property
    def choosing(self) -> bool:
        """Whether the player on turn may put cards under, place guards or name a target."""
        return not (self.dealing or self.attempt or self.revenge or self.finished)

    @property
    def throwing(self) -> bool:
        """Whether an attempt is between its first throw and its end, no matter which player rolls."""
        attempt = self.attempt
        return attempt is not None and (attempt.dice is not None or attempt.seat != self.turn)

    @property
    def to_roll(self) -> int:
        """Number of dice of the next throw; 0 if none is due."""
        return self.attempt.to_roll if self.attempt else 0

    @property
    def result(self) -> Combination:
        """The combination of the dice on the table with the rolling player's dice cards."""
        if self.attempt is None or self.attempt.dice is None:
            return NOTHING
        return best((*self.attempt.dice, *self.player(self.attempt.seat).dice_cards))

    def player(self, seat: str) -> Player:
        """The cards of the player in this seat."""
        return self.seated[SEATS.index(seat)]

    def stack(self, side: Side) -> tuple[Card | None, ...]:
        """The cards of this stack from the top down; None for an unseen card."""
        return self.stacks[SIDES.index(side)]

    def top(self, side: Side) -> Card | None:
        """The card on top; None if the stack is empty or the card unknown."""
        stack = self.stack(side)
        return stack[0] if stack else None

    def hidden(self, side: Side) -> bool:
        """Whether there is a top card that has not been revealed yet."""
        stack = self.stack(side)
        return bool(stack) and stack[0] is None

    def tableau(self, seat: str) -> tuple[str, ...]:
        """Ids of the cards of the player in this seat."""
        return tuple(card.id for card in self.player(seat).cards)

    def seen(self) -> Iterator[Card]:
        """Every card whose place is known."""
        for player in self.seated:
            yield from player.cards
        for stack in self.stacks:
            yield from (card for card in stack if card)

    def learned(self) -> Deck:
        """The deck with every combination that became known in this game, ready to be saved."""
        return Deck((*self.seen(), *(card for card, count in self.unseen for _ in range(count))), self.king)

    def card_at(self, place: Place) -> Card | None:
        """The card at this place; None if there is none or it is unknown. The King is not a card of the deck."""
        match place:
            case Top(side):
                return self.top(side)
            case Held(seat, card):
                return self.player(seat).card(card) if seat in self.seats else None
            case TheKing():
                return None

    def to_beat(self, place: Place) -> Combination | None:
        """The combination that the player on turn must beat there; None if unknown. The first throw of a tournament
        beats anything."""
        if isinstance(place, TheKing):
            return self.king
        card = self.card_at(place)
        if card is None:
            return None
        if isinstance(place, Top) and is_castle(card.id) and self.player(self.turn).has("betrayal"):
            return BETRAYED
        return NOTHING if card.id == "tournament" else card.shows

    def throws_for(self, place: Place, seat: str) -> int:
        """Number of throws that `seat` has in an attempt at this place: four for the organiser and the Champion in a
        tournament, and with the Catapult against a player's castle; otherwise three, for the defence too."""
        card = self.card_at(place)
        if card is not None and card.id == "tournament":
            return MAX_THROWS if seat == self.turn or self.player(seat).has("champion") else THROWS
        if isinstance(place, Held) and is_castle(place.card) and seat == self.turn:
            return MAX_THROWS if self.player(seat).has("catapult") else THROWS
        return THROWS

    def capturable(self, card: Card) -> bool:
        """Whether the player on turn may own this card: always a tournament, any other card if they have none like
        it."""
        return card.id == "tournament" or not self.player(self.turn).has(card.id)

    def places(self) -> Iterator[Place]:
        """All places of cards that an attempt could target, allowed or not."""
        for side in SIDES:
            yield Top(side)
        for seat in self.seats:
            for card in self.player(seat).cards:
                if is_castle(card.id) or is_special(card.id):
                    yield Held(seat, card.id)
        yield TheKing()


def new_game(players: int, deck: Deck) -> State:
    """The state before castles are dealt."""
    return State(deck, (Player(),) * players, king=deck.king).counted()
