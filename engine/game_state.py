"""The properties that the states of all games share."""

from __future__ import annotations

from engine.registry import SEATS


class GameState:
    """A state with players.

    A game with late purchases overrides `open` and `waiting`; a game with ties overrides `winners`.

    Attributes, which each game's own state adds:
        GAME: The game's id.
        seat: The seat on turn; the last one if the game is over.
        round: The current round, from 1; 0 while the game is set up.
        finished: Whether the game is over.
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
        """The number of players."""
        raise NotImplementedError

    @property
    def seats(self) -> str:
        """The letters of all seats, in order."""
        return SEATS[: self.players]

    @property
    def open(self) -> tuple[str, ...]:
        """Seats with an open purchase; () in a game without late purchases."""
        return ()

    @property
    def waiting(self) -> tuple[object, ...]:
        """One value for each past turn whose purchase is still open; () in a game without late purchases."""
        return ()
