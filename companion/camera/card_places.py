"""Card zones drawn by a player on the page, stored beside the card sets."""

from __future__ import annotations

import json
from pathlib import Path

from companion.plugins import plugins
from engine.games import SEATS
from vision.cards.watching import Polygon, Zones

ZONES = "zones.json"


def load_zones(folder: Path) -> dict[str, Polygon] | None:
    """The stored zones; empty if the player wants none watched, None if nothing was drawn."""
    try:
        found = json.loads((folder / ZONES).read_text(encoding="utf-8"))
        return {str(name): tuple((float(x), float(y)) for x, y in corners) for name, corners in found.items()}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def save_zones(folder: Path, zones: Zones | None) -> None:
    """Stores the zones; None deletes them.

    Raises:
        ValueError: A zone is outside the frame.
        OSError: The folder is not writable.
    """
    if zones is None:
        (folder / ZONES).unlink(missing_ok=True)
        return
    for name, corners in zones.items():
        if name not in (*zone_names(), *SEATS):
            raise ValueError(f"“{name}” is not a card area")
        if not 3 <= len(corners) <= 50 or not all(0 <= value <= 1 for corner in corners for value in corner):
            raise ValueError("a card area needs three to fifty corners inside the picture")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ZONES).write_text(json.dumps(zones), encoding="utf-8")


def zone_names() -> tuple[str, ...]:
    """Names of all card zones of any game, except the players' own."""
    return tuple(name for one in plugins() if one.cards for name in one.cards.places)
