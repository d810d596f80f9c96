"""What all pages share: the table being played at, the camera that looks at it, the archive, and the news of them."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from flask import current_app

from companion.advice.chances import Chances
from companion.advice.ending import Turning, TurningPoints
from companion.advice.lookahead import Ahead
from companion.advice.looking_back import LookingBack
from companion.archive.store import Archive
from companion.camera.card_teaching import CardTeacher
from companion.camera.card_watch import CardWatch
from companion.camera.demo import DemoHand
from companion.camera.own_cards import OwnCards
from companion.camera.own_dice import OwnDice
from companion.camera.phone import PhoneGate
from companion.camera.read_dice import ReadDice
from companion.camera.worker import Shown, Watcher
from companion.game.archived.replay_cache import ReplayCache
from companion.game.broadcast import Broadcast
from companion.game.table import Table
from companion.web.local_network import LocalNetwork
from companion.web.pairing import Doorman
from companion.web.render_cache import RenderCache
from engine.registry import SEATS
from vision.table.layout import DrawnAreas
from vision.types import Reading

AdviceWhen = Literal["now", "after", "off"]


@dataclass(frozen=True, slots=True)
class Sitting:
    """One game at the table.

    serial: tells it from every other one, also from those before a restart: pages that were open then compare it. It
    only ever grows. id: in the archive, None when not kept there.
    """

    serial: int
    table: Table
    id: str | None


class AppState:
    """The one shared thing of the application, read from many threads. A game changes through its table only."""

    def __init__(self, archive: Archive | None = None) -> None:
        self.archive = archive
        self.past = ReplayCache()
        self.broadcast = Broadcast()
        self.drawn: RenderCache[str] = RenderCache()
        self.worked_out: RenderCache[Any] = RenderCache()  # what is costly to say of past games
        self.counted: RenderCache[Any] = RenderCache(8)  # what the games of a period come to
        self.arranged: RenderCache[Any] = RenderCache(2)
        self.written: RenderCache[str] = RenderCache(
            3000
        )  # lines of the record: all of an evening's, in five languages
        self.watcher: Watcher | None = None
        self.card_camera: Watcher | None = None  # looks at the cards only; None: the watcher sees them too
        self.phone_gate = PhoneGate(self._phone_sent)
        self.card_gate = PhoneGate(self._card_phone_sent)
        self.model = Path("models")
        self.own_dice = OwnDice(Path("own-dice"))
        self.own_cards = OwnCards(Path(tempfile.gettempdir(), "courtside-own-cards"))
        self.card_teacher = CardTeacher()
        self.card_watch = CardWatch(self._newest_picture, self._advised_anew)
        self.log_file: Path | None = None
        self.demo: DemoHand | None = None
        self.upside_down = False  # how the camera hangs
        self.drawn_areas: DrawnAreas | None = None
        self.invitation_link: Callable[[str], str] = lambda invitation: "/"
        self.doorman = Doorman()
        self.network: LocalNetwork | None = None  # None: the page itself is open to it
        self.ahead = Ahead(self._advised_anew)
        self.turning_points = TurningPoints(self.worked_out, self._advised_anew)
        self.looking_back = LookingBack(archive, self.past)
        self._sitting: Sitting | None = None
        self.lying: Reading | None = None  # the camera's last reading
        self.read_dice = ReadDice()
        self._chances: tuple[Any, Chances] | None = None
        self._advised = 0
        self._earlier: Chances | None = None  # of the position before the present one
        self._advice_when: AdviceWhen = "now"
        self._camera_changes = 0
        self._lock = threading.Lock()

    @property
    def sitting(self) -> Sitting | None:
        """The game being played, None before the first one."""
        return self._sitting

    def sit(self, table: Table, game_id: str | None) -> None:
        """Play at this table from now on."""
        if self.lying is not None:
            table.lie_before(self.lying)
        with self._lock:
            before = 0 if self._sitting is None else self._sitting.serial
            serial = max(before + 1, time.time_ns() // 1_000_000)
            self._sitting = sitting = Sitting(serial, table, game_id)
        self.read_dice.forget()
        self.broadcast.board(self.board_name())
        threading.Thread(target=self._follow, args=(sitting,), name="board news", daemon=True).start()
        self.cards_changed()

    def board_name(self) -> str:
        """Names the newest board: another one whenever anything on it may have changed."""
        sitting = self._sitting
        if sitting is None:
            return "0"
        return f"{sitting.serial}.{sitting.table.version}.{self._camera_changes}.{self._advised}"

    def position(self) -> Any:
        """The position of now, as if what the camera sees being set aside were final; None without a game."""
        sitting = self._sitting
        return None if sitting is None else sitting.table.preview_state

    def chances(self) -> Chances | None:
        """What the advice knows of the present position, None while it is still thinking."""
        known = self._chances
        if known is None or known[0] != self.position():
            return None
        if self._advice_when == "now":
            return known[1]
        said = self._earlier.advice if self._earlier and self._advice_when == "after" else ()
        return replace(known[1], advice=said, why_not=(), set_aside=())

    @property
    def advice_when(self) -> AdviceWhen:
        """When the advice is shown."""
        return self._advice_when

    def show_advice(self, when: AdviceWhen) -> None:
        """Show the advice now, only after the decision it was for, or not at all."""
        self._advice_when = when
        self._advised_anew()

    def turning_point(self) -> Turning | None:
        """Of the finished game on the table; None while it is being thought about, and where there is none."""
        sitting = self._sitting
        return None if sitting is None else self.turning_points.of(sitting.table.replay)

    def advise(self, position: Any, chances: Chances) -> None:
        """The advice has thought about this position."""
        if self._chances is not None and self._chances[0] != position:
            self._earlier = self._chances[1]
        self._chances = (position, chances)
        self._advised_anew()

    def _advised_anew(self) -> None:
        self._advised += 1
        self.broadcast.board(self.board_name())

    def picture(self) -> Shown | None:
        """The newest picture of the camera."""
        return None if self.watcher is None else self.watcher.shown

    def see(self, reading: Reading) -> None:
        """The camera saw this."""
        self.lying = reading
        self.read_dice.see(reading)
        sitting, demo = self._sitting, self.demo
        if sitting is not None and demo is None:
            sitting.table.see(reading)
        elif demo is not None and self.demo_game:
            demo.see(reading)  # the film says nothing about any other game
        if sitting is not None:
            self.read_dice.keep(sitting.table.lines)

    def watched_anew(self) -> None:
        """Watching has begun again: what is seen from now on is seen by somebody who knows nothing of before."""
        self.lying = None
        self.read_dice.watch_anew()
        if self._sitting is not None:
            self._sitting.table.watch_anew()

    def source_ended(self) -> None:
        """The camera will see nothing more."""
        sitting, demo = self._sitting, self.demo
        if sitting is not None and demo is None:
            sitting.table.finish()
        elif demo is not None and self.demo_game:
            demo.finish()

    @property
    def demo_game(self) -> bool:
        """Whether the game on the table is the one that the bundled film shows."""
        sitting, demo = self._sitting, self.demo
        return sitting is not None and demo is not None and demo.table is sitting.table

    def picture_or_state(self, number: int) -> None:
        """The camera has a new picture of this number, or (-1) is in another state."""
        if number < 0:
            self._camera_changes += 1
            self.broadcast.board(self.board_name())
        else:
            self.broadcast.picture(number)

    def _phone_sent(self, jpeg: bytes) -> None:
        if self.watcher is not None:
            self.watcher.feed(jpeg)

    def _card_phone_sent(self, jpeg: bytes) -> None:
        if self.card_camera is not None:
            self.card_camera.feed(jpeg)

    def draw_areas(self, areas: DrawnAreas | None) -> None:
        """From the next frame on the dice lie in these areas, or on the printed mat as soon as it is seen, else
        anywhere.
        """
        self.drawn_areas = areas
        if self.watcher is not None:
            self.watcher.areas = areas

    def turn_round(self) -> None:
        """From the next source on pictures are turned by half a turn more, with the areas drawn in them."""
        self.upside_down = not self.upside_down
        if self.drawn_areas is not None:
            self.drawn_areas = self.drawn_areas.turned()

    def cards_changed(self) -> None:
        """Other cards are taught, another set of them is played with, or they lie elsewhere."""
        sitting = self._sitting
        self.card_watch.follow(self.own_cards, None if sitting is None or self.demo_game else sitting.table)

    @property
    def sees_cards(self) -> Watcher | None:
        """The camera that looks at the cards."""
        return self.card_camera or self.watcher

    def _newest_picture(self) -> tuple[bytes, Reading] | None:
        camera = self.sees_cards
        return None if camera is None else camera.recent.newest()

    def dice_due(self) -> int:
        """How many dice must lie on the table when a throw has come to rest."""
        sitting = self._sitting
        return 0 if sitting is None else sitting.table.dice_due

    def dice_to_set_aside(self) -> tuple[int, ...]:
        """What the advice would set aside now."""
        known = self.chances()
        return known.set_aside if known else ()

    def small_picture(self) -> bytes | None:
        """The newest picture small enough to be kept with a throw, for disputes."""
        return None if self.watcher is None else self.watcher.small_picture()

    def today(self) -> str:
        """The date for a record's header."""
        return datetime.now().astimezone().strftime("%Y-%m-%d")

    def seats(self) -> list[tuple[str, str]]:
        """Letter and name of every player."""
        sitting = self._sitting
        return [] if sitting is None else list(zip(SEATS, sitting.table.record.players, strict=False))

    def close(self) -> None:
        """The evening is over: streams end, the camera is let go."""
        self.broadcast.close()
        if self.network is not None:
            self.network.shut()
        self.ahead.close()
        self.turning_points.close()
        self.looking_back.close()
        self.card_watch.close()
        for camera in (self.watcher, self.card_camera):
            if camera is not None:
                camera.close()

    def _follow(self, sitting: Sitting) -> None:
        version = -1
        while not self.broadcast.closed and self._sitting is sitting:
            newest = sitting.table.wait(version, timeout=1.0)
            if newest != version:
                version = newest
                self.looking_back.stir()
                self.broadcast.board(self.board_name())
                if sitting.id is not None and sitting.table.state.finished:
                    self.looking_back.desk.of(sitting.table.replay, hurry=False)


def app_state() -> AppState:
    """What the application of this request shares among its pages."""
    here = current_app.extensions["app_state"]
    assert isinstance(here, AppState)
    return here
