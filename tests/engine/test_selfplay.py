"""What games of self-play teach."""

from __future__ import annotations

import pytest

from scripts.selfplay import Played, Turn, lessons

_BEGIN = "amigo2006; A -; B -; C -; turn {}; round 1; start A"


def test_chances_taught_add_up_to_one_when_the_game_was_decided_before_the_final_round() -> None:
    """Where only one player had a chance left, the others have nothing to share what an earlier turn leaves them: what
    was taught added up to less than 1, and the network diverged."""
    turns = [Turn(_BEGIN.format(seat), 0.4, False) for seat in "ABC"]
    for _, taught in lessons(Played(turns, [0.0, 0.0, 1.0])):
        assert sum(taught) == pytest.approx(1)
        assert min(taught) > 0
