"""Invitation links: listed, revocable one by one, and valid for one evening unless kept."""

from __future__ import annotations

import http.client
import re
import socket
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.pairing import GUEST, LINK_SECONDS, Pairing
from companion.web.persistent_clock import PersistentClock
from tests.kit.served_app import served_app
from tests.kit.visitors import paired, with_token


def token(client: FlaskClient) -> str:
    found = re.search(r'name="csrf" content="([^"]+)"', client.get("/cards").get_data(as_text=True))
    assert found
    return found[1]


def test_links_live_for_ever_no_longer_one_is_revoked_and_the_others_stay(network: Flask, tmp_path: Path) -> None:
    host, spectator, player = (paired(network, tmp_path, one) for one in ("host", "spectator", "player-A"))
    old = Pairing(tmp_path).word("spectator")
    assert host.post("/invite/spectator/revoke", data={"csrf": token(host)}).status_code == 303
    assert spectator.get("/board").status_code == 403
    assert spectator.get(f"/pair/spectator/{old}").status_code == 403
    assert player.get("/board").status_code == host.get("/board").status_code == 200
    page = host.get("/invite").get_data(as_text=True)
    assert page.count("/revoke") == 6  # everybody, spectator, camera, two players, host
    paired(network, tmp_path, "spectator")


def test_a_host_who_revokes_the_hosts_link_stays_and_other_hosts_are_signed_out(network: Flask, tmp_path: Path) -> None:
    mine, lost = paired(network, tmp_path, "host"), paired(network, tmp_path, "host")
    mine.post("/invite/host/revoke", data={"csrf": token(mine)})
    assert (mine.get("/invite").status_code, lost.get("/invite").status_code) == (200, 403)


@dataclass
class Hands:
    """The clocks of a computer, set by a test. on: seconds since it was switched on, sleep included."""

    on: float = 5e4
    wall: float = 1e9
    boot: str = "first"

    def clock(self) -> PersistentClock:
        return PersistentClock(lambda: self.on, lambda: self.wall, self.boot)

    def pass_by(self, seconds: float) -> None:
        self.on += seconds
        self.wall += seconds

    def reboot(self, off: float) -> None:
        """Reboots the computer; `off`: seconds by which the wall clock then differs, because it may have lost its
        time."""
        self.on, self.wall, self.boot = 20.0, self.wall + off, self.boot + "?"


def good(pairing: Pairing, tickets: dict[str, str]) -> list[str | None]:
    return [pairing.invitation_of(ticket) for ticket in tickets.values()]


def test_a_link_ends_with_the_evening_unless_it_is_to_be_kept(tmp_path: Path) -> None:
    hands = Hands()
    pairing = Pairing(tmp_path, hands.clock())
    tickets = {name: pairing.ticket(name) for name in ("spectator", "host")}
    pairing.set_permanent("host", True)
    hands.pass_by(LINK_SECONDS - 1)
    again = Pairing(tmp_path, hands.clock())  # a restart in the middle of the evening locks out no visitor
    assert good(again, tickets) == ["spectator", "host"]
    hands.pass_by(2)
    for one in (pairing, again, Pairing(tmp_path, hands.clock())):
        assert good(one, tickets) == [None, "host"]
    assert pairing.ended_links == 9


@pytest.mark.parametrize("jump", [30 * 365 * 86400.0, LINK_SECONDS, -3600.0, -30 * 365 * 86400.0])
def test_a_clock_that_jumps_neither_ends_links_nor_keeps_them_alive(tmp_path: Path, jump: float) -> None:
    hands = Hands()
    pairing = Pairing(tmp_path, hands.clock())
    tickets = {"spectator": pairing.ticket("spectator")}
    hands.pass_by(100)
    hands.wall += jump
    for one in (pairing, Pairing(tmp_path, hands.clock())):  # also after a restart of the program
        assert good(one, tickets) == ["spectator"]
    hands.pass_by(LINK_SECONDS - 200)
    assert good(Pairing(tmp_path, hands.clock()), tickets) == ["spectator"]
    hands.pass_by(200)
    for one in (pairing, Pairing(tmp_path, hands.clock())):
        assert good(one, tickets) == [None]


@pytest.mark.parametrize(
    ("off", "stays"), [(60.0, True), (LINK_SECONDS - 7200, True), (LINK_SECONDS, False), (-1e8, True)]
)
def test_a_restarted_computer_knows_how_long_its_links_have_been_good(tmp_path: Path, off: float, stays: bool) -> None:
    hands = Hands()
    tickets = {"spectator": Pairing(tmp_path, hands.clock()).ticket("spectator")}
    hands.pass_by(3600)
    assert good(Pairing(tmp_path, hands.clock()), tickets) == ["spectator"]  # and writes down that it was good so long
    hands.reboot(off)
    pairing = Pairing(tmp_path, hands.clock())
    assert good(pairing, tickets) == (["spectator"] if stays else [None])
    hands.wall += 1e9  # a time server was found
    assert good(pairing, tickets) == (["spectator"] if stays else [None])
    hands.on += LINK_SECONDS - 3600
    assert good(pairing, tickets) == [None]


@pytest.mark.parametrize("jump", [400 * 86400, -400 * 86400])
def test_visitors_stay_admitted_when_the_clock_is_set(
    network: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    player = paired(network, tmp_path, "player-A")
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda now=time.time: now() + jump)
    assert player.get("/board").status_code == 200


def test_a_browser_keeps_its_cookie_by_its_own_clock(network: Flask, tmp_path: Path) -> None:
    answer = network.test_client().get(f"/pair/host/{Pairing(tmp_path).word('host')}")
    said = answer.headers["Set-Cookie"].lower()
    assert f"max-age={90 * 86400}" in said
    assert "expires" not in said
    assert "httponly" in said


def test_the_word_for_everybody_ends_with_its_link(tmp_path: Path) -> None:
    pairing = Pairing(tmp_path)
    word = pairing.short_word()
    assert pairing.admits_guest(f" {word.upper()} ")
    pairing.revoke(GUEST)
    assert not pairing.admits_guest(word)


def test_a_visitor_who_guesses_words_is_soon_locked_out(network: Flask) -> None:
    guest = with_token(network.test_client())
    answers = [guest.post("/join", data={"word": "babababa", "csrf": "known"}).status_code for _ in range(11)]
    assert answers == [303] * 10 + [429]


def test_nobody_takes_a_seat_without_the_code(network: Flask) -> None:
    stranger = with_token(network.test_client())
    stranger.post("/join", data={"seat": "A", "csrf": "known"})
    assert stranger.get("/me/A").status_code == 403


def test_a_damaged_file_of_links_admits_no_one_and_makes_new_ones(tmp_path: Path) -> None:
    ticket = Pairing(tmp_path).ticket("host")
    (tmp_path / "links.json").write_text('{"host": 3}')
    pairing = Pairing(tmp_path)
    assert pairing.invitation_of(ticket) is None
    assert pairing.admits("host", pairing.word("host"))
    assert not pairing.admits("unknown", "x")


def test_a_new_pairing_renews_the_form_token(network: Flask, tmp_path: Path) -> None:
    client = paired(network, tmp_path, "spectator")
    before = token(client)
    client.get(f"/pair/player-A/{Pairing(tmp_path).word('player-A')}")
    assert token(client) != before
    form = {"seat": "A", "verb": "roll", "dice": "552"}
    assert client.post("/enter", data={**form, "csrf": before}).status_code == 403
    assert client.post("/enter", data={**form, "csrf": token(client)}).status_code == 303


def test_a_cookie_from_before_links_could_be_revoked_is_worth_nothing(network: Flask) -> None:
    client = network.test_client()
    with client.session_transaction() as session:
        session["invitations"] = ["host", "host.", "player-A.x", ["host"], "unknown.1"]
    assert client.get("/board").status_code == 403


@pytest.mark.slow
def test_with_a_revoked_link_its_event_stream_and_its_pictures_end(tmp_path: Path) -> None:
    with served_app(tmp_path, host="0.0.0.0") as running_app:
        port, here = running_app.server.port, running_app.app_state

        def cookie(invitation: str) -> str:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/pair/" + here.invitation_link(invitation).partition("/pair/")[2])
            return (connection.getresponse().getheader("Set-Cookie") or "").partition(";")[0]

        def stream(cookie: str) -> socket.socket:
            one = socket.create_connection(("127.0.0.1", port), timeout=30)
            one.sendall(f"GET /events?board=/board HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
            heard = b""
            while b"event: board" not in heard:
                heard += one.recv(65536)
            return one

        def picture(cookie: str) -> int:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", "/picture", headers={"Cookie": cookie})
            return connection.getresponse().status

        here.cameras.watch("phone")
        spectator, player = cookie("spectator"), cookie("player-A")
        watching, playing = stream(spectator), stream(player)
        assert (picture(spectator), picture(player)) == (204, 204)
        host = cookie("host")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/cards", headers={"Cookie": host})
        answer = connection.getresponse()
        host = (answer.getheader("Set-Cookie") or host).partition(";")[0]
        found = re.search(rb'name="csrf" content="([^"]+)"', answer.read())
        assert found
        connection.request(
            "POST",
            "/invite/spectator/revoke",
            b"csrf=" + found[1],
            {"Cookie": host, "Content-Type": "application/x-www-form-urlencoded"},
        )
        assert connection.getresponse().status == 303
        asked = time.monotonic()
        last = b""
        while not last.endswith(b"0\r\n\r\n"):  # the end of the stream
            last += watching.recv(65536)
        assert time.monotonic() - asked < 20  # the stream ends at once, not only when the visitor leaves
        assert picture(spectator) == 403
        assert picture(player) == 204
        running_app.app_state.session.running.table.enter("A roll 5 5 2")  # type: ignore[union-attr]
        heard = b""
        while b'name=\\"dice\\"' not in heard:  # the other one still gets its updates
            part = playing.recv(65536)
            assert part
            heard += part
