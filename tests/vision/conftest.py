"""The dice detector, loaded once per test file."""

from __future__ import annotations

import pytest

from companion.resources import resource
from vision.dice.detector import Detector


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(resource("models"))
