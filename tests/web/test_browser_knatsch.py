"""Knatsch in Chromium: played by hand on the table's page and on a phone, and shown on the other pages."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from companion.game.archived import game_repository
from companion.resources import resource
from engine.record import Entry
from engine.record_header import new_record
from engine.record_text import write_record
from tests.kit.browser import OpenTable, begin, browsing, enter, expect_events
from tests.kit.knatsch_random import game
from tests.kit.served_app import served_app

pytestmark = pytest.mark.browser
PLAYERS = ("Anna", "Bert", "Carl")
DEALT = ("A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
FIRST_TURN = ("A reveal left castle-black 1-1-1+1", "A target left", "A roll 5 5 5 5 1 1", "A stop")


@pytest.fixture
def table(open_table: OpenTable) -> OpenTable:
    page, running_app = open_table
    begin(running_app, page, "knatsch", PLAYERS)
    return open_table


def tap(page: Page, group: str, faces: str) -> None:
    """Taps faces on a board that shows all earlier presses."""
    expect(page.locator("[aria-busy]")).to_have_count(0)
    for face in faces:
        page.locator(group).get_by_role("button", name=face, exact=True).click()


def shows(page: Page, stack: str, alike: str, reserve: str) -> None:
    """Enters what a card shows, with two taps."""
    ask = page.locator(f"[data-key=ask-{stack}]")
    for name, face in (("alike", alike), ("reserve", reserve)):
        ask.locator(f"[name={name}][value='{face}']").check(force=True)


def test_from_the_deal_to_a_captured_castle_by_taps(table: OpenTable) -> None:
    page, running_app = table
    page.goto(running_app.server.address + "new")
    page.locator("select[name=game]").select_option("knatsch")
    page.locator("input[name=player]").nth(2).fill("Carl")
    page.get_by_role("button", name="Start game").click()
    for name, castle in (("Anna", "Red Castle"), ("Bert", "Blue Castle"), ("Carl", "Green Castle")):
        expect(page.locator("#turn-title")).to_have_text(name)
        page.locator("[data-key=deals]").get_by_role("button", name=castle).click()
    page.locator("[data-key=reveals-left]").get_by_role("button", name="Black Castle").click()
    page.locator("[data-key=reveals-right]").get_by_role("button", name="Tournament ×").click()
    shows(page, "left", "3", "2")
    stack = page.locator("[data-key=stack-left]")
    expect(stack).to_contain_text("3-3-3+2")
    expect(stack.locator(".odds")).to_contain_text("60%")
    stack.get_by_role("button", name="Go for it").click()
    tap(page, "form.pad", "665532")
    expect(page.locator(".pick.advised")).to_have_count(2)
    for place in page.locator(".pick.advised").all():
        place.click()
    page.get_by_role("button", name="Keep these and roll the rest").click()
    tap(page, "form.pad", "55")
    expect(page.get_by_role("heading", name="Anna").first).to_be_visible()
    page.get_by_role("button", name="Stop rolling").click()
    expect(page.locator("[data-key=player-A]")).to_contain_text("Black Castle")
    expect(page.locator("[data-key=player-A]")).to_contain_text("2 castles")
    expect_events(
        running_app,
        [
            "A reveal left castle-black",
            "A reveal right tournament",
            "A combination left 3-3-3+2",
            "A target left",
            "A roll 6 6 5 5 3 2",
            "A keep 5 5",
            "A roll 5 5",
            "A stop",
        ],
        after=3,
    )


@pytest.mark.parametrize("path", ["", "me/A"])
def test_the_player_whose_turn_begins_reads_what_to_do(table: OpenTable, path: str) -> None:
    page, running_app = table
    page.goto(running_app.server.address + path)
    prompt = page.locator("[data-key=next]")
    enter(running_app, *DEALT)
    expect(prompt).to_have_text("Tap the cards on top of the stacks.")
    enter(running_app, "A reveal left castle-black 1-1-1+1", "A reveal right castle-white 2-2-2+2")
    expect(prompt).to_have_text("Choose a target.")
    enter(running_app, "A target left")
    expect(prompt).to_have_count(0)


def four_dice(folder: Path) -> Path:
    """Writes a film of half a minute with three 1s and a 4: some frames of the demo, forwards and backwards."""
    film = cv2.VideoCapture(str(resource("datasets", "demo", "demo.mp4")))
    film.set(cv2.CAP_PROP_POS_FRAMES, FOUR_LIE)
    images = [film.read()[1] for _ in range(12)]
    target = folder / "four.mp4"
    out = cv2.VideoWriter(str(target), cv2.VideoWriter.fourcc(*"mp4v"), 12.0, images[0].shape[1::-1])
    for image in (images + images[::-1]) * 12:
        out.write(image)
    out.release()
    film.release()
    return target


FOUR_LIE = 348  # frame of the demo


def test_an_unknown_card_is_entered_with_four_dice_before_the_camera(tmp_path: Path) -> None:
    film = str(four_dice(tmp_path))
    with served_app(tmp_path, source=film, game="knatsch", players=PLAYERS) as running_app, browsing() as open_page:
        page = open_page(running_app.server.address)
        enter(running_app, *DEALT, "A reveal left castle-black", "A reveal right tournament", seen_on=page)
        prompt = page.locator("[data-key=seen-left]")
        prompt.get_by_role("button", name="Use the dice on the table: 1-1-1+4").click()
        expect(page.locator("[data-key=stack-left]")).to_contain_text("1-1-1+4")
        expect(page.locator("[data-key=seen-left]")).to_have_count(0)
        expect_events(running_app, ["A combination left 1-1-1+4"], after=-1)
        assert '"1-1-1+4"' in page.request.get(running_app.server.address + "deck.toml").text()


def test_an_attack_is_defended_and_shown_with_its_chance(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, *DEALT, *FIRST_TURN)
    enter(running_app, "B reveal left stack 4-4-4+1", "B reveal right castle-white", seen_on=page)
    expect(page.locator("[data-key=player-A]")).to_contain_text("Black Castle")
    black = page.locator("[data-key=player-A] .owned-card").nth(1)
    black.get_by_role("button", name="Go for it").click()
    expect(page.locator(".duel")).to_contain_text("1-1-1+1")
    enter(running_app, "B roll 2 2 2 3 4 6", "B stop", seen_on=page)
    expect(page.locator("#turn-title")).to_have_text("Anna")
    expect(page.locator(".duel")).to_contain_text("2-2-2+4")
    expect(page.locator(".duel")).to_contain_text("Chance")
    page.get_by_role("button", name="Pass").click()
    expect(page.locator("[data-key=player-B]")).to_contain_text("Black Castle")


def test_a_combination_is_entered_with_two_taps_and_a_deck_can_be_saved(table: OpenTable) -> None:
    page, running_app = table
    enter(
        running_app,
        "A deal castle-red",
        "B deal castle-blue",
        "C deal castle-green",
        "A reveal left stack",
        seen_on=page,
    )
    shows(page, "left", "4", "1")
    expect(page.locator("[data-key=stack-left]")).to_contain_text("4-4-4+1")
    with page.expect_download() as download:
        page.get_by_role("link", name="as a deck file").click()
    assert 'stack = ["4-4-4+1"]' in Path(download.value.path()).read_text(encoding="utf-8")


def test_a_player_attacks_from_her_phone_and_the_television_shows_it(table: OpenTable) -> None:
    page, running_app = table
    enter(
        running_app,
        *DEALT,
        *FIRST_TURN,
        "B reveal left castle-white 3-3-3+2",
        "B reveal right tournament",
        seen_on=page,
    )
    television, phone = page.context.new_page(), page.context.new_page()
    television.goto(running_app.server.address + "overlay")
    expect(television.locator(".air-stacks")).to_contain_text("White Castle")
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.goto(running_app.server.address + "me/B")
    expect(phone.get_by_text("It is your turn")).to_be_visible()
    white = phone.locator("[data-key=chance-left]")
    expect(white).to_contain_text("60%")
    white.get_by_role("button", name="Go for it").click()
    expect(television.locator(".duel")).to_contain_text("3-3-3+2")
    expect(television.locator(".air-dice .die")).to_have_count(6)
    for face in "444456":
        phone.locator("form.pad").get_by_role("button", name=face, exact=True).click()
    phone.get_by_role("button", name="Stop rolling").click()
    expect(phone.locator("[data-key=mine]")).to_contain_text("White Castle")
    expect(television.locator("[data-key=air-B]")).to_contain_text("White Castle")
    assert not television.locator("button, a").count()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect_events(running_app, ["B target left", "B roll 6 5 4 4 4 4", "B stop"], after=-3)
    phone.goto(running_app.server.address + "me/A")
    expect(phone.get_by_text("It is Carl’s turn.")).to_be_visible()
    expect(phone.get_by_role("button", name="Go for it")).to_have_count(0)
    television.close()
    phone.close()


def test_all_cards_of_the_deck_are_listed_and_found_in_every_language(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, *DEALT, seen_on=page)
    page.goto(running_app.server.address + "cards")
    expect(page.locator("#cards tbody tr")).to_have_count(20)
    expect(page.locator("#cards")).to_contain_text("3-3-3+4")  # entered in this game
    page.get_by_role("searchbox").fill("attacked")
    expect(page.locator("#cards tbody tr:visible")).to_have_count(1)
    expect(page.locator("#cards tbody tr:visible")).to_contain_text("Castle Guard")
    page.locator("#language").select_option("de")
    page.get_by_role("searchbox").fill("katapult")
    expect(page.locator("#cards tbody tr:visible")).to_contain_text("vier Würfe")
    page.get_by_role("link", name="Um Krone und Kragen").click()
    expect(page.locator("#cards")).to_contain_text("Bauer")
    page.locator("#language").select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")  # the next test shares this browser
    page.goto(running_app.server.address)


def test_a_past_game_goes_back_and_forth(table: OpenTable) -> None:
    page, running_app = table
    assert running_app.app_state.past.archive is not None
    header = new_record("knatsch", PLAYERS, None, date="2026-11-20")
    entries = tuple(Entry(seat, event) for _, seat, event in game(random.Random(3), 3))
    game_id = game_repository.import_record(
        running_app.app_state.past.archive, write_record(replace(header, entries=entries))
    )
    page.goto(f"{running_app.server.address}history/{game_id}")
    expect(page.locator("#turn-title")).to_contain_text("wins")
    expect(page.get_by_role("heading", name="Are the dice fair?")).to_be_visible()
    expect(page.get_by_role("region", name="Cards by round")).to_contain_text("Tournament")
    page.locator("#moment").fill("3")
    expect(page.locator("[data-key=player-C]")).to_contain_text("1 castle")
    assert not page.locator("#board form").count()
    page.goto(running_app.server.address)
