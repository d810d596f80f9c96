#!/usr/bin/env python
"""Lists what an installation runs on, with versions and licences.

    python -m scripts.dependencies [--write docs/dependencies.md]

Read from this environment: what `courtside` needs at run time, with everything that these need in turn, and its extras.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tests.kit.options import run

_HEAD = """# What Courtside runs on

Written by `python -m scripts.dependencies --write docs/dependencies.md`. Hold it against the advisories of the day with
`pip-audit -r constraints.txt --no-deps --disable-pip`; the versions are those of constraints.txt.

| package | version | licence | needed by |
|---|---|---|---|
"""


def main(write: Path | None = None) -> None:
    """Print the table, or write it."""
    table = _HEAD + "".join(_row(name, needed) for name, needed in sorted(_needed().items()))
    print(table)
    if write:
        write.write_text(table, encoding="utf-8")


def _needed() -> dict[str, set[str]]:
    """Plain names of all packages → who needs them."""
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


def _row(name: str, needed: set[str]) -> str:
    about = distribution(name)
    said = about.metadata["License-Expression"] or (about.metadata["License"] or "").strip().splitlines()[:1]
    classified = [
        c.rpartition(" :: ")[2] for c in about.metadata.get_all("Classifier") or () if c.startswith("License")
    ]
    licence = said if isinstance(said, str) else "".join(said)[:40] or ", ".join(classified)
    return f"| {name} | {about.version} | {licence} | {', '.join(sorted(needed))} |\n"


if __name__ == "__main__":
    run(main)
