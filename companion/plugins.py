"""The interface of a game to the companion. Shared code finds a game by its id and names none.

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

from engine.errors import Unreadable
from engine.registry import GAME_IDS


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The odds of a turn with other dice or cards.

    Attributes:
        unchanged: State → what can be changed in its turn; None if nothing can.
        changed: State, request → the changed state. Raises Illegal for an impossible one.
        evaluate: State, expired → the WhatIfResult. Raises Expired.
        cards: Cards that a player may be given.
    """

    unchanged: Callable[[Any], Any]
    changed: Callable[[Any, Any], Any]
    evaluate: Callable[[Any, Callable[[], bool]], Any]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of a finished game.

    Attributes:
        parts: First state, moves → one `engine.advice.review.Review` for each turn.
        in_words: Replay, index of the decision, choice → (Sentence, None), or (None, the card it is).
    """

    parts: Callable[[Any, Sequence[Any]], Iterator[Any]]
    in_words: Callable[[Any, int, Any], tuple[Any, str | None]]


@dataclass(frozen=True, slots=True)
class CardWatching:
    """The game's cards in front of a camera.

    Attributes:
        referee: Table → the judge that compares the cards seen with its record.
        places: Name → title of the areas except the players' own, in the page's language.
        kinds: Ids of all cards, in the order they are taught.
        does: Card → what it does, as a message to translate, "" for nothing.
        learns_places: Whether the first minute of a game shows where its cards are.
        hint: Advice for teaching the cards, "" for none.
    """

    referee: Callable[[Any], Any]
    places: Mapping[str, Callable[[], str]]
    kinds: Callable[[], Sequence[str]]
    does: Callable[[str], str]
    learns_places: bool
    hint: Callable[[], str] = lambda: ""


@dataclass(frozen=True, slots=True)
class GameView:
    """A game's part of the pages.

    Its templates are `<id>_board.html`, `<id>_phone.html` for one player's phone, `<id>_air.html` with the parts for
    streams and televisions, with a `catalogue` also `<id>_catalogue.html`, with a review `<id>_situation.html`.

    Attributes:
        make_board: `companion.games.parts.GameSnapshot` → its board, a `companion.games.parts.Board`.
        lines: Lines of the record, the name of each seat → the lines as listed.
        phone: Parts of one seat's phone in addition to its board.
        catalogue: The cards that fit a search, for its template; None for a game without cards.
        rounds: The cards or points that each player got in each round; None if there are none.
        moment: State before and after, line → (Sentence, kind) if the event is announced on every screen.
        choices: State, line → its alternatives, as (head, group, needs, fits).
        filters: Template filters of the game, by name.
        sprite_template: Its icons, as `<symbol>`s for every page.
        rounds_title: Heading of the table of rounds.
        verbs: Verb of a record line, or verb and card → the sentence, with `%(what)s` for the object of the line.
        buttons: Verb of a move → the text of its button, with the same placeholder.
        places: Words of its events that are neither verbs nor cards, as pages say them.
        forms: Verb of a form of its own → the words of the event that the submitted form describes. Raises Unreadable.
        turn_end_verbs: Verbs of events that end a turn.
        advice_note: A sentence about how far the advice can be trusted.
        crown: Its winner wins a crown.
        all_dice: The board also shows dice that are not in play.
    """

    make_board: Callable[[Any], Any]
    lines: Callable[[Any, Mapping[str, str]], Any]
    phone: Callable[..., dict[str, Any]]
    choices: Callable[[Any, Any], Any]
    moment: Callable[[Any, Any, Any], Any]
    catalogue: Callable[..., dict[str, Any]] | None = None
    rounds: Callable[..., Any] | None = None
    rounds_title: Callable[[], str] = lambda: ""
    verbs: Callable[[], Mapping[str, str]] = dict
    buttons: Callable[[], Mapping[str, str]] = dict
    places: Callable[[], Mapping[str, str]] = dict
    forms: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    turn_end_verbs: tuple[str, ...] = ()
    advice_note: Callable[[], str] = lambda: ""
    filters: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    sprite_template: str = ""
    all_dice: bool = False
    crown: bool = False


@dataclass(frozen=True, slots=True)
class Achievement:
    """An achievement, which a player earns once.

    Attributes:
        title: Its title, a few words.
        how: The condition, in one sentence.
        earned: Facts of a finished game (`companion.archive.facts`), index of a seat → whether that player earned it.
    """

    title: Callable[[], str]
    how: Callable[[], str]
    earned: Callable[[Any, int], bool]


def _no_deck(deck: Path | None) -> dict[str, str]:
    if deck is not None:
        raise Unreadable("this game has no deck files")
    return {}


@dataclass(frozen=True, slots=True)
class GamePlugin:
    """One game.

    Attributes:
        id: As in `engine.games.GAME_IDS`.
        title: Its name in the page's language.
        transitions: The transition model between two settled snapshots (`companion.game.referee.transitions`); None:
            dice are entered by hand only.
        expected_dice: State → number of dice that must rest on the table after the next roll; the least if there are
            several.
        view: How pages show it.
        think: State, `Budget` → Chances, more and more of them; None: no advice.
        followed: State, its Chances, state now → whether the player followed the advice, None if unknown; None: never
            known.
        win_chances: State, expired → win probability of each seat. Raises Expired. None: not available.
        review, what_if: None: not available.
        cards: None: it has no cards.
        bought_late: Cards that a player may have bought before the purchase is recorded, the cheapest first.
        effects: Card → a word for what it does to dice; the referee asks one question about cards with the same word.
            "change" turns dice.
        use_dialog: State, card, indices of chosen dice → what `<id>_use.html` shows, the dialog of a card; None: cards
            need none.
        options: Name of the template with the game's own fields of the form “New game”, "" for none. A field with the
            name of a header tag shows the last game's value.
        tags: The form, its deck file (empty without one) → header tags of a new game. Raises Unreadable.
        deck_tags: A deck file from the command line → the same. Raises Unreadable.
        deck_text: State → a deck file with what was learned in the game; None: it has no decks.
        credit: Its name and its author, "" for a game in the public domain.
        goal: How the game is played and won, in a few sentences.
        example: One turn from the start of a game, as (event, explanation); "" for an event that needs none.
        achievements: Achievements of this game only.
        odds: The subcommand of `courtside odds`, as `module:name`, because pages never need it; "": not available.
        messages: Translation ids that are in tables rather than in calls of gettext.
    """

    id: str
    title: Callable[[], str]
    view: GameView
    expected_dice: Callable[[Any], int]
    transitions: Any = None
    think: Callable[[Any, Any], Iterator[Any]] | None = None
    followed: Callable[[Any, Any, Any], bool | None] | None = None
    win_chances: Callable[[Any, Callable[[], bool]], tuple[float, ...]] | None = None
    review: GameReview | None = None
    what_if: WhatIf | None = None
    cards: CardWatching | None = None
    bought_late: tuple[str, ...] = ()
    effects: Mapping[str, str] = field(default_factory=dict)
    use_dialog: Callable[[Any, str, Sequence[int]], dict[str, Any] | None] | None = None
    options: str = ""
    tags: Callable[[Mapping[str, str], bytes], dict[str, str]] = lambda form, deck: {}
    deck_tags: Callable[[Path | None], dict[str, str]] = _no_deck
    deck_text: Callable[[Any], str] | None = None
    achievements: tuple[Achievement, ...] = ()
    odds: str = ""
    credit: Callable[[], str] = lambda: ""
    goal: Callable[[], str] = lambda: ""
    example: Callable[[], Sequence[tuple[str, str]]] = tuple
    messages: Callable[[], Sequence[str]] = tuple

    def template(self, part: str) -> str:
        """Name of the template of this part."""
        return f"{self.id}_{part}.html"


@cache
def plugin(game_id: str) -> GamePlugin:
    """The plug-in of a game.

    Raises:
        KeyError: Unknown id.
    """
    if game_id not in GAME_IDS:
        raise KeyError(game_id)
    return cast(GamePlugin, import_module(f"companion.games.{game_id}").PLUGIN)


def plugins() -> tuple[GamePlugin, ...]:
    """All plug-ins, in the order of the registry."""
    return tuple(plugin(game_id) for game_id in GAME_IDS)


@cache
def effect(card: str) -> str:
    """The effect of a card on dice (`GamePlugin.effects`); "" if it has none."""
    return next((one.effects[card] for one in plugins() if card in one.effects), "")
