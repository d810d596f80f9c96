"""Skips groups of tests whose system program is missing, and lists them with what they need."""

from __future__ import annotations

import ctypes.util
import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import settings

from tests.kit.chromium import chromium

# No deadline: on a busy machine an example that took a fifth of a second failed a run of the suite.
# The same examples in every run: a commit is refused for its own fault alone. Every night the examples are new.
settings.register_profile("quick", deadline=None, max_examples=40, derandomize=True, database=None)
settings.register_profile("nightly", deadline=None, max_examples=400)
settings.load_profile("quick")

if TYPE_CHECKING:
    from companion.server.bootstrap import RunningApp
    from companion.web.app_state import AppState
    from tests.kit.browser import OpenTable
    from tests.kit.postgresql_server import PostgresServer


def _postgresql() -> bool:
    return bool(shutil.which("initdb")) or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _nginx() -> bool:
    return bool(shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin"))


def _osmesa() -> bool:
    return ctypes.util.find_library("OSMesa") is not None


def _photos() -> bool:
    folder = os.environ.get("COURTSIDE_PHOTOS")
    return bool(folder) and Path(folder, "dev", "images").is_dir()


GROUPS = {
    "browser": (chromium, "Chromium (Debian: apt install chromium-headless-shell)"),
    "postgresql": (_postgresql, "a PostgreSQL server (Debian: apt install postgresql)"),
    "nginx": (_nginx, "the web server nginx (Debian: apt install nginx-light)"),
    "physics": (_osmesa, "the off-screen OpenGL library OSMesa (Debian: apt install libosmesa6)"),
    "photos": (_photos, "real photos: set COURTSIDE_PHOTOS to a folder with dev/images and dev/labels"),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--delay", action="append", default=[], metavar="KIND=SECONDS", help="see tests/kit/delays.py")


@pytest.fixture(scope="session", autouse=True)
def delayed_answers(pytestconfig: pytest.Config) -> None:
    """With the option `--delay`, served pages answer late."""
    if options := pytestconfig.getoption("--delay"):
        from tests.kit.delays import delay_served_apps, parse

        delay_served_apps(parse(options))


@pytest.fixture(scope="session", autouse=True)
def pages_wait_for_all_games() -> None:
    """Otherwise pages of past games may show games as unread on a busy machine."""
    from companion.game.archived.replay_cache import ReplayCache

    ReplayCache.page_wait = None


@pytest.fixture(scope="session", autouse=True)
def templates_are_compiled_once() -> None:
    """Otherwise each test's application compiles its templates, which takes more than half of the time."""
    from flask import Flask
    from jinja2 import BytecodeCache
    from jinja2.bccache import Bucket

    class Compiled(BytecodeCache):
        codes: ClassVar[dict[tuple[str, str], CodeType | None]] = {}

        def load_bytecode(self, bucket: Bucket) -> None:
            bucket.code = self.codes.get((bucket.key, bucket.checksum))

        def dump_bytecode(self, bucket: Bucket) -> None:
            self.codes[bucket.key, bucket.checksum] = bucket.code

    Flask.jinja_options = {"bytecode_cache": Compiled()}


@pytest.fixture(scope="module")
def running_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    """A server for a whole file, without a game."""
    from tests.kit.served_app import served_app

    with served_app(tmp_path_factory.mktemp("house"), players=()) as running_app:
        yield running_app


@pytest.fixture
def home(running_app: RunningApp) -> RunningApp:
    """The running companion with a new game."""
    from companion.web.sessions import begin_game

    begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
    return running_app


@pytest.fixture(scope="module")
def open_table(running_app: RunningApp) -> Iterator[OpenTable]:
    """One page for a whole file; every test starts its own game there (`browser.begin`)."""
    from tests.kit.browser import browsing  # late: not every machine has a browser to drive

    with browsing() as open_page:
        yield open_page(running_app.server.address), running_app


@pytest.fixture
def table(open_table: OpenTable) -> OpenTable:
    """The open page with a new game."""
    from tests.kit.browser import begin

    page, running_app = open_table
    page.unroute_all()
    page.keyboard.press("Escape")  # a dialog that a failed test left open
    begin(running_app, page)
    return open_table


@pytest.fixture(scope="module")
def shelf(running_app: RunningApp) -> RunningApp:
    """The server for a whole file, with two past games: a finished one of 327 events, and its first two rounds."""
    from tests.kit.browser import shelve_past_games

    shelve_past_games(running_app)
    return running_app


@pytest.fixture
def app_state() -> Iterator[AppState]:
    """A table with a game that is not archived, which suffices for most pages."""
    from companion.web.app_state import AppState
    from companion.web.sessions import begin_game

    app_state = AppState()
    begin_game(app_state, "krone", ("Anna", "Bert"))
    yield app_state
    app_state.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def archive(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """URL of the test's own database, or None for a file."""
    if request.param == "sqlite":
        yield None
        return
    yield request.getfixturevalue("postgresql").new_database()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """One server per process, for all tests that need only a database."""
    from tests.kit.postgresql_server import PostgresServer  # late: not every machine has a PostgreSQL

    server = PostgresServer()
    yield server
    server.close()


def pytest_configure() -> None:
    gc.disable()  # until all is collected: nothing that is imported becomes garbage, and looking took a second


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    absent = {name for name, (present, _) in GROUPS.items() if not present()}
    kept, dropped = [], []
    for item in items:
        missing = sorted(absent & {mark.name for mark in item.iter_markers()})
        if missing:
            dropped.append(item)
        else:
            kept.append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
    # Files that take long come first, so that a run ends with short tests. Tests of one file stay together.
    long = {item.path for item in kept if any(item.get_closest_marker(name) for name in ("slow", "browser"))}
    items[:] = sorted(kept, key=lambda item: item.path not in long)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.enable()
    gc.freeze()  # what was imported and collected stays: going through it again and again took a twelfth of the time


def pytest_report_header(config: pytest.Config) -> list[str]:
    absent = [(name, needs) for name, (present, needs) in GROUPS.items() if not present()]
    return [f"left out: {name} tests, they need {needs}" for name, needs in absent] or [
        "all test groups are here: " + ", ".join(GROUPS)
    ]
