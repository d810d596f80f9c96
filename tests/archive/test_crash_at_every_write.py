"""A crash at any system call loses no event that was shown; `tests.stress.crash_points` tries all calls."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.stress.chaos_parts.crash_points import EVENTS, KINDS, Evenings, evenings

STRIDE = 17  # every so many calls here; another first one for each fault

pytestmark = [
    pytest.mark.stress,
    pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="needs Linux and a C compiler"),
]


@pytest.fixture(scope="module")
def played() -> Iterator[Evenings]:
    """Evenings with a disk that fails on demand."""
    with evenings() as found:
        yield found


@pytest.mark.parametrize(("number", "kind"), list(enumerate(KINDS.values())), ids=list(KINDS))
def test_shown_events_are_stored_wherever_the_program_is_killed(played: Evenings, number: int, kind: int) -> None:
    sound = played.play(0, 0)
    assert (sound.promised, sound.kept, sound.wrong) == (EVENTS, EVENTS, ())
    for call in range(1 + 3 * number, sound.calls + 1, STRIDE):
        assert played.play(kind, call).wrong == (), f"at call {call}"


def test_an_archive_that_never_syncs_loses_events_that_were_shown(played: Evenings) -> None:
    calls = played.play(0, 0, careless=True).calls
    endings = [played.play(KINDS["power lost"], call, careless=True) for call in range(1, calls + 1, STRIDE)]
    assert any(ending.promised > ending.kept or ending.wrong for ending in endings)
