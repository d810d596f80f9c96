"""`courtside watch SRC --players …`: records a game from a source without the page."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from companion.camera.card_follower import CardFollower, WrongCards, make_follower
from companion.camera.own_cards import NoSuchSet
from companion.cli_errors import CliError, print_error
from companion.commands.print_readings import load_detector, source_path
from companion.game.recording import Recording
from companion.game.referee import referee_for
from companion.game.table import Table
from companion.plugins import plugin
from engine.errors import CourtsideError
from engine.record_header import new_record
from vision.cards.card_set import DamagedSet
from vision.dice.networks import DamagedModel
from vision.pipeline import Pipeline
from vision.sources.beside import Beside
from vision.sources.camera import Unusable, frames, is_live
from vision.sources.starting import once_started
from vision.types import Frame, Lost

TYPED_SECONDS = 0.5  # time to wait for piped lines before a file starts


def watch_game(
    source: str,
    players: Sequence[str],
    *,
    game: str,
    ruleset: str | None,
    deck: Path | None,
    record: Path | None,
    as_json: bool,
    model: Path | None,
    upside_down: bool,
    cards: str | None,
    cards_source: str | None,
) -> None:
    """Prints the events of a game until the source ends.

    Args:
        cards: A card set or its file.
        cards_source: The source that sees the cards, if not the same.

    Raises:
        CliError: Source, names, rules, cards or model are invalid.
    """
    try:
        table = Table(header := new_record(game, players, ruleset, **plugin(game).deck_tags(deck)), referee_for(header))
        path = source_path(source)
        live = is_live(path)
        recording = Recording(table, click.echo, print_error, as_json=as_json, file=record, live=live)
        follower = None if cards is None else make_follower(cards, table, print_error)
        beside = None if cards_source is None else Beside(cards_source)
        standard_input = _StandardInput()
        if not live:
            standard_input.wait(TYPED_SECONDS)
        pipeline = Pipeline(load_detector(model), live=live)
        pipeline.due = lambda: table.expected_dice
        pipeline.cards = follower.drawn_zones if follower is not None and beside is None else ()
        _watch(frames(path, upside_down=upside_down), pipeline, recording, standard_input, follower, beside)
    except (CourtsideError, NoSuchSet, DamagedSet, WrongCards, Unusable, DamagedModel, FileNotFoundError) as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"the record cannot be written to {record}: {error.strerror}; choose another file") from None


def _watch(
    source: Iterable[Frame | Lost],
    pipeline: Pipeline,
    recording: Recording,
    standard_input: _StandardInput,
    follower: CardFollower | None,
    beside: Beside | None,
) -> None:
    try:
        for frame in once_started(source, print_error):
            for line in standard_input.lines():
                recording.typed(line)
            reading = pipeline.step(frame)
            recording.see(reading)
            if beside is not None:
                frame = beside.at(frame.seconds) or Lost(frame.seconds, "")
            if follower is not None and isinstance(frame, Frame):
                # The frame with camera motion undone, if known.
                image = frame.image if beside or pipeline.picture is None else pipeline.picture
                recording.print_card_messages(follower.see(image, frame.seconds, None if beside else reading))
        standard_input.wait(TYPED_SECONDS)
        for line in standard_input.lines():
            recording.typed(line)
        recording.finish()
    except Unusable:
        # From a truncated file, what could be read is recorded before the error is reported.
        recording.finish()
        raise
    except KeyboardInterrupt:
        recording.finish()


class _StandardInput:
    """Lines of standard input, read in a thread so that the camera never waits for typing."""

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._read, name="standard input", daemon=True)
        self._thread.start()

    def lines(self) -> list[str]:
        """Lines typed since the last call."""
        found = []
        while not self._lines.empty():
            found.append(self._lines.get())
        return found

    def wait(self, seconds: float) -> None:
        """Waits until standard input has ended, unless it is a terminal."""
        if not (sys.stdin is None or sys.stdin.isatty()):
            self._ended.wait(seconds)

    def _read(self) -> None:
        if sys.stdin is not None:
            for line in sys.stdin:
                self._lines.put(line)
        self._ended.set()
