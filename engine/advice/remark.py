"""A sentence of advice, before it is translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.errors import card_called

ROLL = "Roll."
NEXT_STEP = "Next best (−{chance}):"


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence: an English template and what goes into it."""

    template: str
    values: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = {
            name: ", ".join(map(card_called, value.split(", "))) if name in ("card", "cards") else value
            for name, value in self.values.items()
        }
        return self.template.format(**shown)


def percent(chance: float) -> str:
    """A probability in whole percents, with one decimal near 0 % and 100 %, where it matters."""
    return f"{chance:.1%}" if 0 < chance < 0.0995 or 0.9005 < chance < 1 else f"{chance:.0%}"
