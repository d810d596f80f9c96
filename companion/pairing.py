"""Who may do what: roles, and the links that hand them out."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
import time
from base64 import b32encode
from collections import deque
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path


class Role(IntEnum):
    """What a visitor may do; each role may do all that a smaller one may, except that a camera only sends pictures."""

    NOBODY = 0
    CAMERA = 1
    SPECTATOR = 2
    PLAYER = 3
    HOST = 4


SHARED_ROLES = {"host": Role.HOST, "player": Role.PLAYER, "spectator": Role.SPECTATOR, "camera": Role.CAMERA}


class Pairing:
    """Derives every secret of one installation from a single file that only its owner can read."""

    def __init__(self, folder: Path) -> None:
        self._secret = _kept_secret(folder / "secret")

    def key(self, purpose: str) -> bytes:
        """32 bytes for one purpose; knowing one tells nothing about the others."""
        return hmac.digest(self._secret, purpose.encode(), hashlib.sha256)

    def word(self, invitation: str) -> str:
        """The unguessable word (100 bits) of an invitation: `host`, `spectator`, `camera` or `player-B`."""
        return b32encode(self.key(f"pair {invitation}"))[:20].decode().lower()

    def admits(self, invitation: str, word: str) -> bool:
        """Whether the word belongs to the invitation."""
        return hmac.compare_digest(self.word(invitation).encode(), word.encode())


def invited_as(invitation: str) -> tuple[Role, str | None]:
    """Role and seat letter that an invitation stands for; NOBODY for a name that does not exist."""
    role, _, seat = invitation.partition("-")
    if role == "player" and len(seat) == 1 and "A" <= seat <= "F":
        return Role.PLAYER, seat
    if seat or role == "player":
        return Role.NOBODY, None
    return SHARED_ROLES.get(role, Role.NOBODY), None


class Doorman:
    """Counts failed attempts to pair; `clock` returns seconds and never goes back."""

    def __init__(self, allowed: int = 10, per_seconds: float = 60.0, clock: Callable[[], float] = time.monotonic):
        self._allowed, self._per_seconds, self._clock = allowed, per_seconds, clock
        self._failures: deque[float] = deque(maxlen=allowed)
        self._lock = threading.Lock()

    def seconds_to_wait(self) -> float:
        """0 when another attempt may be made. Counted for all visitors together: addresses are free to change."""
        with self._lock:
            if len(self._failures) < self._allowed:
                return 0.0
            return max(0.0, self._failures[0] + self._per_seconds - self._clock())

    def failed(self) -> None:
        """Note one failed attempt."""
        with self._lock:
            self._failures.append(self._clock())


def _kept_secret(path: Path) -> bytes:
    """The secret in the file, made on first use. Born with mode 600: never readable by others, even briefly."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        kept = path.read_bytes()
        if len(kept) == 32:
            return kept
        path.unlink()  # cut short by a full disk: of no use to anybody
        return _kept_secret(path)
    fresh = secrets.token_bytes(32)
    with os.fdopen(handle, "wb") as stream:
        stream.write(fresh)
    return fresh
