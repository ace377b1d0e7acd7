"""Tables over Vaquita's gRPC API, with the methods, arguments and answers that people know from happybase.

Rows, columns ("family:qualifier") and values are bytes; str is encoded as UTF-8. What differs from happybase: a family's
``max_versions`` is 1 unless given, as in HBase 2; ``filter`` is a message of vaquita.v1.filter_pb2, not the filter language;
errors are HBaseError. What the server says can be tried again is, a few times.
"""

import random
import struct
import time
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

import grpc

from vaquita.v1 import admin_pb2, admin_pb2_grpc, data_pb2, data_pb2_grpc, filter_pb2, types_pb2

Bytes = Union[bytes, str]
Value = Union[bytes, Tuple[bytes, int]]  # with the timestamp if it was asked for
Row = Dict[bytes, Value]
_Answer = TypeVar("_Answer")

_ATTEMPTS = 12
_FIRST_PAUSE_SECONDS = 0.005
_LONG_SECONDS = 1200.0  # hbase.client.operation.timeout: for calls that are answered when their work is done
_COUNTER = struct.Struct(">q")


class HBaseError(Exception):
    """An error as HBase's clients know it: ``exception_class`` and ``message`` are HBase's."""

    def __init__(self, exception_class: str, message: str, retryable: bool = False) -> None:
        super().__init__(f"{exception_class}: {message}" if exception_class else message)
        self.exception_class = exception_class
        self.message = message
        self.retryable = retryable


def _bytes(value: Bytes) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"bytes or str are wanted, not {type(value).__name__}: {value!r}")


def _column(name: Bytes) -> Tuple[bytes, Optional[bytes]]:
    """Returns family and qualifier; no qualifier if there is no colon."""
    family, colon, qualifier = _bytes(name).partition(b":")
    return family, qualifier if colon else None


def _error(error: grpc.RpcError) -> HBaseError:
    """Returns what is in the status's details, else what gRPC itself says."""
    trailer: Any = error.trailing_metadata() or ()
    for key, value in trailer:
        if key == "grpc-status-details-bin":
            for detail in types_pb2.StatusDetails.FromString(value).details:
                found = types_pb2.HBaseError()
                if detail.Unpack(found):
                    return HBaseError(found.exception_class, found.message, found.retryable)
    code, text = error.code(), error.details() or ""
    busy = code == grpc.StatusCode.RESOURCE_EXHAUSTED and "Threadpool Exhausted" in text  # gRPC's server says it so
    passing = busy or code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
    return HBaseError("", f"{code.name}: {text}", retryable=passing)


def _retrying(call: Callable[[], _Answer]) -> _Answer:
    pause = _FIRST_PAUSE_SECONDS
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            try:
                return call()
            except grpc.RpcError as error:
                raise _error(error) from None
        except HBaseError as error:
            if not error.retryable or attempt == _ATTEMPTS:
                raise
        time.sleep(pause * random.uniform(0.5, 1.0))
        pause *= 2
    raise AssertionError("unreachable")


class Connection:
    """A connection to a server's gRPC address, e.g. "127.0.0.1:16040". Threads may share it.

    ``timeout`` is how long one attempt of a call waits for its answer, in milliseconds as with happybase; None: for ever.
    """

    def __init__(self, address: str, timeout: Optional[int] = 60_000) -> None:
        if timeout is not None and timeout < 1:
            raise ValueError("timeout must be at least 1 ms")
        unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1), ("grpc.enable_http_proxy", 0)]
        self.channel = grpc.insecure_channel(address, options=unlimited)
        self._admin: Any = admin_pb2_grpc.AdminServiceStub(self.channel)  # type: ignore[no-untyped-call]
        self._data: Any = data_pb2_grpc.DataServiceStub(self.channel)  # type: ignore[no-untyped-call]
        self._nonce_group = random.getrandbits(64)
        self._timeout = None if timeout is None else timeout / 1000
        self._long_timeout = self._timeout and max(self._timeout, _LONG_SECONDS)

    def close(self) -> None:
        self.channel.close()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def table(self, name: Bytes) -> "Table":
        """Returns a table, which need not exist; "namespace:name" outside of the default namespace."""
        return Table(_bytes(name).decode(), self)

    def tables(self) -> List[bytes]:
        names = self._call(self._admin.ListTables, admin_pb2.ListTablesRequest()).tables
        return [name.encode() for name in names]

    def create_table(
        self,
        name: Bytes,
        families: Union[Mapping[str, Optional[Mapping[str, Any]]], Sequence[str]],
        *,
        split_keys: Sequence[Bytes] = (),
    ) -> None:
        """Makes a table. Families are names, or names with options: max_versions, time_to_live (s), in_memory,
        block_cache_enabled, bloom_filter_type and compression."""
        options = families if isinstance(families, Mapping) else {family: None for family in families}
        descriptor = types_pb2.TableDescriptor(
            name=_bytes(name).decode(), families=[_family(family, given or {}) for family, given in options.items()]
        )
        request = admin_pb2.CreateTableRequest(table=descriptor, split_keys=[_bytes(key) for key in split_keys])
        self._run(self._admin.CreateTable, request)

    def delete_table(self, name: Bytes, disable: bool = False) -> None:
        """Drops a table, which must be disabled unless ``disable`` does so."""
        if disable and self.is_table_enabled(name):
            self.disable_table(name)
        self._run(self._admin.DeleteTable, _table_request(name))

    def enable_table(self, name: Bytes) -> None:
        self._run(self._admin.EnableTable, _table_request(name))

    def disable_table(self, name: Bytes) -> None:
        self._run(self._admin.DisableTable, _table_request(name))

    def is_table_enabled(self, name: Bytes) -> bool:
        state = self._call(self._admin.GetTableState, _table_request(name)).state
        return bool(state == admin_pb2.TABLE_STATE_ENABLED)

    def compact_table(self, name: Bytes, major: bool = False) -> None:
        request = admin_pb2.CompactRequest(table=_bytes(name).decode(), major=major)
        self._call(self._admin.Compact, request)

    def nonce(self) -> data_pb2.Nonce:
        """Returns a name for a request, by which the server knows it when it is sent again."""
        return data_pb2.Nonce(group=self._nonce_group, value=random.getrandbits(63) + 1)

    def _call(self, method: Any, request: Any, metadata: Sequence[Tuple[str, str]] = ()) -> Any:
        """Returns the answer to a request, which is sent again after an error that may pass."""
        return _retrying(lambda: method(request, timeout=self._timeout, metadata=metadata))

    def _scan_timeout(self, attempt: int) -> Optional[float]:
        """Returns how long a region's scan may take: longer from attempt to attempt, for a filter may find nothing for long."""
        if self._timeout is None or self._long_timeout is None:
            return None
        return min(self._timeout * 2.0**attempt, self._long_timeout)

    def _run(self, start: Any, request: Any) -> None:
        """Starts a procedure, once however often it is asked to, and waits for its end."""
        nonce = self.nonce()
        started = self._call(start, request, metadata=[("vaquita-nonce", f"{nonce.group} {nonce.value}")])
        waiting = admin_pb2.ProcedureRequest(procedure_id=started.procedure_id)
        procedure = _retrying(lambda: self._admin.WaitForProcedure(waiting, timeout=self._long_timeout))
        if procedure.state == admin_pb2.Procedure.STATE_FAILED:
            raise HBaseError(procedure.exception_class, procedure.error)


def _table_request(name: Bytes) -> admin_pb2.TableRequest:
    return admin_pb2.TableRequest(table=_bytes(name).decode())


def _family(name: str, options: Mapping[str, Any]) -> types_pb2.FamilyDescriptor:
    family = types_pb2.FamilyDescriptor(name=_bytes(name.rstrip(":")))
    for option, value in options.items():
        if option == "max_versions":
            family.max_versions = value
        elif option == "time_to_live":
            if value > 0:  # happybase's -1 is for ever
                family.ttl_seconds = value
        elif option == "in_memory":
            family.in_memory = value
        elif option == "block_cache_enabled":
            family.block_cache = value
        elif option == "bloom_filter_type":
            family.bloom_filter = getattr(types_pb2, "BLOOM_TYPE_" + value.upper())
        elif option == "compression":
            family.compression = getattr(types_pb2, "COMPRESSION_" + value.upper())
        else:
            raise ValueError(f"family {name}: unknown option {option!r}")
    return family


def _options(
    columns: Optional[Sequence[Bytes]],
    before: Optional[int],
    versions: Optional[int] = None,
    filter: Optional[filter_pb2.Filter] = None,
) -> data_pb2.ReadOptions:
    if isinstance(columns, (bytes, str)):
        raise TypeError(f"columns must be a list, not {columns!r}")
    if filter is not None and not isinstance(filter, filter_pb2.Filter):
        raise TypeError(f"filter must be a vaquita.v1.filter_pb2.Filter, not {filter!r}")
    options = data_pb2.ReadOptions(filter=filter)
    selections: Dict[bytes, List[bytes]] = {}
    whole = set()
    for name in columns or ():
        family, qualifier = _column(name)
        selections.setdefault(family, [])
        if qualifier is None:
            whole.add(family)
        else:
            selections[family].append(qualifier)
    for family, qualifiers in selections.items():
        options.families.add(family=family, qualifiers=[] if family in whole else qualifiers)
    if before is not None:
        options.time_range.max_ms = before
    if versions is not None:
        options.max_versions = versions
    return options


def _row(result: types_pb2.Result, include_timestamp: bool) -> Row:
    return {
        cell.family + b":" + cell.qualifier: (cell.value, cell.timestamp_ms) if include_timestamp else cell.value
        for cell in result.cells
    }


class Table:
    """A table. Threads may share it."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name.encode()
        self.connection = connection
        self._name = name
        self._data = connection._data

    def __repr__(self) -> str:
        return f"<vaquita.Table {self._name!r}>"

    def families(self) -> Dict[bytes, Dict[str, Any]]:
        """Returns the families with their options."""
        descriptor = self.connection._call(self.connection._admin.GetTableDescriptor, _table_request(self.name))
        forever = 2**31 - 1
        return {
            family.name: {
                "name": family.name,
                "max_versions": family.max_versions if family.HasField("max_versions") else 1,
                "time_to_live": family.ttl_seconds if family.HasField("ttl_seconds") else forever,
                "in_memory": family.in_memory,
                "block_cache_enabled": family.block_cache if family.HasField("block_cache") else True,
                "compression": types_pb2.Compression.Name(family.compression).replace("COMPRESSION_", ""),
                "bloom_filter_type": types_pb2.BloomType.Name(family.bloom_filter).replace("BLOOM_TYPE_", ""),
            }
            for family in descriptor.families
        }

    def regions(self) -> List[Dict[str, Any]]:
        """Returns the regions in the order of their rows."""
        answer = self.connection._call(self.connection._admin.ListRegions, _table_request(self.name))
        return [
            {
                "name": f"{each.region.table},{each.region.start_key.decode('latin1')},{each.region.id}".encode("latin1"),
                "start_key": each.region.start_key,
                "end_key": each.region.end_key,
                "id": each.region.id,
                "encoded_name": each.region.encoded_name,
                "server_name": each.server_name,
            }
            for each in answer.regions
        ]

    # Reads.

    def row(
        self,
        row: Bytes,
        columns: Optional[Sequence[Bytes]] = None,
        timestamp: Optional[int] = None,
        include_timestamp: bool = False,
    ) -> Row:
        """Returns a row's newest cells, of these columns (a family alone: all of it), with timestamps below ``timestamp``."""
        get = data_pb2.Get(row=_bytes(row), options=_options(columns, timestamp))
        return _row(self._get(get), include_timestamp)

    get = row

    def rows(
        self,
        rows: Sequence[Bytes],
        columns: Optional[Sequence[Bytes]] = None,
        timestamp: Optional[int] = None,
        include_timestamp: bool = False,
    ) -> List[Tuple[bytes, Row]]:
        """Returns those of the rows that there are, read in one request."""
        options = _options(columns, timestamp)
        actions = [data_pb2.Action(get=data_pb2.Get(row=_bytes(row), options=options)) for row in rows]
        return [(result.row, _row(result, include_timestamp)) for result in self._batch(actions) if result.cells]

    def cells(
        self,
        row: Bytes,
        column: Bytes,
        versions: Optional[int] = None,
        timestamp: Optional[int] = None,
        include_timestamp: bool = False,
    ) -> List[Value]:
        """Returns versions of a column, the newest first."""
        options = _options([column], timestamp, 2**31 - 1 if versions is None else versions)
        cells = self._get(data_pb2.Get(row=_bytes(row), options=options)).cells
        return [(cell.value, cell.timestamp_ms) if include_timestamp else cell.value for cell in cells]

    def scan(
        self,
        row_start: Optional[Bytes] = None,
        row_stop: Optional[Bytes] = None,
        row_prefix: Optional[Bytes] = None,
        columns: Optional[Sequence[Bytes]] = None,
        filter: Optional[filter_pb2.Filter] = None,
        timestamp: Optional[int] = None,
        include_timestamp: bool = False,
        batch_size: int = 1000,
        limit: Optional[int] = None,
        reverse: bool = False,
    ) -> Iterator[Tuple[bytes, Row]]:
        """Yields rows in [row_start, row_stop), or with a prefix; reversed from row_start down to after row_stop.

        ``batch_size`` is how many come in an answer.
        """
        if batch_size < 1:
            raise ValueError("batch_size must be at least 1")
        if limit is not None and limit < 1:
            raise ValueError("limit must be at least 1")
        start, stop, inclusive = _bytes(row_start or b""), _bytes(row_stop or b""), True
        if row_prefix is not None:
            if row_start is not None or row_stop is not None:
                raise TypeError("row_prefix cannot be combined with row_start or row_stop")
            start, stop = _bytes(row_prefix), _after_prefix(_bytes(row_prefix))
            if reverse:  # from the first row behind the prefix, without it, down to the prefix itself
                start, stop, inclusive = stop, start, False
        scan = data_pb2.Scan(
            rows=types_pb2.RowRange(start=start, stop=stop, stop_inclusive=reverse and row_prefix is not None),
            options=_options(columns, timestamp, filter=filter),
            reversed=reverse,
            caching=batch_size,
        )
        if not inclusive and start:
            scan.rows.start_inclusive = False
        for result in self._scan(scan, limit):
            yield result.row, _row(result, include_timestamp)

    def _scan(self, scan: data_pb2.Scan, limit: Optional[int]) -> Iterator[types_pb2.Result]:
        """Scans region after region; after an error that may pass it goes on behind the last row."""
        attempt = 0
        while True:
            if limit == 0:
                return
            if limit is not None:
                scan.limit = limit
            following = None
            try:
                request = data_pb2.ScanRequest(table=self._name, region=self._region(scan), scan=scan)
                for answer in self._data.Scan(request, timeout=self.connection._scan_timeout(attempt)):
                    for result in answer.results:
                        attempt = 0
                        scan.rows.start, scan.rows.start_inclusive = result.row, False
                        if limit is not None:
                            limit -= 1
                        yield result
                    if answer.HasField("next_region"):
                        following = answer.next_region
            except grpc.RpcError as error:
                attempt += 1
                found = _error(error)
                if not found.retryable or attempt == _ATTEMPTS:
                    raise found from None
                time.sleep(_FIRST_PAUSE_SECONDS * 2**attempt)
                continue
            if following is None:
                return
            attempt = 0
            scan.rows.start, scan.rows.start_inclusive = following.start_row, following.inclusive

    def _region(self, scan: data_pb2.Scan) -> bytes:
        """Returns the region where a scan goes on. The server finds it by the row (empty), but for one that goes backwards from the
        table's end or from a region's first row: that is in the region before."""
        if not scan.reversed:
            return b""
        start = scan.rows.start
        exclusive = scan.rows.HasField("start_inclusive") and not scan.rows.start_inclusive
        names = [
            str(region["encoded_name"])
            for region in self.regions()
            if not start or region["start_key"] < start or (region["start_key"] == start and not exclusive)
        ]
        return names[-1].encode() if names else b""

    # Writes.

    def put(self, row: Bytes, data: Mapping[Any, Bytes], timestamp: Optional[int] = None, wal: bool = True) -> None:
        """Writes cells: {"family:qualifier": value}."""
        self._mutate(_put(row, data, timestamp, wal))

    def delete(
        self, row: Bytes, columns: Optional[Sequence[Bytes]] = None, timestamp: Optional[int] = None, wal: bool = True
    ) -> None:
        """Deletes a row, or these columns of it (a family alone: all of it), at or before the timestamp."""
        self._mutate(_delete(row, columns, timestamp, wal))

    def batch(
        self,
        timestamp: Optional[int] = None,
        batch_size: Optional[int] = None,
        transaction: bool = False,
        wal: bool = True,
    ) -> "Batch":
        """Returns a batch of puts and deletes, which ``send`` or the end of a ``with`` block writes."""
        return Batch(self, timestamp, batch_size, transaction, wal)

    def counter_get(self, row: Bytes, column: Bytes) -> int:
        """Returns a counter's value; 0 if there is none."""
        value = self.row(row, [column]).get(_bytes(column))
        return _COUNTER.unpack(value)[0] if isinstance(value, bytes) else 0

    def counter_set(self, row: Bytes, column: Bytes, value: int = 0) -> None:
        self.put(row, {column: _COUNTER.pack(value)})

    def counter_inc(self, row: Bytes, column: Bytes, value: int = 1) -> int:
        """Adds to a counter and returns its new value."""
        family, qualifier = _column(column)
        cell = types_pb2.Cell(family=family, qualifier=qualifier or b"", value=_COUNTER.pack(value))
        result = self._mutate(data_pb2.Mutation(type=data_pb2.Mutation.TYPE_INCREMENT, row=_bytes(row), cells=[cell]))
        return int(_COUNTER.unpack(result.cells[0].value)[0])

    increment = counter_inc

    def counter_dec(self, row: Bytes, column: Bytes, value: int = 1) -> int:
        return self.counter_inc(row, column, -value)

    def _get(self, get: data_pb2.Get) -> types_pb2.Result:
        request = data_pb2.GetRequest(table=self._name, get=get)
        result: types_pb2.Result = self.connection._call(self._data.Get, request).result
        return result

    def _mutate(self, mutation: data_pb2.Mutation) -> types_pb2.Result:
        request = data_pb2.MutateRequest(table=self._name, mutation=mutation, nonce=self.connection.nonce())
        result: types_pb2.Result = self.connection._call(self._data.Mutate, request).result
        return result

    def _batch(self, actions: List[data_pb2.Action]) -> List[types_pb2.Result]:
        """Returns the results in the order of the actions. Those that failed and may be sent again are."""
        results: List[Optional[types_pb2.Result]] = [None] * len(actions)

        def attempt() -> None:
            waiting = [i for i, result in enumerate(results) if result is None]
            request = data_pb2.BatchRequest(table=self._name, actions=[actions[i] for i in waiting])
            first: Optional[HBaseError] = None
            outcomes = self._data.Batch(request, timeout=self.connection._timeout).results
            if len(outcomes) != len(waiting):
                raise HBaseError("", f"the server answered {len(outcomes)} of {len(waiting)} actions")
            for i, outcome in zip(waiting, outcomes):
                if outcome.HasField("error"):
                    error = HBaseError(outcome.error.exception_class, outcome.error.message, outcome.error.retryable)
                    if first is None or (first.retryable and not error.retryable):
                        first = error
                else:
                    results[i] = outcome.result
            if first is not None:
                raise first

        if actions:
            _retrying(attempt)
        return [result for result in results if result is not None]


class Batch:
    """Puts and deletes that are written together; each row's in their order. Not for several threads."""

    def __init__(self, table: Table, timestamp: Optional[int], batch_size: Optional[int], transaction: bool, wal: bool) -> None:
        if transaction and batch_size is not None:
            raise TypeError("transaction and batch_size cannot be combined")
        if batch_size is not None and batch_size < 1:
            raise ValueError("batch_size must be at least 1")
        self.table = table
        self._timestamp = timestamp
        self._batch_size = batch_size
        self._transaction = transaction
        self._wal = wal
        self._mutations: List[data_pb2.Mutation] = []
        self._cells = 0

    def put(self, row: Bytes, data: Mapping[Any, Bytes], wal: Optional[bool] = None) -> None:
        self._add(_put(row, data, self._timestamp, self._wal if wal is None else wal))

    def delete(self, row: Bytes, columns: Optional[Sequence[Bytes]] = None, wal: Optional[bool] = None) -> None:
        self._add(_delete(row, columns, self._timestamp, self._wal if wal is None else wal))

    def send(self) -> None:
        """Writes what has gathered. HBaseError has the first refusal; the other rows are written."""
        rows: Dict[bytes, List[data_pb2.Mutation]] = {}
        for mutation in self._mutations:
            rows.setdefault(mutation.row, []).append(mutation)
        self._mutations, self._cells = [], 0
        actions = []
        for row, mutations in rows.items():
            if len(mutations) == 1:
                actions.append(data_pb2.Action(mutation=mutations[0]))
            else:
                together = data_pb2.RowMutations(row=row, mutations=mutations)
                actions.append(data_pb2.Action(row_mutations=together, nonce=self.table.connection.nonce()))
        self.table._batch(actions)

    def _add(self, mutation: data_pb2.Mutation) -> None:
        self._mutations.append(mutation)
        self._cells += max(1, len(mutation.cells))
        if self._batch_size is not None and self._cells >= self._batch_size:
            self.send()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if kind is None or not self._transaction:  # a transaction is forgotten when the block raises
            self.send()


def _durability(wal: bool) -> "types_pb2.Durability":
    return types_pb2.DURABILITY_USE_DEFAULT if wal else types_pb2.DURABILITY_SKIP_WAL


def _put(row: Bytes, data: Mapping[Any, Bytes], timestamp: Optional[int], wal: bool) -> data_pb2.Mutation:
    mutation = data_pb2.Mutation(type=data_pb2.Mutation.TYPE_PUT, row=_bytes(row), durability=_durability(wal))
    for name, value in data.items():
        family, qualifier = _column(name)
        mutation.cells.add(family=family, qualifier=qualifier or b"", value=_bytes(value), timestamp_ms=timestamp)
    return mutation


def _delete(row: Bytes, columns: Optional[Sequence[Bytes]], timestamp: Optional[int], wal: bool) -> data_pb2.Mutation:
    if isinstance(columns, (bytes, str)):
        raise TypeError(f"columns must be a list, not {columns!r}")
    kind = data_pb2.Mutation.TYPE_DELETE
    mutation = data_pb2.Mutation(type=kind, row=_bytes(row), timestamp_ms=timestamp, durability=_durability(wal))
    for name in columns or ():
        family, qualifier = _column(name)
        what = types_pb2.CELL_TYPE_DELETE_FAMILY if qualifier is None else types_pb2.CELL_TYPE_DELETE_COLUMN
        mutation.cells.add(family=family, qualifier=qualifier or b"", type=what, timestamp_ms=timestamp)
    return mutation


def _after_prefix(prefix: bytes) -> bytes:
    """Returns the first row after all those with the prefix; empty: the end."""
    head = prefix.rstrip(b"\xff")
    return head[:-1] + bytes([head[-1] + 1]) if head else b""
