"""Rewording a text keeps its translations and changes nothing that is no text of a page."""

from __future__ import annotations

from babel.messages.catalog import Catalog

from scripts.reword import in_code, in_tests, reword_catalogue, reword_python, reword_template

NEW = {
    "Correct": "Fix",
    "All dice lie: end the rolling.": "All dice are set aside. End your turn.",
    "left": "remaining",
}


def test_a_reworded_id_keeps_its_translation_unless_a_new_one_is_given() -> None:
    catalogue = Catalog(locale="de")
    catalogue.add("Correct", "Berichtigen")
    catalogue.add("left", "übrig")
    catalogue.add(("%(num)s kind", "%(num)s kinds"), ("%(num)s Art", "%(num)s Arten"))
    reword_catalogue(catalogue, {**NEW, "%(num)s kinds": "%(num)s sorts"}, {"Fix": "Korrigieren"})
    said = {message.id: message.string for message in catalogue if message.id}
    assert said == {
        "Fix": "Korrigieren",
        "remaining": "übrig",
        ("%(num)s kind", "%(num)s sorts"): ("%(num)s Art", "%(num)s Arten"),
    }


def test_code_changes_in_gettext_calls_and_long_literals_only() -> None:
    source = 'a = gettext("left"), stack["left"]\nb = "All dice lie: " "end the rolling."\n'
    new = 'a = gettext("remaining"), stack["left"]\nb = "All dice are set aside. End your turn."\n'
    assert reword_python(source, in_code(NEW)) == new


def test_templates_keep_their_quotes() -> None:
    source = """<p title="{{ _('Correct') }}">{{ _("left") }} Correct</p>"""
    assert reword_template(source, NEW) == """<p title="{{ _('Fix') }}">{{ _("remaining") }} Correct</p>"""


def test_tests_look_for_the_new_text() -> None:
    source = 'page.get_by_role("button", name="Correct")\nlie = "say: All dice lie: end the rolling."\nside = "left"\n'
    new = 'page.get_by_role("button", name="Fix")\nlie = "say: All dice are set aside. End your turn."\nside = "left"\n'
    assert reword_python(source, in_tests(NEW)) == new
