"""Checked by mypy --strict, not run."""

from typing import Callable

import vaquita


def test_types(vaquita: vaquita.Vaquita, vaquita_factory: Callable[..., "vaquita.Vaquita"]) -> None:
    table = vaquita.table("t")
    table.put(b"r", {b"f:q": b"v"})
    for row, cells in table.scan(row_prefix=b"r"):
        print(row.decode(), cells[b"f:q"])
    total: int = table.counter_inc(b"r", b"f:c")
    print(total)
