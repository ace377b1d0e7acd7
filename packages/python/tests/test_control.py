"""Faults, calls, time, seeds and saved states."""

from datetime import datetime, timedelta, timezone

import pytest

import vaquita as package


def test_faults_are_retried(vaquita):
    fault = vaquita.add_fault("Mutate", table="t", times=2, exception="RegionTooBusyException", message="as ordered")
    vaquita.table("t").put(b"r", {b"f:q": b"v"})
    assert [(each["id"], each["hits"]) for each in vaquita.faults()] == [(fault, 2)]
    results = [call["result"].rsplit(".", 1)[-1] for call in vaquita.calls(method="Mutate")]
    assert results == ["RegionTooBusyException", "RegionTooBusyException", "OK"]


def test_lost_answers_do_not_count_twice(vaquita):
    vaquita.add_fault("Mutate", table="t", times=1, drop="after")
    assert vaquita.table("t").counter_inc(b"r", b"f:c") == 1
    assert vaquita.table("t").counter_get(b"r", b"f:c") == 1


def test_tables_whose_answer_is_lost_are_made_and_dropped_once(vaquita):
    vaquita.add_fault(["CreateTable", "DeleteTable"], times=2, drop="after", table="u")
    vaquita.connection().create_table("u", ["f"])
    vaquita.connection().delete_table("u", disable=True)
    assert vaquita.connection().tables() == [b"t"]


def test_answers_that_never_come_end_with_the_timeout(vaquita):
    vaquita.add_fault(["Mutate", "Get", "Scan"], times=1, lose_answer=True)
    with package.Connection(vaquita.grpc_address, timeout=100) as connection:
        assert connection.table("t").counter_inc(b"r", b"f:c") == 1
        vaquita.clear_faults()
        vaquita.add_fault("Scan", times=1, lose_answer=True)
        assert [row for row, _ in connection.table("t").scan()] == [b"r"]


def test_faults_for_good_are_raised(vaquita):
    vaquita.add_fault("Get", exception="org.example.Unheard", message="of", rows=("r", "s"))
    assert vaquita.table("t").row(b"a") == {}
    with pytest.raises(package.HBaseError) as error:
        vaquita.table("t").row(b"r")
    assert error.value.exception_class == "org.example.Unheard"
    vaquita.clear_faults()
    assert vaquita.table("t").row(b"r") == {}


def test_time(vaquita):
    vaquita.connection().create_table("short", {"f": dict(time_to_live=60)})
    table = vaquita.table("short")
    at = datetime(2030, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
    assert vaquita.freeze_time(at) == at
    table.put(b"r", {b"f:q": b"v"})
    assert table.row(b"r", include_timestamp=True) == {b"f:q": (b"v", round(at.timestamp() * 1000))}
    vaquita.advance_time(59)
    assert table.row(b"r") != {}
    assert vaquita.advance_time(timedelta(seconds=2)) == at + timedelta(seconds=61)
    assert table.row(b"r") == {}
    assert abs(vaquita.real_time() - datetime.now(timezone.utc)) < timedelta(minutes=1)


def test_states(vaquita):
    assert vaquita.seed_csv("id,name\n1,Ann\n2,Ben\n", "people", family="p") == 2
    vaquita.save("people")
    vaquita.table("people").delete(b"1")
    vaquita.restore("people")
    assert vaquita.table("people").row(b"1") == {b"p:name": b"Ann"}
    assert "Ben" in vaquita.seed("scan 'people'")
    with pytest.raises(package.ControlError, match="nothing"):
        vaquita.restore("nothing")


def test_snapshots_seed(vaquita):
    vaquita.seed("put 't', 'r', 'f:q', 'v'\nsnapshot 't', 's'")
    vaquita.seed_snapshot("s", "clone")
    assert vaquita.table("clone").row(b"r") == {b"f:q": b"v"}


def test_maintenance(vaquita):
    vaquita.table("t").put(b"r", {b"f:q": b"v"})
    vaquita.flush("t")
    vaquita.compact("t")
    vaquita.split("t", "m")
    assert [region["start_key"] for region in vaquita.table("t").regions()] == [b"", b"m"]
