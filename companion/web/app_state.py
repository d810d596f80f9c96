"""What all pages share: the running game, the cameras, the advice, past games and the pages' caches."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from flask import current_app

from companion.advice.advisor import Advisor
from companion.advice.past_games import PastGames
from companion.archive.store import Archive
from companion.camera.cameras import Cameras
from companion.game.session import GameSession
from companion.game.turn_clock import TurnClock
from companion.resources import resource
from companion.web.local_network import LocalNetwork
from companion.web.pairing import Doorman
from companion.web.view_caches import ViewCaches


class AppState:
    """The parts of the application, built once and read from many threads.

    Attributes:
        session: the game at the table.
        cameras: see the dice and the cards.
        advisor: thinks about the running game.
        turn_clock: when the running turn began.
        past: games of the archive.
        caches: what pages compute once for all who look at the same.
        doorman: makes whoever guesses invitations wait.
        log_file: where this program logs to, None where it logs to no file.
        invitation_link: address of an invitation; set when the server listens, as its port is part of it.
        network: the door to the local network; None where the page itself is open to it.
    """

    def __init__(
        self,
        archive: Archive | None = None,
        folder: Path | None = None,
        model: Path | None = None,
        *,
        upside_down: bool = False,
        log_file: Path | None = None,
    ) -> None:
        """archive: None keeps no games; folder: keeps the players' own dice and cards, None: the system's temporary
        folder; model: weights that read dice, None: the bundled ones; upside_down: how the camera hangs."""
        self.session = GameSession()
        self.caches = ViewCaches()
        self.past = PastGames(archive)
        self.advisor = Advisor(self.session, self.caches.reviews)
        self.cameras = Cameras(
            self.session,
            folder or Path(tempfile.gettempdir(), "courtside"),
            model or resource("models"),
            upside_down,
            self.advisor.dice_to_set_aside,
        )
        self.turn_clock = TurnClock()
        self.session.on_change(self.turn_clock.follow)
        self.session.on_change(self.past.follow)
        self.doorman = Doorman()
        self.log_file = log_file
        self.invitation_link: Callable[[str], str] = lambda invitation: "/"
        self.network: LocalNetwork | None = None

    def close(self) -> None:
        """The evening is over: streams end, the cameras are let go."""
        self.session.broadcast.close()
        if self.network is not None:
            self.network.shut()
        self.advisor.close()
        self.past.close()
        self.cameras.close()


def app_state() -> AppState:
    """What the application of this request shares among its pages."""
    here = current_app.extensions["app_state"]
    assert isinstance(here, AppState)
    return here
