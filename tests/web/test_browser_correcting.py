"""Correcting the record in Chromium: by faces and cards, with a preview of the consequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from companion.game.changes import Change, Line, Question
from companion.game.referee.sentences import which_card
from companion.game.table import Table
from companion.server.bootstrap import RunningApp
from engine.record_header import new_record
from tests.kit.axe import violations_now
from tests.kit.browser import OpenTable, begin, browsing, enter, expect_events
from tests.kit.laid_table import LaidTable
from tests.kit.served_app import table_of

pytestmark = pytest.mark.browser
PHONE, LAPTOP = ViewportSize(width=390, height=800), ViewportSize(width=1366, height=800)
TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")


@pytest.fixture(scope="module")
def open_table(running_app: RunningApp) -> Iterator[OpenTable]:
    with browsing(viewport=PHONE, bypass_csp=True) as open_page:
        yield open_page(running_app.server.address), running_app


def correct(page: Page, number: int) -> None:
    page.locator(f"[data-key=line-{number}]").get_by_role("button", name="Fix").click()
    expect(page.locator("dialog [data-preview]")).not_to_be_empty()


def wrong_first_roll(table: OpenTable) -> Page:
    """Corrects the first roll so that later events become illegal."""
    page, running_app = table
    enter(running_app, *TURN, "B roll 6 4 2", seen_on=page)
    correct(page, 1)
    page.locator("dialog [data-turn]").nth(0).click()
    page.locator("dialog [data-set='4']").click()
    return page


def test_it_is_said_which_later_events_would_break_before_anything_is_saved(table: OpenTable) -> None:
    page = wrong_first_roll(table)
    preview = page.locator("dialog .consequence").first
    expect(preview.locator("li")).to_have_count(2)  # and not Bert's roll, which fits whatever Anna has taken
    expect(preview.locator("li").first).to_contain_text("Anna sets aside 5 5 2")
    expect(preview.locator("li").last).to_contain_text("Anna takes Farmer")
    expect_events(table[1], [*TURN, "B roll 6 4 2"])
    assert violations_now(page) == {}
    page.locator("dialog [data-set='5']").click()
    expect(page.locator("dialog .consequence.breaks").filter(has_text="Fix")).to_have_count(0)


def test_one_tap_does_not_make_later_lines_illegal_and_those_lines_are_listed_in_view(table: OpenTable) -> None:
    page = wrong_first_roll(table)
    broken = page.locator("dialog .consequence.breaks").first.locator("li")
    expect(broken).to_have_count(2)
    fix = page.locator("dialog").get_by_role("button", name="Fix", exact=True)
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)
        lowest, top = page.locator("dialog .consequences").bounding_box(), fix.bounding_box()
        assert lowest
        assert top
        assert lowest["y"] + lowest["height"] <= top["y"]
    expect(fix).to_be_disabled()
    page.locator("dialog").get_by_label("Change it anyway").check()
    fix.click()
    expect(page.locator("[data-key=problem]")).to_contain_text("is no longer possible")


def test_nothing_is_confirmed_or_saved_before_the_consequences_of_a_new_choice_arrive(table: OpenTable) -> None:
    page = wrong_first_roll(table)
    sure, fix = page.locator("dialog [name=sure]"), page.locator("dialog [name=what][value=replace]")
    expect(sure).to_be_enabled()
    sure.check()
    expect(fix).to_be_enabled()
    waiting: list[Route] = []
    page.route("**/correct/*/consequences*", lambda route: waiting.append(route))
    with page.expect_request("**/correct/*/consequences*"):
        page.locator("dialog [data-set='3']").click()
        assert sure.is_disabled()
        assert fix.is_disabled()
    assert sure.is_disabled()
    waiting.pop().continue_()
    expect(sure).to_be_enabled()
    expect(sure).not_to_be_checked()
    expect(fix).to_be_disabled()


def test_which_of_two_like_cards_it_was_is_settled_where_the_line_is_corrected(table: OpenTable) -> None:
    page, running_app = table
    lines = (Line(1, "A roll 5 3 2", "camera"), Line(2, "A use fool 2 > 5", "camera"))
    asked = Question(which_card(("fool", "merchant")), (2,), ((lines[1].event,), ("A use merchant 2 > 5",)), 1)
    seen = Change(1, "enter", "camera", 0, (), lines, (replace(asked, matters=False),))
    record = new_record("krone", ("Anna", "Bert"), Position="amigo2006; A fool merchant; B -")
    running_app.app_state.session.begin(Table(record, changes=[seen]), None)
    expect(page.locator("[data-key=line-2]")).to_contain_text("or: Merchant?")
    expect(page.locator(".question")).to_have_count(0)
    correct(page, 2)
    assert violations_now(page) == {}
    page.locator("dialog").get_by_role("button", name="Merchant").click()
    expect(page.locator(".record .lines")).to_contain_text("uses Merchant")
    expect_events(running_app, ["A roll 5 3 2", "A use merchant 2 > 5"])


def test_a_card_taken_is_put_right_by_tapping_another(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 5 5", "A keep 5 5 5", "A buy farmer", seen_on=page)
    correct(page, 3)
    expect(page.locator("dialog [name=event]")).to_be_hidden()
    picks = page.locator("dialog .pick-head")
    expect(picks.filter(has_text="King")).to_have_class("pick-head misfit")
    picks.filter(has_text="King").click()
    expect(page.locator("dialog .consequence").first).to_contain_text("not allowed here")
    picks.filter(has_text="Take no card").click()
    expect(page.locator("dialog .consequence").first).to_contain_text("All later entries are still possible.")
    page.locator("dialog").get_by_role("button", name="Fix", exact=True).click()
    expect(page.locator("[data-key=line-4]")).to_contain_text("takes no card")
    expect_events(running_app, ["A roll 5 5 5", "A keep 5 5 5", "A pass"])


def test_a_card_used_is_put_right_by_its_dice(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 6 4 2", "A buy philosopher", "B roll 1 1 2", "B keep 1 1 2", "B buy fool")
    enter(running_app, "B roll 5 5 2", "B keep 5 5 2", "B buy farmer")  # she begins the second round
    enter(running_app, "A roll 5 5 2", "A use philosopher 5 2 > 6 1", seen_on=page)
    number = (
        running_app.app_state.session.running.table.lines[-1].number if running_app.app_state.session.running else 0
    )
    correct(page, number)
    after = page.locator("dialog [data-edit=dice] [data-turn]")
    after.nth(0).click()
    page.locator("dialog [data-set='4']").click()
    after.nth(1).click()
    page.locator("dialog [data-set='3']").click()
    expect(page.locator("dialog [name=event]")).to_have_value("A use philosopher 5 2 > 4 3")
    page.locator("dialog").get_by_role("button", name="Fix", exact=True).click()
    expect(page.locator(".tray .pick input[value='4']")).to_have_count(1)
    expect_events(running_app, ["A use philosopher 5 2 > 4 3"], after=-1)


def test_an_event_with_dice_can_be_corrected_to_another_kind_of_event(table: OpenTable) -> None:
    page, running_app = table
    enter(running_app, "A roll 5 5 2", "A keep 5 5", seen_on=page)
    correct(page, 2)
    page.locator("dialog [data-edit=dice] [data-turn]").nth(0).click()
    page.locator("dialog").get_by_role("button", name="remove a die").click()
    expect(page.locator("dialog [name=event]")).to_have_value("A keep 5")
    page.locator("dialog").get_by_role("button", name="Fix", exact=True).click()
    expect(page.locator(".tray .pick")).to_have_count(2)


def test_events_of_knatsch_are_chosen_in_words(running_app: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(running_app.server.address)
        begin(running_app, page, "knatsch", ("Anna", "Bert"))
        enter(running_app, "A deal castle-red", "B deal castle-blue", seen_on=page)
        correct(page, 2)
        pick = page.locator("dialog .pick-head").filter(has_text="draws").filter(has_not=page.locator(":checked")).last
        words = pick.inner_text()
        pick.click()
        page.locator("dialog").get_by_role("button", name="Fix", exact=True).click()
        expect(page.locator(".lines li").first).to_contain_text(words)


def test_faces_are_offered_in_the_order_in_which_the_camera_took_the_die_for_them(table: OpenTable) -> None:
    page, running_app = table
    laid = LaidTable()
    laid.throw((5, 5, 2))
    seen = laid.read()
    doubtful = replace(seen.dice[0], probabilities=(0.01, 0.02, 0.06, 0.03, 0.87, 0.01))
    running_app.app_state.cameras.see(replace(seen, dice=(doubtful, *seen.dice[1:])))
    for _ in range(5):
        laid.dice.clear()
        running_app.app_state.cameras.see(laid.read())  # they are long gone when it is corrected
    (line,) = table_of(running_app).lines
    assert line.event == "A roll 5 5 2"
    correct(page, line.number)
    faces = page.locator("dialog .edit-faces [data-set]")
    assert [one.get_attribute("data-set") for one in faces.all()] == list("123456")
    expect(page.locator("dialog [data-ordered]")).to_be_hidden()
    page.locator("dialog [data-turn]").nth(0).click()
    assert [one.get_attribute("data-set") for one in faces.all()] == list("342165")
    expect(page.locator("dialog [data-ordered]")).to_be_visible()
    page.locator("dialog [data-set='3']").click()
    expect(page.locator("dialog [data-turn]").nth(0)).to_have_attribute("data-turn", "3")
    assert violations_now(page) == {}
