"""The cameras at the table: one reads the dice of the current game and may see the cards too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock

from companion.camera.card_camera import CardCamera
from companion.camera.demo import Demo, DemoPlayer, bundled_demo
from companion.camera.dice_history import DiceHistory
from companion.camera.own_dice import OwnDice
from companion.camera.worker import PageImage, Watcher
from companion.game.referee import referee_for
from companion.game.session import GameSession, today
from companion.game.table import Table
from engine.record_header import new_record
from vision.table.layout import DrawnAreas
from vision.types import Reading

NO_CAMERA = "none"  # the source for dice entered by hand
DEMO = "demo"  # the source for the bundled film


class Cameras:
    """The camera that reads the dice, and in `cards` the one that sees the cards.

    Attributes:
        model: Weights of the detector.
        own_dice: Images of the players' own dice.
        upside_down: How the camera is mounted.
        areas: Zones for dice drawn on the page; None for the printed mat if it is seen, else the whole frame.
        watcher: The running camera; None if dice are entered by hand.
        reading: Its last reading.
        dice_history: Alternative faces of the dice of recorded lines.
        demo: Enters what the players of the bundled film enter; None for other sources.
    """

    def __init__(
        self,
        session: GameSession,
        folder: Path,
        model: Path,
        upside_down: bool = False,
        advised: Callable[[], tuple[int, ...]] = tuple,
    ) -> None:
        """Prepares the cameras without starting one.

        Args:
            folder: Keeps the players' own dice and cards.
            advised: Returns the dice that the advice sets aside now.
        """
        self._session, self._advised = session, advised
        self.model, self.own_dice = model, OwnDice(folder / "own-dice")
        self.upside_down = upside_down
        self.areas: DrawnAreas | None = None
        self.watcher: Watcher | None = None
        self.reading: Reading | None = None
        self.dice_history = DiceHistory()
        self.demo: DemoPlayer | None = None
        self._waiting_film: Watcher | None = None  # the bundled film while it waits for its first viewer
        self._starting = Lock()
        self.cards = CardCamera(session, folder / "own-cards", lambda: self.watcher, lambda: self.demo_game)
        session.on_begin(self._on_game_begin)

    def watch(self, source: str, wait: bool = False) -> None:
        """Points the camera at a source; `none` for dice entered by hand.

        Args:
            wait: The bundled film starts with `start_film_for_viewer`.
        """
        if self.watcher is not None:
            self.watcher.close()
            self.watcher = self.reading = None
        self.demo = self._waiting_film = None
        if source == NO_CAMERA:
            return
        self.watcher = Watcher(
            source,
            path=self._demo_film() if source == DEMO else source,
            model=self.model,
            see=self.see,
            ended=self.source_ended,
            announce=self.announce,
            restarted=self.restarted,
            areas=self.areas,
            upside_down=self.upside_down,
        )
        self.watcher.advised_dice, self.watcher.expected_dice = self._advised, self._session.expected_dice
        self.watcher.cards = lambda: self.cards.zones
        if wait and source == DEMO:
            self._waiting_film = self.watcher
        else:
            self.watcher.start()

    def start_film_for_viewer(self) -> None:
        """Starts the bundled film for its first viewer."""
        if self._waiting_film is None:
            return
        with self._starting:
            film, self._waiting_film = self._waiting_film, None
            if film is not None:
                film.start()

    def skip_demo(self) -> None:
        """Ends the bundled film; its game stays on the table."""
        demo = self.demo
        self.watch(NO_CAMERA)
        if demo is not None:
            self.demo, demo.ended = demo, True
        self._session.board_changed()

    def watch_demo_again(self) -> None:
        """Restarts the bundled film with a new game."""
        self.watch(NO_CAMERA)
        self._session.begin(_demo_table(bundled_demo()), None)
        self.watch(DEMO)
        self._session.board_changed()  # boards rendered since the game began do not mention the film

    def see(self, reading: Reading) -> None:
        """Processes a reading."""
        self.reading = reading
        self.dice_history.see(reading)
        running, demo = self._session.running, self.demo
        if running is not None and demo is None:
            running.table.see(reading)
        elif demo is not None and self.demo_game:
            demo.see(reading)  # readings of the film apply to its own game only
        if running is not None:
            self.dice_history.remember(running.table.lines)

    def restarted(self) -> None:
        """Handles a restart: the camera process remembers nothing."""
        self.reading = None
        self.dice_history.watch_restarted()
        if self._session.running is not None:
            self._session.running.table.watch_restarted()

    def source_ended(self) -> None:
        """Handles the end of the source."""
        running, demo = self._session.running, self.demo
        if running is not None and demo is None:
            running.table.finish()
        elif demo is not None and self.demo_game:
            demo.finish()

    def announce(self, number: int) -> None:
        """Announces a new image with this number, or (−1) a new state of the camera."""
        if number < 0:
            self._session.board_changed()
        else:
            self._session.broadcast.announce_picture(number)

    @property
    def demo_game(self) -> bool:
        """Whether the current game is that of the bundled film."""
        running, demo = self._session.running, self.demo
        return running is not None and demo is not None and demo.table is running.table

    def draw_areas(self, areas: DrawnAreas | None) -> None:
        """Uses these zones for dice from the next frame on."""
        self.areas = areas
        if self.watcher is not None:
            self.watcher.areas = areas

    def rotate(self) -> None:
        """Rotates images, and the zones drawn in them, by another 180 degrees from the next source on."""
        self.upside_down = not self.upside_down
        if self.areas is not None:
            self.areas = self.areas.turned()

    def picture(self) -> PageImage | None:
        """The camera's newest image."""
        return None if self.watcher is None else self.watcher.page_image

    def small_picture(self) -> bytes | None:
        """The newest image at a small size, stored with a roll to settle disputes."""
        return None if self.watcher is None else self.watcher.small_picture()

    def close(self) -> None:
        """Releases the cameras."""
        self.cards.close()
        if self.watcher is not None:
            self.watcher.close()

    def _on_game_begin(self, table: Table) -> None:
        if self.reading is not None:
            table.note_dice_before(self.reading)
        self.dice_history.forget()

    def _demo_film(self) -> str:
        """The path of the bundled film. Its players sit down at the table, unless a game with others has started.

        Their game is not archived, so that repeated demos do not fill the history.
        """
        try:
            demo = bundled_demo()
        except FileNotFoundError:
            return "datasets/demo/demo.mp4"  # the camera reports that it is missing; the page still opens
        if self._session.running is None:
            self._session.begin(_demo_table(demo), None)
        if self._session.running is not None:
            self.demo = DemoPlayer(demo, self._session.running.table)
        return demo.film


def _demo_table(demo: Demo) -> Table:
    record = new_record(demo.game, demo.players, date=today())
    return Table(record, referee_for(record))
