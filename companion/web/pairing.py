"""Access rights, the roles that bundle them, and the invitation links that grant them."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
import time
from base64 import b32encode
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, Flag, auto
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

from companion.resources import write_atomically
from companion.web.persistent_clock import PersistentClock
from engine.registry import SEATS


class Right(Flag):
    """A permission of a visitor. No right implies another one."""

    NONE = 0
    WATCH = auto()  # see the game, the camera's image and past games
    SEND_PICTURES = auto()  # be a camera
    ENTER = auto()  # enter events for one's own seats
    ENTER_FOR_ALL = auto()  # enter events for every seat
    MANAGE = auto()  # start games, choose the camera, invite, import and delete
    OPEN_NETWORK = auto()  # Open the local network. No invitation grants it; only visitors at the computer have it.


class Role(Enum):
    """The rights that one invitation grants; a visitor with several invitations has the rights of all."""

    STRANGER = Right.NONE
    CAMERA = Right.SEND_PICTURES  # a phone on a shelf shows the game to no one
    SPECTATOR = Right.WATCH
    PLAYER = Right.WATCH | Right.ENTER
    HOST = Right.WATCH | Right.SEND_PICTURES | Right.ENTER | Right.ENTER_FOR_ALL | Right.MANAGE


@dataclass(frozen=True, slots=True)
class Visitor:
    """The permissions of a visitor. `seats` are the letters of their own seats."""

    rights: Right = Right.NONE
    seats: frozenset[str] = frozenset()

    def may(self, right: Right) -> bool:
        """Whether the visitor has all of these rights."""
        return right in self.rights

    def may_enter_for(self, seat: str) -> bool:
        """Whether the visitor may enter events for this seat (its letter)."""
        return self.may(Right.ENTER_FOR_ALL) or (self.may(Right.ENTER) and seat in self.seats)

    def __or__(self, other: Visitor) -> Visitor:
        return Visitor(self.rights | other.rights, self.seats | other.seats)


AT_THE_COMPUTER = Visitor(Role.HOST.value | Right.OPEN_NETWORK)
# Guests with the short word see the game and then take a seat.
GUEST = "guest"
_ROLES = {"host": Role.HOST, "spectator": Role.SPECTATOR, "camera": Role.CAMERA, GUEST: Role.SPECTATOR}


_FIRST, _SECOND = "bcdfghjklmnpqrstvwxz", "aeiou"
LINK_SECONDS = 16 * 3600.0  # a link made when the first guest arrives is invalid on the next evening
_WRITE_SECONDS = 600.0
_WRITTEN_AT = "written"  # the time of writing, beside the links in their file
_INVITATIONS = (*_ROLES, *(f"player-{seat}" for seat in SEATS))


@dataclass(frozen=True, slots=True)
class Link:
    """One invitation link.

    Attributes:
        id: Distinguishes it from earlier links of the same invitation.
        created: When, on the clock that cannot be set.
        permanent: Whether it outlives the evening.
        used: Whether it has been used.
    """

    id: str
    created: float
    permanent: bool = False
    used: bool = False


class Pairing:
    """The secrets of one installation, derived from a file that only its owner can read, and the valid links.

    There is one link for each invitation. Links are stored in a file, so a restart during an evening locks out no one.
    """

    def __init__(self, folder: Path, clock: PersistentClock | None = None) -> None:
        self._secret = _load_or_create_secret(folder / "secret")
        self._file, self._clock, self._lock = folder / "links.json", clock or PersistentClock(), threading.RLock()
        self._links = _load_links(self._file, self._clock)
        self._written_at = -_WRITE_SECONDS
        self._ended_links = 0
        if not self._links:
            self._links = {invitation: self._new_link() for invitation in _INVITATIONS}
            self._write()

    def key(self, purpose: str) -> bytes:
        """32 bytes for one purpose; keys of different purposes are independent."""
        return hmac.digest(self._secret, purpose.encode(), hashlib.sha256)

    def word(self, invitation: str) -> str:
        """The secret word (100 bits) of the link for an invitation: `host`, `spectator`, `camera`, `player-B`."""
        return b32encode(self.key(f"pair {invitation} {self.link(invitation).id}"))[:20].decode().lower()

    def short_word(self) -> str:
        """The guests' code as a word of four syllables to say and type: one of 100 million. After ten failed guesses
        an address is locked out for a minute."""
        drawn = self.key(f"say {GUEST} {self.link(GUEST).id}")
        return "".join(_FIRST[a % 20] + _SECOND[b % 5] for a, b in zip(drawn[:4], drawn[4:8], strict=True))

    def admits_guest(self, typed: str) -> bool:
        """Whether this is the short word, in any case."""
        return hmac.compare_digest(self.short_word().encode(), typed.strip().lower().encode())

    def admits(self, invitation: str, word: str) -> bool:
        """Whether the word belongs to the invitation."""
        return invitation in _INVITATIONS and hmac.compare_digest(self.word(invitation).encode(), word.encode())

    def link(self, invitation: str) -> Link:
        """The valid link.

        Raises:
            KeyError: There is no such invitation.
        """
        self._expire_links()
        return self._links[invitation]

    @property
    def ended_links(self) -> int:
        """Number of links that have ended since the start; visitors admitted before the last one must be checked
        again."""
        self._expire_links()
        return self._ended_links

    def ticket(self, invitation: str) -> str:
        """The proof, for a browser to store, that it has used the link of this invitation."""
        return f"{invitation}.{self.link(invitation).id}"

    def invitation_of(self, ticket: str) -> str | None:
        """The invitation of a ticket; None if its link has ended."""
        invitation, _, link_id = ticket.partition(".")
        good = invitation in _INVITATIONS and self.link(invitation).id == link_id
        return invitation if good else None

    def revoke(self, invitation: str) -> None:
        """Ends the link and replaces it.

        Raises:
            OSError: It could not be stored, so the old link works again after a restart.
        """
        with self._lock:
            self._links[invitation] = self._new_link()
            self._ended_links += 1
            self._write()

    def set_permanent(self, invitation: str, permanent: bool) -> None:
        """Sets whether the link outlives the evening.

        Raises:
            OSError: It could not be stored.
        """
        with self._lock:
            self._links[invitation] = replace(self.link(invitation), permanent=permanent)
            self._write()

    def mark_used(self, invitation: str) -> None:
        """Marks the link as used."""
        with self._lock:
            link = self.link(invitation)
            if not link.used:
                self._links[invitation] = replace(link, used=True)
                # If it fails, the owner is not asked after a restart whether the seat may be shared.
                with suppress(OSError):
                    self._write()

    def _expire_links(self) -> None:
        now = self._clock.seconds()
        if all(link.permanent or now - link.created < LINK_SECONDS for link in self._links.values()):
            if now - self._written_at >= _WRITE_SECONDS:  # stored regularly, so that their age survives a loss of power
                with self._lock, suppress(OSError):
                    self._write()
            return
        with self._lock:
            for invitation, link in self._links.items():
                if not link.permanent and now - link.created >= LINK_SECONDS:
                    self._links[invitation] = self._new_link()
                    self._ended_links += 1
            with suppress(OSError):  # if it fails, they are too old again after a restart
                self._write()

    def _new_link(self) -> Link:
        return Link(secrets.token_hex(8), self._clock.seconds())

    def _write(self) -> None:
        now = self._clock.now()
        self._written_at = self._clock.seconds()
        links = {
            invitation: {
                "id": link.id,
                "age": self._written_at - link.created,
                "kept": link.permanent,
                "taken": link.used,
            }
            for invitation, link in self._links.items()
        }
        text = json.dumps({_WRITTEN_AT: now, **links}, indent=1)
        write_atomically(self._file, text.encode())


def _load_links(path: Path, clock: PersistentClock) -> dict[str, Link]:
    """The links in the file; none if it is missing or damaged, so that all are replaced."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        written = clock.seconds() - clock.since(found[_WRITTEN_AT])
        links = {name: found[name] for name in _INVITATIONS}
        return {
            name: Link(str(saved["id"]), written - float(saved["age"]), saved["kept"] is True, saved["taken"] is True)
            for name, saved in links.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def visitor_for(invitation: str) -> Visitor:
    """The visitor that an invitation makes; one without rights for an unknown name."""
    seat = invitation.removeprefix("player-")
    if len(seat) == 1 and "A" <= seat <= "F" and seat != invitation:
        return Visitor(Role.PLAYER.value, frozenset({seat}))
    return Visitor(_ROLES.get(invitation, Role.STRANGER).value)


@lru_cache(4096)
def rate_limit_key(address: str) -> str:
    """The key for rate limits: an IPv4 address, or the first 64 bits of an IPv6 address, because one network gets all
    addresses with this prefix."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


_MAX_ADDRESSES = 4096  # addresses with failed attempts


class LoginThrottle:
    """Limits failed attempts to use an invitation, for each address. A client that changes addresses still has to guess
    100 bits, or one of 100 million short words.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, allowed: int = 10, per_seconds: float = 60.0, clock: Callable[[], float] = time.monotonic):
        self._allowed, self._per_seconds, self._clock = allowed, per_seconds, clock
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def seconds_to_wait(self, address: str) -> float:
        """Seconds until another attempt from this address is allowed; 0 if it is."""
        with self._lock:
            failures = self._failures.get(address, deque())
            if len(failures) < self._allowed:
                return 0.0
            return max(0.0, failures[0] + self._per_seconds - self._clock())

    def failed(self, address: str) -> None:
        """Counts a failed attempt from this address."""
        with self._lock:
            self._failures.setdefault(address, deque(maxlen=self._allowed)).append(self._clock())
            self._failures.move_to_end(address)
            if len(self._failures) > _MAX_ADDRESSES:
                self._failures.popitem(last=False)


def _load_or_create_secret(path: Path) -> bytes:
    """The secret in the file, created on first use with mode 600, so that it is never readable by others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes()
        if len(secret) == 32:
            return secret
        path.unlink()  # truncated by a full disk and useless
        return _load_or_create_secret(path)
    fresh = secrets.token_bytes(32)
    with os.fdopen(handle, "wb") as stream:
        stream.write(fresh)
    return fresh
