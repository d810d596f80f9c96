"""A referee that fails at something it sees: the watching goes on, and what happened is in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from companion.game.log import GameLog
from companion.game.referee.sentences import NO_FIT, said
from companion.game.referee.verdict import Referee, Verdict
from companion.game.timeline import Timeline

_LOG = logging.getLogger(__name__)
_SORRY = Verdict(notices=(said(NO_FIT),))
# What a referee is asked or told, and what is said where it fails.
_INSTEAD = {
    **dict.fromkeys(("judge", "until_now", "ending", "finish"), _SORRY),
    **dict.fromkeys(("recomputed", "recorded", "lie_before", "watch_restarted")),
}

Who = TypeVar("Who", bound=Referee)


def unfailing(kind: type[Who]) -> type[Who]:
    """A kind of referee that begins anew where it fails: nothing that a camera sees may stop the watching, or refuse
    what a person enters or answers."""
    for name, instead in _INSTEAD.items():
        setattr(kind, name, _guarded(getattr(kind, name), instead))
    return kind


def _guarded(method: Callable[..., Any], instead: Verdict | None) -> Callable[..., Any]:
    @wraps(method)
    def heard(referee: Referee, game: Timeline | GameLog, *about: object, **more: object) -> Any:
        try:
            return method(referee, game, *about, **more)
        except Exception:
            _LOG.exception("the referee failed (%s): %r", method.__name__, about)
            referee.refused(game.timeline if isinstance(game, GameLog) else game)
            return instead

    return heard
