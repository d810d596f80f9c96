"""Many visitors open the table at once: its page is rendered once for the same view, and each gets their own token."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from flask import Flask, template_rendered
from flask.testing import FlaskClient

from companion.web.app_state import AppState
from companion.web.sessions import begin_game
from tests.kit.visitors import paired

TOKENS = re.compile(r'name="csrf" (?:content|value)="([^"]*)"')


@pytest.fixture
def drawn(network: Flask) -> list[str]:
    """The templates rendered since then."""
    names: list[str] = []

    def note(_: Flask, template: object, **rest: object) -> None:
        names.append(str(getattr(template, "name", template)))

    template_rendered.connect(note, network, weak=False)
    return names


def visitor(network: Flask, tmp_path: Path, invitation: str = "spectator") -> FlaskClient:
    return paired(network, tmp_path, invitation)


def opened(client: FlaskClient, path: str = "/") -> tuple[str, set[str]]:
    """A page without its tokens, and its tokens."""
    html = client.get(path).get_data(as_text=True)
    return TOKENS.sub("", html), set(TOKENS.findall(html))


@pytest.mark.parametrize("path", ["/", "/me/A", "/overlay"])
def test_a_page_is_drawn_once_for_all_and_carries_each_visitors_own_token(
    network: Flask, drawn: list[str], tmp_path: Path, path: str
) -> None:
    pages = [opened(visitor(network, tmp_path), path) for _ in range(5)]
    assert len(drawn) == 2  # the page, and the board on it
    assert len({html for html, _ in pages}) == 1
    assert [len(tokens) for _, tokens in pages] == [1] * 5  # the form of languages has the same as the scripts
    assert len(set.union(*(tokens for _, tokens in pages))) == 5


def test_the_token_of_a_page_drawn_for_many_is_good_for_its_visitor_only(
    network: Flask, app_state: AppState, tmp_path: Path
) -> None:
    first, second = (visitor(network, tmp_path, "player-A") for _ in range(2))
    tokens = [opened(client)[1].pop() for client in (first, second)]
    form = {"seat": "A", "verb": "roll", "dice": "552"}
    assert second.post("/enter", data=form | {"csrf": tokens[0]}).status_code == 403
    assert second.post("/enter", data=form | {"csrf": tokens[1]}).status_code == 303


def test_a_shared_page_is_current_and_offers_only_what_its_visitors_may_do(
    network: Flask, app_state: AppState, tmp_path: Path
) -> None:
    player, spectator = visitor(network, tmp_path, "player-A"), visitor(network, tmp_path)
    assert 'id="rolled"' in opened(player)[0]
    assert 'id="rolled"' not in opened(spectator)[0]
    assert app_state.session.running is not None
    app_state.session.running.table.enter("A roll 5 5 2")
    for client in (player, spectator):
        assert opened(client)[0].count('type="checkbox" name="dice"') == 3
    assert "Würfel" in player.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)


def test_after_a_change_only_the_board_is_rendered_again(
    network: Flask, app_state: AppState, drawn: list[str], tmp_path: Path
) -> None:
    client = visitor(network, tmp_path, "player-A")
    opened(client)
    assert app_state.session.running is not None
    app_state.session.running.table.enter("A roll 5 5 2")
    page, tokens = opened(client)
    assert drawn == ["krone_board.html", "table.html", "krone_board.html"]
    assert f'data-version="{app_state.session.board_version()}"' in page
    alone = client.get("/board", headers={"X-Fragment": "board"}).get_data(as_text=True)
    assert len(drawn) == 3  # the same board, without anybody's token
    assert tokens.isdisjoint(TOKENS.findall(alone))
    assert TOKENS.sub("", alone) in page


def test_a_refusal_is_shown_to_the_device_that_was_refused(network: Flask, tmp_path: Path) -> None:
    clumsy, other = (visitor(network, tmp_path, "player-A") for _ in range(2))
    token = opened(clumsy)[1].pop()
    opened(other)
    clumsy.post("/enter", data={"csrf": token, "seat": "A", "verb": "keep", "dice": "5"})
    said = '<p class="notice" role="status">'
    assert said in opened(clumsy)[0]
    assert said not in opened(clumsy)[0]
    assert said not in opened(other)[0]


def test_a_board_is_never_named_like_one_from_before_a_restart() -> None:
    serials = []
    for _ in range(2):
        app_state = AppState()
        begin_game(app_state, "krone", ("Anna", "Bert"))
        serials.append(int(app_state.session.board_version().partition(".")[0]))
        app_state.close()
        time.sleep(0.002)  # no restart is quicker
    assert serials[0] < serials[1]
