"""`courtside mat`: the printable mat as a PDF."""

from __future__ import annotations

from pathlib import Path

import click
from fpdf import FPDF

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
    pdf = FPDF(orientation="landscape", unit="mm", format=(mat.height, mat.width))
    pdf.set_auto_page_break(False)
    pdf.set_title(f"Courtside mat ({mat.paper})")
    pdf.add_page()
    pdf.set_fill_color(0)
    for number, corners in mat.marks.items():
        _draw_mark(pdf, number, corners)
    pdf.set_line_width(0.6)
    for area, grey in ((mat.rolling, 190), (mat.kept, 120)):
        (left, top), (right, bottom) = area[0], area[2]
        pdf.set_draw_color(grey)
        pdf.rect(left, top, right - left, bottom - top, round_corners=True, corner_radius=4)
    pdf.set_font("helvetica", size=7)
    pdf.set_text_color(150)
    left, top = mat.kept[0]
    pdf.text(left + 4, top - 1.5, f"dice set aside     courtside mat {mat.paper}, print at 100 %")
    return bytes(pdf.output())


def _draw_mark(pdf: FPDF, number: int, corners: Polygon) -> None:
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
                pdf.rect(left + start * side, top + row * side, (end - start) * side, side + 0.01, style="F")
            start = end + 1
