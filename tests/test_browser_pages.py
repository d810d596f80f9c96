"""Every other page and flow in Chromium: new game, resume, history, languages, two tabs, reconnecting, axe."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from companion.archive import shelf
from companion.evening import begin_game
from companion.hosting import Hosting
from tests.browsing import browsing, enter, events
from tests.house import house

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
ROOT = Path(__file__).parent.parent
TURN = ("A roll 5 5 2", "A keep 5 5 2", "A buy farmer")
SHORT = 30  # events, two rounds
PLAYED = ROOT / "tests" / "golden" / "krone_amigo.txt"
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def open_door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosting]:
    """One house for the whole file, with a finished game on the shelf and its beginning as one of its own."""
    with house(tmp_path_factory.mktemp("house")) as hosting:
        assert hosting.room.archive is not None
        played = PLAYED.read_text(encoding="utf-8")
        head, _, events = played.partition("\n\n")
        first_rounds = "\n".join(events.splitlines()[:SHORT])
        for text in (played, head.replace('Result "Bert"', 'Result "*"') + "\n\n" + first_rounds):
            shelf.import_record(hosting.room.archive, text)
        yield hosting


@pytest.fixture
def home(open_door: Hosting) -> Hosting:
    """The same with a game just begun."""
    begin_game(open_door.room, "krone", ("Anna", "Bert"))
    return open_door


def past_game(hosting: Hosting, finished: bool = False) -> str:
    """The address of the short game, or of the whole one: weighing its final round takes seconds."""
    assert hosting.room.archive is not None
    found = next(
        game
        for game in shelf.summaries(hosting.room.archive)
        if game.players == ("Anna", "Bert", "Cleo") and game.finished == finished
    )
    return f"history/{found.id}"


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
        enter(hosting, *TURN)
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


def test_the_chances_of_a_game_are_drawn_and_stand_in_a_table(home: Hosting) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + past_game(home))
        chances = page.locator("section", has=page.get_by_role("heading", name="Chances to win"))
        expect(chances.locator("polyline")).to_have_count(3)
        chances.get_by_text("The numbers as a table").click()
        rows = chances.locator("tbody tr")
        expect(rows.first).to_contain_text("Anna")
        points = chances.locator("polyline").first.get_attribute("points") or ""
        assert rows.count() == len(points.split()) > 5
        for row in rows.all():
            numbers = [int(text.split()[0]) for text in row.locator("td.number").all_text_contents()]
            assert 98 <= sum(numbers) <= 102
        page.locator(".charts").get_by_text("The numbers as a table").nth(1).click()
        expect(page.get_by_role("columnheader", name="expected")).to_be_visible()
        rows.nth(2).get_by_role("link").click()
        expect(page.locator("output")).not_to_have_text(f"{SHORT} / {SHORT}")


def test_looking_back_names_the_decisions_and_leads_to_them(home: Hosting) -> None:
    with browsing() as open_page:
        page = open_page(home.server.address + past_game(home) + "/review")
        expect(page.get_by_role("heading", name="Luck and skill")).to_be_visible()
        expect(page.locator(".balance tbody tr")).to_have_count(3)
        first = page.locator(".slips li").first
        expect(first).to_contain_text("Better")
        first.get_by_role("link", name="See it").click()
        expect(page.locator("output")).to_contain_text(f"/ {SHORT}")


def test_the_language_is_switched_and_stays(home: Hosting) -> None:
    with browsing(locale="de-DE") as open_page:
        page = open_page(home.server.address)
        expect(page.get_by_role("heading", name="Auslage", exact=True)).to_be_visible()
        for code, word in (("ja", "場のカード"), ("fi", "Tarjolla"), ("nl", "Uitstalling"), ("en", "Display")):
            page.locator("#language").select_option(code)
            expect(page.get_by_role("heading", name=word, exact=True)).to_be_visible()
            assert page.locator("html").get_attribute("lang") == code


def test_two_tabs_and_a_television_follow_each_other(home: Hosting) -> None:
    with browsing() as open_page:
        first = open_page(home.server.address)
        second = open_page(home.server.address)
        television = open_page(f"{home.server.address}overlay?transparent")
        first.locator("#rolled").fill("5 5 2")
        first.get_by_role("button", name="Enter the roll").click()
        expect(second.locator(".tray .pick")).to_have_count(3)
        expect(television.locator(".air-dice .die")).to_have_count(3)
        assert not television.locator("button, a").count()
        second.get_by_role("button", name="Undo").click()
        expect(first.locator(".tray .pick")).to_have_count(0)


def test_live_pages_come_back_by_themselves_after_the_network_failed(home: Hosting) -> None:
    with browsing(quiet=False) as open_page:
        pages = {path: open_page(home.server.address + path) for path in ("", "overlay", "me/A")}
        for page in pages.values():
            page.route("**/board", lambda route: route.abort())
        enter(home, TURN[0])
        for page in pages.values():
            expect(page.locator("#connection")).to_be_visible()
            page.unroute("**/board")
        for path, dice in (("", ".tray .pick"), ("overlay", ".air-dice .die"), ("me/A", ".mine-turn .line .die")):
            expect(pages[path].locator(dice)).to_have_count(3)
            expect(pages[path].locator("#connection")).to_be_hidden()


def test_what_is_entered_while_the_network_fails_is_not_lost(home: Hosting) -> None:
    with browsing(quiet=False) as open_page:
        page = open_page(home.server.address)
        page.route("**/enter", lambda route: route.abort())
        page.locator("#rolled").fill("5 5 2")
        page.get_by_role("button", name="Enter the roll").click()
        expect(page.locator("#connection")).to_be_visible()
        expect(page.locator("#rolled")).to_have_value("5 5 2")
        page.unroute("**/enter")
        page.get_by_role("button", name="Enter the roll").click()
        expect(page.locator(".tray .pick")).to_have_count(3)
        expect(page.locator("#connection")).to_be_hidden()
        assert events(home) == ["A roll 5 5 2"]


def test_history_and_camera_pages_try_again_after_the_network_failed(home: Hosting) -> None:
    with browsing(quiet=False) as open_page:
        page = open_page("about:blank")

        def failing(path: str, *addresses: str) -> None:
            for address in addresses:
                page.route(address, lambda route: route.abort())
            page.goto(home.server.address + path)

        def recovered(*addresses: str) -> None:
            for address in addresses:
                page.unroute(address)

        failing(past_game(home), "**/chances", "**/at/*")
        page.get_by_role("button", name="One event back").click()
        expect(page.locator("output")).to_have_text(f"{SHORT - 1} / {SHORT}")
        expect(page.locator("#connection")).to_be_visible()
        expect(page.locator(".lines li")).to_have_count(SHORT)  # still the end
        recovered("**/chances", "**/at/*")
        expect(page.locator(".lines li")).to_have_count(SHORT - 1)
        expect(page.locator("polyline")).to_have_count(3)
        expect(page.locator("#connection")).to_be_hidden()
        failing("camera", "**/camera/state")
        expect(page.locator("#connection")).to_be_visible()
        recovered("**/camera/state")
        expect(page.locator("[data-state-of]")).to_contain_text("by hand")


def test_pages_work_without_scripts(home: Hosting) -> None:
    with browsing(java_script_enabled=False) as open_page:
        page = open_page(home.server.address)
        page.locator("#rolled").fill("5 5 2")
        page.get_by_role("button", name="Enter the roll").click()
        page.get_by_role("button", name="Set all aside").click()
        page.goto(f"{home.server.address}me/A")
        page.get_by_role("button", name="Buy Farmer").click()
        expect(page.get_by_text("It is the turn of Bert.")).to_be_visible()
        assert events(home) == list(TURN)
        page.goto(home.server.address + past_game(home) + "?at=2")
        expect(page.locator("output")).to_have_text(f"2 / {SHORT}")


def test_a_players_phone_shows_her_cards_and_buys(home: Hosting) -> None:
    with browsing(viewport={"width": 360, "height": 740}) as open_page:
        page = open_page(f"{home.server.address}me/A")
        enter(home, TURN[0])
        page.get_by_role("button", name="Buy Farmer").click()
        expect(page.get_by_text("It is the turn of Bert.")).to_be_visible()
        assert events(home) == list(TURN)


def pages_of(hosting: Hosting) -> list[str]:
    """Every page, by its path; the ones of Knatsch only after a game of it has begun."""
    past = past_game(hosting)
    return ["", "new", "history", past, f"{past}/review", "cards?game=krone", "cards?game=knatsch", "camera", "invite",
            "me/A", "overlay", "phone"]  # fmt: skip


@pytest.mark.parametrize("game", ["krone", "knatsch"])
def test_no_page_is_heavy_or_wider_than_a_small_phone(open_door: Hosting, game: str) -> None:
    weights: list[int] = []

    def weigh(request: Request) -> None:
        response = request.response()
        weights.append(len(response.body()) if response and response.ok and "/picture" not in request.url else 0)

    begin_game(open_door.room, game, ("Anna", "Bert"))
    whole = past_game(open_door, finished=True)
    paths = [*pages_of(open_door), whole] if game == "krone" else ["", "me/A", "overlay"]
    with browsing(quiet=False, viewport={"width": 360, "height": 740}) as open_page:
        page = open_page("about:blank")
        page.route(f"**/{whole}/chances", lambda route: route.abort())  # seconds of work, and not what is weighed
        page.on("requestfinished", weigh)
        for path in paths:
            weights.clear()
            page.goto(open_door.server.address + path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert 0 < sum(weights) < 150_000, path


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
def test_axe_finds_nothing(home: Hosting, axe: Path, scheme: str) -> None:
    enter(home, *TURN, "B roll 6 6 2")
    # The policy of the pages forbids foreign scripts, the checker's too.
    with browsing(color_scheme=scheme, bypass_csp=True, reduced_motion="reduce") as open_page:
        page = open_page(home.server.address)
        found = {}
        for path in pages_of(home):
            found |= violations(page, home, path, axe, scheme)
        begin_game(home.room, "knatsch", ("Anna", "Bert", "Carl"))
        enter(home, "A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
        enter(home, "A reveal left castle-black 1-1-1+1", "A target left", "A roll 5 5 5 5 1 1")
        for path in ("", "me/A", "overlay"):
            found |= violations(page, home, path, axe, scheme)
        assert found == {}


def violations(page: Page, hosting: Hosting, path: str, axe: Path, scheme: str) -> dict[str, list[str]]:
    """What axe objects to on a page: the rule → where."""
    page.goto(hosting.server.address + path)
    page.add_script_tag(path=axe)
    only = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}  # all else is the same by day and night
    result = page.evaluate("options => axe.run(document, options)", {"resultTypes": ["violations"], **only})
    return {
        f"/{path} {violation['id']}": [node["html"][:160] for node in violation["nodes"]][:3]
        for violation in result["violations"]
    }
