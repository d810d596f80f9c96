"""Every text of the pages is translated into every language with the same values."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from companion.i18n.languages import CATALOGUES, LANGUAGES

ROOT = Path(__file__).parents[2]
OTHERS = sorted(set(LANGUAGES) - {"en"})
VALUES = re.compile(r"%\(\w+\)s|\{\w*\}")


def catalogue(language: str) -> Catalog:
    with Path(CATALOGUES, f"{language}.po").open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


@pytest.mark.slow
def test_no_string_is_missing() -> None:
    command = [sys.executable, "-m", "scripts.catalogues", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, f"run python -m scripts.catalogues and translate:\n{checked.stdout}{checked.stderr}"


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
