"""Rewording a text keeps its translations and changes nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
TABLE = """
[en]
"Correct" = "Fix"
"All dice lie: end the rolling." = "All dice are set aside. End your turn."
"left" = "remaining"
"%(num)s kinds" = "%(num)s sorts"
[de]
"Fix" = "Korrigieren"
"""
CODE = 'a = gettext("left"), stack["left"]\nb = "All dice lie: " "end the rolling."\n'
TEMPLATE = """<p title="{{ _('Correct') }}">{{ _("left") }} Correct</p>"""
TEST = 'page.get_by_role("button", name="Correct")\nlie = "said: All dice lie: end the rolling."\nside = "left"\n'


@pytest.fixture(scope="module")
def reworded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository after the script has run in it."""
    root = tmp_path_factory.mktemp("repository")
    translations, templates = root / "companion/i18n/translations", root / "companion/web/templates"
    for folder in (translations, templates, *(root / name for name in ("engine", "vision", "tests", "scripts"))):
        folder.mkdir(parents=True)
    for script in ("catalogues.py", "reword.py"):
        shutil.copy(ROOT / "scripts" / script, root / "scripts")
    for language in ("de", "nl", "fi", "ja"):
        catalogue = Catalog(locale=language, charset="utf-8")
        catalogue.add("Correct", "Berichtigen")
        catalogue.add("left", "übrig")
        catalogue.add(("%(num)s kind", "%(num)s kinds"), ("%(num)s Art", "%(num)s Arten"))
        with (translations / f"{language}.po").open("wb") as stream:
            write_po(stream, catalogue)
    for file, text in (("engine/a.py", CODE), ("tests/a.py", TEST), ("companion/web/templates/a.html", TEMPLATE)):
        (root / file).write_text(text, "utf-8")
    (root / "table.toml").write_text(TABLE, "utf-8")
    subprocess.run([sys.executable, "-m", "scripts.reword", "table.toml"], cwd=root, check=True)
    return root


def test_a_reworded_id_keeps_its_translation_unless_a_new_one_is_given(reworded: Path) -> None:
    with (reworded / "companion/i18n/translations/de.po").open("rb") as stream:
        said = {message.id: message.string for message in read_po(stream, locale="de") if message.id}
    assert said == {
        "Fix": "Korrigieren",
        "remaining": "übrig",
        ("%(num)s kind", "%(num)s sorts"): ("%(num)s Art", "%(num)s Arten"),
    }


def test_code_changes_in_gettext_calls_and_long_literals_only(reworded: Path) -> None:
    new = 'a = gettext("remaining"), stack["left"]\nb = "All dice are set aside. End your turn."\n'
    assert (reworded / "engine/a.py").read_text("utf-8") == new


def test_templates_keep_their_quotes(reworded: Path) -> None:
    new = """<p title="{{ _('Fix') }}">{{ _("remaining") }} Correct</p>"""
    assert (reworded / "companion/web/templates/a.html").read_text("utf-8") == new


def test_tests_look_for_the_new_text(reworded: Path) -> None:
    new = (
        'page.get_by_role("button", name="Fix")\nlie = "said: All dice are set aside. End your turn."\nside = "left"\n'
    )
    assert (reworded / "tests/a.py").read_text("utf-8") == new
