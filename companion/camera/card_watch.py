"""Following the cards of a running game in the background: what lies where, and what that says of the game.

The newest picture is taken four times a second at most, small and grey; only where something has changed and lies still
again is it decoded whole and read. Nothing waits for it: the dice are read as if it were not there.
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
from companion.camera.card_places import kept_zones
from companion.camera.own_cards import NoSuchSet, OwnCards
from companion.game.card_evidence import CardNews
from companion.game.table import Table
from vision.cards.card_set import DamagedSet
from vision.cards.watching import Zones, smaller
from vision.sources.header import read_header
from vision.sources.jpeg import Unusable, decode
from vision.types import Reading

PAUSE_SECONDS = 0.2
AGAIN_SECONDS = 2.0  # after something has failed
REST_SECONDS = 30.0  # after a card was taught: what is laid out to be taught is no game
NICENESS = 10  # of this thread: a card is seen in good time also when dice, page and advice go first
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Witness:
    """The picture that the news is about, as it came. width, height: pixels."""

    number: int
    jpeg: bytes
    width: int
    height: int


class CardWatch:
    """Watches the cards as long as there are a game, a set of cards for it, and places where they lie.

    newest: the newest picture as a JPEG with its reading, None while there is none; told: called when there is news.
    """

    def __init__(self, newest: Callable[[], tuple[bytes, Reading] | None], told: Callable[[], None]) -> None:
        self.news = CardNews()
        self.witness: Witness | None = None
        self._newest, self._told = newest, told
        self._own: OwnCards | None = None
        self._table: Table | None = None
        self._follower: CardFollower | None = None
        self._frame: int | None = None
        self._rests_until = float("-inf")  # monotonic seconds
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self, own: OwnCards, table: Table | None) -> None:
        """From now on these cards and this game; called again whenever either has changed."""
        if table is not self._table:
            self._rests_until = float("-inf")
        self._own, self._table = own, table
        self._changed.set()
        if self._thread is None and own.chosen is not None:  # without taught cards there is nothing to do
            self._thread = threading.Thread(target=self._run, name="cards", daemon=True)
            self._thread.start()

    def rest(self) -> None:
        """Cards are being taught: nothing on the table is held against the game for a while."""
        self._rests_until = time.monotonic() + REST_SECONDS

    def close(self) -> None:
        """Stop."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    @property
    def places(self) -> Zones:
        """Where cards lie, as far as it was learnt."""
        follower = self._follower
        return {} if follower is None else follower.places

    def _run(self) -> None:
        give_way()
        while not self._closed.wait(PAUSE_SECONDS):
            if time.monotonic() < self._rests_until:
                continue
            try:
                if self._changed.is_set():
                    self._changed.clear()
                    self._begin()
                self._step()
            except Exception:  # one bad moment must not end it
                _LOG.exception("the cards could not be read")
                self._closed.wait(AGAIN_SECONDS)

    def _begin(self) -> None:
        self._follower, news = None, CardNews()
        own, table = self._own, self._table
        if own is not None and table is not None and own.chosen is not None:
            with suppress(DamagedSet, NoSuchSet, OSError):
                cards, zones = own.load(own.chosen), kept_zones(own.folder)
                try:
                    follower = CardFollower(table, cards, zones)
                    self._follower = follower if cards.faces and zones != {} else None
                except WrongCards as error:
                    news = error.news
        self._say(news)

    def _step(self) -> None:
        follower, given = self._follower, self._newest()
        if follower is None or given is None or given[1].frame == self._frame:
            return
        jpeg, reading = given
        self._frame = reading.frame
        header = read_header(jpeg)
        grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_4)
        if header is None or grey is None:
            return
        pieces = follower.notice(smaller(np.asarray(grey, np.uint8)), reading.seconds, (header.width, header.height))
        if pieces:
            with suppress(Unusable):
                follower.look(decode(jpeg, "the picture"), pieces, reading.seconds)
        news = follower.judge(reading.seconds, reading)
        if news != self.news and any(one.place for one in (*news.questions, *news.notices)):
            self.witness = Witness(reading.frame, jpeg, header.width, header.height)
        self._say(news)

    def _say(self, news: CardNews) -> None:
        if news != self.news:
            self.news = news
            self._told()


def give_way() -> None:
    """From now on the calling thread takes only what others leave of the processors, and OpenCV no second one."""
    cv2.setNumThreads(1)
    if sys.platform == "linux":  # elsewhere niceness is the whole process's
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
