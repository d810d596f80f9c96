"""The table page in Chromium: one person plays a game by hand, with mouse and keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.kit.browser import OpenTable, browsing, enter, expect_events, roll, stretch_timers
from tests.kit.layout import wait_until_at_rest

pytestmark = pytest.mark.browser


def test_two_turns_played_by_hand(table: OpenTable) -> None:
    page, running_app = table
    expect(page.get_by_role("heading", name="Anna").first).to_be_visible()
    roll(page, "552")
    page.locator(".pick").nth(0).click()
    page.locator(".pick").nth(1).click()
    page.get_by_role("button", name=re.compile("^Set aside")).click()
    expect(page.locator(".tray .pick")).to_have_count(1)
    expect(page.locator("[data-key=sale-farmer]")).to_contain_text("secured")
    roll(page, "1")
    page.locator("[data-key=offers]").get_by_role("button", name="Farmer").click()
    expect(page.get_by_role("heading", name="Bert").first).to_be_visible()
    expect(page.locator("[data-key=player-A]")).to_contain_text("Farmer")
    expect(page.locator("[data-key=sale-farmer] .left")).to_contain_text("×1")
    roll(page, "642")
    page.locator("[data-key=offers]").get_by_role("button", name="Philosopher").click()
    expect(page.locator("[data-key=player-B]")).to_contain_text("Philosopher")
    first = ["A roll 5 5 2", "A keep 5 5", "A roll 1", "A keep 1", "A buy farmer"]
    expect_events(running_app, [*first, "B roll 6 4 2", "B keep 6 4 2", "B buy philosopher"])


def test_news_wait_for_the_answer_to_ones_own_press(table: OpenTable) -> None:
    """The answer clears the form that was sent; a board shown before it would clear what is selected meanwhile."""
    page, running_app = table
    roll(page, "552")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/enter", lambda route: held.append((route, route.fetch())))
    page.locator(".pick").nth(0).click()
    page.locator("[data-needs-dice]").click()
    expect(page.locator("[aria-busy]")).to_have_count(1)
    while not held:
        page.wait_for_timeout(20)
    page.wait_for_timeout(500)  # the news of it come meanwhile
    expect_events(running_app, ["A roll 5 5 2", "A keep 5"])
    expect(page.locator(".tray .pick")).to_have_count(3)
    for route, answer in held:
        route.fulfill(response=answer)
    page.unroute_all()
    expect(page.locator(".tray .pick")).to_have_count(2)
    expect(page.locator("[data-shows]")).to_be_hidden()
    roll(page, "31")
    expect(page.locator(".tray input:checked")).to_have_count(0)


def test_the_board_stays_as_it_is_under_a_finger(table: OpenTable) -> None:
    """A button that moves away between press and release is not pressed; a release elsewhere still delivers updates."""
    other, running_app = table
    with browsing() as open_page:
        page = open_page("about:blank")
        stretch_timers(page, 1000)
        page.goto(running_app.server.address)
        page.get_by_role("button", name="Enter roll").hover()
        page.mouse.down()
        enter(running_app, "A roll 5 5 2", seen_on=other)
        page.wait_for_timeout(300)  # the news of it have come here, too
        expect(page.locator(".tray .pick")).to_have_count(0)
        page.mouse.move(5, 5)
        page.mouse.up()
        expect(page.locator(".tray .pick")).to_have_count(3)
        page.evaluate("patience = 1")
        page.locator(".pick").nth(0).hover()
        page.mouse.down()
        enter(running_app, "A keep 5")
        expect(page.locator(".tray .pick")).to_have_count(2)  # after a second all the same


def test_a_game_by_keyboard_alone(table: OpenTable) -> None:
    page, running_app = table
    page.keyboard.type("442")
    expect(page.locator(".tray .pick")).to_have_count(3)
    page.keyboard.type("4")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator(".tray .pick")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(".tray .pick")).to_have_count(3)
    page.keyboard.press("r")
    expect(page.locator(".tray .pick")).to_have_count(1)
    expect_events(running_app, ["A roll 4 4 2", "A keep 4 4"])


def test_single_keys_do_nothing_where_they_are_not_wanted_and_the_browser_keeps_that(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 4 4 2")
    expect(page.locator(".tray .pick")).to_have_count(3)
    undo = page.get_by_role("button", name="↶ Undo")
    page.get_by_label("Use single-key shortcuts").uncheck()
    expect(undo).not_to_have_attribute("aria-keyshortcuts", "u")
    page.reload()
    expect(page.locator("kbd:visible")).to_have_count(0)
    page.locator("#turn-title").focus()
    for key in "4u":
        page.keyboard.press(key)
    expect(page.locator(".tray input:checked")).to_have_count(0)
    page.get_by_label("Use single-key shortcuts").check()
    expect(undo).to_have_attribute("aria-keyshortcuts", "u")
    page.locator("#turn-title").focus()
    page.keyboard.press("a")
    expect(page.locator(".tray .pick")).to_have_count(0)
    expect_events(running_app, ["A roll 4 4 2", "A keep 4 4 2"])  # the first u would have taken the roll back


def test_events_are_spoken_if_the_viewer_wants_it(table: OpenTable) -> None:
    page, running_app = table
    page.evaluate("() => { window.said = []; speechSynthesis.speak = (words) => said.push(words.text); }")
    enter(running_app, "A roll 4 4 2")
    expect(page.locator(".tray .pick")).to_have_count(3)
    page.get_by_label("Read events aloud").check()
    enter(running_app, "A keep 4 4 2")
    expect(page.locator(".tray .pick")).to_have_count(0)
    said = page.evaluate("said")
    assert len(said) == 1
    assert said[0].startswith("Anna: ")
    page.get_by_label("Read events aloud").uncheck()  # the next test shares this browser


def test_a_purchase_entered_late(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 5 2", "A keep 5 5 2", "B roll 6 4 2", seen_on=page)
    late = page.locator("[data-key=player-A]")
    late.get_by_text("Purchase from last turn").click()
    late.get_by_role("button", name="Farmer").click()
    expect(late).to_contain_text("one extra die")
    expect_events(running_app, ["A roll 5 5 2", "A keep 5 5 2", "A buy farmer", "B roll 6 4 2"])


def test_cards_are_used_by_dialog(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 3 1", "A keep 5 3 1", "A buy maid", "B roll 6 6 2", "B keep 6 6 2", "B pass")
    enter(running_app, "B roll 1 1 1", "B keep 1 1 1", "B pass", "A roll 5 5 2", seen_on=page)
    page.get_by_role("button", name="Use Serving Maid").click()
    page.locator("dialog .pick").nth(2).click()
    page.locator("dialog").get_by_role("button", name="5", exact=True).click()
    expect(page.locator(".tray .pick input[value='5']")).to_have_count(3)
    expect(page.locator("[data-key=player-A]")).to_contain_text("used")
    expect_events(running_app, ["A use maid 2 > 5"], after=-1)


def test_typed_text_waits_for_the_button_and_stays_when_an_update_arrives(table: OpenTable) -> None:
    page, running_app = table
    page.reload()
    page.locator("#rolled").fill("6 6 4")
    version = page.locator("#board").get_attribute("data-version")
    running_app.app_state.advisor.show("off")  # any news: the board is sent again
    running_app.app_state.advisor.show("now")
    expect(page.locator("#board")).not_to_have_attribute("data-version", version or "")
    expect(page.locator("#rolled")).to_have_value("6 6 4")
    expect(page.locator("#rolled")).to_be_focused()
    expect_events(running_app, [])


def test_a_refusal_is_a_sentence_and_changes_nothing(table: OpenTable) -> None:
    page, running_app = table
    page.locator("#rolled").fill("6 6")
    page.get_by_role("button", name="Enter roll").click()
    expect(page.get_by_role("alert")).to_contain_text("Roll 3 dice, not 2")
    expect_events(running_app, [])


def test_the_advice_speaks_when_it_is_wanted(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 5 2")
    switch = page.get_by_role("group", name="When to show advice")
    expect(page.locator(".advice")).to_contain_text("Set aside")
    expect(page.locator(".pick.advised")).not_to_have_count(0)
    switch.get_by_role("button", name="off").click()
    expect(page.locator(".pick.advised")).to_have_count(0)
    expect(page.locator(".advice")).not_to_contain_text("Set aside")
    switch.get_by_role("button", name="afterwards").click()
    expect(switch.get_by_role("button", name="afterwards")).to_have_attribute("aria-pressed", "true")
    enter(running_app, "A keep 5 5 2")
    expect(page.locator(".advice")).to_contain_text("Set aside")
    switch.get_by_role("button", name="always").click()
    expect(switch.get_by_role("button", name="always")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("width", [390, 1920])
def test_ticking_dice_moves_nothing_and_the_faces_stay_as_large_as_fingertips(table: OpenTable, width: int) -> None:
    page, running_app = table
    before = page.viewport_size
    page.set_viewport_size({"width": width, "height": 844})
    enter(running_app, "A roll 5 5 2", seen_on=page)
    expect(page.locator(".advice > p")).to_contain_text("%")
    wait_until_at_rest(page)  # the chances come after the board, and fold the cards that are out of reach
    heights = []
    for die in (None, 0, 1):
        if die is not None:
            page.locator(".pick").nth(die).click()
        heights.append(page.evaluate("document.documentElement.scrollHeight"))
        if die == 0:
            page.get_by_role("button", name="Fix die").click()
            sizes = page.locator("[data-shows] .face:visible").evaluate_all(
                "faces => faces.map((face) => face.getBoundingClientRect()).map(({ width, height }) => [width, height])"
            )
            assert len(sizes) == 6  # five faces, and none at all
            assert all(44 <= side <= 70 for size in sizes for side in size), sizes
            page.keyboard.press("Escape")
    assert len(set(heights)) == 1, heights
    page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
    expect(page.locator("dialog .face").first).to_be_visible()
    for face in page.locator("dialog .face").all():
        box = face.bounding_box()
        assert box
        assert 43.9 < min(box["width"], box["height"]) <= max(box["width"], box["height"]) <= 90, box
    page.keyboard.press("Escape")
    if before:
        page.set_viewport_size(before)


@pytest.mark.parametrize("size", [(390, 844), (1920, 1080)])
def test_a_refusal_is_shown_beside_the_pressed_button(table: OpenTable, size: tuple[int, int]) -> None:
    page, running_app = table
    before = page.viewport_size
    page.set_viewport_size({"width": size[0], "height": size[1]})
    enter(running_app, "A roll 5 5 2", "A keep 5 5 2", "B roll 6 4 2", seen_on=page)
    page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
    page.locator("dialog .as-text summary").click()
    page.locator("dialog [name=event]").fill("A roll 5 5 9")
    page.locator("dialog").get_by_role("button", name="Fix", exact=True).click()
    said = page.get_by_role("alert")
    expect(said).to_be_in_viewport(ratio=1)
    said.get_by_role("button", name="Close").click()
    expect(said).to_have_count(0)
    if before:
        page.set_viewport_size(before)


def test_the_last_face_alone_is_taken_back(table: OpenTable) -> None:
    page, running_app = table
    page.goto(running_app.server.address)  # a board of the test before may still be on its way to the page that stayed
    for face in "52":
        page.get_by_role("group", name="Faces").get_by_role("button", name=face, exact=True).click()
    page.get_by_role("button", name="Remove the last die").click()
    expect(page.locator("#rolled")).to_have_value("5")
    page.get_by_role("button", name="Remove the last die").click()
    expect(page.locator("#rolled")).to_have_value("")
