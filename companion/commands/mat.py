"""`courtside mat`: the printable mat as a PDF."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import click
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from vision.table.mat import MATS, Mat, Polygon, mark_cells


@click.command()
@click.option("--paper", type=click.Choice(sorted(MATS)), default="a4", show_default=True, help="Sheet size.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write (default: courtside-mat-PAPER.pdf).")
def command(paper: str, out: Path | None) -> None:
    """Write a mat to print: the camera finds its corner marks and knows where dice are thrown and kept."""
    target = out or Path(f"courtside-mat-{paper}.pdf")
    sheet = mat_pdf(MATS[paper])
    try:
        target.write_bytes(sheet)
    except OSError as error:
        raise click.UsageError(f"cannot write {target}: {error.strerror}; choose another file with --out") from None
    click.echo(f"{target}: print at 100 % (no fit to page), lay it flat, keep all four corner marks in view.")


def mat_pdf(mat: Mat) -> bytes:
    """The sheet as a one-page PDF in true size; marks are vector squares, so any printer keeps them sharp."""
    sheet = BytesIO()
    pdf = Canvas(sheet, pagesize=(mat.width * mm, mat.height * mm), invariant=True)
    pdf.setTitle(f"Courtside mat ({mat.paper})")
    pdf.translate(0, mat.height * mm)
    pdf.scale(mm, mm)  # from here on millimetres from the upper left corner, upwards positive
    for number, corners in mat.marks.items():
        _draw_mark(pdf, number, corners)
    pdf.setLineWidth(0.6)
    for area, grey in ((mat.rolling, 190), (mat.kept, 120)):
        (left, top), (right, bottom) = area[0], area[2]
        pdf.setStrokeGray(grey / 255)
        pdf.roundRect(left, -bottom, right - left, bottom - top, radius=4)
    pdf.setFillGray(150 / 255)
    pdf.setFont("Helvetica", 7 / mm)
    left, top = mat.kept[0]
    pdf.drawString(left + 4, -(top - 1.5), f"dice set aside     courtside mat {mat.paper}, print at 100 %")
    pdf.save()
    return sheet.getvalue()


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
