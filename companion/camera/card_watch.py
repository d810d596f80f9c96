"""Follows the cards of the current game in the background.

It takes the newest frame at most four times a second, small and grey. Only where something has changed and is still
again is the frame decoded in full and read. Nothing waits for it, so reading dice is not slowed down.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import cv2
import numpy as np

from companion.camera.card_follower import CardFollower, WrongCards
from companion.camera.card_places import load_zones
from companion.camera.own_cards import NoSuchSet, OwnCards
from companion.game.card_evidence import CardMessages
from companion.game.table import Table
from vision.cards.card_set import DamagedSet
from vision.cards.watching import Zones, smaller
from vision.sources.header import read_header
from vision.sources.jpeg import Unusable, decode
from vision.table.mat import Polygon
from vision.types import Reading

PAUSE_SECONDS = 0.2
RETRY_SECONDS = 2.0  # pause after an error
TEACHING_PAUSE_SECONDS = 30.0  # pause after a card was taught
NICENESS = 10  # of this thread: dice, page and advice go first, and a card is still seen in time
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MessageFrame:
    """The frame that a message refers to, as it came, with its size in pixels."""

    number: int
    jpeg: bytes
    width: int
    height: int


class CardWatch:
    """Watches the cards as long as there are a game, a card set and zones.

    Attributes:
        messages: Questions and notices about the cards, to be shown now.
        message_frame: The frame that they refer to; None if there is none.

    Args:
        newest: Returns the newest frame as JPEG with its reading; None if there is none.
        announce: Called when there is something new to show.
    """

    def __init__(self, newest: Callable[[], tuple[bytes, Reading] | None], announce: Callable[[], None]) -> None:
        self.messages = CardMessages()
        self.message_frame: MessageFrame | None = None
        self._newest, self._announce = newest, announce
        self._own: OwnCards | None = None
        self._table: Table | None = None
        self._follower: CardFollower | None = None
        self._frame: int | None = None
        self._paused_until = float("-inf")  # monotonic seconds
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, own: OwnCards, table: Table | None) -> None:
        """Follows these cards in this game; called again whenever either has changed."""
        if table is not self._table:
            self._paused_until = float("-inf")
        self._own, self._table = own, table
        self._changed.set()
        if self._thread is None and own.chosen is not None:  # without taught cards there is nothing to do
            self._thread = threading.Thread(target=self._run, name="cards", daemon=True)
            self._thread.start()

    def pause(self) -> None:
        """Pauses while cards are being taught, so that they are not compared with the game."""
        self._paused_until = time.monotonic() + TEACHING_PAUSE_SECONDS

    def close(self) -> None:
        """Stops."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    @property
    def places(self) -> Zones:
        """The zones of the cards, as far as learned."""
        follower = self._follower
        return {} if follower is None else follower.places

    @property
    def drawn_zones(self) -> tuple[Polygon, ...]:
        """The zones of the cards if players have drawn them."""
        follower = self._follower
        return () if follower is None else follower.drawn_zones

    def _run(self) -> None:
        lower_priority()
        while not self._closed.wait(PAUSE_SECONDS):
            if time.monotonic() < self._paused_until:
                continue
            try:
                if self._changed.is_set():
                    self._changed.clear()
                    self._start_following()
                self._step()
            except Exception:  # one error must not end it
                _LOG.exception("the cards could not be read")
                self._closed.wait(RETRY_SECONDS)

    def _start_following(self) -> None:
        self._follower, messages = None, CardMessages()
        own, table = self._own, self._table
        if own is not None and table is not None and own.chosen is not None:
            with suppress(DamagedSet, NoSuchSet, OSError):
                cards, zones = own.load(own.chosen), load_zones(own.folder)
                try:
                    follower = CardFollower(table, cards, zones)
                    self._follower = follower if cards.faces and zones != {} else None
                except WrongCards as error:
                    messages = error.messages
        self._publish(messages)

    def _step(self) -> None:
        follower, newest = self._follower, self._newest()
        if follower is None or newest is None or newest[1].frame == self._frame:
            return
        jpeg, reading = newest
        self._frame = reading.frame
        header = read_header(jpeg)
        grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_4)
        if header is None or grey is None:
            return
        changed = follower.notice(smaller(np.asarray(grey, np.uint8)), reading.seconds, (header.width, header.height))
        if changed:
            with suppress(Unusable):
                follower.read(decode(jpeg, "the picture"), changed, reading.seconds)
        messages = follower.judge(reading.seconds, reading)
        if messages != self.messages and any(one.place for one in (*messages.questions, *messages.notices)):
            self.message_frame = MessageFrame(reading.frame, jpeg, header.width, header.height)
        self._publish(messages)

    def _publish(self, messages: CardMessages) -> None:
        if messages != self.messages:
            self.messages = messages
            self._announce()


def lower_priority() -> None:
    """Lowers the priority of the calling thread and limits OpenCV to one thread."""
    cv2.setNumThreads(1)
    if sys.platform == "linux":  # elsewhere niceness applies to the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
