"""Every page in a typical state: in the middle of a game, with content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from companion.game.archived import game_repository
from companion.game.changes import Change, Line, Question, Sentence
from companion.game.referee.sentences import WHAT_HAPPENED
from companion.game.table import Table
from companion.server.bootstrap import RunningApp
from companion.web.pages.overlay import PARTS
from companion.web.sessions import begin_game
from engine.record_header import new_record
from tests.kit.browser import enter

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
PLAYERS = ("Annemarie", "Bert", "Cleo", "Dora", "Emil")
_MOVES = 150  # events of the golden game: five rounds, and dice on the table
_FULLEST = 196  # six active dice that buy four cards, and six own cards
_KING = 293  # the final round, in which two players have rolled


@dataclass(frozen=True, slots=True)
class PageScene:
    """One page. `act` prepares it."""

    name: str
    path: str
    act: Callable[[Page], None] = lambda page: None


def scenes(running_app: RunningApp) -> Iterator[list[PageScene]]:
    """The pages, grouped by the server state they need; use each before asking for the next."""
    for stage in STAGES.values():
        yield stage(running_app)


def _before(running_app: RunningApp) -> list[PageScene]:
    _past(running_app)
    return [
        PageScene("waiting", "me/A"),
        PageScene("new", "new"),
        PageScene("new-known", "new", _seat),
        PageScene("rules", "rules?game=krone"),
        PageScene("new-goal", "new", _click(".goal summary >> visible=true")),
        PageScene("history", "history"),
    ]


def _begun(running_app: RunningApp) -> list[PageScene]:
    begin_game(running_app.app_state, "krone", PLAYERS[:3])
    return [PageScene("table-begin", ""), PageScene("overlay-begin", "overlay")]


def _played(running_app: RunningApp) -> list[PageScene]:
    _play(running_app, _MOVES)
    return [
        PageScene("table", ""),
        PageScene("table-correct", "", _click(".record [data-dialog]")),
        PageScene("fix-die", "", _fix_die),
        PageScene("correct-breaks", "", _break),
        PageScene("record-all", "", _click(".record [data-dialog]:not(button)")),
        PageScene("rules-dialog", "", _click("footer [data-rules]")),
        PageScene("me", "me/A"),
        PageScene("me-other", "me/B"),
        PageScene("overlay", "overlay"),
        PageScene("television", "television"),
        *[PageScene(f"overlay-{part}", f"overlay/{part}") for part in PARTS],
        PageScene("cards", "cards?game=krone"),
        PageScene("cards-knatsch", "cards?game=knatsch"),
        PageScene("invite", "invite"),
        PageScene("failed", "history/none"),
    ]


def _looked_back(running_app: RunningApp) -> list[PageScene]:
    past = _past(running_app)
    return [
        PageScene("past", past, _unfold),
        PageScene("past-judged", past, _judge),
        PageScene("past-delete", past, _click("[data-open]")),
        PageScene("review", f"{past}/review", _wait(".slips")),
        PageScene("training", f"{past}/training", _wait(".ways button")),
        PageScene("training-answered", f"{past}/training", _try),
        PageScene("what-if", f"{past}/whatif/1", _wait("[data-found] meter")),
        PageScene("players", "players"),
        PageScene("player", "players/one?name=Bert"),
    ]


def _shared(running_app: RunningApp) -> list[PageScene]:
    if running_app.app_state.session.running is None:
        begin_game(running_app.app_state, "krone", PLAYERS[:3])
    return [PageScene("join", "join"), PageScene("invite-network", "invite", _let_in)]


def _moment(running_app: RunningApp) -> list[PageScene]:
    begin_game(running_app.app_state, "krone", PLAYERS[:3])
    enter(running_app, "A roll 5 5 2")
    return [PageScene("moment", "", _buy)]


def _question(running_app: RunningApp) -> list[PageScene]:
    running_app.app_state.session.begin(seven_questions(), None)
    return [PageScene("question", "", _wait(".question"))]


def seven_questions() -> Table:
    """A table at which the camera asks seven questions."""
    events = ("A roll 6 6 1", "A use fool 1 > 2")
    lines = tuple(Line(number, event, "camera") for number, event in enumerate(events, 1))
    steps = ("A roll 6 6 1", "A use fool 1 > 2"), ("A roll 6 6 2", "A use merchant 6 6 > 6 5", "A use fool 5 > 6"), ()
    quoted = {"first": "A roll 6 6 1, A use fool 1 > 2", "second": "A roll 6 6 2, A use merchant 6 6 > 6 5"}
    questions = tuple(Question(Sentence(WHAT_HAPPENED, quoted), (1, 2), steps, number) for number in range(1, 8))
    record = new_record("krone", ("Anna", "Bert"), Position="amigo2006; A fool merchant; B -")
    return Table(record, changes=[Change(1, "enter", "camera", 0, (), lines, questions)])


def _fullest(running_app: RunningApp) -> list[PageScene]:
    _play(running_app, _FULLEST)
    return [
        PageScene("table-full", "", _wait(".advice > p")),
        PageScene("table-use", "", _click(".own button.use")),
        PageScene("me-full", "me/C", _wait(".advice > p")),
    ]


def _final_round(running_app: RunningApp) -> list[PageScene]:
    _play(running_app, _KING)
    return [PageScene("final-round", "", _wait(".final-round")), PageScene("television-final", "television")]


def _camera(running_app: RunningApp) -> list[PageScene]:
    _play(running_app, _FULLEST)
    running_app.app_state.cameras.watch("demo")
    return [
        PageScene("table-camera", "", _settle),
        PageScene("television-camera", "television", _settle),
        PageScene("camera", "camera", _settle),
        PageScene("camera-areas", "camera", _click("[data-draw]")),
        PageScene("camera-dice", "camera/dice", _settle),
        PageScene("camera-cards", "camera/cards", _settle),
        PageScene("camera-cards-places", "camera/cards/places", _settle),
        PageScene("phone", "phone"),
    ]


def _deal(running_app: RunningApp) -> list[PageScene]:
    running_app.app_state.cameras.watch("none")
    begin_game(running_app.app_state, "knatsch", PLAYERS[:3])
    enter(running_app, "A deal castle-red", "B deal castle-blue", "C deal castle-green 3-3-3+4")
    enter(running_app, "A reveal left castle-black 1-1-1+1", "A target left")
    return [
        PageScene("knatsch-ask", ""),
        PageScene("knatsch-me", "me/A"),
        PageScene("knatsch-overlay", "overlay"),
    ]


def _attack(running_app: RunningApp) -> list[PageScene]:
    _deal(running_app)
    enter(running_app, "A roll 5 5 3 2 1 6")
    return [PageScene("knatsch", ""), PageScene("television-knatsch", "television")]


def _yatzy(running_app: RunningApp) -> list[PageScene]:
    begin_game(running_app.app_state, "yatzy", PLAYERS[:3])
    enter(running_app, "A roll 5 5 2 1 3")
    return [
        PageScene("yatzy", "", _wait(".advice > p")),
        PageScene("yatzy-me", "me/A"),
        PageScene("yatzy-television", "television"),
        PageScene("yatzy-overlay", "overlay"),
    ]


def _last_roll(running_app: RunningApp) -> list[PageScene]:
    begin_game(running_app.app_state, "yatzy", PLAYERS[:3])
    enter(running_app, "A roll 5 5 2 1 3", "A keep 5 5", "A roll 5 2 2", "A keep 5 5 5", "A roll 2 2")
    return [PageScene("yatzy-choose", "", _wait(".choose"))]


def _ended(running_app: RunningApp) -> list[PageScene]:
    begin_game(running_app.app_state, "krone", PLAYERS[:4], "riogrande2007")
    for event in _turns((GOLDEN / "krone_riogrande.txt").read_text(encoding="utf-8")):
        enter(running_app, event)
    return [
        PageScene("ending", "", _wait(".ending .turning strong")),
        PageScene("ending-me", "me/A"),
        PageScene("television-ending", "television"),
    ]


STAGES: dict[str, Callable[[RunningApp], list[PageScene]]] = {
    "before": _before,
    "begun": _begun,
    "played": _played,
    "looked back": _looked_back,
    "shared": _shared,
    "moment": _moment,
    "question": _question,
    "fullest": _fullest,
    "final round": _final_round,
    "camera": _camera,
    "deal": _deal,
    "attack": _attack,
    "yatzy": _yatzy,
    "last roll": _last_roll,
    "ended": _ended,
}  # state of the server → its pages; each group can be requested separately


def _past(running_app: RunningApp) -> str:
    """The address of a finished game in the archive."""
    assert running_app.app_state.past.archive is not None
    played = (GOLDEN / "krone_amigo.txt").read_text(encoding="utf-8")
    try:
        found = game_repository.import_record(running_app.app_state.past.archive, played)
    except game_repository.AlreadyArchived as kept:
        found = kept.game_id
    return f"history/{found}"


def _play(running_app: RunningApp, events: int) -> None:
    """Starts a game of three players and plays this many events of the golden game."""
    begin_game(running_app.app_state, "krone", PLAYERS[:3])
    enter(running_app, *_turns((GOLDEN / "krone_amigo.txt").read_text(encoding="utf-8"))[:events])


def _turns(record: str) -> list[str]:
    """The events of a record, without its remarks."""
    lines = record.partition("\n\n")[2].splitlines()
    return [line.partition("{")[0].strip() for line in lines if line[:2] in ("A ", "B ", "C ", "D ")]


def _let_in(page: Page) -> None:
    """Allows devices on the network, unless they are allowed already."""
    button = page.locator("button[name=open]")
    if button.count():
        button.click()
        page.locator(".invitations").first.wait_for()


def _click(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


def _wait(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.wait_for()


def _unfold(page: Page) -> None:
    page.locator("polyline").first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")


def _try(page: Page) -> None:
    page.locator(".ways button").first.click()
    page.locator(".answers").wait_for()


def _buy(page: Page) -> None:
    """Buys the first card on offer; waits until that is announced."""
    page.locator("[data-key=offers] button").first.click()
    page.locator("#moment:not([hidden])").wait_for()


def _judge(page: Page) -> None:
    """Opens the first mistake of a past game, with the better choice."""
    page.locator(".judged.mistake").first.wait_for(state="attached")
    moment = page.locator(".judged.mistake").first.get_attribute("data-at")
    page.goto(f"{page.url}?at={moment}")
    page.locator(".judged:visible").wait_for()


def _fix_die(page: Page) -> None:
    page.locator(".pick").first.click()
    page.locator("[data-fix-die]").click()


def _break(page: Page) -> None:
    """Corrects a roll in the dialog so that later lines become illegal."""
    page.locator(".record [data-dialog]").nth(6).click()
    page.locator("dialog [data-turn]").first.click()
    page.locator("dialog [data-set='1']").click()
    page.locator("dialog .consequence.breaks").first.wait_for()


def _seat(page: Page) -> None:
    """Taps three names."""
    for place in range(3):
        page.locator("[data-known] [data-name]").nth(place).click()


def _settle(page: Page) -> None:
    """Waits for the camera's first picture."""
    page.wait_for_function("![...document.querySelectorAll('[data-lost]')].some((one) => one.checkVisibility())")
