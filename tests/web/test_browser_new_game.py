"""Starting or resuming a game in Chromium: choices are kept, and unfinished games are found."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.server.bootstrap import RunningApp
from companion.web.sessions import begin_game
from tests.kit.browser import SIZES, begin, browsing, expect_events, table_of
from tests.kit.served_app import enter

pytestmark = pytest.mark.browser


def seat(page: Page, *names: str) -> None:
    fields = page.locator("input[name=player]")
    for place in range(6):
        while place < len(names) and not fields.nth(place).is_visible():
            page.get_by_role("button", name="Add player").click()
        if fields.nth(place).is_visible():
            fields.nth(place).fill((*names, *[""] * 6)[place])


def chosen(page: Page) -> list[str]:
    names = ("game", "ruleset", "DiceSupply")
    fields = page.locator(", ".join([*(f"select[name={name}]" for name in names), "input[name=starts]:checked"]))
    return [field.input_value() for field in fields.all()]


def test_on_a_phone_no_choice_is_cut_off(running_app: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(running_app.server.address + "new")
        page.set_viewport_size({"width": 360, "height": 740})
        for select in page.locator("select:visible").all():
            wide = select.evaluate(
                """select => {
                    const longest = document.createElement("canvas").getContext("2d");
                    longest.font = getComputedStyle(select).font;
                    return Math.max(...[...select.options].map(one => longest.measureText(one.text).width));
                }"""
            )
            assert wide <= select.evaluate("select => select.clientWidth") - 30  # the arrow and what is left free


def test_typed_names_are_restored_after_a_visit_to_the_camera_page(running_app: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(running_app.server.address + "new")
        seat(page, "Anna", "Bert")
        page.get_by_role("radio", name="Player 2 starts").check(force=True)
        page.get_by_role("link", name="Camera", exact=True).click()
        page.wait_for_url("**/camera")
        page.go_back()
        expect(page.locator("input[name=player]").nth(1)).to_have_value("Bert")
        assert chosen(page)[1] == "1"
        page.get_by_role("button", name="Start game").click()
        page.locator("#turn-title").wait_for()
        assert page.evaluate("sessionStorage.length") == 0


def test_a_refused_game_forgets_nothing_that_was_chosen(running_app: RunningApp) -> None:
    with browsing(quiet=False) as open_page:  # Chromium complains of the refusal's status
        page = open_page(running_app.server.address + "new")
        seat(page, "Anna", "Bert", "Bert")
        page.locator("select[name=ruleset]").select_option("riogrande2007")
        page.locator("select[name=DiceSupply]").select_option("none")
        page.locator("select[name=game]").select_option("knatsch")
        page.get_by_role("radio", name="Player 2 starts").check(force=True)
        page.get_by_role("button", name="Start game").click()
        expect(page.get_by_role("alert")).to_contain_text("Two players have the name “Bert”")
        assert chosen(page) == ["knatsch", "1", "riogrande2007", "none"]


def test_the_next_game_is_the_one_just_played(running_app: RunningApp) -> None:
    with browsing() as open_page:
        begin_game(running_app.app_state, "knatsch", ("Anna", "Bert"))
        page = open_page(running_app.server.address + "new")
        assert chosen(page)[0] == "knatsch"
        begin_game(running_app.app_state, "krone", ("Anna", "Bert"), "riogrande2007", DiceSupply="none")
        page.reload()
        assert chosen(page) == ["krone", "0", "riogrande2007", "none"]


def test_the_form_has_only_the_fields_of_the_chosen_game(running_app: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(running_app.server.address + "new")
        rules, deck = page.get_by_label("Rules of To Court the King"), page.get_by_label("Your own deck file")
        page.locator("select[name=game]").select_option("krone")
        expect(rules).to_be_visible()
        expect(deck).to_be_hidden()
        page.locator("select[name=game]").select_option("knatsch")
        expect(rules).to_be_hidden()
        expect(deck).to_be_visible()


def test_the_crown_stays_with_its_player_when_another_gets_up(running_app: RunningApp) -> None:
    begin_game(running_app.app_state, "krone", ("Anna", "Bert", "Cleo"))
    with browsing() as open_page:
        page = open_page(running_app.server.address + "new")
        page.get_by_role("radio", name="Player 2 starts").check(force=True)
        page.get_by_role("group", name="Tap the players").get_by_role("button", name="Anna").click()
        page.get_by_role("button", name="Start game").click()
        expect(page.locator("#turn-title")).to_have_text("Bert")
        assert table_of(running_app).record.players == ("Bert", "Cleo")


def test_an_unfinished_game_goes_on_from_its_own_page(running_app: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(running_app.server.address)
        begin(running_app, page)
        enter(running_app, "A roll 5 5 2")
        assert running_app.app_state.session.running is not None
        waits = running_app.app_state.session.running.id
        page.goto(f"{running_app.server.address}history/{waits}")
        expect(page.get_by_role("link", name="Go to the table")).to_be_visible()
        begin(running_app, page, players=("Cleo", "Dora"))
        page.goto(f"{running_app.server.address}history/{waits}")
        page.get_by_role("button", name="Resume").click()
        expect(page.locator("#turn-title")).to_have_text("Anna")
        expect_events(running_app, ["A roll 5 5 2"])


@pytest.mark.parametrize("width", [390, 1366])
def test_a_long_name_stays_on_its_own_card_of_the_history(running_app: RunningApp, width: int) -> None:
    begin_game(running_app.app_state, "krone", ("x" * 40, "<b>Bob</b><script>alert(1)</script>", "Anna"))
    with browsing(viewport={"width": width, "height": 800}) as open_page:
        page = open_page(running_app.server.address + "history")
        over = "cards => cards.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.innerText)"
        assert page.eval_on_selector_all(".past .sheet, .past-link", over) == []


@pytest.mark.parametrize("language", ["en", "de", "fi", "ja"])
def test_a_laptop_starts_a_game_without_scrolling(running_app: RunningApp, language: str) -> None:
    begin_game(running_app.app_state, "krone", ("Anna", "Bert", "Cleo"))  # names to tap stand below the players
    with browsing(**SIZES["laptop"], locale=language) as open_page:
        page = open_page(running_app.server.address + "new")
        for game in page.locator("select[name=game] option").all():
            page.locator("select[name=game]").select_option(game.get_attribute("value"))
            expect(page.locator("form.new-game button.main")).to_be_in_viewport(ratio=1)
