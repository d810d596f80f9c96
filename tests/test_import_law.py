"""Who may import whom: the engine stands alone, vision knows no game, one file knows the model runtime."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KIT = "tests.kit"
BESIDE = {path.stem for path in (ROOT / "scripts").iterdir()} - set(sys.stdlib_module_names)
FILES = sorted(
    path.relative_to(ROOT) for top in ("engine", "vision", "companion") for path in (ROOT / top).rglob("*.py")
)
OUTSIDE = {"random", "secrets", "time", "datetime", "os", "io", "pathlib", "socket", "subprocess", "tempfile", "urllib"}
# The compiled part of the advice may look for its compiler and keep what it built; nothing else touches a disk.
COMPILER = {"numpy", "numba", "ctypes", "cffi", "pathlib", "os", "tempfile", "subprocess"}


def imports(path: Path) -> set[str]:
    """Every module imported anywhere in the file, by its full name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.parts[: len(path.parts) - node.level] if node.level else ()
            found.add(".".join([*package, node.module or ""]))
    return found


@pytest.mark.parametrize("path", FILES, ids=str)
def test_import_law(path: Path) -> None:
    modules = imports(path)
    tops = {module.split(".")[0] for module in modules}
    assert "scripts" not in tops
    assert "tests" not in tops
    if path.parts[0] == "engine":
        allowed = (set(sys.stdlib_module_names) - OUTSIDE) | {"engine"}
        assert tops <= allowed | (COMPILER if path.parts[1] == "advice" else set())
    if path.parts[0] == "vision":
        assert not tops & {"engine", "companion", "flask", "sqlalchemy"}
    if path != Path("vision/dice/networks.py"):
        assert not tops & {"onnxruntime", "openvino", "torch", "ultralytics"}


PATHS = sorted(path.relative_to(ROOT) for top in ("scripts", "tests") for path in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("path", PATHS, ids=str)
def test_tests_and_scripts_share_the_kit_and_nothing_else(path: Path) -> None:
    modules = imports(path)
    if path.parts[0] == "scripts":
        assert not {one for one in modules if one.split(".")[0] == "tests" and not one.startswith(KIT)}
    else:
        assert not {one for one in modules if one.split(".")[0] == "scripts"}
        assert not {one.split(".")[0] for one in modules} & BESIDE, "a script imported as if it lay on the path"
    if path.parts[:2] == ("tests", "kit"):
        assert not {one for one in modules if one.split(".")[0] == "tests" and not one.startswith(KIT)}


def test_the_engine_opens_no_file_and_asks_nobody() -> None:
    for path in FILES:
        if path.parts[0] == "engine" and "advice" not in path.parts:
            calls = {node.func.id for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
                     if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
            assert not calls & {"open", "print", "input", "exec", "eval", "__import__"}, path
