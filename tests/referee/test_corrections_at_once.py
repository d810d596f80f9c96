"""Two people correct the same event at the same moment on separate pages of a real server."""

from __future__ import annotations

import re
import threading
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

from engine.replay import read_game
from tests.kit.served_app import served_app

TOKEN = re.compile(r'name="csrf" content="([^"]+)"')
TIMES = 8


class Visitor:
    """A separate browser: cookies, token, and the board last seen."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open
        found = TOKEN.search(self.get(""))
        assert found
        self._token = found[1]

    def get(self, place: str) -> str:
        with self._open(self._address + place, timeout=30) as answer:
            return str(answer.read().decode())

    def send(self, place: str, **form: str) -> str:
        """Sends a form and returns the resulting board."""
        headers = {"X-CSRF-Token": self._token, "X-Fragment": "board", "Accept-Language": "en"}
        request = urllib.request.Request(self._address + place, urllib.parse.urlencode(form).encode(), headers)
        with self._open(request, timeout=30) as answer:
            return str(answer.read().decode())


@pytest.mark.slow
@pytest.mark.parametrize("what", ["replace", "remove"])
def test_of_two_pages_correcting_one_event_at_once_one_wins_and_one_gets_a_message(tmp_path: Path, what: str) -> None:
    with served_app(tmp_path) as running_app:
        sitting = running_app.app_state.session.running
        assert sitting is not None
        table = sitting.table
        table.enter("A roll 5 5 2")
        visitors = [Visitor(running_app.server.address) for _ in range(2)]
        for _ in range(TIMES):
            if not table.lines:
                table.enter("A roll 5 5 2")
            number, together = table.lines[0].number, threading.Barrier(2)
            events = (
                ["A roll 6 5 2", "A roll 4 4 4"] if table.lines[0].event == "A roll 5 5 2" else ["A roll 5 5 2"] * 2
            )
            boards: dict[int, str] = {}

            def correct(who: int, number: int, events: list[str], together: threading.Barrier,
                        boards: dict[int, str]) -> None:  # fmt: skip
                together.wait()
                boards[who] = visitors[who].send(f"correct/{number}", what=what, event=events[who])

            threads = [threading.Thread(target=correct, args=(i, number, events, together, boards)) for i in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            explained = [who for who in range(2) if "changed" in _notice(boards[who])]
            assert len(explained) == 1, [_notice(board) for board in boards.values()]
            if what == "replace":
                assert [line.event for line in table.lines] == [events[1 - explained[0]]]
            else:
                assert not table.lines
            assert read_game(visitors[0].get("record.txt")).text() == table.replay.text()


def _notice(board: str) -> str:
    """The notice on the board."""
    return " ".join(re.findall(r'class="[^"]*notice[^"]*"[^>]*>(.*?)</', board, re.DOTALL))
