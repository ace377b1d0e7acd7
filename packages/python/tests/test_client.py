"""The client: what people know from happybase."""

import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

import vaquita as package
from vaquita.v1 import data_pb2, data_pb2_grpc, filter_pb2, types_pb2


@pytest.fixture
def table(vaquita):
    return vaquita.table("t")


def test_put_and_row(table):
    table.put(b"r", {b"f:a": b"1", "f:b": "zwei"})
    assert table.row("r") == {b"f:a": b"1", b"f:b": b"zwei"}
    assert table.row(b"r", columns=[b"f:b"]) == {b"f:b": b"zwei"}
    assert table.row(b"r", columns=[b"f"]) == {b"f:a": b"1", b"f:b": b"zwei"}
    assert table.row(b"none") == {}
    assert table.get(b"r") == table.row(b"r")


def test_timestamps(vaquita):
    vaquita.connection().create_table("v", {"f": dict(max_versions=3)})
    table = vaquita.table("v")
    for time in (10, 20, 30):
        table.put(b"r", {b"f:q": b"%d" % time}, timestamp=time)
    assert table.row(b"r", include_timestamp=True) == {b"f:q": (b"30", 30)}
    assert table.row(b"r", timestamp=30) == {b"f:q": b"20"}  # before it, as with happybase
    assert table.cells(b"r", b"f:q") == [b"30", b"20", b"10"]
    assert table.cells(b"r", b"f:q", versions=2, include_timestamp=True) == [(b"30", 30), (b"20", 20)]
    table.delete(b"r", columns=[b"f:q"], timestamp=20)
    assert table.cells(b"r", b"f:q") == [b"30"]


def test_rows(table):
    for i in range(5):
        table.put(b"r%d" % i, {b"f:q": b"%d" % i})
    assert table.rows([b"r3", b"none", b"r1"]) == [(b"r3", {b"f:q": b"3"}), (b"r1", {b"f:q": b"1"})]
    assert table.rows([]) == []


def test_scan_over_regions(vaquita):
    vaquita.connection().create_table("s", ["f"], split_keys=[b"r3", b"r6"])
    table = vaquita.table("s")
    with table.batch() as batch:
        for i in range(10):
            batch.put(b"r%d" % i, {b"f:q": b"%d" % i})
    assert len(table.regions()) == 3

    def rows(**arguments):
        return [int(row[1:]) for row, _ in table.scan(**arguments)]

    assert rows() == list(range(10))
    assert rows(row_start=b"r2", row_stop=b"r7") == [2, 3, 4, 5, 6]
    assert rows(row_start=b"r2", limit=6) == [2, 3, 4, 5, 6, 7]
    assert rows(limit=3) == [0, 1, 2]
    assert rows(batch_size=1) == list(range(10))
    assert rows(reverse=True) == list(range(9, -1, -1))
    assert rows(reverse=True, limit=5) == [9, 8, 7, 6, 5]
    assert rows(row_start=b"r7", row_stop=b"r2", reverse=True) == [7, 6, 5, 4, 3]
    assert rows(row_prefix=b"r5") == [5]
    assert rows(row_prefix=b"r", reverse=True) == list(range(9, -1, -1))
    assert rows(row_prefix=b"r5", reverse=True) == [5]
    assert rows(filter=filter_pb2.Filter(page=filter_pb2.PageFilter(page_size=1)), limit=1) == [0]
    assert list(table.scan(row_start=b"r9", include_timestamp=False)) == [(b"r9", {b"f:q": b"9"})]
    with pytest.raises(TypeError, match="filter must be"):
        rows(filter="PrefixFilter('r')")
    with pytest.raises(TypeError, match="row_prefix"):
        rows(row_prefix=b"r", row_start=b"r")


def test_delete(table):
    table.put(b"r", {b"f:a": b"1", b"f:b": b"2"})
    table.delete(b"r", columns=[b"f:a"])
    assert table.row(b"r") == {b"f:b": b"2"}
    table.delete(b"r")
    assert table.row(b"r") == {}


def test_counters(table):
    assert table.counter_get(b"r", b"f:c") == 0
    assert table.counter_inc(b"r", b"f:c") == 1
    assert table.increment(b"r", b"f:c", 10) == 11
    assert table.counter_dec(b"r", b"f:c", 4) == 7
    table.counter_set(b"r", b"f:c", -5)
    assert table.counter_get(b"r", b"f:c") == -5


def test_counters_from_threads(table):
    threads = [threading.Thread(target=lambda: [table.counter_inc(b"r", b"f:c") for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.counter_get(b"r", b"f:c") == 200


def test_batch(vaquita, table):
    since = vaquita.next_call()
    with table.batch() as batch:
        for i in range(100):
            batch.put(b"r%02d" % i, {b"f:q": b"v"})
        batch.put(b"r07", {b"f:other": b"w"})
    calls = vaquita.calls(since)
    assert [(call["method"], call["result"]) for call in calls] == [("Multi", "OK")]
    assert table.row(b"r07") == {b"f:q": b"v", b"f:other": b"w"}
    with table.batch(batch_size=10) as batch:
        for i in range(25):
            batch.delete(b"r%02d" % i)
    assert sum(1 for _ in table.scan()) == 75
    with pytest.raises(ZeroDivisionError), table.batch(transaction=True) as batch:
        batch.delete(b"r50")
        1 / 0
    assert table.row(b"r50") == {b"f:q": b"v"}
    with pytest.raises(package.HBaseError, match="NoSuchColumnFamily"), table.batch() as batch:
        batch.put(b"r", {b"nothing:q": b"v"})


def test_tables(vaquita):
    connection = vaquita.connection()
    connection.create_table("a:b".replace(":", "_"), {"f": {"max_versions": 2, "time_to_live": 60}, "g": None})
    assert connection.tables() == [b"a_b", b"t"]
    families = vaquita.table("a_b").families()
    assert families[b"f"]["max_versions"] == 2
    assert families[b"f"]["time_to_live"] == 60
    assert families[b"g"]["max_versions"] == 1
    with pytest.raises(package.HBaseError) as error:
        connection.delete_table("a_b")
    assert error.value.exception_class == "org.apache.hadoop.hbase.TableNotDisabledException"
    connection.disable_table("a_b")
    assert not connection.is_table_enabled("a_b")
    connection.enable_table("a_b")
    connection.compact_table("a_b", major=True)
    connection.delete_table("a_b", disable=True)
    assert connection.tables() == [b"t"]
    with pytest.raises(ValueError, match="unknown option 'ttl'"):
        connection.create_table("x", {"f": {"ttl": 1}})


def test_errors_are_hbases(vaquita):
    with pytest.raises(package.HBaseError) as error:
        vaquita.table("nothing").row(b"r")
    assert error.value.exception_class == "org.apache.hadoop.hbase.TableNotFoundException"
    with pytest.raises(TypeError, match="bytes or str"):
        vaquita.table("t").row(7)
    with pytest.raises(TypeError, match="columns must be a list"):
        vaquita.table("t").row(b"r", columns=b"f:q")


class BreakingData(data_pb2_grpc.DataServiceServicer):
    """Breaks the stream of a scan behind its last row, the first time; answers a batch with no results at all."""

    def __init__(self):
        self.scans = 0

    def Scan(self, request, context):
        self.scans += 1
        rows = [b"a", b"b"] if self.scans == 1 else [b"c", b"d"]
        for row in rows[: request.scan.limit or None]:
            yield data_pb2.ScanResponse(results=[types_pb2.Result(row=row)])
        if self.scans == 1:
            context.abort(grpc.StatusCode.UNAVAILABLE, "the server stops")

    def Batch(self, request, context):
        return data_pb2.BatchResponse()


@pytest.fixture
def breaking():
    with ThreadPoolExecutor(2) as threads:
        data, server = BreakingData(), grpc.server(threads)
        data_pb2_grpc.add_DataServiceServicer_to_server(data, server)
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        with package.Connection(f"127.0.0.1:{port}") as connection:
            yield data, connection.table("t")
        server.stop(None).wait()


def test_a_scan_that_breaks_behind_its_last_row_has_ended(breaking):
    data, table = breaking
    assert [row for row, _ in table.scan(limit=2)] == [b"a", b"b"]
    data.scans = 0
    assert [row for row, _ in table.scan(limit=3)] == [b"a", b"b", b"c"]


def test_a_batch_that_is_answered_in_part_is_an_error(breaking):
    with pytest.raises(package.HBaseError, match="answered 0 of 1 actions"):
        with breaking[1].batch() as batch:
            batch.put(b"r", {b"f:q": b"v"})


def test_a_timeout_is_at_least_a_millisecond():
    with pytest.raises(ValueError, match="at least 1 ms"):
        package.Connection("127.0.0.1:1", timeout=0)
