"""The page below a path of another address, behind a real nginx: links, forms, streams, uploads, cookies, codes."""

from __future__ import annotations

import http.client
import io
import json
import re
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np
import pytest

from companion.server.bootstrap import RunningApp
from companion.server.public_address import PublicAddress, TrustedProxies
from companion.web.pages.invitation import qr_code
from companion.web.sessions import begin_game
from tests.kit.nginx import free_port, nginx
from tests.kit.served_app import enter, served_app
from vision.cards.card_set import CardSet
from vision.cards.faces import Face

pytestmark = pytest.mark.nginx
PREFIX = "/games/dice"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Visitor:
    """A browser without scripts that comes through the proxy."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    set_cookie: str = ""

    def connect(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=ssl._create_unverified_context())

    def ask(self, path: str, body: bytes | str | None = None, **headers: str) -> tuple[int, str, str]:
        """Status, text and redirect target."""
        connection = self.connect()
        sent = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()), **self.headers}
        connection.request("GET" if body is None else "POST", path, body, sent | headers)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            self.set_cookie = cookie
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return answer.status, text, answer.getheader("Location") or ""

    def send(self, path: str, origin: str | None = None, **form: str) -> tuple[int, str, str]:
        """Sends a form of the page at the table, with its token. Returns what `ask` returns."""
        found = re.search(r'name="csrf" content="([^"]+)"', self.ask(f"{PREFIX}/")[1])
        assert found
        ours = {"Origin": origin or f"https://127.0.0.1:{self.port}"}
        return self.ask(PREFIX + path, urlencode({"csrf": found[1], **form}), **FORM, **ours)


@dataclass(frozen=True)
class ProxiedApp:
    """A companion and the proxy before it."""

    running_app: RunningApp
    port: int
    base: str

    def host(self) -> Visitor:
        """A visitor who has used the host's link."""
        visitor = Visitor(self.port)
        status, _, _ = visitor.ask(urlsplit(self.running_app.app_state.invitation_link("host")).path)
        assert status == 303
        return visitor


@pytest.fixture(scope="module", params=[False, True], ids=["keeps the prefix", "strips the prefix"])
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedApp]:
    port = free_port()
    public = PublicAddress.parsed(f"https://127.0.0.1:{port}{PREFIX}/")
    with (
        served_app(tmp_path_factory.mktemp("app"), public=public, proxies=TrustedProxies(["127.0.0.1"])) as running_app,
        nginx(port, running_app.server.port, PREFIX, strips=request.param),
    ):
        enter(running_app, "A roll 1 2 3")
        yield ProxiedApp(running_app, port, public.base)


def addresses_in(page: str, attributes: str = "href|src|action|data-[a-z-]+") -> set[str]:
    """Every address that a page leads to or loads, including those for scripts and forms."""
    found = re.findall(rf'(?:{attributes})="([^"#]+)"', page)
    return {unescape(one) for one in found if one.startswith(("/", "http"))}


def test_every_page_leads_to_addresses_below_the_path_and_all_of_them_are_there(proxied: ProxiedApp) -> None:
    visitor = proxied.host()
    waiting, seen, wrong = [f"{PREFIX}/"], {f"{PREFIX}/"}, []
    while waiting and len(seen) < 150:
        path = waiting.pop()
        status, text, location = visitor.ask(path)
        if status not in (200, 204, 303):
            wrong.append((path, str(status)))
        found = {one for one in addresses_in(text) | {location} if one and not one.startswith(f"{proxied.base}/")}
        wrong += [(path, one) for one in found if not one.startswith(f"{PREFIX}/")]
        for one in found - addresses_in(text, "action") - seen:
            if not re.search(r"/events|/source", one):  # one has no end, the other takes long
                seen.add(one)
                waiting.append(one)
    assert wrong == []
    assert len(seen) > 60


def test_a_form_is_taken_from_the_public_address_and_from_no_other(proxied: ProxiedApp) -> None:
    visitor = proxied.host()
    assert visitor.send("/language", language="de", back="/history?")[::2] == (303, f"{PREFIX}/history")
    assert 'lang="de"' in visitor.ask(f"{PREFIX}/history")[1]
    assert visitor.send("/language", language="en", back="//elsewhere")[::2] == (303, f"{PREFIX}/")
    for origin in ("https://elsewhere.example", f"http://127.0.0.1:{proxied.port}", "null"):
        foreign = visitor.send("/language", origin, language="fi")[0]
        assert foreign == 403, origin


def test_the_cookie_is_for_the_path_and_goes_over_https_only(proxied: ProxiedApp) -> None:
    visitor = proxied.host()
    assert f"Path={PREFIX}" in visitor.set_cookie
    assert "Secure" in visitor.set_cookie
    assert "HttpOnly" in visitor.set_cookie


def test_a_visitor_without_an_invitation_sees_nothing_through_the_proxy(proxied: ProxiedApp) -> None:
    """The proxy connects from this computer, where every visitor would otherwise be the host."""
    assert Visitor(proxied.port).ask(f"{PREFIX}/")[0] == 403


def test_links_and_codes_are_those_of_the_public_address(proxied: ProxiedApp) -> None:
    page = proxied.host().ask(f"{PREFIX}/invite")[1]
    shown = re.findall(r"https?://[^\s\"<]+/(?:pair|join)[^\s\"<]*", page)
    assert shown
    assert all(link.startswith(f"{proxied.base}/") for link in shown)
    link = proxied.running_app.app_state.invitation_link("spectator")
    assert proxied.host().ask(f"{PREFIX}/invite/spectator.svg")[1] == qr_code(link).decode()
    greeting = "\n".join(proxied.running_app.greeting())
    assert greeting.count(f"{proxied.base}/pair/") == 2


def test_news_come_at_once_and_name_the_board_as_the_page_does(proxied: ProxiedApp) -> None:
    visitor = proxied.host()
    connection = visitor.connect()
    cookie = "; ".join(f"{k}={v}" for k, v in visitor.cookies.items())
    connection.request("GET", f"{PREFIX}/events?board={PREFIX}/board", headers={"Cookie": cookie})
    answer = connection.getresponse()
    assert answer.status == 200
    for line in answer:
        if line.startswith(b"data: ") and b'"html"' in line:
            break
    news = json.loads(line[6:])
    assert news["view"] == f"{PREFIX}/board"
    assert all(address.startswith(PREFIX) for address in addresses_in(news["html"]))
    connection.close()


@pytest.mark.browser
def test_a_player_plays_in_a_browser_and_a_spectator_sees_it(proxied: ProxiedApp) -> None:
    from playwright.sync_api import expect

    from tests.kit.browser import browsing

    running_app = proxied.running_app
    begin_game(running_app.app_state, "krone", ("Anna", "Bert"))
    with browsing() as open_page, browsing() as other_page:
        host = open_page(running_app.app_state.invitation_link("host"))
        spectator = other_page(running_app.app_state.invitation_link("spectator"))
        for page in (host, spectator):
            expect(page.locator(".brand")).to_be_visible()
        enter(running_app, "A roll 2 4 6")
        expect(spectator.locator("#board-frame .die").first).to_be_visible()
        expect(host.locator("#board-frame .die").first).to_be_visible()
        host.get_by_label("Language").select_option("de")
        expect(host.get_by_role("link", name="Verlauf")).to_be_visible()
        assert urlsplit(host.url).path == f"{PREFIX}/"
        host.goto(f"{proxied.base}/invite")
        expect(host.locator("img[src*='.svg']").first).to_be_visible()


def test_a_file_of_several_megabytes_goes_up(proxied: ProxiedApp) -> None:
    grain = np.random.default_rng(1)
    faces = tuple(Face(f"card {n}", grain.integers(0, 255, (400, 260, 3), dtype=np.uint8)) for n in range(10))
    data = CardSet("Large", faces, "krone").packed()
    assert len(data) > 3_000_000
    visitor = proxied.host()
    found = re.search(r'name="csrf" content="([^"]+)"', visitor.ask(f"{PREFIX}/camera/cards")[1])
    assert found
    body = io.BytesIO()
    for name, content in ((b'"csrf"', found[1].encode()), (b'"file"; filename="Large.cards"', data)):
        body.write(b"--limit\r\nContent-Disposition: form-data; name=" + name + b"\r\n\r\n" + content + b"\r\n")
    body.write(b"--limit--\r\n")
    status, _, location = visitor.ask(
        f"{PREFIX}/camera/cards/import", body.getvalue(), **{"Content-Type": "multipart/form-data; boundary=limit"}
    )
    assert (status, location.startswith(f"{PREFIX}/camera/cards?")) == (303, True)
    assert "Large" in proxied.running_app.app_state.cameras.cards.sets.names()


def test_one_visitor_who_guesses_words_does_not_shut_out_another(proxied: ProxiedApp) -> None:
    guesser = Visitor(proxied.port, headers={"X-Forwarded-For": "203.0.113.5"})
    for _ in range(11):
        status = guesser.ask(f"{PREFIX}/pair/host/wrongword")[0]
    assert status == 429
    other = Visitor(proxied.port, headers={"X-Forwarded-For": "203.0.113.6"})
    assert other.ask(f"{PREFIX}/pair/host/wrongword")[0] == 403


def test_a_forwarded_address_is_not_trusted_without_the_option(tmp_path: Path) -> None:
    port = free_port()
    public = PublicAddress.parsed(f"https://127.0.0.1:{port}{PREFIX}")
    with (
        served_app(tmp_path, public=public) as running_app,
        nginx(port, running_app.server.port, PREFIX, strips=False),
    ):
        statuses = [
            Visitor(port, headers={"X-Forwarded-For": f"203.0.113.{n}"}).ask(f"{PREFIX}/pair/host/wrongword")[0]
            for n in range(12)
        ]
    assert statuses[-1] == 429


@pytest.mark.parametrize(
    ("url", "origin", "prefix"),
    [
        ("https://example.org/dice", "https://example.org", "/dice"),
        ("https://example.org:443/dice/", "https://example.org", "/dice"),
        ("http://example.org:8080", "http://example.org:8080", ""),
        ("http://[fd00::1]:80/a/b_c", "http://[fd00::1]", "/a/b_c"),
        ("https://EXAMPLE.org", "https://example.org", ""),
    ],
)
def test_a_public_address_is_taken_apart(url: str, origin: str, prefix: str) -> None:
    public = PublicAddress.parsed(url)
    assert (public.origin, public.prefix) == (origin, prefix)


@pytest.mark.parametrize(
    "url",
    ["example.org/dice", "ftp://example.org", "https://", "https://a@example.org", "https://example.org/?x=1",
     "https://example.org/#x", "https://example.org/a b", "https://example.org//x", "https://example.org:99999"],
)  # fmt: skip
def test_an_invalid_public_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="should look like"):
        PublicAddress.parsed(url)


def test_only_named_proxies_are_trusted() -> None:
    proxies = TrustedProxies(["192.168.1.2", "172.30.32.0/23", "fd00::1"])
    for host in ("192.168.1.2", "::ffff:192.168.1.2", "172.30.33.9", "::ffff:172.30.32.1", "fd00::1"):
        assert host in proxies, host
    for host in ("192.168.1.3", "172.30.34.1", "fd00::2", "", "nonsense"):
        assert host not in proxies, host
