"""Reviewing a game as training, in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.advice.review_queue import Progress
from companion.server.bootstrap import RunningApp
from companion.web.pages import training
from tests.kit.axe import violations
from tests.kit.browser import browsing, past_game

pytestmark = pytest.mark.browser


def test_a_long_review_shows_its_first_page_and_the_rest_as_it_comes(shelf: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(shelf.server.address + past_game(shelf, finished=True) + "/review")
        expect(page.locator(".slips li").first).to_be_visible()
        expect(page.locator("[data-more]")).to_have_count(1)
        before = page.locator(".growing [role=status]").inner_text()
        expect(page.locator(".growing [role=status]")).not_to_have_text(before)


def test_while_the_first_moment_is_searched_the_page_is_accessible_and_then_shows_it(
    shelf: RunningApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = shelf.server.address + past_game(shelf, finished=True) + "/training"
    with browsing(bypass_csp=True) as open_page:
        page = open_page("about:blank")
        with monkeypatch.context() as nothing_known:
            reviewed = training.reviewed
            nothing_known.setattr(training, "reviewed", lambda id: (reviewed(id)[0], Progress(reviewed(id)[0])))
            assert violations(page, address) == {}
            expect(page.get_by_role("status")).to_contain_text("0 of 327 entries done")
        expect(page.get_by_role("heading", name="What would you do?")).to_be_visible(timeout=30_000)


def test_the_better_move_is_shown_only_after_the_answer(shelf: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(shelf.server.address + past_game(shelf) + "/review")
        page.get_by_role("link", name="Find the better move").click()
        expect(page.get_by_role("heading", name="What would you do?")).to_be_visible()
        expect(page.locator(".answers")).to_have_count(0)
        page.locator(".ways button").first.click()
        expect(page.locator(".answers .right").first).to_be_visible()
        expect(page.locator(".answers").get_by_text("played", exact=True)).to_have_count(1)
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".ways button").first).to_be_visible()


def test_what_if_shows_the_odds_with_another_die(shelf: RunningApp) -> None:
    with browsing() as open_page:
        page = open_page(shelf.server.address + past_game(shelf))
        page.get_by_role("button", name="Previous entry").click()
        page.locator("#moment").fill("1")
        page.get_by_role("link", name="What if …?").click()
        dice = page.get_by_role("group", name="Active").locator("[data-face]")
        first = dice.first.get_attribute("data-face")
        found = page.locator("[data-found]")
        expect(found.locator("meter").first).to_be_visible()
        before = found.inner_text()
        dice.first.click()
        expect(dice.first).not_to_have_attribute("data-face", first or "")
        expect(found).not_to_have_text(before, use_inner_text=True)
        page.get_by_role("button", name="Add a die").first.click()
        expect(found.get_by_role("alert")).to_contain_text("There are")
        page.get_by_role("link", name="Reset").click()
        expect(dice.first).to_have_attribute("data-face", first or "")
