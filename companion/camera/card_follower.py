"""Cards of one game followed picture by picture: what lies where, and what that says of the game.

Whoever has pictures gives them: the page's background thread the newest of a camera (`card_watch`), `courtside watch`
every one of a film.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.camera.card_learning import TABLE, LearntPlaces
from companion.camera.card_places import kept_zones
from companion.camera.own_cards import SUFFIX, NoSuchSet, OwnCards
from companion.game.card_evidence import OTHER_GAME, PLACES_UNKNOWN, CardNews, CardQuestion
from companion.game.changes import Sentence
from companion.game.table import Table
from companion.game.used_cards import tableaux_of
from companion.plugins import plugin
from vision.cards.card_set import CardSet
from vision.cards.display_sheet import display_sheet
from vision.cards.faces import Index
from vision.cards.reading import CardReader
from vision.cards.watching import CardsSeen, CardWatcher, Piece, Zones, smaller
from vision.types import Image, Reading


class WrongCards(ValueError):
    """Cards that this game cannot be followed with; `news` says why, to the players."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.news = CardNews(notices=(CardQuestion(sentence),))


def follower_of(cards: str, table: Table, say: Callable[[str], None]) -> CardFollower:
    """Follows cards taught under this name, or those of a `.cards` file, in the places of the file `zones.json` beside
    the set. say: takes the sentence about a file that had to be repaired. Raises NoSuchSet, DamagedSet, WrongCards.
    """
    own = OwnCards(Path(cards).parent) if cards.endswith(SUFFIX) else OwnCards()
    taught = own.load(Path(cards).stem if cards.endswith(SUFFIX) else cards)
    follower = CardFollower(table, taught, kept_zones(own.folder))
    if taught.repair:
        say(taught.repair)
    if not taught.faces:
        raise NoSuchSet(f"the card set “{taught.name}” is empty")
    return follower


class CardJudge(Protocol):
    """Holds the cards seen against the record of its table."""

    def judge(self, seen: CardsSeen, seconds: float) -> CardNews:
        """Records what is clear; returns the questions and sentences to show. seconds: of the newest frame."""


class CardFollower:
    """Follows the cards of one table. `see` may be called from one thread at a time."""

    def __init__(self, table: Table, cards: CardSet, zones: Zones | None) -> None:
        """zones: where cards lie, in parts of the picture; None: that is learnt from the first minute. Raises
        WrongCards for another game's cards, and where a game has gone on too far to be learnt from."""
        watching = plugin(table.record.game.ID).cards
        if watching is None or (cards.game and cards.game != table.record.game.ID):
            raise WrongCards(Sentence(OTHER_GAME, {}))
        self._table = table
        if zones is None and (not watching.learns_places or any(tableaux_of(table).values())):
            raise WrongCards(Sentence(PLACES_UNKNOWN, {}))
        self._learnt = LearntPlaces(tuple(tableaux_of(table))) if zones is None else None
        here = zones if self._learnt is None else self._learnt.zones
        self._watcher = CardWatcher(CardReader(Index(cards.faces)), here or {})
        self._referee: CardJudge = watching.referee(table)
        self._size = (1, 1)
        self._looked = False  # at a whole picture

    @property
    def places(self) -> Zones:
        """Where cards lie, as far as it is known."""
        return {} if self._learnt is None else self._learnt.zones

    @property
    def seen(self) -> CardsSeen:
        """What lies where, as it was read."""
        return self._watcher.seen

    def notice(self, small: Image, seconds: float, size: tuple[int, int]) -> list[Piece]:
        """Where something has changed and lies still: `look` must read it. small, size: see `CardWatcher.notice`."""
        self._size = size
        return self._watcher.notice(small, seconds, size)

    def look(self, image: Image, pieces: list[Piece], seconds: float) -> None:
        """Read what has changed."""
        if self._learnt is not None and not self._looked and (sheet := display_sheet(image)) is not None:
            self._learnt.lies_on(sheet, (image.shape[1], image.shape[0]))
        self._looked = True
        self._watcher.look(image, pieces, seconds)

    def judge(self, seconds: float, dice: Reading | None = None) -> CardNews:
        """Record what is clear; what is to be said now. dice: what lies in the same picture besides."""
        learnt, seen = self._learnt, self._watcher.seen
        if learnt is None:
            return self._referee.judge(seen, seconds)
        if dice is not None and dice.settled and TABLE in learnt.zones:
            self._watcher.leave_out(die.xyxy for die in dice.dice)
        seen = learnt.sorted(seen, self._may_buy, self._table.state.seat)
        news = self._referee.judge(seen, seconds)
        if learnt.note(seen, tableaux_of(self._table), self._size):
            self._watcher.watch(learnt.zones)
        return news

    def see(self, image: Image, seconds: float, dice: Reading | None = None) -> CardNews:
        """One picture (H, W, 3): noticed, read where it has changed, judged."""
        pieces = self.notice(smaller(image), seconds, (image.shape[1], image.shape[0]))
        if pieces:
            self.look(image, pieces, seconds)
        return self.judge(seconds, dice)

    def _may_buy(self, seat: str, kind: str) -> bool:
        return self._table.refusal(f"{seat} buy {kind}") is None
