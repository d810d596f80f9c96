"""A fault of the referee: it is logged and said, and the next reading is judged again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from companion.game.referee.sentences import NO_FIT, said
from companion.game.referee.verdict import Referee, Verdict
from companion.game.timeline import Timeline

_LOG = logging.getLogger(__name__)

Who = TypeVar("Who", bound=Referee)
About = ParamSpec("About")


def unfailing(
    says: Callable[Concatenate[Who, Timeline, About], Verdict],
) -> Callable[Concatenate[Who, Timeline, About], Verdict]:
    """A method of a referee that says something. Where it fails the referee begins anew: nothing that a camera sees may
    stop the watching, or a person's line."""

    @wraps(says)
    def heard(referee: Who, timeline: Timeline, /, *about: About.args, **more: About.kwargs) -> Verdict:
        try:
            return says(referee, timeline, *about, **more)
        except Exception:
            _LOG.exception("the referee failed (%s): %r", says.__name__, about)
            referee.refused(timeline)
            return Verdict(notices=(said(NO_FIT),))

    return heard
