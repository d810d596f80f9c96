"""Where cards lie, as somebody drew it in the picture: kept beside the taught sets."""

from __future__ import annotations

import json
from pathlib import Path

from companion.plugins import plugins
from engine.games import SEATS
from vision.cards.watching import Polygon, Zones

ZONES = "zones.json"


def kept_zones(folder: Path) -> dict[str, Polygon] | None:
    """Where cards lie, as somebody drew it; nothing where somebody wants none watched, None where nobody said
    anything."""
    try:
        found = json.loads((folder / ZONES).read_text(encoding="utf-8"))
        return {str(name): tuple((float(x), float(y)) for x, y in corners) for name, corners in found.items()}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def keep_zones(folder: Path, zones: Zones | None) -> None:
    """Keep them; None: nobody says anything. Raises ValueError for what is no place in a picture, OSError where the
    folder cannot be written."""
    if zones is None:
        (folder / ZONES).unlink(missing_ok=True)
        return
    for name, corners in zones.items():
        if name not in (*areas(), *SEATS):
            raise ValueError(f"“{name}” is not a card area")
        if not 3 <= len(corners) <= 50 or not all(0 <= value <= 1 for corner in corners for value in corner):
            raise ValueError("a card area needs three to fifty corners inside the picture")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ZONES).write_text(json.dumps(zones), encoding="utf-8")


def areas() -> tuple[str, ...]:
    """Names of all areas for cards, in any game, except the players' own."""
    return tuple(name for one in plugins() if one.cards for name in one.cards.places)
