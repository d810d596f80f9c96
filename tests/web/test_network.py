"""Access from the local network is opened and closed on the page, on the computer itself, while a game goes on."""

from __future__ import annotations

import http.client
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion.server import network
from companion.server.bootstrap import RunningApp
from companion.web.pairing import GUEST, Pairing
from companion.web.sessions import begin_game
from tests.kit.served_app import enter, served_app, until
from tests.web.attacks import ATTACKER, attack, still_open

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def at_home(tmp_path: Path) -> Iterator[RunningApp]:
    with served_app(tmp_path) as running_app:
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
        yield running_app


def ask(
    port: int, path: str, cookie: str = "", form: dict[str, str] | None = None, secure: bool = True
) -> tuple[int, str, str]:
    """Status, body and new cookie."""
    trust = ssl._create_unverified_context()
    connection = (
        http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=trust)
        if secure
        else http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    )
    headers = {"Cookie": cookie} | (FORM if form else {})
    connection.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body, (answer.getheader("Set-Cookie") or cookie).partition(";")[0]


def press(running_app: RunningApp, opened: str) -> str:
    """The page “Invite” after the switch was pressed on the computer."""
    port = running_app.server.port
    _, page, cookie = ask(port, "/invite", secure=False)
    found = re.search(r'name="csrf" content="([^"]+)"', page)
    assert found
    status, _, cookie = ask(port, "/network", cookie, {"csrf": found[1], "open": opened}, secure=False)
    assert status == 303
    return ask(port, "/invite", cookie, secure=False)[1]


def door(running_app: RunningApp) -> network.LocalNetworkServer:
    assert running_app.app_state.network is not None
    return running_app.app_state.network


def port_of(running_app: RunningApp) -> int:
    return int((door(running_app).base or "").rpartition(":")[2])


@pytest.mark.slow
def test_the_network_is_let_in_and_shut_out_again_without_a_restart(at_home: RunningApp) -> None:
    assert door(at_home).base is None
    link = at_home.app_state.invitation_link(GUEST)
    assert link.startswith("http://127.0.0.1:")
    page = press(at_home, "1")
    base = door(at_home).base
    assert base
    assert base.startswith("https://")
    assert f"{base}/join" in page
    assert at_home.app_state.invitation_link(GUEST) == link.replace(link.partition("/pair/")[0], base)
    port = port_of(at_home)
    path = "/pair/" + link.partition("/pair/")[2]
    assert ask(port, "/board")[0] == 403  # an invitation is required
    status, _, cookie = ask(port, path)
    assert (status, ask(port, "/board", cookie)[0]) == (303, 200)
    assert base not in press(at_home, "")
    with pytest.raises(ConnectionRefusedError):
        ask(port, "/board", cookie)
    assert ask(at_home.server.port, "/board", secure=False)[0] == 200
    press(at_home, "1")
    assert ask(port_of(at_home), "/board", cookie)[0] == 200  # who was in is in again


def test_only_the_person_at_the_computer_may_open_or_close_the_network(at_home: RunningApp) -> None:
    press(at_home, "1")
    port = port_of(at_home)
    _, _, cookie = ask(port, "/pair/" + at_home.app_state.invitation_link("host").partition("/pair/")[2])
    _, page, cookie = ask(port, "/invite", cookie)
    assert "/network" not in page
    found = re.search(r'name="csrf" content="([^"]+)"', page)
    assert found
    assert ask(port, "/network", cookie, {"csrf": found[1], "open": ""})[0] == 403
    assert door(at_home).base is not None


def test_streams_to_the_network_hear_the_game_and_end_with_the_door(at_home: RunningApp) -> None:
    press(at_home, "1")
    port = port_of(at_home)
    _, _, cookie = ask(port, "/pair/" + at_home.app_state.invitation_link(GUEST).partition("/pair/")[2])
    stream = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=ssl._create_unverified_context())
    stream.request("GET", "/events?board=/board", headers={"Cookie": cookie})
    heard = stream.getresponse()
    while b"event: board" not in heard.readline():
        pass
    enter(at_home, "A roll 5 5 2")
    while b'name=\\"dice\\"' not in heard.readline():
        pass
    began = time.monotonic()
    threading.Thread(target=door(at_home).close).start()
    while heard.readline():
        pass
    assert time.monotonic() - began < 20  # the stream ends at once, not only when the viewer leaves
    assert (
        at_home.app_state.session.broadcast._subscribers == at_home.app_state.session.broadcast._subscribers[:1]
    )  # the page's own stays


def test_the_limit_of_connections_of_an_address_covers_both_listeners(
    at_home: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(at_home, "1")
    ports, connections = (at_home.server.port, port_of(at_home)), at_home.server.limits.connections
    monkeypatch.setattr("companion.server.limits.MAX_PER_ADDRESS", 8)
    with ExitStack() as stack:
        first = stack.enter_context(attack(ports[0], 8))
        until(lambda: len(connections._open.get(ATTACKER, ())) == 8)
        second = stack.enter_context(attack(ports[1], 8))
        until(lambda: (still_open(first), still_open(second)) == (0, 8))  # those idle for longest made room
        third = stack.enter_context(attack(ports[0], 3))
        until(lambda: [still_open(some) for some in (first, second, third)] == [0, 5, 3])
        assert len(connections._open[ATTACKER]) == 8
        assert ask(ports[1], "/join")[0] == 200


def test_the_limits_of_streams_and_guesses_of_an_address_cover_both_listeners(at_home: RunningApp) -> None:
    press(at_home, "1")
    port, shares = port_of(at_home), at_home.server.limits.streams
    _, _, cookie = ask(port, "/pair/" + at_home.app_state.invitation_link(GUEST).partition("/pair/")[2])
    with ExitStack() as stack:
        for _ in range(shares._max_per_address):
            stack.enter_context(shares.slot("127.0.0.1"))  # as many as the page at the computer may hold open
        assert ask(port, "/events?board=/board", cookie)[0] == 503
        assert ask(at_home.server.port, "/events?board=/board", secure=False)[0] == 503
    for _ in range(10):
        at_home.app_state.login_throttle.failed("127.0.0.1")
    assert ask(port, "/pair/host/aaaaaaaaaaaaaaaaaaaa")[0] == 429


def test_a_computer_without_a_network_is_shown_so(at_home: RunningApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "local_addresses", list)
    assert "This computer is not connected to a network" in press(at_home, "1")
    assert door(at_home).base is None


def test_a_port_that_is_taken_does_not_keep_the_door_shut(at_home: RunningApp) -> None:
    with network.Server(door(at_home)._make_app(), "0.0.0.0", at_home.server.port + 1)._socket:
        press(at_home, "1")
        assert port_of(at_home) != at_home.server.port + 1
        assert ask(port_of(at_home), "/join")[0] == 200


def test_whether_a_seat_is_taken_outlives_a_restart_and_ends_with_its_link(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    pairing.mark_used("player-A")
    assert [Pairing(tmp_path).link(f"player-{seat}").used for seat in "AB"] == [True, False]
    pairing.revoke("player-A")
    assert not Pairing(tmp_path).link("player-A").used
