"""Build hook: compiles engine/krone/advice/kernel/kernel.c into the package, for editable installs and wheels.

It uses the machine's C compiler if that works; otherwise the build requires `ziglang`, a complete C compiler from the
package index. The library is called through ctypes, so it needs no Python headers and one wheel serves every Python of
a platform. COURTSIDE_COMPILER=zig skips the machine's own compiler.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("engine/krone/advice/kernel/kernel.c")
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
FLAGS = ["-std=c11", "-O3", "-shared", "-fvisibility=hidden"]
if sys.platform != "win32":
    FLAGS.append("-fPIC")
if sys.platform == "linux":
    FLAGS.append("-s")  # strips the symbol table, which takes a megabyte with zig
PROBE = (
    "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\nunsigned __int128 probe(double x) { return x; }\n"
)


@cache
def own_compiler() -> str | None:
    """A C compiler of this machine that can build a library; one without the C library's headers cannot."""
    if os.environ.get("COURTSIDE_COMPILER") == "zig":
        return None
    for name in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        if not shutil.which(name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            probe = Path(folder) / "probe.c"
            probe.write_text(PROBE, encoding="ascii")
            built = subprocess.run(
                [name, *FLAGS, "-o", str(probe.with_suffix(SUFFIX)), str(probe)], capture_output=True
            )
            if built.returncode == 0:
                return name
    return None


def wheel_platform() -> str:
    """The platform part of the wheel's tag."""
    if sys.platform == "darwin":
        return f"macosx_11_0_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


class CustomBuildHook(BuildHookInterface[Any]):
    """Hatchling requires this name."""

    def dependencies(self) -> list[str]:
        """Packages that the build needs in addition to hatchling."""
        return [] if own_compiler() else ["ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles the library and adds it to the wheel."""
        command = own_compiler()
        compiler = [command] if command else [sys.executable, "-m", "ziglang", "cc", "-target", self._zig_target()]
        root = Path(self.root)
        built = root / SOURCE.parent.parent / f"_kernel{SUFFIX}"
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / built.name
            subprocess.run([*compiler, *FLAGS, "-o", str(library), str(root / SOURCE)], check=True)
            # Replaced and not overwritten, because a running process may have the old one open.
            arriving = built.with_suffix(f".{os.getpid()}.new")
            shutil.copyfile(library, arriving)
            arriving.replace(built)
        build_data["artifacts"].append(built.relative_to(root).as_posix())
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{wheel_platform()}"

    @staticmethod
    def _zig_target() -> str:
        machine = platform.machine().lower()
        cpu = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
        if sys.platform == "win32":
            return f"{cpu}-windows-gnu"
        if sys.platform == "darwin":
            return f"{cpu}-macos"
        libc = "gnu.2.17" if platform.libc_ver()[0] == "glibc" else "musl"
        return f"{cpu}-linux-{libc}"
