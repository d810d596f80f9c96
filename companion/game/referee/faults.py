"""A referee that fails does not stop the watching: the error is logged and the referee restarts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from companion.game.log import GameLog
from companion.game.referee.sentences import NO_FIT, message
from companion.game.referee.verdict import Verdict
from companion.game.timeline import Timeline

_LOG = logging.getLogger(__name__)
_SORRY = Verdict(notices=(message(NO_FIT),))
# The methods that may fail, and what they return then.
_INSTEAD = {
    **dict.fromkeys(("judge", "until_now", "ending", "finish"), _SORRY),
    **dict.fromkeys(("recomputed", "recorded", "note_dice_before", "watch_restarted")),
}

Who = TypeVar("Who")


def unfailing(kind: type[Who]) -> type[Who]:
    """Class decorator: methods of the referee log an exception and restart it, because no camera image may stop the
    watching or refuse an entry."""
    for name, instead in _INSTEAD.items():
        setattr(kind, name, _guarded(getattr(kind, name), instead))
    return kind


def _guarded(method: Callable[..., Any], instead: Verdict | None) -> Callable[..., Any]:
    @wraps(method)
    def heard(referee: Any, game: Timeline | GameLog, *about: object, **more: object) -> Any:
        try:
            return method(referee, game, *about, **more)
        except Exception:
            _LOG.exception("the referee failed (%s): %r", method.__name__, about)
            referee.refused(game.timeline if isinstance(game, GameLog) else game)
            return instead

    return heard
