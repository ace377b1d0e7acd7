"""Finds the server's program: VAQUITA_BINARY, else the one that the wheel has put beside Python's scripts."""

import os
import platform
import site
import sys
import sysconfig
from pathlib import Path
from typing import List


class ProgramNotFound(RuntimeError):
    """There is no program of the server for this machine, or none was installed."""


def _candidates() -> List[Path]:
    found = [Path(sysconfig.get_path("scripts"))]
    if site.ENABLE_USER_SITE:  # pip install --user
        found.append(Path(site.getuserbase()) / "bin")
    found.append(Path(__file__).resolve().parents[1] / "bin")  # pip install --target
    found.append(Path(sys.prefix) / "bin")
    return list(dict.fromkeys(folder / "vaquita" for folder in found))


def find_program() -> Path:
    """Returns the program's file. ProgramNotFound names what was looked for."""
    override = os.environ.get("VAQUITA_BINARY")
    if override:
        if os.access(override, os.X_OK) and os.path.isfile(override):
            return Path(override).absolute()
        raise ProgramNotFound(f"VAQUITA_BINARY is {override}, which is not an executable file")
    candidates = _candidates()
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    looked = ", ".join(str(candidate) for candidate in candidates)
    raise ProgramNotFound(
        f"No program of Vaquita for {platform.system().lower()}-{platform.machine()}. Looked for: the environment variable"
        f" VAQUITA_BINARY, which is not set; {looked}. There are wheels for linux-x86_64 and linux-aarch64; on other systems run"
        " the container image and see docs/testing.md, Testcontainers."
    )
