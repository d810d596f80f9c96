"""Replaces entries of a record for tests; a running game is changed by `companion.game.log`."""

from __future__ import annotations

from dataclasses import replace

from engine.record import Entry
from engine.replay import Replay, replay_record


def edited(replay: Replay, index: int, removed: int, *entries: Entry) -> Replay:
    """The record with `removed` entries at `index` replaced by these, replayed from the position before them."""
    old = replay.record.entries
    record = replace(replay.record, entries=(*old[:index], *entries, *old[index + removed :]))
    return replay_record(record, replay.states[: index + 1])
