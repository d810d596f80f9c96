"""What the table, the referee and the engine say, in the visitor's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flask import Flask

from companion.game.changes import Line, Sentence
from companion.i18n.languages import current_language, gettext
from companion.i18n.words import card_name, decimal, percent_text
from companion.plugins import plugin
from companion.web.app_state import app_state
from companion.web.words_moves import spoken_line
from engine.errors import CourtsideError
from vision.messages import Doubt


def refusal(error: Exception) -> str:
    """The one sentence of an error, in the visitor's language where the engine raised it."""
    if not isinstance(error, CourtsideError):
        return str(error)
    return _filled(error.template, error.values)


def whole_sentence(text: str) -> str:
    """A refusal as it is said by itself: with a capital, and a full stop at its end."""
    stop = "。" if current_language() == "ja" else "."
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "。", "？")) else stop)


def sentence(said: Sentence) -> str:
    """A sentence of the table or the referee in the visitor's language."""
    return _filled(said.template, said.values)


def _filled(template: str, values: Mapping[str, str | int]) -> str:
    """A template with its values, both in the visitor's language as far as they are words."""
    return gettext(template).format(**{key: _value(key, value) for key, value in values.items()})


def _value(key: str, value: str | int) -> str | int:
    if not isinstance(value, str):
        return value
    match key:
        case "card":
            return card_name(value)
        case "seat" | "turn" | "owner":
            return dict(app_state().session.seats()).get(value, value)
        case "cards":
            return _listed(map(card_name, value.split(", ")))
        case "first" | "second":
            return _listed(map(_happened, value.split(", ")))
        case "entry":
            return entry_words(value)
        case "cost" | "does" | "side":
            return gettext(value)
        case "text" | "why":
            return doubt_words(value)
        case "points":
            return decimal(float(value))
        case "chance" | "before" | "after" if value.endswith("%"):
            return percent_text(value)
    return value


def _listed(words: Iterable[str]) -> str:
    return ("、" if current_language() == "ja" else ", ").join(words)


def _happened(event: str) -> str:
    """An event of the running game, with its seat or without, as a sentence of the referee quotes it."""
    sitting, called = app_state().session.running, dict(app_state().session.seats())
    if event == "–":
        return gettext("none of these happened")
    if sitting is None:
        return event
    line = Line(0, event if event[:1] in called else f"A {event}", "camera")
    return spoken_line(plugin(sitting.table.record.game.ID).view.lines([line], called)[0])


def entry_words(event: str) -> str:
    """An event of the running game with its player: `B keep 6 6` is “Bert sets aside 6 6”."""
    return f"{dict(app_state().session.seats()).get(event[:1], event[:1])} {_happened(event)}"


def doubt_words(said: str) -> str:
    """A sentence of the vision side in the visitor's language."""
    if isinstance(said, Doubt) and said.values:
        return gettext(said.template).format(**said.values)
    return gettext(said) if said else ""


def init_said(app: Flask) -> None:
    """Let templates say all this."""
    app.jinja_env.filters.update(
        whole_sentence=whole_sentence,
        refusal=refusal,
        doubt_words=doubt_words,
        sentence=sentence,
        happened=_happened,
        entry_words=entry_words,
    )
