"""Who may do what: rights, the roles that bundle them, and the links that hand them out."""

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

from companion.web.evening_clock import EveningClock
from engine.registry import SEATS


class Right(Flag):
    """One thing that a visitor may do. No right implies another one."""

    NONE = 0
    WATCH = auto()  # see the game, what the camera sees, and past games
    SEND_PICTURES = auto()  # be the camera
    ENTER = auto()  # say what happened at one's own seats
    ENTER_FOR_ALL = auto()  # say what happened at every seat
    MANAGE = auto()  # begin games, choose the camera, invite, import and delete
    OPEN_THE_DOOR = auto()  # let the local network in, which no invitation gives: for whoever sits at the computer


class Role(Enum):
    """The rights that one invitation gives; somebody who has taken several has the rights of all of them."""

    NOBODY = Right.NONE
    CAMERA = Right.SEND_PICTURES  # a phone lying on a shelf shows nobody the game
    SPECTATOR = Right.WATCH
    PLAYER = Right.WATCH | Right.ENTER
    HOST = Right.WATCH | Right.SEND_PICTURES | Right.ENTER | Right.ENTER_FOR_ALL | Right.MANAGE


@dataclass(frozen=True, slots=True)
class Visitor:
    """What somebody may do. seats: the letters of the seats that are the visitor's own."""

    rights: Right = Right.NONE
    seats: frozenset[str] = frozenset()

    def may(self, right: Right) -> bool:
        """Whether the visitor has all of these rights."""
        return right in self.rights

    def may_enter_for(self, seat: str) -> bool:
        """Whether the visitor may say what happened at this seat (its letter)."""
        return self.may(Right.ENTER_FOR_ALL) or (self.may(Right.ENTER) and seat in self.seats)

    def __or__(self, other: Visitor) -> Visitor:
        return Visitor(self.rights | other.rights, self.seats | other.seats)


AT_THE_COMPUTER = Visitor(Role.HOST.value | Right.OPEN_THE_DOOR)
# Who comes by the code for everybody sees the game, and takes a seat then.
GUEST = "guest"
_SHARED = {"host": Role.HOST, "spectator": Role.SPECTATOR, "camera": Role.CAMERA, GUEST: Role.SPECTATOR}


_FIRST, _SECOND = "bcdfghjklmnpqrstvwxz", "aeiou"
EVENING_SECONDS = 16 * 3600.0  # a link made when the first guest comes is of no use on the next evening
_WRITE_SECONDS = 600.0
_MOMENT = "written"  # beside the links in their file: when that was
_INVITATIONS = (*_SHARED, *(f"player-{seat}" for seat in SEATS))


@dataclass(frozen=True, slots=True)
class Link:
    """One link that lets somebody in. id: told apart by it from earlier links of the same invitation; made: when, by
    the clock that nobody sets; kept: whether it outlives the evening; taken: whether somebody has come by it."""

    id: str
    made: float
    kept: bool = False
    taken: bool = False


class Pairing:
    """The secrets of one installation, derived from a file that only its owner can read, and the links that are good.

    There is one link for each invitation. It is kept in a file: a restart in the middle of an evening shuts out nobody.
    """

    def __init__(self, folder: Path, clock: EveningClock | None = None) -> None:
        self._secret = _kept_secret(folder / "secret")
        self._file, self._clock, self._lock = folder / "links.json", clock or EveningClock(), threading.RLock()
        self._links = _kept_links(self._file, self._clock)
        self._written = -_WRITE_SECONDS
        self._changes = 0
        if not self._links:
            self._links = {invitation: self._fresh() for invitation in _INVITATIONS}
            self._write()

    def key(self, purpose: str) -> bytes:
        """32 bytes for one purpose; knowing one tells nothing about the others."""
        return hmac.digest(self._secret, purpose.encode(), hashlib.sha256)

    def word(self, invitation: str) -> str:
        """The unguessable word (100 bits) of the link for an invitation: `host`, `spectator`, `camera`, `player-B`."""
        return b32encode(self.key(f"pair {invitation} {self.link(invitation).id}"))[:20].decode().lower()

    def short_word(self) -> str:
        """The code for everybody as a word to say and type, of four syllables: one of 100 million, and whoever guesses
        is shut out for a minute after ten."""
        drawn = self.key(f"say {GUEST} {self.link(GUEST).id}")
        return "".join(_FIRST[a % 20] + _SECOND[b % 5] for a, b in zip(drawn[:4], drawn[4:8], strict=True))

    def admits_guest(self, typed: str) -> bool:
        """Whether this is the short word, in any case."""
        return hmac.compare_digest(self.short_word().encode(), typed.strip().lower().encode())

    def admits(self, invitation: str, word: str) -> bool:
        """Whether the word belongs to the invitation."""
        return invitation in _INVITATIONS and hmac.compare_digest(self.word(invitation).encode(), word.encode())

    def link(self, invitation: str) -> Link:
        """The link that is good now. Raises KeyError of an invitation that does not exist."""
        self._end_old_ones()
        return self._links[invitation]

    @property
    def changes(self) -> int:
        """How many links have ended since the start: who came in before the last of them must be looked at again."""
        self._end_old_ones()
        return self._changes

    def ticket(self, invitation: str) -> str:
        """What a browser that came by the link keeps, to show which link it was."""
        return f"{invitation}.{self.link(invitation).id}"

    def invitation_of(self, ticket: str) -> str | None:
        """The invitation that a ticket stands for, None when its link has ended."""
        invitation, _, link_id = ticket.partition(".")
        good = invitation in _INVITATIONS and self.link(invitation).id == link_id
        return invitation if good else None

    def revoke(self, invitation: str) -> None:
        """End the link; another one takes its place. Raises OSError when it ends until the next start only."""
        with self._lock:
            self._links[invitation] = self._fresh()
            self._changes += 1
            self._write()

    def keep(self, invitation: str, kept: bool) -> None:
        """Let the link outlive the evening, or not. Raises OSError when that is forgotten at the next start."""
        with self._lock:
            self._links[invitation] = replace(self.link(invitation), kept=kept)
            self._write()

    def take(self, invitation: str) -> None:
        """Somebody comes by the link."""
        with self._lock:
            link = self.link(invitation)
            if not link.taken:
                self._links[invitation] = replace(link, taken=True)
                with suppress(OSError):  # after a restart nobody is asked whether the seat may be shared
                    self._write()

    def _end_old_ones(self) -> None:
        now = self._clock.seconds()
        if all(link.kept or now - link.made < EVENING_SECONDS for link in self._links.values()):
            if now - self._written >= _WRITE_SECONDS:  # for how long they have been good outlives a loss of power
                with self._lock, suppress(OSError):
                    self._write()
            return
        with self._lock:
            for invitation, link in self._links.items():
                if not link.kept and now - link.made >= EVENING_SECONDS:
                    self._links[invitation] = self._fresh()
                    self._changes += 1
            with suppress(OSError):  # after a restart they are too old once more
                self._write()

    def _fresh(self) -> Link:
        return Link(secrets.token_hex(8), self._clock.seconds())

    def _write(self) -> None:
        moment = self._clock.now()
        self._written = self._clock.seconds()
        links = {
            invitation: {"id": link.id, "age": self._written - link.made, "kept": link.kept, "taken": link.taken}
            for invitation, link in self._links.items()
        }
        text = json.dumps({_MOMENT: moment, **links}, indent=1)
        fresh = self._file.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self._file)


def _kept_links(path: Path, clock: EveningClock) -> dict[str, Link]:
    """The links in the file; none when it is missing or damaged, so that all are made anew."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        now = clock.seconds()
        if _MOMENT in found:
            passed = clock.since(found[_MOMENT])
        else:  # kept by a program that asked the wall: when they were made stands there
            passed = 0.0
            for link in found.values():
                link["age"] = max(0.0, clock.wall() - float(link["made"]))
        if GUEST not in found:  # kept before there was a code for everybody
            found[GUEST] = {"id": secrets.token_hex(8), "age": EVENING_SECONDS, "kept": False}
        return {
            name: Link(
                str(found[name]["id"]),
                now - float(found[name]["age"]) - passed,
                found[name]["kept"] is True,
                bool(found[name].get("taken")),
            )
            for name in _INVITATIONS
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def invited_as(invitation: str) -> Visitor:
    """What an invitation makes of whom it is given to; nobody of a name that does not exist."""
    seat = invitation.removeprefix("player-")
    if len(seat) == 1 and "A" <= seat <= "F" and seat != invitation:
        return Visitor(Role.PLAYER.value, frozenset({seat}))
    return Visitor(_SHARED.get(invitation, Role.NOBODY).value)


@lru_cache(4096)
def household(address: str) -> str:
    """What counts as one address: of IPv6 the first 64 bits, as whoever is given one is given all that begin so."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


_MOST_REMEMBERED = 4096  # addresses that have failed


class Doorman:
    """Counts failed attempts to pair, of each address by itself: whoever changes addresses still guesses at 100 bits.

    `clock` returns seconds and never goes back.
    """

    def __init__(self, allowed: int = 10, per_seconds: float = 60.0, clock: Callable[[], float] = time.monotonic):
        self._allowed, self._per_seconds, self._clock = allowed, per_seconds, clock
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def seconds_to_wait(self, address: str) -> float:
        """0 when another attempt may be made from this address."""
        with self._lock:
            failures = self._failures.get(address, deque())
            if len(failures) < self._allowed:
                return 0.0
            return max(0.0, failures[0] + self._per_seconds - self._clock())

    def failed(self, address: str) -> None:
        """Note one failed attempt from this address."""
        with self._lock:
            self._failures.setdefault(address, deque(maxlen=self._allowed)).append(self._clock())
            self._failures.move_to_end(address)
            if len(self._failures) > _MOST_REMEMBERED:
                self._failures.popitem(last=False)


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
