"""The program under test: a companion without page or camera that stores a game in the archive.

    python -m tests.stress.chaos_parts.recorder SOCKET

starts a parent process with all modules loaded and nothing opened. For each {"url": …, "game": …, "clock": …} that it
receives over the socket (a descriptor) with a connection, it forks one recorder. So a restart takes a tenth of the
time, and the same program is killed.

A recorder reads one JSON object per line: {"reading": …} from the camera, {"enter": "A buy farmer"} from a person. It
answers each with {"lines": [every event as the page shows it], "notices": [sentences]} as soon as the page would show
it. Without a game it starts one of Anna and Bert, and the first answer names it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from typing import IO, Any

from companion.archive.database import ArchiveError
from companion.archive.store import Archive
from companion.game.archived import game_repository
from companion.game.changes import NotSaved
from companion.game.referee import referee_for
from companion.game.table import Table
from engine.errors import CourtsideError
from engine.record_header import new_record
from vision.types import Motion, Reading, SeenDie


def main() -> None:
    """Starts recorders until the parent process ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # child processes are not waited for
    orders = socket.socket(fileno=int(sys.argv[1]))
    while True:
        message, handed, _, _ = socket.recv_fds(orders, 4096, 1)
        if not message:
            return
        child = os.fork()
        if child == 0:
            orders.close()
            connection = socket.socket(fileno=handed[0])
            with connection.makefile("r", encoding="utf-8") as sent, connection.makefile("w", encoding="utf-8") as said:
                try:
                    record(json.loads(message), sent, said)
                except ArchiveError as error:  # one sentence, as from `courtside play`
                    said.write(json.dumps({"lines": [], "notices": [str(error)]}) + "\n")
            os._exit(0)
        os.close(handed[0])
        orders.send(str(child).encode())


def record(order: dict[str, Any], sent: IO[str], said: IO[str]) -> None:
    """Runs one recorder until `sent` ends.

    Args:
        sent: Messages to the recorder.
        said: Its answers.
    """
    if order.get("clock"):
        os.environ["FAKETIME"] = order["clock"]  # libfaketime, if preloaded, reads it at every call
    archive, game_id = Archive(order["url"]), order.get("game")
    if game_id:
        table = game_repository.resume(archive, game_id, referee_for)
    else:
        new = new_record("krone", ("Anna", "Bert"))
        game_id, table = game_repository.begin(archive, new, referee_for(new))
    _answer(said, table, [], game=game_id)
    for line in sent:
        complaints: list[str] = []
        message = json.loads(line)
        try:
            if "reading" in message:
                table.see(_reading(message["reading"]))
            elif "enter" in message:
                table.enter(message["enter"])
        except (NotSaved, CourtsideError) as error:
            complaints.append(str(error))
        _answer(said, table, complaints)


def _answer(out: IO[str], table: Table, complaints: list[str], **more: str) -> None:
    shown = {"lines": [line.event for line in table.lines], "notices": complaints + [str(n) for n in table.notices]}
    out.write(json.dumps(shown | more) + "\n")
    out.flush()


def _reading(body: dict[str, Any]) -> Reading:
    dice = tuple(
        SeenDie(**die | {"xyxy": tuple(die["xyxy"]), "probabilities": tuple(die["probabilities"])})
        for die in body["dice"]
    )
    return Reading(**body | {"dice": dice, "motion": Motion(body["motion"])})


if __name__ == "__main__":
    main()
