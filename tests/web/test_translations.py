"""Every sentence of the page is there in every language, says the same, and fills in the same values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from companion.i18n.languages import LANGUAGES
from scripts.catalogues import CATALOGUES, messages

OTHERS = sorted(set(LANGUAGES) - {"en"})
VALUES = re.compile(r"%\(\w+\)s|\{\w*\}")


@pytest.fixture(scope="module")
def used() -> Catalog:
    return messages()


def catalogue(language: str) -> Catalog:
    with Path(CATALOGUES, f"{language}.po").open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


@pytest.mark.parametrize("language", OTHERS)
def test_no_string_is_missing(language: str, used: Catalog) -> None:
    there = catalogue(language)
    missing = [m.id for m in used if m.id and not (m.id in there and all(forms(there[m.id])))]
    assert missing == [], f"run python -m scripts.catalogues and translate {len(missing)}"


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_the_same_values(language: str) -> None:
    for message in catalogue(language):
        if not message.id:
            continue
        wanted = message.id[-1] if isinstance(message.id, tuple) else message.id
        for form in forms(message):
            assert sorted(set(VALUES.findall(form))) == sorted(set(VALUES.findall(wanted))), message.id


def test_the_menu_offers_exactly_the_languages_there_are() -> None:
    assert sorted(path.stem for path in CATALOGUES.glob("*.po")) == OTHERS
