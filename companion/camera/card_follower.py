"""Cards of one game followed picture by picture: what lies where, and what that says of the game.

Whoever has pictures gives them: the page's background thread the newest of a camera (`card_watch`), `courtside watch`
every one of a film.
"""

from __future__ import annotations

from pathlib import Path

from companion.camera.card_places import kept_zones
from companion.camera.own_cards import SUFFIX, OwnCards
from companion.game.card_evidence import OTHER_GAME, CardNews, CardQuestion, CardReferee
from companion.game.changes import Sentence
from companion.game.table import Table
from vision.cards.card_set import CardSet
from vision.cards.faces import Index
from vision.cards.reading import CardReader
from vision.cards.watching import CardWatcher, Piece, Zones, smaller
from vision.types import Image


class WrongCards(ValueError):
    """Cards that this game cannot be followed with; `news` says why, to the players."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.news = CardNews(notices=(CardQuestion(sentence),))


def follower_of(cards: str, table: Table) -> CardFollower:
    """Follows cards taught under this name, or those of a `.cards` file, where they were said to lie: in the file
    `zones.json` beside the set. Raises NoSuchSet, DamagedSet, WrongCards.
    """
    own = OwnCards(Path(cards).parent) if cards.endswith(SUFFIX) else OwnCards()
    return CardFollower(table, own.load(Path(cards).stem if cards.endswith(SUFFIX) else cards), kept_zones(own.folder))


class CardFollower:
    """Follows the cards of one table. `see` may be called from one thread at a time."""

    def __init__(self, table: Table, cards: CardSet, zones: Zones) -> None:
        """zones: where cards lie, in parts of the picture. Raises WrongCards for another game's cards."""
        if cards.game and cards.game != table.record.game.ID:
            raise WrongCards(Sentence(OTHER_GAME, {}))
        self._watcher = CardWatcher(CardReader(Index(cards.faces)), zones)
        self._referee = CardReferee(table)

    def notice(self, small: Image, seconds: float, size: tuple[int, int]) -> list[Piece]:
        """Where something has changed and lies still: `look` must read it. small, size: see `CardWatcher.notice`."""
        return self._watcher.notice(small, seconds, size)

    def look(self, image: Image, pieces: list[Piece], seconds: float) -> None:
        """Read what has changed."""
        self._watcher.look(image, pieces, seconds)

    def judge(self, seconds: float) -> CardNews:
        """Record what is clear; what is to be said now."""
        return self._referee.judge(self._watcher.seen, seconds)

    def see(self, image: Image, seconds: float) -> CardNews:
        """One picture (H, W, 3): noticed, read where it has changed, judged."""
        pieces = self.notice(smaller(image), seconds, (image.shape[1], image.shape[0]))
        if pieces:
            self.look(image, pieces, seconds)
        return self.judge(seconds)
