"""QR codes as SVG."""

from __future__ import annotations

import io

import segno


def svg_code(text: str) -> bytes:
    """The text as a QR code: SVG, dark on white in either colour scheme, as scanners expect."""
    picture = io.BytesIO()
    segno.make(text, error="m").save(
        picture, kind="svg", border=3, dark="#000", light="#fff", svgns=True, xmldecl=False
    )
    return picture.getvalue()
