"""The mat is found from any angle, a bumped camera is followed, and every die is assigned to an area."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner

from companion.commands.mat import command as mat_command
from tests.kit.printed_sheet import mat_picture
from vision.table.layout import DrawnAreas, TableZone, WholePicture
from vision.table.mat import MATS, Mat
from vision.table.printed_mat import PrintedMat

SIZE = (1280, 720)
SCALE = 3.0  # pixels a mm of the printed picture


def seen_from(mat: Mat, tilt: float, turn: float, distance: float = 1.9, shift: tuple[float, float] = (0, 0)):
    """Homography mm → pixels of a camera looking at the middle of the mat.

    tilt: degrees from straight above; turn: degrees the mat is turned; distance: in mat widths.
    """
    focal = 1100.0
    camera = np.array([[focal, 0, SIZE[0] / 2 + shift[0]], [0, focal, SIZE[1] / 2 + shift[1]], [0, 0, 1]])
    a, b = np.radians(turn), np.radians(tilt)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    turned = lean @ spin
    middle = np.array([mat.width / 2, mat.height / 2, 0])
    to_camera = np.column_stack([turned[:, 0], turned[:, 1], [0, 0, distance * mat.width] - turned @ middle])
    return camera @ to_camera


def photo(mat: Mat, to_pixels: np.ndarray, covered: tuple[int, ...] = (), seed: int = 0) -> np.ndarray:
    """The mat on a brown table, with a camera's noise; `covered` marks have a hand on them."""
    sheet = mat_picture(mat, SCALE)
    for number in covered:
        (left, top), (right, bottom) = mat.marks[number][0], mat.marks[number][2]
        cv2.circle(sheet, (int((left + right) / 2 * SCALE), int((top + bottom) / 2 * SCALE)), 40, 140, -1)
    warp = to_pixels @ np.diag([1 / SCALE, 1 / SCALE, 1])
    picture = np.full((SIZE[1], SIZE[0], 3), (50, 80, 120), np.uint8)
    colour = cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR)
    cv2.warpPerspective(colour, warp, SIZE, picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(seed).normal(0, 5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def at_mm(to_pixels: np.ndarray, x: float, y: float) -> tuple[float, float]:
    u, v, w = to_pixels @ np.array([x, y, 1.0])
    return u / w, v / w


def error_mm(layout: PrintedMat, to_pixels: np.ndarray) -> float:
    """The largest error over a grid on the mat."""
    mat = layout.mat
    assert mat is not None
    assert layout.to_mm is not None
    worst = 0.0
    for x in np.linspace(0, mat.width, 7):
        for y in np.linspace(0, mat.height, 5):
            u, v = at_mm(to_pixels, x, y)
            p, q, w = layout.to_mm @ np.array([u, v, 1.0])
            worst = max(worst, float(np.hypot(p / w - x, q / w - y)))
    return worst


@pytest.mark.parametrize("paper", sorted(MATS))
@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (25, 10), (45, -30), (55, 5), (0, 180), (30, 90)])
def test_the_mat_is_found_from_any_angle_within_a_millimetre(paper: str, tilt: float, turn: float) -> None:
    mat = MATS[paper]
    to_pixels = seen_from(mat, tilt, turn)
    layout = PrintedMat()
    assert layout.update(photo(mat, to_pixels)) is None
    assert layout.mat is mat
    assert layout.has_kept_zone
    assert error_mm(layout, to_pixels) < 1.0


def cube_box(to_pixels_mm: np.ndarray, mat: Mat, tilt: float, turn: float, x: float, y: float) -> tuple[float, ...]:
    """The box of a 16 mm cube at (x, y) mm, as the camera sees it."""
    focal, distance = 1100.0, 1.9
    a, b = np.radians(turn), np.radians(tilt)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    turned = lean @ spin
    points = []
    for dx in (-8, 8):
        for dy in (-8, 8):
            for up in (0, 16):  # towards the camera is negative z here
                place = turned @ (np.array([x + dx, y + dy, -up]) - [mat.width / 2, mat.height / 2, 0])
                place[2] += distance * mat.width
                points.append((focal * place[0] / place[2] + SIZE[0] / 2, focal * place[1] / place[2] + SIZE[1] / 2))
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    return (*low, *high)


@pytest.mark.parametrize("tilt", [0, 20, 35, 50, 60])
def test_the_foot_of_a_die_is_found_from_any_tilt(tilt: float) -> None:
    mat = MATS["a4"]
    to_pixels = seen_from(mat, -tilt, 0)  # a camera at the near edge, looking up the table
    layout = PrintedMat()
    layout.update(photo(mat, to_pixels))
    assert layout.to_mm is not None
    for x, y in ((60, 40), (150, 100), (240, 150), (80, 187), (220, 187)):
        foot = layout.foot_mm(cube_box(to_pixels, mat, -tilt, 0, x, y))
        assert np.hypot(foot[0] - x, foot[1] - y) < 5.5, "a third of a die"
    assert layout.place(cube_box(to_pixels, mat, -tilt, 0, 150, 155), SIZE) is TableZone.ROLLING
    assert layout.place(cube_box(to_pixels, mat, -tilt, 0, 150, 187), SIZE) is TableZone.KEPT
    assert layout.place(cube_box(to_pixels, mat, -tilt, 0, 150, 235), SIZE) is TableZone.OUTSIDE
    assert layout.place(cube_box(to_pixels, mat, -tilt, 0, -20, 100), SIZE) is TableZone.OUTSIDE


def test_two_marks_are_enough_when_hands_cover_the_others() -> None:
    mat = MATS["a4"]
    to_pixels = seen_from(mat, 30, 0)
    layout = PrintedMat()
    layout.update(photo(mat, to_pixels, covered=(0, 3)))
    assert layout.mat is mat
    assert error_mm(layout, to_pixels) < 6.0


def test_a_bumped_camera_is_noticed_and_followed() -> None:
    mat = MATS["a4"]
    before, after = seen_from(mat, 30, 0), seen_from(mat, 33, 4, shift=(60, -25))
    layout = PrintedMat()
    layout.update(photo(mat, before))
    assert layout.update(photo(mat, before, seed=1)) is None, "noise is no bump"
    assert layout.update(photo(mat, after, seed=2)) is None, "perhaps it is still moving"
    moved = layout.update(photo(mat, after, seed=3))
    assert moved is not None
    for x, y in ((50, 40), (200, 150)):
        old, new = at_mm(before, x, y), at_mm(after, x, y)
        assert at_mm(moved, *old) == pytest.approx(new, abs=3.0)
    assert error_mm(layout, after) < 1.0


def test_a_mat_moves_with_the_picture_of_a_camera_carried_elsewhere() -> None:
    layout, mat = PrintedMat(), MATS["a4"]
    layout.update(photo(mat, seen_from(mat, 30, 10)))
    moved = np.array([[1, 0, 60], [0, 1, -25], [0, 0, 1]], np.float64)
    layout.move_along(moved)
    assert error_mm(layout, moved @ seen_from(mat, 30, 10)) < 1.5
    (left, top), (right, low) = mat.marks[min(mat.marks)][0], mat.marks[min(mat.marks)][2]
    x, y = at_mm(moved @ seen_from(mat, 30, 10), (left + right) / 2, (top + low) / 2)
    assert layout.place((x - 9, y - 9, x + 9, y + 9), SIZE) is TableZone.MARK, "its marks too"
    assert layout.update(photo(mat, moved @ seen_from(mat, 30, 10))) is None, "nothing has moved on the mat's table"


def test_a_covered_mat_stays_where_it_was() -> None:
    mat = MATS["a4"]
    to_pixels = seen_from(mat, 30, 0)
    layout = PrintedMat()
    layout.update(photo(mat, to_pixels))
    assert layout.update(photo(mat, to_pixels, covered=(0, 1, 2, 3))) is None
    assert error_mm(layout, to_pixels) < 1.0


def test_without_a_mat_every_die_is_in_play() -> None:
    layout = PrintedMat()
    layout.update(np.full((720, 1280, 3), 90, np.uint8))
    assert not layout.has_kept_zone
    assert layout.place((0, 0, 40, 40), SIZE) is TableZone.ROLLING
    assert layout.outlines(SIZE) == []


def test_drawn_areas_follow_the_size_of_the_picture() -> None:
    areas = DrawnAreas(rolling=((0, 0), (0.5, 0), (0.5, 0.7), (0, 0.7)), kept=((0, 0.8), (1, 0.8), (1, 1), (0, 1)))
    for width, height in ((640, 480), (3840, 2160)):
        die = 0.05 * width
        spots = {TableZone.ROLLING: (0.3, 0.3), TableZone.KEPT: (0.3, 0.88), TableZone.OUTSIDE: (0.8, 0.3)}
        for place, (x, y) in spots.items():
            box = (x * width - die / 2, y * height - die / 2, x * width + die / 2, y * height + die / 2)
            assert areas.place(box, (width, height)) is place


@pytest.mark.parametrize("corners", [((0, 0), (1, 1)), ((0, 0), (1, 0), (1, 1.2)), ((0, 0, 0), (1, 0, 0), (1, 1, 0))])
def test_impossible_areas_are_refused(corners: tuple[tuple[float, ...], ...]) -> None:
    with pytest.raises(ValueError, match="kept area"):
        DrawnAreas(rolling=((0, 0), (1, 0), (1, 1)), kept=corners)  # type: ignore[arg-type]


def test_the_whole_picture_knows_no_kept_row() -> None:
    assert not WholePicture().has_kept_zone
    assert WholePicture().outlines(SIZE) == []


@pytest.mark.parametrize("paper", sorted(MATS))
def test_the_printed_pdf_shows_the_marks_where_the_camera_expects_them(paper: str, tmp_path: Path) -> None:
    mat, out = MATS[paper], tmp_path / "mat.pdf"
    result = CliRunner().invoke(mat_command, ["--paper", paper, "--out", str(out)])
    assert result.exit_code == 0, result.output
    picture = printed(out.read_bytes(), mat)
    layout = PrintedMat()
    layout.update(picture)
    assert layout.mat is mat
    assert error_mm(layout, np.diag([4.0, 4.0, 1.0])) < 0.5


def printed(pdf: bytes, mat: Mat) -> np.ndarray:
    """The one page of a PDF, 4 pixels a mm, (H, W, 3) BGR."""
    page = pypdfium2.PdfDocument(pdf)[0]
    assert [25.4 / 72 * side for side in page.get_size()] == pytest.approx((mat.width, mat.height), abs=0.1)
    return page.render(scale=4 / (72 / 25.4)).to_numpy()


def test_a_detection_on_a_corner_mark_is_no_die_unless_the_mark_has_long_been_missing() -> None:
    mat = MATS["a4"]
    to_pixels = seen_from(mat, 20, 0)
    layout = PrintedMat()
    layout.update(photo(mat, to_pixels))
    x, y = at_mm(to_pixels, *np.mean(mat.marks[1], axis=0))
    box = (x - 25, y - 25, x + 25, y + 25)
    assert layout.place(box, SIZE) is TableZone.MARK
    covered = photo(mat, to_pixels, covered=(1,))
    layout.update(covered)
    assert layout.place(box, SIZE) is TableZone.MARK, "a hand may be over it"
    for _ in range(6):
        layout.update(covered)
    assert layout.place(box, SIZE) is TableZone.ROLLING


def test_a_die_where_a_corner_mark_was_never_seen_is_no_mark() -> None:
    """Bug: a card covered a mark from the start, and the die printed on the card counted as new in the middle of a
    game."""
    mat = MATS["a4"]
    to_pixels = seen_from(mat, 20, 0)
    layout = PrintedMat()
    layout.update(photo(mat, to_pixels, covered=(1,)))
    x, y = at_mm(to_pixels, *np.mean(mat.marks[1], axis=0))
    assert layout.place((x - 25, y - 25, x + 25, y + 25), SIZE) is TableZone.ROLLING
