"""Builds the wheel (PEP 517): the package, the messages of proto/vaquita, and the program as a script.

The environment variable VAQUITA_STAGED names a folder as packages/stage lays it out, VAQUITA_PLATFORM the program to take of it
(linux-amd64, linux-arm64). The program is static, so one wheel serves every Python and every libc.
"""

import base64
import hashlib
import os
import re
import stat
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TAGS = {
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
}
METADATA = """\
Metadata-Version: 2.1
Name: vaquita
Version: {version}
Summary: A small HBase in one process, for tests: a pytest plugin, and a client with happybase's tables
License: Apache-2.0
License-File: LICENSE
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Framework :: Pytest
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: grpcio>=1.51
Requires-Dist: protobuf>=3.20.2
Description-Content-Type: text/markdown

{readme}"""
ENTRY_POINTS = "[pytest11]\nvaquita = vaquita.pytest_plugin\n"


def _version() -> str:
    found = re.search(r'__version__ = "(.*)"', (HERE / "src/vaquita/__init__.py").read_text())
    assert found is not None
    return found.group(1)


def _messages(folder: Path) -> None:
    """Generates vaquita/v1/*_pb2.py, with types for checkers, and the services' stubs."""
    protos = sorted(str(path.relative_to(ROOT / "proto")) for path in (ROOT / "proto/vaquita/v1").glob("*.proto"))
    plugin = subprocess.run(["which", "grpc_python_plugin"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    outs = [f"--{kind}_out={folder}" for kind in ("python", "pyi", "grpc_python")]
    subprocess.run(["protoc", "-I", ".", f"--plugin=protoc-gen-grpc_python={plugin}", *outs, *protos], cwd=ROOT / "proto", check=True)
    (folder / "vaquita/v1/__init__.py").write_text('"""Vaquita\'s gRPC API: messages and stubs generated from proto/vaquita/v1."""\n')


class _Wheel:
    """A zip file that keeps the list which wheels end with."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._record: List[str] = []

    def add(self, name: str, content: bytes, mode: int = 0o644) -> None:
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # a fixed time, so that equal content gives equal bytes
        info.external_attr = (stat.S_IFREG | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}")

    def finish(self, info: str) -> None:
        record = f"{info}/RECORD"
        self._zip.writestr(zipfile.ZipInfo(record, (2020, 1, 1, 0, 0, 0)), "\n".join([*self._record, f"{record},,", ""]))
        self._zip.close()


def build_wheel(wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    platform = os.environ.get("VAQUITA_PLATFORM", "linux-amd64")
    program = Path(os.environ.get("VAQUITA_STAGED", ROOT / "build/package")) / platform / "vaquita"
    if not program.is_file():
        raise SystemExit(f"{program} is missing: VAQUITA_STAGED must name a folder that packages/stage has made")
    version = _version()
    tag = "py3-none-" + TAGS[platform]
    name = f"vaquita-{version}-{tag}.whl"
    info = f"vaquita-{version}.dist-info"
    wheel = _Wheel(Path(wheel_directory) / name)
    with tempfile.TemporaryDirectory() as generated:
        _messages(Path(generated))
        for root in (HERE / "src", Path(generated)):
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    wheel.add(str(path.relative_to(root)), path.read_bytes())
    wheel.add(f"vaquita-{version}.data/scripts/vaquita", program.read_bytes(), 0o755)
    wheel.add(f"{info}/METADATA", METADATA.format(version=version, readme=(HERE / "README.md").read_text()).encode())
    tags = "".join(f"Tag: py3-none-{each}\n" for each in TAGS[platform].split("."))
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: vaquita\nRoot-Is-Purelib: false\n{tags}".encode())
    wheel.add(f"{info}/entry_points.txt", ENTRY_POINTS.encode())
    wheel.add(f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.finish(info)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    raise SystemExit("there are wheels only: the program is not built by Python")


if __name__ == "__main__":  # wheel_backend.py OUT
    import sys

    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(build_wheel(sys.argv[1]))
