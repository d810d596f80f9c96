"""Allows other devices to connect: the pages' view of the second server, on the local network."""

from __future__ import annotations

from typing import Protocol


class NoNetwork(Exception):
    """This computer is not in a local network."""


class LocalNetwork(Protocol):
    """The page's second address, closed at first.

    Attributes:
        fingerprint: SHA-256 of its certificate, "" before it was first opened.
    """

    fingerprint: str

    @property
    def base(self) -> str | None:
        """The address to connect to, without a path; None while it is closed."""

    def open(self) -> None:
        """Lets devices in the local network connect, until `shut`.

        Raises:
            NoNetwork: There is no network.
            OSError: No port is free, or the certificate cannot be written.
        """

    def shut(self) -> None:
        """Disconnects every device in the local network and accepts no more."""
