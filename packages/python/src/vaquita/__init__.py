"""Vaquita: a small HBase in one process, for tests.

    with vaquita.start(tables={"t": ["f"]}) as hbase:
        hbase.table("t").put(b"r", {b"f:q": b"v"})

With pytest, the fixture ``vaquita`` is there once the package is installed.
"""

from vaquita._program import ProgramNotFound, find_program
from vaquita.client import Batch, Connection, HBaseError, Table
from vaquita.server import ControlError, StartError, Vaquita, start

__all__ = [
    "Batch",
    "Connection",
    "ControlError",
    "HBaseError",
    "ProgramNotFound",
    "StartError",
    "Table",
    "Vaquita",
    "find_program",
    "start",
]
__version__ = "0.1.0"
