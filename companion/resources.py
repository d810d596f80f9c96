"""Where the data that travels with the program lies."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(*parts: str) -> Path:
    """Path of a file or folder under `models/` or `datasets/`: inside the wheel's package, else in the checkout.

    Raises FileNotFoundError with the name when neither holds it.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is missing from this installation; install Courtside again")
