"""Sentences of the table, the referee and the engine in the visitor's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from flask import Flask
from jinja2 import pass_context
from jinja2.runtime import Context

from companion.game.changes import Line, Sentence
from companion.i18n.languages import current_language, gettext
from companion.i18n.words import card_name, decimal, percent_text
from companion.plugins import plugin
from companion.web.event_words import spoken_line
from engine.errors import CourtsideError
from engine.record import Record
from vision.messages import Doubt

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GamePlayers:
    """The players that sentences about a game mention; `game_players` in templates.

    Attributes:
        game: The game's id, "" without a game.
        names: Name by the letter of the seat.
    """

    game: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Record) -> GamePlayers:
        """The players of this record."""
        return cls(record.game.ID, dict(zip("ABCDEF", record.players, strict=False)))


NO_PLAYERS = GamePlayers()


def refusal(error: Exception, players: GamePlayers = NO_PLAYERS) -> str:
    """The sentence of an error, in the visitor's language if the engine raised it."""
    if not isinstance(error, CourtsideError):
        return str(error)
    return _format(error.template, error.values, players)


def whole_sentence(text: str) -> str:
    """An error as a separate sentence, with a capital and a full stop."""
    stop = "。" if current_language() == "ja" else "."
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "。", "？")) else stop)


def sentence(message: Sentence, players: GamePlayers = NO_PLAYERS) -> str:
    """A sentence of the table or the referee in the visitor's language."""
    return _format(message.template, message.values, players)


class HasWinner(Protocol):
    """A board or an ending: the winner's name, or the names of all who tie."""

    @property
    def winner(self) -> str | None:
        """The winner's name; after a tie the names of all who tie."""

    @property
    def tie(self) -> bool:
        """Whether several players share the win."""


def victory(shown: HasWinner, crown: bool = False) -> str:
    """The sentence about the winner, or about a tie. crown: the game's winner wins a crown."""
    if shown.tie:
        return gettext("Tie: %(names)s", names=shown.winner)
    if crown:
        return gettext("%(name)s wins the crown", name=shown.winner)
    return gettext("%(name)s wins", name=shown.winner)


def _format(template: str, values: Mapping[str, str | int], players: GamePlayers) -> str:
    """A template with its values, both in the visitor's language where they are words."""
    return gettext(template).format(**{key: _value(key, value, players) for key, value in values.items()})


def _value(key: str, value: str | int, players: GamePlayers) -> str | int:
    if not isinstance(value, str):
        return value
    match key:
        case "card":
            return card_name(value)
        case "seat" | "turn" | "owner":
            return players.names.get(value, value)
        case "cards":
            return _join(map(card_name, value.split(", ")))
        case "first" | "second":
            return _join(event_words(event, players) for event in value.split(", "))
        case "entry":
            return entry_words(value, players)
        case "cost" | "does" | "side":
            return gettext(value)
        case "text" | "why":
            return doubt_words(value)
        case "points":
            return decimal(float(value))
        case "chance" | "before" | "after" if value.endswith("%"):
            return percent_text(value)
    return value


def _join(words: Iterable[str]) -> str:
    return ("、" if current_language() == "ja" else ", ").join(words)


def event_words(event: str, players: GamePlayers) -> str:
    """An event, with or without its seat, as the referee quotes it."""
    if event == "–":
        return gettext("none of these happened")
    if not players.game:
        return event
    line = Line(0, event if event[:1] in players.names else f"A {event}", "camera")
    return spoken_line(plugin(players.game).view.lines([line], players.names)[0])


def entry_words(event: str, players: GamePlayers) -> str:
    """An event with its player: `B keep 6 6` is “Bert sets aside 6 6”."""
    return f"{players.names.get(event[:1], event[:1])} {event_words(event, players)}"


def doubt_words(message: str) -> str:
    """A sentence of the camera side in the visitor's language."""
    if isinstance(message, Doubt) and message.values:
        return gettext(message.template).format(**message.values)
    return gettext(message) if message else ""


def _with_players(function: Callable[[T, GamePlayers], str]) -> Callable[[Context, T], str]:
    """A template filter that applies this function to the players of the template's context."""

    @pass_context
    def filtered(context: Context, value: T) -> str:
        return function(value, context.get("game_players", NO_PLAYERS))

    return filtered


def init_sentences(app: Flask) -> None:
    """Registers these functions with an app's templates."""
    app.jinja_env.filters.update(
        whole_sentence=whole_sentence,
        doubt_words=doubt_words,
        refusal=_with_players(refusal),
        sentence=_with_players(sentence),
        happened=_with_players(event_words),
        entry_words=_with_players(entry_words),
    )
