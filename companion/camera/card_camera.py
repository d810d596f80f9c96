"""The camera that looks at the cards, and everything that is known of the players' own ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.camera.card_teaching import CardTeacher
from companion.camera.card_watch import CardWatch
from companion.camera.own_cards import OwnCards
from companion.camera.phone import PhoneGate
from companion.camera.worker import Watcher
from companion.game.session import GameSession
from companion.game.table import Table
from vision.types import Reading


class CardCamera:
    """Looks at the cards through a camera of its own, or through the one that reads the dice.

    Attributes:
        own: sets of cards that the players have taught.
        teacher: the pictures in which cards are being named.
        watch: follows the cards of the running game.
        watcher: the camera that looks at the cards only; None: the one for the dice sees them too.
        phone: takes the pictures of a phone.
    """

    def __init__(
        self,
        session: GameSession,
        folder: Path,
        dice_camera: Callable[[], Watcher | None],
        demo_game: Callable[[], bool],
    ) -> None:
        """folder: keeps the sets of cards; dice_camera: the camera that reads the dice; demo_game: whether the
        running game is the bundled film's, whose cards are not followed."""
        self._session, self._dice_camera, self._demo_game = session, dice_camera, demo_game
        self.own = OwnCards(folder)
        self.teacher = CardTeacher()
        self.watch = CardWatch(self.newest, session.board_changed)
        self.watcher: Watcher | None = None
        self.phone = PhoneGate(self._phone_sent)
        session.on_begin(lambda table: self.watch.follow(self.own, table))

    def look_through(self, source: str) -> None:
        """Look at the cards through this source; "" for the camera that looks at the dice."""
        if self.watcher is not None:
            self.watcher.close()
            self.watcher = None
        if source:
            self.watcher = Watcher(
                source,
                path=source,
                model=None,
                see=lambda reading: None,
                ended=lambda: None,
                told=lambda number: None,
            )
            self.watcher.start()
        self.changed()

    def changed(self) -> None:
        """Other cards are taught, another set of them is played with, or they lie elsewhere."""
        running = self._session.running
        table: Table | None = None if running is None or self._demo_game() else running.table
        self.watch.follow(self.own, table)

    @property
    def camera(self) -> Watcher | None:
        """The camera that looks at the cards."""
        return self.watcher or self._dice_camera()

    def newest(self) -> tuple[bytes, Reading] | None:
        """Its newest picture as JPEG with its reading; None where there is none."""
        camera = self.camera
        return None if camera is None else camera.recent.newest()

    def close(self) -> None:
        """Follow nothing more, and let the camera go."""
        self.watch.close()
        if self.watcher is not None:
            self.watcher.close()

    def _phone_sent(self, jpeg: bytes) -> None:
        if self.watcher is not None:
            self.watcher.feed(jpeg)
