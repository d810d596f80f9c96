"""Draws plain white dice from straight above, a style that no network was trained on, and dice as sold in Asia."""

from __future__ import annotations

import cv2
import numpy as np

from vision.types import Image

SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}

BLACK, RED = (30, 28, 26), (40, 30, 200)


def draw_die(
    image: Image, x: int, y: int, side: int, face: int, turn: float = 0.0, pips: tuple[int, int, int] = BLACK
) -> None:
    """Draws a white die from straight above with rounded corners and a soft shadow.

    Args:
        x, y: Its centre, pixels.
        turn: Degrees.
        pips: Their colour (blue, green, red).
    """
    big = 4 * side
    die, mask = np.zeros((big, big, 3), np.uint8), np.zeros((big, big), np.uint8)
    edge, corner = side, int(0.22 * side)
    for inset in (0, corner):
        cv2.rectangle(
            mask, (edge + corner - inset, edge + inset), (3 * edge - corner + inset, 3 * edge - inset), 255, -1
        )
    for cx in (edge + corner, 3 * edge - corner):
        for cy in (edge + corner, 3 * edge - corner):
            cv2.circle(mask, (cx, cy), corner, 255, -1)
    die[mask > 0] = (228, 236, 240)
    for dx, dy in SPOTS[face]:
        at = (int(2 * side + dx * 0.5 * side), int(2 * side + dy * 0.5 * side))
        cv2.circle(die, at, int(0.19 * side), pips, -1, cv2.LINE_AA)
    reach = side + 12  # only the neighbourhood is changed, for speed in images of 12 megapixels
    left, top = max(0, x - reach), max(0, y - reach)
    part = image[top : y + reach, left : x + reach]
    spin = cv2.getRotationMatrix2D((2 * side, 2 * side), turn, 0.5)
    spin[:, 2] += np.array([x - left, y - top]) - 2 * side
    size = (part.shape[1], part.shape[0])
    alpha = cv2.warpAffine(cv2.GaussianBlur(mask, (0, 0), 1.5), spin, size)[..., None] / 255.0
    shadow = cv2.warpAffine(mask, spin + np.array([[0, 0, 4], [0, 0, 6]]), size)
    shade = cv2.GaussianBlur(shadow, (0, 0), 5)[..., None] / 255.0
    part[:] = part * (1 - 0.5 * shade) * (1 - alpha) + cv2.warpAffine(die, spin, size) * alpha


def draw_red_one(image: Image, x: int, y: int, side: int, turn: float = 0.0) -> None:
    """Draws a one whose pip is red and twice as wide as usual."""
    draw_die(image, x, y, side, 1, turn)
    cv2.circle(image, (x, y), round(0.3 * side / 2), RED, -1, cv2.LINE_AA)
