"""Letting other devices in: what the pages know of the second server that listens on the local network."""

from __future__ import annotations

from typing import Protocol


class NoNetwork(Exception):
    """This computer is in no local network."""


class LocalNetwork(Protocol):
    """The page's second address, closed at first.

    Attributes:
        fingerprint: SHA-256 of its certificate, "" before it was first opened.
    """

    fingerprint: str

    @property
    def base(self) -> str | None:
        """The address to come in by, without a path; None while it is closed."""

    def open(self) -> None:
        """Let the local network in, until `shut`. Raises NoNetwork, and OSError for the port and the certificate."""

    def shut(self) -> None:
        """Disconnect every device on the local network and let none in."""
