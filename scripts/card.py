"""Model cards (models/*.md): each script writes its own section and leaves the others unchanged."""

from __future__ import annotations

import re
from pathlib import Path


def with_section(card: Path, title: str, text: str) -> str:
    """The card with this section (`## title`) replaced, or appended."""
    before = card.read_text(encoding="utf-8") if card.exists() else ""
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", before, re.MULTILINE | re.DOTALL)
    written = f"## {title}\n\n{text.strip()}\n"
    if found is None:
        return f"{before.rstrip()}\n\n{written}".lstrip()
    after = before[found.end() :]
    return before[: found.start()] + written + (f"\n{after}" if after else "")


def with_head(card: Path, text: str) -> str:
    """The card with everything before its first section replaced."""
    before = card.read_text(encoding="utf-8") if card.exists() else ""
    found = re.search(r"^## ", before, re.MULTILINE)
    rest = before[found.start() :] if found else ""
    return f"{text.strip()}\n" + (f"\n{rest}" if rest else "")
