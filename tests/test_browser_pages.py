"""Every other page and flow in Chromium: new game, resume, history, languages, two tabs, reconnecting, axe."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Request, expect

from tests.browsing import browsing
from tests.house import house

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
ROOT = Path(__file__).parent.parent
TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"


def test_a_game_is_begun_on_the_page_and_resumed_after_a_restart(tmp_path: Path) -> None:
    with house(tmp_path, players=()) as first, browsing() as open_page:
        page = open_page(first.server.address)
        page.get_by_label("Player 1", exact=True).fill("Chiara")
        page.get_by_label("Player 2", exact=True).fill("Dora")
        page.locator("input[name=starts]").nth(1).check(force=True)
        page.get_by_role("button", name="Begin the game").click()
        expect(page.get_by_role("heading", name="Dora").first).to_be_visible()
        page.locator("#rolled").fill("6 6 1")
        page.get_by_role("button", name="Enter the roll").click()
        expect(page.locator(".tray .pick")).to_have_count(3)
    with house(tmp_path, players=()) as second, browsing() as open_page:
        page = open_page(second.server.address)
        page.get_by_role("button", name="Resume Dora, Chiara").click()
        expect(page.locator(".tray .pick")).to_have_count(3)


def test_history_goes_back_and_forth_and_records_travel(tmp_path: Path) -> None:
    with house(tmp_path) as hosting, browsing() as open_page:
        sitting = hosting.room.sitting
        assert sitting is not None
        for event in TURN:
            sitting.table.enter(event)
        page = open_page(f"{hosting.server.address}history")
        page.get_by_role("link", name="Anna, Bert").click()
        expect(page.locator("#board")).to_contain_text("Bert")
        for _ in TURN:
            page.get_by_role("button", name="One event back").click()
        expect(page.locator("output")).to_have_text("0 / 3")
        expect(page.locator("[data-key=player-A]")).to_contain_text("No cards yet")
        page.get_by_role("button", name="One event on").click()
        expect(page.locator(".tray .pick")).to_have_count(3)
        with page.expect_download() as download:
            page.get_by_role("link", name="Record").click()
        page.goto(f"{hosting.server.address}history")
        page.locator("input[type=file]").set_input_files(download.value.path())
        page.get_by_role("button", name="Import").click()
        expect(page.get_by_role("heading", name="Anna, Bert").first).to_be_visible()
        page.goto(f"{hosting.server.address}history")
        expect(page.locator(".past li")).to_have_count(2)


def test_the_language_is_switched_and_stays(tmp_path: Path) -> None:
    with house(tmp_path) as hosting, browsing(locale="de-DE") as open_page:
        page = open_page(hosting.server.address)
        expect(page.get_by_role("heading", name="Auslage", exact=True)).to_be_visible()
        for code, word in (("ja", "場のカード"), ("fi", "Tarjolla"), ("nl", "Uitstalling"), ("en", "Display")):
            page.locator("#language").select_option(code)
            expect(page.get_by_role("heading", name=word, exact=True)).to_be_visible()
            assert page.locator("html").get_attribute("lang") == code


def test_two_tabs_and_a_television_follow_each_other(tmp_path: Path) -> None:
    with house(tmp_path) as hosting, browsing() as open_page:
        first = open_page(hosting.server.address)
        second = open_page(hosting.server.address)
        television = open_page(f"{hosting.server.address}overlay?transparent")
        first.locator("#rolled").fill("5 5 2")
        first.get_by_role("button", name="Enter the roll").click()
        expect(second.locator(".tray .pick")).to_have_count(3)
        expect(television.locator(".air-dice .die")).to_have_count(3)
        assert not television.locator("button, a").count()
        second.get_by_role("button", name="Undo").click()
        expect(first.locator(".tray .pick")).to_have_count(0)


def test_pages_come_back_by_themselves_after_the_network_failed(tmp_path: Path) -> None:
    with house(tmp_path) as hosting, browsing(quiet=False) as open_page:
        page = open_page(hosting.server.address)
        sitting = hosting.room.sitting
        assert sitting is not None
        page.route("**/board", lambda route: route.abort())
        sitting.table.enter(TURN[0])
        expect(page.locator("#connection")).to_be_visible()
        page.unroute("**/board")
        expect(page.locator(".tray .pick")).to_have_count(3)
        expect(page.locator("#connection")).to_be_hidden()


def test_a_players_phone_shows_her_cards_and_buys(tmp_path: Path) -> None:
    with house(tmp_path) as hosting, browsing(viewport={"width": 360, "height": 740}) as open_page:
        sitting = hosting.room.sitting
        assert sitting is not None
        page = open_page(f"{hosting.server.address}me/A")
        sitting.table.enter(TURN[0])
        page.get_by_role("button", name="Buy Farmer").click()
        expect(page.get_by_text("It is the turn of Bert.")).to_be_visible()
        assert [line.event for line in sitting.table.lines] == list(TURN)


def test_no_page_is_heavy_or_wider_than_a_small_phone(tmp_path: Path) -> None:
    weights: list[int] = []

    def weigh(request: Request) -> None:
        response = request.response()
        weights.append(len(response.body()) if response and response.ok else 0)

    with house(tmp_path) as hosting, browsing(viewport={"width": 360, "height": 740}) as open_page:
        page = open_page("about:blank")
        page.on("requestfinished", weigh)
        for path in ("", "new", "history", "cards", "camera", "invite", "me/A", "overlay", "phone"):
            weights.clear()
            page.goto(hosting.server.address + path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert sum(weights) < 150_000, path


@pytest.fixture(scope="module")
def axe() -> Path:
    """axe-core from the npm registry, kept in the ignored build folder; left out where there is no npm."""
    if not AXE.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("axe-core needs npm (Debian: apt install npm)")
        folder = AXE.parents[2]
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), "axe-core@4"]
        if subprocess.run(command, check=False, capture_output=True, timeout=120).returncode:
            pytest.skip("axe-core could not be fetched from the npm registry")
    return AXE


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tmp_path: Path, axe: Path, scheme: str) -> None:
    # The policy of the pages forbids foreign scripts, the checker's too.
    with (
        house(tmp_path) as hosting,
        browsing(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce") as open_page,
    ):
        sitting = hosting.room.sitting
        assert sitting is not None
        for event in (*TURN, "B roll 6 6 2"):
            sitting.table.enter(event)
        page = open_page(hosting.server.address)
        found = {}
        for path in ("", "new", "history", f"history/{sitting.id}", "cards", "camera", "invite", "me/A", "overlay"):
            page.goto(hosting.server.address + path)
            page.add_script_tag(path=axe)
            result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            found |= {
                f"/{path} {violation['id']}": [node["html"][:160] for node in violation["nodes"]][:3]
                for violation in result["violations"]
            }
        assert found == {}
