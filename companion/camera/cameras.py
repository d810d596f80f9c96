"""The cameras at the table: one reads the dice for the running game, and may see the cards too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock

from companion.camera.card_camera import CardCamera
from companion.camera.demo import Demo, DemoHand, bundled_demo
from companion.camera.own_dice import OwnDice
from companion.camera.phone import PhoneGate
from companion.camera.read_dice import ReadDice
from companion.camera.worker import Shown, Watcher
from companion.game.referee import referee_for
from companion.game.session import GameSession, today
from companion.game.table import Table
from engine.record_header import new_record
from vision.table.layout import DrawnAreas
from vision.types import Reading

NO_CAMERA = "none"  # the source of those who enter dice by hand
DEMO = "demo"  # the bundled film


class Cameras:
    """The camera that reads the dice, and in `cards` the one that looks at the cards.

    Attributes:
        model: weights that read dice.
        own_dice: pictures of the players' own dice.
        upside_down: how the camera hangs.
        areas: where dice lie, as drawn on the page; None: on the printed mat as soon as it is seen, else anywhere.
        watcher: the running camera, None for dice entered by hand.
        reading: its last reading.
        read_dice: what it thought of the dice of recorded lines.
        demo: enters what the players of the bundled film enter, None for other sources.
        phone: takes the pictures of a phone.
    """

    def __init__(
        self,
        session: GameSession,
        folder: Path,
        model: Path,
        upside_down: bool = False,
        advised: Callable[[], tuple[int, ...]] = tuple,
    ) -> None:
        """folder: keeps the players' own dice and cards; advised: the dice that the advice would set aside now."""
        self._session, self._advised = session, advised
        self.model, self.own_dice = model, OwnDice(folder / "own-dice")
        self.upside_down = upside_down
        self.areas: DrawnAreas | None = None
        self.watcher: Watcher | None = None
        self.reading: Reading | None = None
        self.read_dice = ReadDice()
        self.demo: DemoHand | None = None
        self._film: Watcher | None = None  # the bundled film while it waits for its first viewer
        self._starting = Lock()
        self.phone = PhoneGate(self._phone_sent)
        self.cards = CardCamera(session, folder / "own-cards", lambda: self.watcher, lambda: self.demo_game)
        session.on_begin(self._game_begins)

    def watch(self, source: str, wait: bool = False) -> None:
        """Point the camera at a source; `none` for dice entered by hand. wait: the bundled film starts with
        `viewer_came`."""
        if self.watcher is not None:
            self.watcher.close()
            self.watcher = self.reading = None
        self.demo = self._film = None
        if source == NO_CAMERA:
            return
        self.watcher = Watcher(
            source,
            path=self._demo_film() if source == DEMO else source,
            model=self.model,
            see=self.see,
            ended=self.source_ended,
            told=self.picture_or_state,
            restarted=self.restarted,
            areas=self.areas,
            upside_down=self.upside_down,
        )
        self.watcher.advised, self.watcher.due = self._advised, self._session.dice_due
        if wait and source == DEMO:
            self._film = self.watcher
        else:
            self.watcher.start()

    def viewer_came(self) -> None:
        """Somebody looks at the table: the bundled film starts with its first viewer."""
        if self._film is None:
            return
        with self._starting:
            film, self._film = self._film, None
            if film is not None:
                film.start()

    def skip_demo(self) -> None:
        """End the bundled film; its game stays on the table."""
        demo = self.demo
        self.watch(NO_CAMERA)
        if demo is not None:
            self.demo, demo.over = demo, True
        self._session.board_changed()

    def watch_demo_again(self) -> None:
        """The bundled film from its beginning, with a new game."""
        self.watch(NO_CAMERA)
        self._session.begin(_demo_table(bundled_demo()), None)
        self.watch(DEMO)

    def see(self, reading: Reading) -> None:
        """The camera saw this."""
        self.reading = reading
        self.read_dice.see(reading)
        running, demo = self._session.running, self.demo
        if running is not None and demo is None:
            running.table.see(reading)
        elif demo is not None and self.demo_game:
            demo.see(reading)  # the film says nothing about any other game
        if running is not None:
            self.read_dice.keep(running.table.lines)

    def restarted(self) -> None:
        """Watching has restarted: the camera process knows nothing of what was seen before."""
        self.reading = None
        self.read_dice.watch_restarted()
        if self._session.running is not None:
            self._session.running.table.watch_restarted()

    def source_ended(self) -> None:
        """The camera will see nothing more."""
        running, demo = self._session.running, self.demo
        if running is not None and demo is None:
            running.table.finish()
        elif demo is not None and self.demo_game:
            demo.finish()

    def picture_or_state(self, number: int) -> None:
        """The camera has a new picture of this number, or (-1) is in another state."""
        if number < 0:
            self._session.board_changed()
        else:
            self._session.broadcast.picture(number)

    @property
    def demo_game(self) -> bool:
        """Whether the game on the table is the one that the bundled film shows."""
        running, demo = self._session.running, self.demo
        return running is not None and demo is not None and demo.table is running.table

    def draw_areas(self, areas: DrawnAreas | None) -> None:
        """From the next frame on the dice lie in these areas."""
        self.areas = areas
        if self.watcher is not None:
            self.watcher.areas = areas

    def turn_round(self) -> None:
        """From the next source on pictures are turned by half a turn more, with the areas drawn in them."""
        self.upside_down = not self.upside_down
        if self.areas is not None:
            self.areas = self.areas.turned()

    def picture(self) -> Shown | None:
        """The newest picture of the camera."""
        return None if self.watcher is None else self.watcher.shown

    def small_picture(self) -> bytes | None:
        """The newest picture small enough to be kept with a roll, for disputes."""
        return None if self.watcher is None else self.watcher.small_picture()

    def close(self) -> None:
        """Let the cameras go."""
        self.cards.close()
        if self.watcher is not None:
            self.watcher.close()

    def _game_begins(self, table: Table) -> None:
        if self.reading is not None:
            table.lie_before(self.reading)
        self.read_dice.forget()

    def _demo_film(self) -> str:
        """Path of the bundled film; its players sit down at the table, unless a game was begun for others.

        Their game is not kept: a demo watched ten times must not be in the history ten times.
        """
        try:
            demo = bundled_demo()
        except FileNotFoundError:
            return "datasets/demo/demo.mp4"  # the camera will say that it is missing; the page still opens
        if self._session.running is None:
            self._session.begin(_demo_table(demo), None)
        if self._session.running is not None:
            self.demo = DemoHand(demo, self._session.running.table)
        return demo.film

    def _phone_sent(self, jpeg: bytes) -> None:
        if self.watcher is not None:
            self.watcher.feed(jpeg)


def _demo_table(demo: Demo) -> Table:
    record = new_record(demo.game, demo.players, date=today())
    return Table(record, referee_for(record))
