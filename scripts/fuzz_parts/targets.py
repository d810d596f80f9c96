"""Readers of what strangers wrote: each takes bytes and lets nothing out but the one error that it promises."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from scripts.fuzz_parts.bent import bent

ROOT = Path(__file__).resolve().parent.parent.parent
SEEDS = {
    "record": ("tests/golden/krone_*.txt",),
    "knatsch": ("tests/golden/knatsch_example_*.txt",),
    "deck": ("datasets/decks/*.toml",),
    "picture": ("docs/screenshots/*",),
}
"""Files of the repository to begin with; what the other targets begin with is written by `_written`."""


def record(data: bytes) -> None:
    """A record: legal and then written canonically twice alike, or refused with its line."""
    from engine.errors import Unreadable
    from engine.replay import read_game

    try:
        replay = read_game(data.decode("utf-8", "replace"))
    except Unreadable as error:
        if error.line is None:
            raise RuntimeError(f"no line: {error}") from error
        return
    assert read_game(replay.text()).text() == replay.text()


def position(data: bytes) -> None:
    """A position in one line: reads back, or is refused."""
    from engine.errors import CourtsideError
    from engine.krone.position import position_text, read_position

    try:
        state = read_position(data.decode("utf-8", "replace"))
    except CourtsideError:
        return
    assert read_position(position_text(state), state.rules) == state


def deck(data: bytes) -> None:
    """A player's own deck file."""
    from companion.decks import parse_deck
    from engine.errors import Unreadable

    try:
        parse_deck(data.decode("utf-8", "replace"))
    except Unreadable:
        return


def change(data: bytes) -> None:
    """A change as the archive keeps it, a good one bent: refused, or one that is kept and read again."""
    from companion.changes import Change

    try:
        found = Change.read(bent(_good_change(), data))
    except (KeyError, TypeError, ValueError):
        return
    assert Change.read(found.body()) == found


@cache
def _good_change() -> Any:
    from companion.changes import Doubt, Sentence
    from companion.chronicle import Chronicle
    from engine.replay import read_game

    replay = read_game((ROOT / "tests/golden/krone_amigo.txt").read_text(encoding="utf-8"))
    book = Chronicle(replay.record)
    doubt = Doubt(1, Sentence("{a} or {b}?", {"a": "5", "b": "6"}), (3,), (("A roll 5",), ("A roll 6",)), 12, 0.4)
    change = book.change("replace", "person", 3, 1, [book.line("A pass", "camera", 0.9)], doubts=[doubt])
    return json.loads(json.dumps(change.body()))


def picture(data: bytes) -> None:
    """A picture uploaded by a phone: refused at the door, or by the decoder, or an image."""
    from companion.phone import Refused, jpeg_size
    from vision.jpeg import Unusable, decode

    with suppress(Refused):
        jpeg_size(data)
    try:
        found = decode(data)
    except Unusable:
        return
    assert found.ndim == 3


def form(data: bytes) -> None:
    """A form sent to any address of the page: see `page`."""
    from scripts.fuzz_parts.page import send

    send(data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "record": record,
    "knatsch": record,
    "position": position,
    "deck": deck,
    "change": change,
    "picture": picture,
    "form": form,
}


def seeds(name: str) -> list[bytes]:
    """What to begin with: good inputs."""
    found = [file.read_bytes() for pattern in SEEDS.get(name, ()) for file in sorted(ROOT.glob(pattern))]
    return found + [text.encode() for text in _written(name)]


def _written(name: str) -> list[str]:
    from engine.krone.position import position_text
    from engine.replay import read_game

    replay = read_game((ROOT / "tests/golden/krone_amigo.txt").read_text(encoding="utf-8"))
    if name == "position":
        return [position_text(state) for state in replay.states[:: len(replay.states) // 8]]
    if name == "change":
        return [f"{where}{what}" for where, what in zip("\x00\x05\x11 0@P", "\x18\x02\x1a\x13\x1f0x", strict=True)]
    if name == "form":
        from scripts.fuzz_parts.page import good_forms

        return good_forms()
    return []


def load() -> None:
    """Import all that is watched while it is fed."""
    for watched in ("companion.decks", "engine.knatsch.game", "engine.krone.game", "engine.replay", "vision.jpeg",
                    "companion.phone", "companion.app"):  # fmt: skip
        importlib.import_module(watched)
