"""The events of Knatsch in words; `%(what)s` stands for what an event names."""

from __future__ import annotations

from companion.i18n.languages import gettext


def verbs() -> dict[str, str]:
    """As a line of the record."""
    return {
        "deal": gettext("draws %(what)s"),
        "reveal": gettext("reveals %(what)s"),
        "combination": gettext("%(what)s shows"),
        "under": gettext("puts the top card under the %(what)s"),
        "guard": gettext("guards %(what)s"),
        "target": gettext("attacks %(what)s"),
        "lose": gettext("loses %(what)s"),
        "stop": gettext("stops rolling"),
        "keep": gettext("keeps no dice"),
        "decline": gettext("passes"),
    }


def buttons() -> dict[str, str]:
    """As a move on offer."""
    return {
        "pass": gettext("Pass"),
        "stop": gettext("Stop rolling"),
        "under": gettext("Put it under the %(what)s"),
        "guard": gettext("Guard %(what)s"),
        "lose": gettext("Give up %(what)s"),
    }
