"""Redirects lead to our own pages, whatever a link or a form says."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.web.app import Settings, create_app
from companion.web.app_state import AppState
from companion.web.pairing import Pairing
from tests.kit.served_app import served_app
from tests.kit.visitors import with_token

ELSEWHERE = (
    "//evil.example",
    "/%09/evil.example",
    "/%0a/evil.example",
    "/%0d/evil.example",
    "/%2f/evil.example",
    "/%5cevil.example",
    "/%5c/evil.example",
    "///evil.example",
    "/history//evil.example",
    "//evil.example/history",
    "/./evil.example",
    "//evil.example/%2e%2e",
)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served_app(tmp_path_factory.mktemp("app")) as running_app:
        yield running_app.server.port


@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_address_redirects_to_another_site(port: int, path: str) -> None:
    """Bug: the router corrected addresses with two slashes, so a link to this page could lead to another site."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (404, None)
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/history?", "/history"),
        ("/cards?search=a+b&game=krone", "/cards?search=a+b&game=krone"),
        ("/cards?search=ü%26%0aX", "/cards?search=%C3%BC%26%0AX"),
        ("/me/A?", "/me/A"),
        ("/history/ä b?at=3", "/history/%C3%A4%20b?at=3"),
        ("/\n/x", "/"),
        ("/\t/evil.example", "/"),
        ("/\r\nSet-Cookie: a=b", "/"),
        ("/%09/evil.example", "/"),
        ("/\\evil.example", "/"),
        ("//evil.example", "/"),
        ("//[", "/"),
        ("/.//evil.example", "/"),
        ("https://evil.example", "/"),
        ("https:/cards", "/"),
        ("javascript:x", "/"),
        ("cards", "/cards"),
        ("/camera/source?", "/"),  # takes forms only
        ("/nowhere", "/"),
        ("/" + "a" * 60_000, "/"),
        ("/\x00", "/"),
        ("", "/"),
    ],
)
def test_the_form_of_languages_leads_back_to_own_pages_and_never_fails(
    app_state: AppState, tmp_path: Path, back: str, leads: str
) -> None:
    """`back` is the address of the current page. Browsers turn `/%09/evil.example` into `//evil.example`, another host,
    and a line feed was an error 500."""
    client = with_token(create_app(app_state, Pairing(tmp_path), Settings(port=1)).test_client())
    answer = client.post("/language", data={"csrf": "known", "language": "de", "back": back})
    assert (answer.status_code, answer.headers.get("Location")) == (303, leads)


def test_no_rule_makes_the_router_redirect(app_state: AppState, tmp_path: Path) -> None:
    app: Flask = create_app(app_state, Pairing(tmp_path), Settings(port=1))
    assert not app.url_map.merge_slashes
    assert [rule.rule for rule in app.url_map.iter_rules() if rule.rule.endswith("/")] == ["/"]
