"""What the states of all games have in common."""

from __future__ import annotations

from engine.registry import SEATS


class Seated:
    """A state with players. A game whose purchases may stay open overrides `open` and `waiting`; one that knows ties
    overrides `winners`.
    """

    __slots__ = ()

    winner: str | None
    """The seat that has won, in a game without ties."""

    @property
    def winners(self) -> tuple[str, ...]:
        """The seats that have won."""
        return () if self.winner is None else (self.winner,)

    @property
    def players(self) -> int:
        """How many play."""
        raise NotImplementedError

    @property
    def seats(self) -> str:
        """The letters of all seats, in order."""
        return SEATS[: self.players]

    @property
    def open(self) -> tuple[str, ...]:
        """Seats with an open purchase: none."""
        return ()

    @property
    def waiting(self) -> tuple[object, ...]:
        """Past turns whose purchase is still open: none."""
        return ()
