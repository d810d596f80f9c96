"""A fault of the referee: it is logged and said, and the next reading is judged again."""

from __future__ import annotations

import logging

from companion.game.referee.sentences import NO_FIT, said
from companion.game.referee.verdict import Referee, Verdict
from companion.game.timeline import Timeline
from vision.types import Reading

_LOG = logging.getLogger(__name__)


def judged(referee: Referee, timeline: Timeline, reading: Reading) -> Verdict:
    """What the referee says. Where it fails it begins anew: nothing that a camera sees may stop the watching."""
    try:
        return referee.judge(timeline, reading)
    except Exception:
        _LOG.exception("the referee failed at this reading: %r", reading)
        referee.refused(timeline)
        return Verdict(notices=(said(NO_FIT),))
