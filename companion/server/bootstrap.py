"""Starts the application: archive, game, camera, page. This is what `courtside play` does before the page opens."""

from __future__ import annotations

import atexit
import logging
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from companion.archive.database import ArchiveError, Damaged, DamagedFile, archive_file
from companion.archive.store import Archive
from companion.cli_errors import CliError
from companion.game.archived.backups import ArchiveMaintenance, backups
from companion.game.archived.game_repository import newest_unfinished
from companion.logs import start_logging
from companion.plugins import plugin
from companion.server.certificate import Certificate, load_or_create_certificate
from companion.server.http_server import ANY_ADDRESS, PortInUse, Server, local_addresses
from companion.server.limits import Limits
from companion.server.network import LocalNetworkServer
from companion.server.public_address import PublicAddress, TrustedProxies
from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from companion.web.sessions import begin_game, resume_game
from engine.errors import CourtsideError
from engine.record_header import new_record
from vision.sources.camera import is_missing
from vision.sources.streams import shown

_LOG = logging.getLogger(__name__)
Say = Callable[[str], None]
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Options of the command line.

    Attributes:
        resume: None for no, "" for the last unfinished game, else a game's id.
        public: The address at a reverse proxy.
        proxies: Proxies whose forwarded headers are trusted.
        table_name: None for the computer's name.
    """

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
    verbose: bool = False
    cards_source: str | None = None
    public: PublicAddress | None = None
    proxies: TrustedProxies | None = None
    table_name: str | None = None


@dataclass(frozen=True, slots=True)
class RunningApp:
    """An application ready to serve: call `serve`, end with `stop`."""

    app_state: AppState
    server: Server
    certificate: Certificate | None
    shared: bool
    maintenance: ArchiveMaintenance | None = None

    def greeting(self) -> Iterator[str]:
        """The text to print: the address, and the invitation link for guests in the local network."""
        yield f"Courtside is at {self.server.address}" if not self.shared else "Courtside is at"
        if self.shared:
            yield f"  {self.app_state.invitation_link('host')}   (for you as host; see the Invite page for others)"
            yield f"  {self.app_state.invitation_link('spectator')}   (spectators)"
        if self.certificate is not None:
            yield (
                "Courtside made its own certificate, so each browser warns once. Choose “Advanced”, then “Continue”. "
                f"Its SHA-256 fingerprint is {self.certificate.fingerprint}."
            )
        yield "Press Ctrl+C to stop. Everything recorded is saved."

    def serve(self) -> None:
        """Serves until stopped; then backs up the evening's games."""
        try:
            self.server.serve()
        finally:
            if self.maintenance is not None:
                self.maintenance.stop()

    def stop(self) -> None:
        """Ends streams, releases the camera and stops listening."""
        self.app_state.close()
        self.server.stop()


def open_app(options: PlayOptions, say: Say, folder: Path | None = None) -> RunningApp:
    """Opens everything needed to serve, with secrets kept in `folder` (by default the user's data folder).

    Raises:
        CliError: Opening is pointless; one sentence.
    """
    folder = folder or Path(user_data_path("courtside", appauthor=False))
    log_file = start_logging(folder, options.verbose)
    _LOG.info(
        "opened: game %s, source %s", options.game, shown(options.source) if "://" in options.source else options.source
    )
    app_state = AppState(
        _archive(options, say), folder, options.model, upside_down=options.upside_down, log_file=log_file
    )
    # All visitors through a proxy have its address, which may be this computer's, so every one of them needs an
    # invitation.
    shared = options.host not in _LOOPBACK or options.public is not None
    addresses = list(local_addresses()) if shared or options.secure else []
    secrets = folder
    try:
        pairing = Pairing(secrets)
        certificate = load_or_create_certificate(secrets, addresses) if options.secure else None
    except OSError as error:
        say(f"the data folder {folder} cannot be written to ({error.strerror}): invitations end with this program")
        secrets = _temporary_folder()
        pairing = Pairing(secrets)
        certificate = load_or_create_certificate(secrets, addresses) if options.secure else None
    settings = Settings(
        port=options.port,
        local_only=not shared,
        secure=options.secure or (options.public is not None and options.public.secure),
        language=options.language,
        hosts=None if shared else ("localhost", "127.0.0.1", "[::1]"),
        public_origin=options.public.origin if options.public else None,
        public_prefix=options.public.prefix if options.public else "",
    )
    app = create_app(app_state, pairing, settings)
    try:
        server = Server(app, options.host, options.port, certificate, Limits(options.proxies))
    except PortInUse as error:
        raise CliError(str(error)) from error
    base = server.base(addresses[0]) if options.host in ANY_ADDRESS and addresses else server.address.rstrip("/")
    if options.public is not None:
        base = options.public.base
    if not shared:
        app_state.network = _local_network_server(app_state, pairing, secrets, server, options.language)
    app_state.invitation_link = lambda invitation: (
        f"{(app_state.network and app_state.network.base) or base}/pair/{invitation}/{pairing.word(invitation)}"
    )
    try:
        _open_game(app_state, options)
        app_state.advisor.start()
        for source in filter(None, (options.source, options.cards_source)):
            if is_missing(source):
                say(f"courtside: {source} does not exist; another camera can be chosen on the page")
        app_state.cameras.watch(options.source, wait=True)
        app_state.cameras.cards.use_source(options.cards_source or "")
    except Exception:
        server.stop()
        raise
    maintenance = (
        None
        if app_state.past.archive is None
        else ArchiveMaintenance(app_state.past.archive, app_state.past.replays, say)
    )
    if maintenance is not None:
        maintenance.start()
        app_state.past.idle_reviews.start()
    return RunningApp(app_state, server, certificate, shared, maintenance)


def _temporary_folder() -> Path:
    """A temporary folder that is deleted when the program ends."""
    folder = Path(tempfile.mkdtemp(prefix="courtside-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _local_network_server(
    app_state: AppState, pairing: Pairing, folder: Path, server: Server, language: str | None
) -> LocalNetworkServer:
    settings = Settings(port=server.port + 1, local_only=False, secure=True, language=language, hosts=None)
    return LocalNetworkServer(lambda: create_app(app_state, pairing, settings), folder, server.port, server.limits)


def _archive(options: PlayOptions, say: Say) -> Archive | None:
    try:
        return Archive(options.archive_url, club_table=_table_name(options))
    except ArchiveError as error:
        if isinstance(error, DamagedFile) and (file := archive_file(options.archive_url)) and backups(file):
            error = DamagedFile(
                f"{error}; run `courtside games restore` to restore the backup of {backups(file)[0].name}"
            )
        if options.archive_url is not None or options.resume is not None:
            raise CliError(str(error)) from error
        say(f"{error}; this evening's games are not kept")
        return None


def _table_name(options: PlayOptions) -> str:
    """The name of this table in a club: as given, else the computer's name, with the port unless it is the usual
    one."""
    if options.archive_url is None or options.archive_url.startswith("sqlite"):
        return ""
    if options.table_name:
        return options.table_name[:80]
    return (platform.node() if options.port in (0, 8765) else f"{platform.node()}:{options.port}")[:80]


def _open_game(app_state: AppState, options: PlayOptions) -> None:
    """Starts or resumes the requested game; without one, the page offers it."""
    try:
        if options.resume is not None:
            if app_state.past.archive is None:
                raise CliError("games are not saved, so none can be resumed")
            game_id = options.resume or newest_unfinished(app_state.past.archive)
            if game_id is None:
                raise CliError("there is no unfinished game; start one with --players Anna,Bert")
            resume_game(app_state, game_id)
        elif options.players:
            begin_game(
                app_state,
                options.game,
                options.players,
                options.ruleset,
                **plugin(options.game).deck_tags(options.deck),
            )
        else:
            new_record(options.game, ("A", "B"), options.ruleset)  # rejects an unknown ruleset early
    except Damaged as damaged:
        raise CliError(
            f"{damaged}; `courtside games restore {damaged.game_id}` brings back a whole copy of it, "
            "`courtside games list` shows which other game `--resume ID` can go on with"
        ) from damaged
    except (CourtsideError, ArchiveError) as error:
        raise CliError(str(error)) from error
