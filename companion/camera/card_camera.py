"""The camera that sees the cards, and the card sets that players have taught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.camera.card_teaching import CardTeacher
from companion.camera.card_watch import CardWatch
from companion.camera.own_cards import OwnCards
from companion.camera.worker import Watcher
from companion.game.session import GameSession
from companion.game.table import Table
from vision.table.mat import Polygon
from vision.types import Reading


class CardCamera:
    """Follows the cards through a camera of its own, or through the one that reads the dice.

    Attributes:
        sets: Taught card sets.
        teacher: Images in which cards are being named.
        watch: Follows the cards of the current game.
        watcher: The camera for cards only; None if the dice camera sees them too.
    """

    def __init__(
        self,
        session: GameSession,
        folder: Path,
        dice_camera: Callable[[], Watcher | None],
        demo_game: Callable[[], bool],
    ) -> None:
        """Prepares the card camera.

        Args:
            folder: Keeps the card sets.
            dice_camera: Returns the camera that reads the dice.
            demo_game: Returns whether the current game is the bundled film's, whose cards are not followed.
        """
        self._session, self._dice_camera, self._demo_game = session, dice_camera, demo_game
        self.sets = OwnCards(folder)
        self.teacher = CardTeacher()
        self.watch = CardWatch(self.newest_image, session.board_changed)
        self.watcher: Watcher | None = None
        session.on_begin(lambda table: self.watch.follow(self.sets, table))

    def use_source(self, source: str) -> None:
        """Follows the cards through this source; "" for the camera that reads the dice."""
        if self.watcher is not None:
            self.watcher.close()
            self.watcher = None
        if source:
            self.watcher = Watcher(source, path=source, model=None)
            self.watcher.start()
        self.restart()

    def restart(self) -> None:
        """Restarts following after a card was taught, another set was chosen, or the cards' zones changed."""
        running = self._session.running
        table: Table | None = None if running is None or self._demo_game() else running.table
        self.watch.follow(self.sets, table)

    @property
    def camera(self) -> Watcher | None:
        """The camera that sees the cards."""
        return self.watcher or self._dice_camera()

    @property
    def zones(self) -> tuple[Polygon, ...]:
        """The zones of cards that players have drawn in the picture of the dice."""
        return self.watch.drawn_zones if self.watcher is None else ()

    def newest_image(self) -> tuple[bytes, Reading] | None:
        """The newest image as JPEG with its reading; None if there is none."""
        camera = self.camera
        return None if camera is None else camera.recent.newest()

    def close(self) -> None:
        """Stops following and releases the camera."""
        self.watch.close()
        if self.watcher is not None:
            self.watcher.close()
