"""Typical pages of an evening on a phone in both orientations, a laptop and a desktop; in Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit.browser import SETTLED, SIZES, browsing, enter, past_game
from tests.kit.scenes import STAGES
from tests.kit.served_app import table_of

pytestmark = pytest.mark.browser
Screen = tuple[Page, list[ViewportSize]]
TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page on a phone, for tests that do not depend on the size."""
    with browsing(**SIZES["phone"]) as open_page:
        yield open_page("about:blank")


@pytest.fixture(scope="module", params=[("phone", "landscape"), ("laptop", "desktop")], ids=["touch", "mouse"])
def screen(request: pytest.FixtureRequest) -> Iterator[Screen]:
    """A page for touch or mouse, and the sizes at which it is tested."""
    with browsing(**SIZES[request.param[0]]) as open_page:
        yield open_page("about:blank"), [SIZES[name]["viewport"] for name in request.param]


@pytest.fixture
def home(shelf: RunningApp) -> RunningApp:
    """A new game, and past games."""
    begin_game(shelf.app_state, "krone", ("Anna", "Bert"))
    return shelf


def in_sight(part: Locator) -> bool:
    """Whether the element is entirely within the window's width."""
    box = part.bounding_box()
    assert box
    wide: int = part.page.evaluate("document.documentElement.clientWidth")
    return box["x"] >= 0 and box["x"] + box["width"] <= wide + 1


def at_each_size(screen: Screen) -> Iterator[Page]:
    """The open page at each size, once its scripts have reacted."""
    page, sizes = screen
    for size in sizes:
        page.set_viewport_size(size)
        page.evaluate(SETTLED)
        yield page


def test_the_final_round_shows_standings_in_place_of_cards_for_sale(screen: Screen, home: RunningApp) -> None:
    page = screen[0]
    STAGES["final round"](home)
    page.goto(home.server.address)
    final = page.locator(".final-round")
    expect(final).to_contain_text("To beat 8 ×")
    expect(final.locator(".standings li")).to_have_count(3)
    expect(final.locator(".standings [aria-current]")).to_contain_text("Bert")
    expect(page.locator("[data-key^=sale-]")).to_have_count(0)
    expect(page.get_by_text("You can buy now")).to_have_count(0)
    for _ in at_each_size(screen):
        assert in_sight(final)


def test_the_rules_are_one_tap_from_every_dialog_and_lead_back_to_it(page: Page, home: RunningApp) -> None:
    enter(home, *TURN)
    page.goto(home.server.address)
    page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
    dialog, rules = page.locator("#dialog"), page.locator("#rules")
    expect(dialog).to_be_visible()
    dialog.get_by_role("link", name="How the game works").click()
    expect(rules.locator(".example li")).to_have_count(4)
    expect(rules.locator(".example .die")).to_have_count(6)
    expect(rules).to_contain_text("Three alike buy the Guard.")
    page.go_back()
    expect(rules).to_be_hidden()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert page.url == home.server.address


@pytest.mark.parametrize("game", ["krone", "knatsch", "yatzy"])
def test_a_new_game_begins_with_three_fields_and_the_rules_of_the_chosen_game(
    page: Page, home: RunningApp, game: str
) -> None:
    page.goto(home.server.address + "new")
    page.locator("select[name=game]").select_option(game)
    expect(page.locator("input[name=player]:visible")).to_have_count(3)
    help_of_game = page.locator(".goal:visible")
    help_of_game.locator("summary").click()
    expect(help_of_game.locator(".example li").first).to_be_visible()
    page.get_by_role("button", name="Add player").click()
    expect(page.locator("input[name=player]:visible")).to_have_count(4)


def test_the_menu_shows_that_it_goes_on_and_all_of_it_is_reached(screen: Screen, home: RunningApp) -> None:
    for page in at_each_size(screen):
        page.goto(home.server.address + "invite")
        menu = page.locator(".masthead nav")
        if menu.evaluate("menu => menu.scrollWidth > menu.clientWidth"):
            assert "gradient" in menu.evaluate("menu => getComputedStyle(menu).maskImage")
        assert in_sight(menu.get_by_role("link", name="Invite"))  # the page being looked at is scrolled to


def test_own_cards_that_cannot_be_used_do_not_look_like_buttons(screen: Screen, home: RunningApp) -> None:
    STAGES["fullest"](home)
    screen[0].goto(home.server.address)
    border = "cards => cards.map((card) => getComputedStyle(card).borderStyle)"
    for page in at_each_size(screen):
        assert set(page.locator(".own .idle-card").evaluate_all(border)) == {"none"}
        assert set(page.locator(".own button").evaluate_all(border)) == {"solid"}


def test_the_correction_dialog_shows_lines_that_become_illegal_and_its_buttons_together(
    screen: Screen, home: RunningApp
) -> None:
    page = screen[0]
    enter(home, *TURN, "B roll 6 4 2")
    page.goto(home.server.address)
    page.locator("[data-key=line-1]").get_by_role("button", name="Fix").click()
    page.locator("dialog [data-turn]").nth(0).click()
    page.locator("dialog [data-set='4']").click()
    expect(page.locator("dialog .consequence.breaks").first.locator("li")).to_have_count(2)  # those of “Fix”
    for _ in at_each_size(screen):
        for name in ("Fix", "Remove"):
            expect(page.locator("#dialog").get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("#dialog").get_by_role("button", name="Fix", exact=True)).to_be_disabled()
    page.keyboard.press("Escape")


def test_a_refused_entry_of_knatsch_is_kept_and_said_in_words(page: Page, home: RunningApp) -> None:
    begin_game(home.app_state, "knatsch", ("Anna", "Bert"))
    enter(home, "A deal castle-red", "B deal castle-blue")
    enter(home, "A reveal left castle-black 1-1-1+1", "A target left")
    page.goto(home.server.address)
    table_of(home).enter("A roll 5 5 4 3 2 1")
    expect(page.locator(".tray .pick")).to_have_count(6)
    page.locator("[data-key=next], .turn").first.wait_for()
    page.get_by_role("button", name="Keep none and roll all").click()
    expect(page.locator(".tray .pick")).to_have_count(0)
    if page.locator("#rolled").is_visible():
        page.locator("#rolled").fill("5 5")
        page.get_by_role("button", name="Enter roll").click()
        said = page.get_by_role("alert")
        expect(said).to_contain_text("dice")
        assert "keep none" not in said.inner_text()
        expect(page.locator("#rolled")).to_have_value("5 5")


def test_a_past_game_shows_the_played_move_beside_the_better_one(screen: Screen, home: RunningApp) -> None:
    page = screen[0]
    page.goto(home.server.address + past_game(home) + "/review")
    page.locator(".slips li").first.get_by_role("link", name="Show this moment").click()
    judged = page.locator(".judged:visible")
    expect(judged).to_contain_text("Played")
    expect(judged).to_contain_text("Better move")
    expect(judged).to_have_class("judged mistake")
    expect(page.locator(".marks .mistake").first).to_be_attached()
    for _ in at_each_size(screen):
        marks, slider = page.locator(".marks").bounding_box(), page.locator("#moment").bounding_box()
        assert marks
        assert slider
        assert abs(marks["x"] - slider["x"]) < 12
        assert abs(marks["width"] - slider["width"]) < 24


def test_the_television_ends_with_the_crown_across_the_screen(screen: Screen, home: RunningApp) -> None:
    STAGES["ended"](home)
    screen[0].goto(home.server.address + "television")
    title = screen[0].locator(".tv-ending h2")
    expect(title).to_contain_text("wins the crown")
    for page in at_each_size(screen):
        box, size = title.bounding_box(), page.viewport_size
        assert box
        assert size
        assert box["width"] > size["width"] / 3
        assert abs(box["x"] + box["width"] / 2 - size["width"] / 2) < 12


def test_one_code_for_all_and_the_rest_is_folded_away(screen: Screen, home: RunningApp) -> None:
    page = screen[0]
    STAGES["shared"](home)
    page.goto(home.server.address + "invite")
    letting_in = page.get_by_role("button", name="Allow devices on my network")
    if letting_in.count():
        letting_in.click()
    code = page.locator(".invitations img:visible")
    expect(code).to_have_count(1)
    for _ in at_each_size(screen):
        assert in_sight(code)
        box, size = code.bounding_box(), page.viewport_size
        assert box
        assert size
        assert box["y"] + box["height"] <= max(size["height"], 700)  # no scrolling, except on a phone on its side
