"""A server for tests, and what a test can ask of it (docs/test-control.md)."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Type, Union

from vaquita._process import Process, StartError
from vaquita.client import Connection, Table

__all__ = ["ControlError", "StartError", "Vaquita", "start"]

Tables = Mapping[str, Sequence[str]]

CONTROL_SECONDS = 600.0  # the longest wait for an answer of the test control


class ControlError(RuntimeError):
    """The server refused what a test asked of it; the message is the server's. Or it has ended, and the message has how."""


def start(*, tables: Optional[Tables] = None, seed: str = "", properties: Optional[Mapping[str, str]] = None) -> "Vaquita":
    """Starts a server on free ports, with its data in a folder that goes with it.

    ``tables`` are made, each with its families; then the commands of HBase's shell in ``seed`` run. ``properties`` are those of
    hbase-site.xml. StartError has the end of the server's log if it does not start.
    """
    server = Vaquita(properties or {})
    try:
        server.prepare(tables or {}, seed)
    except BaseException:
        server.stop()
        raise
    return server


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _duration(value: Union[timedelta, float]) -> str:
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    return f"{round(seconds * 1000)}ms"


class Vaquita:
    """A running server. ``start`` makes one; with ``with`` it is stopped at the end."""

    def __init__(self, properties: Mapping[str, str], data: Optional[Path] = None) -> None:
        self._process = Process(properties, data)
        self._control = str(self._process.ready.get("test_control"))
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self._properties = dict(properties)
        self._connection: Optional[Connection] = None

    # Addresses.

    @property
    def grpc_address(self) -> str:
        """The address of Vaquita's own API, "host:port"."""
        return str(self._process.ready["grpc_address"])

    @property
    def zookeeper(self) -> str:
        """ZooKeeper's address, "host:port"; HBase's own clients find the server by it."""
        return str(self._process.ready["zookeeper"])

    @property
    def hbase_site(self) -> str:
        """An hbase-site.xml for clients of this server."""
        return str(self._process.ready["hbase_site"])

    @property
    def properties(self) -> Dict[str, str]:
        """The properties of ``hbase_site``, and those that the server was started with."""
        found = dict(self._properties)
        for each in ElementTree.fromstring(self.hbase_site).iter("property"):
            found[each.findtext("name", "")] = each.findtext("value", "")
        return found

    def connection(self) -> Connection:
        """Returns a connection that stays open until the server is stopped, the same in each call."""
        if self._connection is None:
            self._connection = Connection(self.grpc_address)
        return self._connection

    def table(self, name: str) -> Table:
        """Returns a table of ``connection()``."""
        return self.connection().table(name)

    # State.

    def reset(self) -> None:
        """Drops all tables, namespaces, snapshots and faults, forgets calls, returns to the machine's time. Connections stay."""
        self._post("reset", {})

    def create_table(self, name: str, *families: str) -> None:
        self.prepare({name: families}, "", reset=False)

    def seed(self, script: str) -> str:
        """Runs commands of HBase's shell, one a line, and returns what they print."""
        return str(self._post("seed", {"script": script})["output"])

    def seed_csv(self, csv: str, table: str, *, family: str = "f", key: str = "") -> int:
        """Puts records into a table, which is made if it is missing, and returns how many there were.

        The CSV has a header; a column becomes a cell. The key is a column (the first), or a design as in docs/lab.md.
        """
        return int(self._post("seed", {"csv": csv, "table": table, "family": family, "key": key})["rows"])

    def seed_snapshot(self, snapshot: str, table: str) -> None:
        """Makes a table, which must not be there, of a snapshot."""
        self._post("seed", {"snapshot": snapshot, "table": table})

    def save(self, name: str) -> None:
        """Keeps the whole state under a name, for ``restore``."""
        self._post("save", {"name": name})

    def restore(self, name: str) -> None:
        """Returns to a state that was saved. Connections stay."""
        self._post("restore", {"name": name})

    def prepare(self, tables: Tables, seed: str, *, reset: bool = True) -> None:
        """Gives the server these tables, empty, and nothing else; then runs the commands in ``seed``."""
        if reset:
            self.reset()
        script = ""
        for name, families in tables.items():
            if isinstance(families, str) or not families:
                raise ValueError(f"the families of table {name} must be a list with at least one name, not {families!r}")
            script += ", ".join(["create " + _quoted(name), *map(_quoted, families)]) + "\n"
        if script or seed:
            self.seed(script + seed)

    # Time.

    def freeze_time(self, at: Optional[datetime] = None) -> datetime:
        """The server's clock stands still, at this time if one is given. Returns its time."""
        if at is None:
            return self._clock({"freeze": True})
        return self._clock({"freezeMs": round(at.timestamp() * 1000)})

    def advance_time(self, by: Union[timedelta, float]) -> datetime:
        """Moves the server's clock forward, by seconds if it is a number; what is due then (TTL, leases, chores) is done."""
        return self._clock({"advance": _duration(by)})

    def real_time(self) -> datetime:
        """The server's clock is the machine's again."""
        return self._clock({"real": True})

    def time(self) -> datetime:
        return self._clock(None)

    def _clock(self, request: Optional[Mapping[str, Any]]) -> datetime:
        answer = self.control("GET" if request is None else "POST", "clock", request)
        return datetime.fromtimestamp(int(answer["nowMs"]) / 1000, timezone.utc)

    # Faults and calls.

    def add_fault(
        self,
        methods: Union[str, Sequence[str]] = (),
        *,
        table: str = "",
        rows: Optional[Sequence[str]] = None,
        skip: int = 0,
        times: int = 0,
        exception: str = "",
        message: str = "",
        delay: Union[timedelta, float, None] = None,
        drop: str = "",
        lose_answer: bool = False,
        **others: Any,
    ) -> int:
        """Adds a failure on demand and returns its number.

        It is for calls of these methods (HBase's names: "Get", "Mutate", "Multi", "Scan"; none: all) on this table, with a row in
        ``rows``, (from, to): after ``skip`` of them for the next ``times``, 0 for all. They are answered with ``exception``, a class of
        HBase's, late by ``delay``, or never: ``drop`` is "before" or "after" the call was done. ``others`` are further fields of
        docs/test-control.md, e.g. ``inTransition="2s"``.
        """
        match: Dict[str, Any] = dict(others.pop("match", {}))
        if methods:
            match["methods"] = [methods] if isinstance(methods, str) else list(methods)
        if table:
            match["table"] = table
        if rows is not None:
            match["rowFrom"], match["rowTo"] = rows
        fault: Dict[str, Any] = {"match": match, "skip": skip, "times": times, **others}
        if exception:
            fault["exception"] = {"class": exception, "message": message}
        if delay is not None:
            fault["delay"] = _duration(delay)
        if drop:
            fault["drop"] = drop
        if lose_answer:
            fault["loseAnswer"] = True
        return int(self._post("faults", fault)["id"])

    def faults(self) -> List[Dict[str, Any]]:
        """Returns the faults with their ``hits``: to how many calls each has applied."""
        return list(self.control("GET", "faults")["faults"])

    def clear_faults(self) -> None:
        self.control("DELETE", "faults")

    def calls(self, since: int = 0, *, table: str = "", method: str = "") -> List[Dict[str, Any]]:
        """Returns the last 10,000 calls, or those of them from number ``since`` on, the oldest first."""
        query = urllib.parse.urlencode({"since": since, "table": table, "method": method})
        return list(self.control("GET", "calls?" + query)["calls"])

    def next_call(self) -> int:
        """Returns the number that the next call will have, for ``calls``."""
        return int(self.control("GET", f"calls?since={2**63 - 1}")["next"])

    # Maintenance; each returns when it is done.

    def flush(self, table: str) -> None:
        self._post("flush", {"table": table})

    def compact(self, table: str) -> None:
        """A major compaction."""
        self._post("compact", {"table": table})

    def split(self, table: str, split_row: str) -> None:
        """Splits a table's only region."""
        self._post("split", {"table": table, "splitRow": split_row})

    def control(self, method: str, operation: str, request: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
        """Any operation of docs/test-control.md, e.g. ``control("POST", "balance", {})``."""
        body = None if request is None else json.dumps(request).encode()
        headers = {"Content-Type": "application/json"}
        asked = urllib.request.Request(f"{self._control}/{operation}", data=body, method=method, headers=headers)
        try:
            with self._opener.open(asked, timeout=CONTROL_SECONDS) as answer:
                found: Dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                text = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                text = f"HTTP status {error.code}: {text}"
            raise ControlError(f"{operation}: {text}") from None
        except (OSError, http.client.HTTPException) as error:
            end = self._process.end
            detail = f"the server does not run: {end}.\n{self.last_log_lines()}" if end else str(error) or repr(error)
            raise ControlError(f"{operation}: {detail}") from error

    def _post(self, operation: str, request: Mapping[str, Any]) -> Dict[str, Any]:
        return self.control("POST", operation, request)

    # The process.

    @property
    def pid(self) -> int:
        return int(self._process.ready["pid"])

    @property
    def is_running(self) -> bool:
        return self._process.is_running

    @property
    def log(self) -> Path:
        """The file of the server's log; it goes when the server is stopped."""
        return self._process.log

    def last_log_lines(self) -> str:
        """Returns the last 50 lines of the server's log, under a heading."""
        return self._process.last_lines()

    def stop(self) -> None:
        """Closes ``connection()`` and ends the server. Nothing happens if it has ended."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._process.stop()

    def __enter__(self) -> "Vaquita":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<Vaquita at {self.grpc_address}{'' if self.is_running else ' (stopped)'}>"
