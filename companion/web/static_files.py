"""Static files: those of the pages, and the style sheets of each game."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, abort, send_file

import companion.games
from companion.plugins import plugins

_OWN = Path(__file__).parent / "static"


def folders_of_games(name: str) -> list[Path]:
    """The folders with this name in the plug-ins, in the order of the registry."""
    places = [Path(place) for place in companion.games.__path__]
    return [place / one.id / name for one in plugins() for place in places if (place / one.id / name).is_dir()]


@cache
def static_files() -> dict[str, Path]:
    """Every file by name. Names are unique, because a game's files begin with its id."""
    return {path.name: path for folder in (_OWN, *folders_of_games("static")) for path in sorted(folder.iterdir())}


def game_styles() -> tuple[str, ...]:
    """Names of the games' style sheets, without `.css`."""
    return tuple(path.stem for folder in folders_of_games("static") for path in sorted(folder.glob("*.css")))


@cache
def fingerprint() -> str:
    """A short hash of all files, for cache busting."""
    found = hashlib.sha256()
    for name, path in sorted(static_files().items()):
        found.update(name.encode() + path.read_bytes())
    return found.hexdigest()[:10]


class App(Flask):
    """A Flask application that serves `static_files`."""

    def send_static_file(self, filename: str) -> Response:
        """As in Flask, but for files from several folders."""
        path = static_files().get(filename)
        if path is None:
            abort(404)
        return send_file(path, max_age=self.get_send_file_max_age(filename))
