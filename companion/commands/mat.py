"""`courtside mat`: the printable mat as a PDF."""

from __future__ import annotations

from pathlib import Path

import click
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from vision.table.mat import DISPLAY_SHEETS, GAP_MM, MARGIN_MM, MATS, Mat, Polygon, mark_cells


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
    """The sheet as a one-page PDF in true size; marks are vector squares, so any printer keeps them sharp."""
    pdf = _sheet(mat, f"Courtside mat ({mat.paper})")
    for area, grey in ((mat.rolling, 190), (mat.kept, 120)):
        (left, top), (right, bottom) = area[0], area[2]
        pdf.setStrokeGray(grey / 255)
        pdf.roundRect(left, -bottom, right - left, bottom - top, radius=4)
    left, top = mat.kept[0]
    pdf.drawString(left + 4, -(top - 1.5), f"dice set aside     courtside mat {mat.paper}, print at 100 %")
    return bytes(pdf.getpdfdata())  # type: ignore[no-untyped-call]


def display_pdf(sheet: Mat) -> bytes:
    """The sheet for the cards for sale."""
    pdf = _sheet(sheet, f"Courtside display ({sheet.paper})")
    left, low = MARGIN_MM + sheet.mark + GAP_MM, sheet.height - MARGIN_MM
    pdf.drawString(left, -low, f"cards for sale     courtside display {sheet.paper}, print at 100 %")
    return bytes(pdf.getpdfdata())  # type: ignore[no-untyped-call]


def _sheet(mat: Mat, title: str) -> Canvas:
    """A page with the corner marks, to be drawn on in millimetres from the upper left corner, upwards positive."""
    pdf = Canvas("", pagesize=(mat.width * mm, mat.height * mm), invariant=True)
    pdf.setTitle(title)
    pdf.translate(0, mat.height * mm)
    pdf.scale(mm, mm)
    for number, corners in mat.marks.items():
        _draw_mark(pdf, number, corners)
    pdf.setLineWidth(0.6)
    pdf.setFont("Helvetica", 7 / mm)
    pdf.setFillGray(150 / 255)
    return pdf


def _draw_mark(pdf: Canvas, number: int, corners: Polygon) -> None:
    """One corner mark; neighbouring black cells of a row are one rectangle: no hairlines between them."""
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
                pdf.rect(left + start * side, below, (end - start) * side, side + 0.01, stroke=0, fill=1)
            start = end + 1
