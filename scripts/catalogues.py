"""Updates the message catalogues: python -m scripts.catalogues [--check]

Messages come from templates, gettext calls, and sentences of the engine, the table, the camera and the referee. New
ones are added untranslated and unused ones removed. `--check` changes nothing, prints every missing translation and
exits with status 1 if there is one.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from engine.registry import LANGUAGES

ROOT = Path(__file__).parents[1]
CATALOGUES = ROOT / "companion" / "i18n" / "translations"
KEYWORDS: dict[str, tuple[int, ...] | None] = dict.fromkeys(
    ("_", "gettext", "Illegal", "NotYourSeat", "Unreadable", "Sentence", "RejectedUpload")
)
KEYWORDS["ngettext"] = (1, 2)
# Sentences of the command line and others that no page shows.
ELSEWHERE = (
    "companion/commands/*",
    "companion/game/changes.py",
    "companion/games/*/decks.py",
    "companion/games/*/odds.py",
    "engine/*/advice/*",
    "engine/*/consistency.py",
    "engine/*/deck.py",
    "engine/*/position.py",
    "engine/fields.py",
)
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2"), ("**/templates/**.svg", "jinja2")]
OPTIONS = {"**/templates/**.html": {"trim_blocks": "true", "lstrip_blocks": "true"}}


def messages() -> Catalog:
    """Every message of the page, with where it is used."""
    found = Catalog(project="Courtside", charset="utf-8")
    for folder in ("companion", "engine"):
        for name, _, message, _, _ in extract_from_dir(str(ROOT / folder), METHODS, OPTIONS, KEYWORDS, comment_tags=()):
            path = f"{folder}/{name}"
            if not any(fnmatch(path, one) for one in ELSEWHERE):
                found.add(message, locations=[(path, 0)])
    for message in constants():
        found.add(message)
    return found


def constants() -> list[str]:
    """Messages in tables rather than calls: those of the games, the referee and the camera."""
    from companion.game import card_evidence
    from companion.game.referee.sentences import ALL
    from companion.plugins import plugins
    from vision import messages

    camera = (value for name, value in vars(messages).items() if name.isupper() and isinstance(value, str))
    games = (message for one in plugins() for message in one.messages())
    return [*ALL, *card_evidence.SENTENCES, *games, *camera]


def lacking(template: Catalog, language: str) -> list[str]:
    """The messages that this language does not translate yet."""
    with (CATALOGUES / f"{language}.po").open("rb") as stream:
        there = read_po(stream, locale=language, abort_invalid=True)
    return [str(one.id) for one in template if one.id and not (one.id in there and all(_forms(there[one.id])))]


def _forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (str(message.string or ""),)


def main(check: bool = False) -> int:
    """Updates every catalogue, or with `check` only lists what is missing."""
    template = messages()
    if check:
        missing_at_all = [
            f"{language}: {message}" for language in LANGUAGES[1:] for message in lacking(template, language)
        ]
        print("\n".join(missing_at_all))
        return 1 if missing_at_all else 0
    for language in LANGUAGES[1:]:
        path = CATALOGUES / f"{language}.po"
        catalogue = Catalog(locale=language, project="Courtside", charset="utf-8")
        if path.exists():
            with path.open("rb") as stream:
                catalogue = read_po(stream, locale=language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        with path.open("wb") as stream:
            write_po(stream, catalogue, width=120, no_location=True, sort_output=True, omit_header=False)
        missing = sum(1 for message in catalogue if message.id and not message.string)
        print(f"{language}: {len(catalogue)} messages, {missing} missing")
    return 0


if __name__ == "__main__":
    from tests.kit.options import run  # late: reword.py imports this module where there is no kit

    run(main)
