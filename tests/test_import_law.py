"""The import law: `engine` imports nothing of ours, `vision` knows no game, the folders of `companion` are layers, and
one file imports ONNX Runtime."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from engine.registry import GAME_IDS

ROOT = Path(__file__).parent.parent
KIT = "tests.kit"
LAYERED = ("vision", "companion")
BESIDE = {path.stem for path in (ROOT / "scripts").iterdir()} - set(sys.stdlib_module_names)
FILES = sorted(
    path.relative_to(ROOT) for top in ("engine", "vision", "companion") for path in (ROOT / top).rglob("*.py")
)
OUTSIDE = {"random", "secrets", "time", "datetime", "os", "io", "pathlib", "socket", "subprocess", "tempfile", "urllib"}
# The compiled part of the advice may look for its compiler and keep what it built; nothing else touches a disk.
COMPILER = {"numpy", "numba", "ctypes", "cffi", "pathlib", "os", "tempfile", "subprocess"}
# Folders of `companion`, lowest first: each imports its own folder and lower ones only. The modules beside the folders
# are lowest, but for `cli`, which loads the commands. `plugins` loads the games by their names.
LAYERS = (
    {"cli_errors", "cli_text", "files", "logs", "memory", "plugins", "resources"},
    {"archive", "i18n"},
    {"game"},
    {"advice", "camera"},
    {"games"},
    {"web"},
    {"server"},
    {"commands", "cli"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def tree(path: Path) -> ast.Module:
    """Not cached: garbage collection among all trees takes three times as long as parsing them."""
    return ast.parse((ROOT / path).read_text("utf-8"))


def statements(path: Path) -> Iterator[ast.AST]:
    """Every statement of the file at any depth; expressions, which are most nodes, import nothing."""
    waiting: list[ast.AST] = [tree(path)]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())


@cache
def imports(path: Path) -> frozenset[str]:
    """Full names of all modules imported anywhere in the file."""
    found: set[str] = set()
    for node in statements(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.parts[: len(path.parts) - node.level] if node.level else ()
            module = ".".join([*package, node.module or ""])
            # From a whole package: each name may be a module of it.
            found |= {f"{module}.{alias.name}" for alias in node.names} if module in LAYERED else {module}
    return frozenset(found)


def test_import_law() -> None:
    for path in FILES:
        tops = {module.split(".")[0] for module in imports(path)}
        assert not tops & {"scripts", "tests"}, path
        if path.parts[0] == "engine":
            allowed = (set(sys.stdlib_module_names) - OUTSIDE) | {"engine"}
            assert tops <= allowed | (COMPILER if "advice" in path.parts else set()), path
        if path.parts[0] == "vision":
            assert not tops & {"engine", "companion", "flask", "sqlalchemy"}, path
        if path != Path("vision/dice/networks.py"):
            assert not tops & {"onnxruntime", "openvino", "torch", "ultralytics"}, path


def folder(module: str) -> str:
    """The layer of a module of `companion`: `companion.web.pages.table` is in `web`."""
    return module.split(".")[1]


def layered(package: str, level: dict[str, int], path: Path) -> None:
    """Imports in functions and under TYPE_CHECKING count: a file depends only on the layers below it."""
    needed = {module for module in imports(path) if module.split(".")[0] == package}
    if len(path.parts) == 2 and path.stem == "__init__":
        assert not needed, f"{path}: the package itself must import nothing"
        return
    own = folder(".".join(path.with_suffix("").parts))
    assert not {one for one in needed if folder(one) != own and level[folder(one)] >= max(1, level[own])}, path


def test_companion_is_built_in_layers() -> None:
    for path in FILES:
        if path.parts[0] == "companion":
            layered("companion", LEVEL, path)


# Folders and modules of `vision`, lowest first, likewise.
VISION = (
    {"types", "messages", "boxes"},
    {"sources", "dice", "table"},
    {"cards", "tracking"},
    {"pipeline"},
    {"process"},
)
VISION_LEVEL = {name: level for level, names in enumerate(VISION) for name in names}


def test_vision_is_built_in_layers() -> None:
    for path in FILES:
        if path.parts[0] == "vision":
            layered("vision", VISION_LEVEL, path)


def test_only_commands_and_plug_ins_are_loaded_by_name() -> None:
    for path in FILES:
        if path.parts[0] == "companion" and path not in (Path("companion/cli.py"), Path("companion/plugins.py")):
            assert not {"importlib", "runpy"} & imports(path), path


def test_modules_import_each_other_in_no_circle() -> None:
    """Imports for type checkers do not count, because two classes may name each other."""
    names = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
    needs = {}
    for name, path in names.items():
        nodes = list(statements(path))
        blocks = [node for node in nodes if isinstance(node, ast.If)]
        checked = [node for node in blocks if ast.unparse(node.test) == "TYPE_CHECKING"]
        typed = {id(part) for node in checked for statement in node.body for part in ast.walk(statement)}
        found = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        found = [node for node in found if id(node) not in typed]
        whole = {f"{node.module}.{alias.name}" for node in found for alias in node.names}  # from package import module
        parts = {node.module for node in found for alias in node.names if f"{node.module}.{alias.name}" not in names}
        needs[name] = (whole | parts) & (names.keys() - {name})
    TopologicalSorter(needs).prepare()  # raises CycleError, which names the circle


PATHS = sorted(path.relative_to(ROOT) for top in ("scripts", "tests") for path in (ROOT / top).rglob("*.py"))


def test_tests_and_scripts_share_the_kit_and_nothing_else() -> None:
    for path in PATHS:
        modules = imports(path)
        tops = {one.split(".")[0] for one in modules}
        if path.parts[0] == "scripts" or path.parts[:2] == ("tests", "kit"):
            assert not {one for one in modules if one.split(".")[0] == "tests" and not one.startswith(KIT)}, path
        if path.parts[0] == "tests":
            assert "scripts" not in tops, path
            assert not tops & BESIDE, f"{path}: a script imported as if it were on the path"


def test_the_engine_opens_no_file_and_connects_to_nothing() -> None:
    for path in FILES:
        if path.parts[0] == "engine" and "advice" not in path.parts:
            calls = {node.func.id for node in ast.walk(tree(path))
                     if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
            assert not calls & {"open", "print", "input", "exec", "eval", "__import__"}, path


def test_no_shared_file_names_a_game() -> None:
    """Games differ only through their plug-ins; translations are exempt, because they contain the games' texts."""
    named = re.compile("|".join(GAME_IDS), re.IGNORECASE)
    own = {Path(top, name) for top in ("engine", "companion/games") for name in GAME_IDS}
    shared = [
        path.relative_to(ROOT)
        for top in ("engine", "companion")
        for path in (ROOT / top).rglob("*.*")
        if path.suffix in (".py", ".html", ".css", ".js", ".svg", ".md", ".c", ".h")
    ]
    mine = [path for path in shared if not own & set(path.parents) and path != Path("engine/registry.py")]
    assert len(mine) > 300
    assert [f"{path}: {word[0]}" for path in mine for word in named.finditer((ROOT / path).read_text("utf-8"))] == []
