"""Renders the app icons from `icon.svg`: python -m scripts.icons"""

from __future__ import annotations

from pathlib import Path

from tests.kit.browser import browsing

STATIC = Path(__file__).parents[1] / "companion" / "web" / "static"
SIZES = (180, 192, 512)  # pixels, as iOS and Android require


def main() -> None:
    """Writes a PNG for each size beside the SVG."""
    for size in SIZES:
        with browsing(viewport={"width": size, "height": size}) as open_page:
            open_page((STATIC / "icon.svg").as_uri()).screenshot(path=STATIC / f"icon-{size}.png")


if __name__ == "__main__":
    main()
