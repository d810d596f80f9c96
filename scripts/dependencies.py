#!/usr/bin/env python
"""Lists the dependencies of an installation, with versions and licences.

    python -m scripts.dependencies [--keep]

It reads this environment: run-time dependencies of `courtside` with theirs, and its extras.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution

from tests.kit import figures
from tests.kit.options import run

TITLE = "What Courtside runs on"
ABOUT = """
The packages that an installation needs, and for what. Versions are those of constraints.txt. To check them against
today's advisories: `pip-audit -r constraints.txt --no-deps --disable-pip`.
"""


def main(keep: bool = False) -> None:
    """Prints the table."""
    rows = [_row(name, needed) for name, needed in sorted(_needed().items())]
    figures.report("dependencies", TITLE, ABOUT, rows, keep=keep)


def _needed() -> dict[str, set[str]]:
    """Names of all packages → which packages need them."""
    found: dict[str, set[str]] = {}
    waiting = [("courtside", {"club", "postgresql"})]
    while waiting:
        name, extras = waiting.pop()
        for line in distribution(name).requires or ():
            words, _, condition = line.partition(";")
            extra = re.search(r"extra == ['\"]([^'\"]+)", condition)
            if extra is not None and extra[1] not in extras:
                continue
            wanted = re.match(r"[\w.-]+", words)
            assert wanted
            plain = re.sub(r"[-_.]+", "-", wanted[0]).lower()
            try:
                distribution(plain)
            except PackageNotFoundError:
                continue  # for another system or an older Python
            if plain not in found:
                waiting.append((plain, set(re.findall(r"\[([\w,-]+)\]", words))))
            found.setdefault(plain, set()).add(name)
    return found


def _row(name: str, needed: set[str]) -> dict[str, str]:
    about = distribution(name)
    stated = about.metadata["License-Expression"] or (about.metadata["License"] or "").strip().splitlines()[:1]
    classified = [
        c.rpartition(" :: ")[2] for c in about.metadata.get_all("Classifier") or () if c.startswith("License")
    ]
    licence = stated if isinstance(stated, str) else "".join(stated)[:40] or ", ".join(classified)
    return {"package": name, "version": about.version, "licence": licence, "needed by": ", ".join(sorted(needed))}


if __name__ == "__main__":
    run(main)
