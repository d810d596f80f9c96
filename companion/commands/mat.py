"""`courtside mat`: the printable mat as a PDF."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import click
import pydyf

from vision.table.mat import DISPLAY_SHEETS, GAP_MM, MARGIN_MM, MATS, Mat, Polygon, mark_cells

_POINTS = 72 / 25.4  # per millimetre


@click.command()
@click.option("--paper", type=click.Choice(sorted(MATS)), default="a4", show_default=True, help="Sheet size.")
@click.option("--display", is_flag=True, help="Write the second sheet, for the cards for sale.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write (default: courtside-mat-PAPER.pdf).")
def command(paper: str, display: bool, out: Path | None) -> None:
    """Write a mat to print.

    Its corner marks show the camera where dice are rolled and set aside.
    """
    target = out or Path(f"courtside-{'display' if display else 'mat'}-{paper}.pdf")
    sheet = display_pdf(DISPLAY_SHEETS[paper]) if display else mat_pdf(MATS[paper])
    try:
        target.write_bytes(sheet)
    except OSError as error:
        raise click.UsageError(f"cannot write {target}: {error.strerror}; choose another file with --out") from None
    click.echo(f"{target}: print at 100 % (not “fit to page”), lay it flat and keep all four corner marks in view.")


def mat_pdf(mat: Mat) -> bytes:
    """The sheet as a one-page PDF in true size; marks are vector squares, so every printer keeps them sharp."""
    page = _page(mat)
    page.set_line_width(0.6)
    for area, grey in ((mat.rolling, 190), (mat.kept, 120)):
        page.set_color_rgb(*[grey / 255] * 3, stroke=True)
        (left, top), (right, bottom) = area[0], area[2]
        page.rectangle(left, -bottom, right - left, bottom - top)
        page.stroke()
    left, top = mat.kept[0]
    _text(page, left + 4, -(top - 1.5), f"dice set aside     courtside mat {mat.paper}, print at 100 %")
    return _document(mat, page, f"Courtside mat ({mat.paper})")


def display_pdf(sheet: Mat) -> bytes:
    """The sheet for the cards for sale."""
    page = _page(sheet)
    left, low = MARGIN_MM + sheet.mark + GAP_MM, sheet.height - MARGIN_MM
    _text(page, left, -low, f"cards for sale     courtside display {sheet.paper}, print at 100 %")
    return _document(sheet, page, f"Courtside display ({sheet.paper})")


def _page(mat: Mat) -> pydyf.Stream:
    """A page with the corner marks and a coordinate system in millimetres, with the origin in the upper left corner
    and y upwards."""
    page = pydyf.Stream(compress=True)
    page.set_matrix(_POINTS, 0, 0, _POINTS, 0, mat.height * _POINTS)
    for number, corners in mat.marks.items():
        _draw_mark(page, number, corners)
    return page


def _document(mat: Mat, page: pydyf.Stream, title: str) -> bytes:
    pdf = pydyf.PDF()
    pdf.info["Title"] = pydyf.String(title)
    font = pydyf.Dictionary({"Type": "/Font", "Subtype": "/Type1", "BaseFont": "/Helvetica"})
    pdf.add_object(font)
    pdf.add_object(page)
    pdf.add_page(
        pydyf.Dictionary(
            {
                "Type": "/Page",
                "Parent": pdf.pages.reference,
                "MediaBox": pydyf.Array([0, 0, mat.width * _POINTS, mat.height * _POINTS]),
                "Contents": page.reference,
                "Resources": pydyf.Dictionary({"Font": pydyf.Dictionary({"F": font.reference})}),
            }
        )
    )
    written = BytesIO()
    pdf.write(written)
    return written.getvalue()


def _text(page: pydyf.Stream, x: float, y: float, text: str) -> None:
    page.set_color_rgb(*[150 / 255] * 3)
    page.begin_text()
    page.set_font_size("F", 7 / _POINTS)
    page.move_text_to(x, y)
    page.show_text_string(text)
    page.end_text()


def _draw_mark(page: pydyf.Stream, number: int, corners: Polygon) -> None:
    """Draws one corner mark. Adjacent black cells of a row are one rectangle, to avoid hairlines."""
    (left, top), (right, _) = corners[0], corners[2]
    cells = mark_cells(number)
    side = (right - left) / len(cells)
    for row, line in enumerate(cells):
        start = 0
        while start < len(line):
            end = start
            while end < len(line) and line[end]:
                end += 1
            if end > start:
                below = -(top + row * side) - side - 0.01
                page.rectangle(left + start * side, below, (end - start) * side, side + 0.01)
                page.fill()
            start = end + 1
