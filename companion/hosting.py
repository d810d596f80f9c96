"""Opening the house: archive, game, camera, page. What `courtside play` does before anybody can look."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from companion.adviser import Adviser
from companion.app import Settings, create_app
from companion.archive.database import ArchiveError
from companion.archive.shelf import newest_unfinished
from companion.archive.store import Archive
from companion.certificate import Certificate, kept_certificate
from companion.decks import deck_tags
from companion.evening import begin_game, resume_game, watch_source
from companion.own_dice import OwnDice
from companion.pairing import Pairing
from companion.resources import resource
from companion.room import Room
from companion.server import PortInUse, Server, local_addresses
from companion.stopping import Stopped
from engine.errors import CourtsideError
from engine.record_header import new_record

Say = Callable[[str], None]
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asked for. resume: None = no, "" = the last unfinished game, else a game's id."""

    source: str
    game: str
    ruleset: str | None
    players: tuple[str, ...]
    resume: str | None
    host: str
    port: int
    secure: bool
    archive_url: str | None
    language: str | None
    model: Path | None
    deck: Path | None = None
    upside_down: bool = False


@dataclass(frozen=True, slots=True)
class Hosting:
    """A house that is open: serving begins with `serve` and ends with `stop`."""

    room: Room
    server: Server
    certificate: Certificate | None
    shared: bool

    def greeting(self) -> Iterator[str]:
        """What to print: the address, and for guests in the local network the link that lets them in."""
        yield f"Courtside is at {self.server.address}" if not self.shared else "Courtside is at"
        if self.shared:
            yield f"  {self.room.invitation_link('host')}   (host: open it yourself; “Invite” shows the others)"
            yield f"  {self.room.invitation_link('spectator')}   (spectators)"
        if self.certificate is not None:
            yield (
                "The certificate is Courtside's own, so each browser warns once: choose “advanced”, then “continue”. "
                f"Its SHA-256 fingerprint is {self.certificate.fingerprint}."
            )
        yield "Stop with Ctrl+C; everything recorded stays in the archive."

    def serve(self) -> None:
        """Answer until stopped."""
        self.server.serve()

    def stop(self) -> None:
        """End streams, let the camera go, stop listening."""
        self.room.close()
        self.server.stop()


def open_house(wish: Wish, say: Say, folder: Path | None = None) -> Hosting:
    """Everything ready to serve, secrets kept in `folder` (default: the user's data folder).

    Raises Stopped with one sentence where there is no point in opening.
    """
    folder = folder or Path(user_data_path("courtside", appauthor=False))
    room = Room(_archive(wish, say))
    shared = wish.host not in _LOOPBACK
    addresses = list(local_addresses()) if shared or wish.secure else []
    try:
        pairing = Pairing(folder)
        certificate = kept_certificate(folder, addresses) if wish.secure else None
    except OSError as error:
        raise Stopped(f"the data folder {folder} cannot be written: {error.strerror}") from error
    settings = Settings(
        port=wish.port,
        open_house=not shared,
        secure=wish.secure,
        language=wish.language,
        hosts=None if shared else ("localhost", "127.0.0.1", "[::1]"),
    )
    app = create_app(room, pairing, settings)
    try:
        server = Server(app, wish.host, wish.port, certificate)
    except PortInUse as error:
        raise Stopped(str(error)) from error
    seen_at = addresses[0] if shared and addresses else "127.0.0.1"
    base = f"{server.scheme}://{f'[{seen_at}]' if ':' in seen_at else seen_at}:{server.port}"
    room.invitation_link = lambda invitation: f"{base}/pair/{invitation}/{pairing.word(invitation)}"
    try:
        _sit_down(room, wish)
        Adviser(room).start()
        room.model = wish.model or resource("models")
        room.upside_down = wish.upside_down
        room.own_dice = OwnDice(folder / "own-dice")
        watch_source(room, wish.source, room.model)
    except Exception:
        server.stop()
        raise
    return Hosting(room, server, certificate, shared)


def _archive(wish: Wish, say: Say) -> Archive | None:
    try:
        return Archive(wish.archive_url, club_table=_table_name(wish))
    except ArchiveError as error:
        if wish.archive_url is not None or wish.resume is not None:
            raise Stopped(str(error)) from error
        say(f"{error}; this evening's games are not kept")
        return None


def _table_name(wish: Wish) -> str:
    """What a club calls this table: the computer's name, with the port where it is not the usual one."""
    if wish.archive_url is None or wish.archive_url.startswith("sqlite"):
        return ""
    return (platform.node() if wish.port in (0, 8765) else f"{platform.node()}:{wish.port}")[:80]


def _sit_down(room: Room, wish: Wish) -> None:
    """Begin or resume the game that was asked for; the page offers the rest."""
    try:
        if wish.resume is not None:
            if room.archive is None:
                raise Stopped("there is no archive to resume a game from")
            game_id = wish.resume or newest_unfinished(room.archive)
            if game_id is None:
                raise Stopped("the archive holds no unfinished game; begin one with --players Anna,Bert")
            resume_game(room, game_id)
        elif wish.players:
            begin_game(room, wish.game, wish.players, wish.ruleset, **deck_tags(wish.game, wish.deck))
        else:
            new_record(wish.game, ("A", "B"), wish.ruleset)  # refuses an unknown ruleset before anybody sits down
    except (CourtsideError, ArchiveError) as error:
        raise Stopped(str(error)) from error
