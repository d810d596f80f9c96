"""Exposure and focus of a webcam are fixed where its driver allows it, read back and shown.

The drivers here are software, because no camera is connected where tests run.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from vision.sources.devices import AUTOMATIC_EXPOSURE, MANUAL_EXPOSURE, WARM_UP_FRAMES, Webcam

AUTO, EXPOSURE, FOCUS = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS


@dataclass
class Driver:
    """Behaves as V4L2 with a webcam whose automatic exposure has found 156 and then drifts with the light.

    manual: exposure can be fixed; truthful: the driver reports when it cannot; forgets: once fixed, exposure falls to
    its minimum.
    """

    manual: bool = True
    truthful: bool = True
    forgets: bool = False
    properties: dict[int, float] = field(default_factory=lambda: {AUTO: AUTOMATIC_EXPOSURE, EXPOSURE: 156.0, FOCUS: 1})
    open: bool = True

    def isOpened(self) -> bool:  # noqa: N802
        return self.open

    def release(self) -> None:
        self.open = False

    def get(self, what: int) -> float:
        return self.properties.get(what, 0.0)

    def set(self, what: int, value: float) -> bool:
        if what == AUTO and value == MANUAL_EXPOSURE and not self.manual:
            return not self.truthful
        if what == EXPOSURE and self.properties[AUTO] != MANUAL_EXPOSURE:
            return False
        self.properties[what] = value
        if what == AUTO and value == MANUAL_EXPOSURE and self.forgets:
            self.properties[EXPOSURE] = 3.0
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        held = self.properties[AUTO] == MANUAL_EXPOSURE
        level = 20 if held and self.forgets else 120
        return True, np.full((48, 64, 3), level, np.uint8)


def webcam(driver: Driver, monkeypatch: pytest.MonkeyPatch, frames: int) -> Webcam:
    """A webcam with this driver after this many pictures."""
    monkeypatch.setattr(cv2, "VideoCapture", lambda number, backend: driver)
    camera = Webcam(0)
    for _ in range(frames):
        camera.grab()
    return camera


def test_exposure_and_focus_are_held_where_automatic_ones_have_found_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = Driver()
    camera = webcam(driver, monkeypatch, WARM_UP_FRAMES - 1)
    assert camera.settings()["exposure"] == "automatic (156)"
    camera.grab()
    assert (driver.properties[AUTO], driver.properties[EXPOSURE]) == (MANUAL_EXPOSURE, 156.0)
    assert camera.settings()["exposure"] == "held (156)"
    assert camera.settings()["focus"] == "held or fixed"


def test_the_camera_is_given_back_automatic(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = Driver()
    webcam(driver, monkeypatch, WARM_UP_FRAMES).close()
    assert (driver.properties[AUTO], driver.properties[FOCUS], driver.open) == (AUTOMATIC_EXPOSURE, 1, False)


@pytest.mark.parametrize(
    "truthful",
    [True, pytest.param(False, marks=pytest.mark.skipif(sys.platform != "linux", reason="asked back of V4L2 only"))],
)
def test_a_driver_that_cannot_hold_its_exposure_is_shown_as_automatic(
    truthful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = webcam(Driver(manual=False, truthful=truthful), monkeypatch, 2 * WARM_UP_FRAMES)
    assert camera.settings()["exposure"] == "automatic (156)"


def test_a_picture_that_goes_dark_when_it_is_held_becomes_automatic_again(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = Driver(forgets=True)
    camera = webcam(driver, monkeypatch, 2 * WARM_UP_FRAMES)
    assert driver.properties[AUTO] == AUTOMATIC_EXPOSURE
    assert camera.settings()["exposure"].startswith("automatic")
