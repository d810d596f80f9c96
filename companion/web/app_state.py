"""State shared by all pages: the current game, the cameras, the advice, past games and caches."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from flask import current_app

from companion.advice.advisor import Advisor
from companion.advice.past_games import PastGames
from companion.archive.store import Archive
from companion.camera.cameras import Cameras
from companion.game.session import GameSession
from companion.game.turn_clock import TurnClock
from companion.resources import resource
from companion.web.pairing import LoginThrottle
from companion.web.render_cache import ViewCaches


class NoNetwork(Exception):
    """This computer is not in a local network."""


class LocalNetwork(Protocol):
    """The page's second address, closed at first.

    Attributes:
        fingerprint: SHA-256 of its certificate, "" before it was first opened.
    """

    fingerprint: str

    @property
    def base(self) -> str | None:
        """The address to connect to, without a path; None while it is closed."""

    def open(self) -> None:
        """Lets devices in the local network connect, until `close`.

        Raises:
            NoNetwork: There is no network.
            OSError: No port is free, or the certificate cannot be written.
        """

    def close(self) -> None:
        """Disconnects every device in the local network and accepts no more."""


class AppState:
    """The parts of the application, built once and read from many threads.

    Attributes:
        session: The game at the table.
        cameras: The cameras for dice and cards.
        advisor: Advice on the current game.
        turn_clock: When the current turn began.
        past: Games of the archive.
        caches: Results shared by viewers with the same view.
        login_throttle: Delays guesses of invitations.
        log_file: The log; None without a file.
        invitation_link: Address of an invitation; set when the server listens, because its port is part of it.
        network: The server for the local network; None if the page itself is open to it.
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
        """Builds the parts.

        Args:
            archive: None stores no games.
            folder: Keeps the players' own dice and cards; None for a temporary folder.
            model: Weights of the detector; None for the bundled ones.
            upside_down: How the camera is mounted.
        """
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
        self.login_throttle = LoginThrottle()
        self.log_file = log_file
        self.invitation_link: Callable[[str], str] = lambda invitation: "/"
        self.network: LocalNetwork | None = None

    def close(self) -> None:
        """Ends streams and releases the cameras."""
        self.session.broadcast.close()
        if self.network is not None:
            self.network.close()
        self.advisor.close()
        self.past.close()
        self.cameras.close()


def app_state() -> AppState:
    """The state of the application that handles this request."""
    state = current_app.extensions["app_state"]
    assert isinstance(state, AppState)
    return state
