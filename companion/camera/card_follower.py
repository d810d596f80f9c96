"""Follows the cards of one game frame by frame: their places, and the consequences for the record.

The caller supplies frames: the page's background thread the newest ones of a camera (`card_watch`), `courtside watch`
every frame of a file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.camera.card_learning import TABLE, LearnedPlaces
from companion.camera.card_places import load_zones
from companion.camera.own_cards import SUFFIX, NoSuchSet, OwnCards
from companion.game.card_evidence import OTHER_GAME, PLACES_UNKNOWN, CardMessages, CardQuestion
from companion.game.changes import Sentence
from companion.game.table import Table
from companion.game.used_cards import tableaux_of
from companion.plugins import plugin
from vision.boxes import Piece
from vision.cards.card_reader import CardReader
from vision.cards.card_set import CardSet
from vision.cards.display_sheet import display_sheet
from vision.cards.faces import Index
from vision.cards.watching import CardsSeen, CardWatcher, Zones, smaller
from vision.types import Image, Reading


class WrongCards(ValueError):
    """This game cannot be followed with these cards; `messages` explains it to the players."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.messages = CardMessages(notices=(CardQuestion(sentence),))


def make_follower(cards: str, table: Table, say: Callable[[str], None]) -> CardFollower:
    """Follows cards taught under this name, or those of a `.cards` file, in the zones of the file `zones.json` beside
    it.

    Args:
        say: Receives a sentence if the set had to be repaired.

    Raises:
        NoSuchSet: There is no such set.
        DamagedSet: It cannot be read.
        WrongCards: It does not fit the game.
    """
    own = OwnCards(Path(cards).parent) if cards.endswith(SUFFIX) else OwnCards()
    taught = own.load(Path(cards).stem if cards.endswith(SUFFIX) else cards)
    follower = CardFollower(table, taught, load_zones(own.folder))
    if taught.repair:
        say(taught.repair)
    if not taught.faces:
        raise NoSuchSet(f"the card set “{taught.name}” is empty")
    return follower


class CardJudge(Protocol):
    """Compares the cards seen with the record of the table."""

    def judge(self, seen: CardsSeen, seconds: float) -> CardMessages:
        """Records certain events; returns the questions and sentences to show.

        Args:
            seconds: Time of the newest frame.
        """


class CardFollower:
    """Follows the cards of one table. `see` may be called from one thread at a time."""

    def __init__(self, table: Table, cards: CardSet, zones: Zones | None) -> None:
        """Starts to follow.

        Args:
            zones: Where cards are, in fractions of the frame; None to learn it from the first minute.

        Raises:
            WrongCards: The cards are for another game, or the game is too far on to learn the zones.
        """
        watching = plugin(table.record.game.ID).cards
        if watching is None or (cards.game and cards.game != table.record.game.ID):
            raise WrongCards(Sentence(OTHER_GAME, {}))
        self._table = table
        if zones is None and (not watching.learns_places or any(tableaux_of(table).values())):
            raise WrongCards(Sentence(PLACES_UNKNOWN, {}))
        self._learned = LearnedPlaces(tuple(tableaux_of(table))) if zones is None else None
        self.drawn_zones = tuple((zones or {}).values())  # the zones if players have drawn them
        known_zones = zones if self._learned is None else self._learned.zones
        self._watcher = CardWatcher(CardReader(Index(cards.faces)), known_zones or {})
        self._referee: CardJudge = watching.referee(table)
        self._size = (1, 1)
        self._whole_read = False  # whether a whole frame has been read

    @property
    def places(self) -> Zones:
        """The zones of the cards, as far as known."""
        return {} if self._learned is None else self._learned.zones

    @property
    def seen(self) -> CardsSeen:
        """The cards read, with their zones."""
        return self._watcher.seen

    def notice(self, small: Image, seconds: float, size: tuple[int, int]) -> list[Piece]:
        """Pieces of the frame that have changed and are still now, so that `read` must read them. Arguments as for
        `CardWatcher.notice`."""
        self._size = size
        return self._watcher.notice(small, seconds, size)

    def read(self, image: Image, pieces: list[Piece], seconds: float) -> None:
        """Reads the changed pieces."""
        if self._learned is not None and not self._whole_read and (sheet := display_sheet(image)) is not None:
            self._learned.set_sheet(sheet, (image.shape[1], image.shape[0]))
        self._whole_read = True
        self._watcher.read(image, pieces, seconds)

    def judge(self, seconds: float, dice: Reading | None = None) -> CardMessages:
        """Records certain events; returns the questions and sentences to show.

        Args:
            dice: Boxes of the dice in the same frame.
        """
        learned, seen = self._learned, self._watcher.seen
        if learned is None:
            return self._referee.judge(seen, seconds)
        if dice is not None and dice.settled and TABLE in learned.zones:
            self._watcher.leave_out(die.xyxy for die in dice.dice)
        seen = learned.with_owners(seen, self._can_buy, self._table.state.seat)
        messages = self._referee.judge(seen, seconds)
        if learned.learn(seen, tableaux_of(self._table), self._size):
            self._watcher.watch(learned.zones)
        return messages

    def see(self, image: Image, seconds: float, dice: Reading | None = None) -> CardMessages:
        """Processes one frame (H, W, 3): finds changes, reads them, judges."""
        pieces = self.notice(smaller(image), seconds, (image.shape[1], image.shape[0]))
        if pieces:
            self.read(image, pieces, seconds)
        return self.judge(seconds, dice)

    def _can_buy(self, seat: str, kind: str) -> bool:
        return self._table.refusal(f"{seat} buy {kind}") is None
