"""The program that is hurt: a companion without page or camera that keeps a game in the archive.

    python -m scripts.chaos_parts.recorder URL [GAME]

Reads one JSON object a line: {"reading": …} as the camera's, {"enter": "A buy farmer"} as a person's. Answers each with
{"lines": [every event as the page shows it], "notices": [sentences]} once the page would show it. Without GAME a game
of Anna and Bert is begun, and the first answer names it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from companion.archive import shelf
from companion.archive.store import Archive
from companion.changes import Unkept
from companion.referee import referee_for
from companion.table import Table
from engine.errors import CourtsideError
from engine.record_header import new_record
from vision.seen import Motion, Reading, SeenDie


def main() -> None:
    """Serve until standard input ends."""
    archive = Archive(sys.argv[1])
    if len(sys.argv) > 2:
        game_id = sys.argv[2]
        table = shelf.resume(archive, game_id, referee_for)
    else:
        record = new_record("krone", ("Anna", "Bert"))
        game_id, table = shelf.begin(archive, record, referee_for(record))
    _answer(table, [], game=game_id)
    for line in sys.stdin:
        said: list[str] = []
        message = json.loads(line)
        try:
            if "reading" in message:
                table.see(_reading(message["reading"]))
            elif "enter" in message:
                table.enter(message["enter"])
        except (Unkept, CourtsideError) as error:
            said.append(str(error))
        _answer(table, said)


def _answer(table: Table, said: list[str], **more: str) -> None:
    shown = {"lines": [line.event for line in table.lines], "notices": said + [str(n) for n in table.notices]}
    print(json.dumps(shown | more), flush=True)


def _reading(body: dict[str, Any]) -> Reading:
    dice = tuple(
        SeenDie(die["track"], tuple(die["xyxy"]), tuple(die["probabilities"]), die["kept"]) for die in body["dice"]
    )
    return Reading(
        dice, body["settled"], body["throw"], Motion(body["motion"]), body["frame"], body["seconds"], body["doubt"]
    )


if __name__ == "__main__":
    main()
