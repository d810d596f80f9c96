"""What a game provides to the companion, found by its id. No other shared module names a game.

A game is two packages: `engine/<id>/` plays it, `companion/games/<id>/` holds `PLUGIN`. Features that a game does not
offer are None or empty, and callers must handle that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import click

from engine.errors import Unreadable
from engine.registry import GAME_IDS


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A turn tried with other dice or cards.

    Attributes:
        unchanged: position → what may be changed of its turn; None where there is nothing to change.
        changed: position, what is asked → the position with it. Raises Illegal for what cannot lie on a table.
        worked_out: position, expired → the Outlook. Raises Expired.
        cards: those that a player may be given.
    """

    unchanged: Callable[[Any], Any]
    changed: Callable[[Any, Any], Any]
    worked_out: Callable[[Any, Callable[[], bool]], Any]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """Decisions of a finished game weighed.

    Attributes:
        parts: first position, moves → one `engine.advice.review.Review` a turn.
        in_words: replay, place of the decision, choice → (Sentence, None), or (None, the card it is).
    """

    parts: Callable[[Any, Sequence[Any]], Iterator[Any]]
    in_words: Callable[[Any, int, Any], tuple[Any, str | None]]


@dataclass(frozen=True, slots=True)
class CardWatching:
    """The game's cards before a camera.

    Attributes:
        referee: table → who holds the cards seen against its record.
        places: name → title of the areas except the players' own, in the page's language.
        kinds: ids of all cards, in the order they are taught.
        does: card → what it does, as a message to translate, "" for nothing.
        learns_places: whether the first minute of a game shows where its cards are.
        hint: what to mind when the cards are taught, "" for nothing.
    """

    referee: Callable[[Any], Any]
    places: Mapping[str, Callable[[], str]]
    kinds: Callable[[], Sequence[str]]
    does: Callable[[str], str]
    learns_places: bool
    hint: Callable[[], str] = lambda: ""


@dataclass(frozen=True, slots=True)
class GameView:
    """One game as the pages show it.

    Attributes:
        arrange: version, position, names, lines and what else is known → board.
        lines: the record's lines as they are listed.
        question: a question as it is asked.
        without_advice: a board that keeps the advice for later.
        phone: what one seat's phone shows besides its board.
        catalogue: the cards that fit a search, for the template of that name; None: the game has no cards.
        rounds: what each player took in each round; None: nothing is taken.
        moment: position before and after, line → (Sentence, kind) where the event is announced on every screen.
        choices: position, line → what the line may say instead, as (head, group, needs, fits).
        filters: names its templates use for functions of its own.
        sprite_template: the signs it draws, as `<symbol>`s for every page.
        rounds_title: heading of that table.
        verbs: verb of a record line → the sentence, with `%(what)s` for what the line names.
        buttons: verb of a move → the words of its button, likewise.
        telling: verbs that say what came of a turn.
        advice_note: how far the advice can be trusted.
        crown: its winner wins a crown.
        all_dice: the board also shows dice that are not played.
    """

    arrange: Callable[..., Any]
    lines: Callable[..., Any]
    question: Callable[..., Any]
    without_advice: Callable[[Any], Any]
    phone: Callable[..., dict[str, Any]]
    choices: Callable[[Any, Any], Any]
    moment: Callable[[Any, Any, Any], Any]
    board_template: str
    overlay_template: str
    phone_template: str
    air_template: str
    situation_template: str = ""
    catalogue: Callable[..., dict[str, Any]] | None = None
    catalogue_template: str = ""
    rounds: Callable[..., Any] | None = None
    rounds_title: Callable[[], str] = lambda: ""
    verbs: Callable[[], Mapping[str, str]] = dict
    buttons: Callable[[], Mapping[str, str]] = dict
    telling: tuple[str, ...] = ()
    advice_note: Callable[[], str] = lambda: ""
    filters: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    sprite_template: str = ""
    all_dice: bool = False
    crown: bool = False


def _no_deck(deck: Path | None) -> dict[str, str]:
    if deck is not None:
        raise Unreadable("this game has no deck files")
    return {}


@dataclass(frozen=True, slots=True)
class GamePlugin:
    """One game.

    Attributes:
        id: as in `engine.games.GAME_IDS`.
        title: what its players call it, in the page's language.
        transitions: what may happen between two settled tables (`companion.game.referee.transitions`); None: dice are
            entered by hand only.
        dice_due: position → how many dice must rest on the table after the next roll; of several numbers the least.
        view: how pages show it.
        think: position, `Thinking` → Chances, more and more of them; None: no advice.
        followed: position, its Chances, position now → whether the player did what was advised, None where that is
            unknown; None: never known.
        win_chances: position, expired → the chance of each seat. Raises Expired. None: not worked out.
        review, what_if: None: not offered.
        cards: None: it has no cards.
        bought_late: cards that a player may have bought before the purchase is on record, the cheapest first.
        effects: card → a word for what it does to dice; the referee asks one question about cards with the same word.
            "change" turns dice.
        use_dialog: position, card, places of chosen dice → what the dialog of a card shows; None: cards need none.
        options: name of the template with the game's own fields of the form “New game”, "" for none. A field with the
            name of a header tag shows what the last game had.
        tags: the form, its deck file (empty without one) → header tags of a new game. Raises Unreadable.
        deck_tags: a deck file named on the command line → the same. Raises Unreadable.
        deck_text: position → a deck file with what the game has taught; None: it has no decks.
        credit: its name and its author, "" for a game that belongs to all.
        goal: how the game is played and won, in a few sentences.
        odds: the subcommand of `courtside odds`; None: not offered.
        bench: the game's part of `courtside bench advice`: games of each match, positions, seed, folder for what was
            played already, processes → lines; None: nothing to measure.
        messages: ids of translations that stand in tables and not in calls of gettext.
    """

    id: str
    title: Callable[[], str]
    view: GameView
    dice_due: Callable[[Any], int]
    transitions: Any = None
    think: Callable[[Any, Any], Iterator[Any]] | None = None
    followed: Callable[[Any, Any, Any], bool | None] | None = None
    win_chances: Callable[[Any, Callable[[], bool]], tuple[float, ...]] | None = None
    review: Review | None = None
    what_if: WhatIf | None = None
    cards: CardWatching | None = None
    bought_late: tuple[str, ...] = ()
    effects: Mapping[str, str] = field(default_factory=dict)
    use_dialog: Callable[[Any, str, Sequence[int]], dict[str, Any] | None] | None = None
    options: str = ""
    tags: Callable[[Mapping[str, str], bytes], dict[str, str]] = lambda form, deck: {}
    deck_tags: Callable[[Path | None], dict[str, str]] = _no_deck
    deck_text: Callable[[Any], str] | None = None
    odds: Callable[[], click.Command] | None = None
    bench: Callable[[], Callable[..., Iterator[str]]] | None = None
    credit: Callable[[], str] = lambda: ""
    goal: Callable[[], str] = lambda: ""
    messages: Callable[[], Sequence[str]] = tuple


@cache
def plugin(game_id: str) -> GamePlugin:
    """The plug-in of a game. Raises KeyError for an unknown id."""
    if game_id not in GAME_IDS:
        raise KeyError(game_id)
    return cast(GamePlugin, import_module(f"companion.games.{game_id}").PLUGIN)


def plugins() -> tuple[GamePlugin, ...]:
    """All of them, in the order of the registry."""
    return tuple(plugin(game_id) for game_id in GAME_IDS)


@cache
def effect(card: str) -> str:
    """What a card does to dice (`GamePlugin.effects`); "" where no game says so."""
    return next((one.effects[card] for one in plugins() if card in one.effects), "")
