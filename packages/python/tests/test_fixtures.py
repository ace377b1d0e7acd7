"""The fixtures, from the session's server to the state that each test finds."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import vaquita as package

SEEN = []


def test_the_ini_files_table_is_there(vaquita):
    table = vaquita.table("t")
    assert table.row(b"r") == {}
    table.put(b"r", {b"f:q": b"v"})
    assert table.row(b"r") == {b"f:q": b"v"}
    SEEN.append(vaquita.pid)


def test_what_another_test_wrote_is_not(vaquita, vaquita_server):
    assert vaquita.table("t").row(b"r") == {}
    assert vaquita.connection().tables() == [b"t"]
    assert vaquita is vaquita_server
    assert set(SEEN) <= {vaquita.pid}


@pytest.mark.vaquita(tables={"users": ["info", "stats"]}, seed="put 'users', 'ann', 'info:name', 'Ann'")
class TestMarker:
    @pytest.mark.vaquita(seed="put 'users', 'ben', 'info:name', 'Ben'")
    def test_tables_and_seeds(self, vaquita):
        assert vaquita.connection().tables() == [b"t", b"users"]
        assert [row for row, _ in vaquita.table("users").scan()] == [b"ann", b"ben"]


def test_factory(vaquita, vaquita_factory):
    other = vaquita_factory(tables={"u": ["f"]}, properties={"hbase.client.scanner.timeout.period": "3000"})
    assert other.pid != vaquita.pid
    assert other.connection().tables() == [b"u"]
    assert other.properties["hbase.client.scanner.timeout.period"] == "3000"
    host, port = other.zookeeper.rsplit(":", 1)
    assert other.properties["hbase.zookeeper.quorum"] == host
    assert other.properties["hbase.zookeeper.property.clientPort"] == port


def test_without_pytests_fixtures():
    with package.start(tables={"t": ["f"]}) as hbase:
        assert hbase.connection().tables() == [b"t"]
        assert hbase.is_running
    assert not hbase.is_running
    hbase.stop()
    assert not hbase.log.exists()


def test_a_killed_process_leaves_nothing(tmp_path):
    program = "import time, vaquita; print(vaquita.start().pid, flush=True); time.sleep(600)"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environment) as killed:
        server = Path("/proc", killed.stdout.readline().decode().strip())
        assert server.exists() and list(tmp_path.glob("vaquita-ephemeral-*"))
        killed.kill()
    end = time.monotonic() + 10
    while server.exists() and time.monotonic() < end:
        pass
    assert not server.exists()
    assert not list(tmp_path.glob("vaquita-ephemeral-*"))


def test_a_child_made_by_fork_keeps_no_server():
    hbase = package.start()
    child = os.fork()
    if child == 0:
        try:
            hbase.stop()  # the parent's stays
            time.sleep(60)
        finally:
            os._exit(0)
    try:
        hbase.create_table("t", "f")
        begin = time.monotonic()
        hbase.stop()
        assert time.monotonic() - begin < 5
        assert not hbase.log.exists()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_server_that_has_died_is_told():
    with package.start() as hbase:
        os.kill(hbase.pid, signal.SIGKILL)
        while hbase.is_running:
            pass
        with pytest.raises(package.ControlError, match="(?s)reset: the server does not run: .*signal 9.*log"):
            hbase.reset()
    assert "cannot be read" in hbase.last_log_lines()


def test_a_program_that_cannot_run_is_told(monkeypatch, tmp_path):
    program = tmp_path / "vaquita"
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    monkeypatch.setenv("VAQUITA_BINARY", str(program))
    with pytest.raises(package.StartError, match=f"Exec format error.*{program}"):
        package.start()


def test_a_server_that_does_not_start_says_why():
    with pytest.raises(package.StartError, match="(?s)exit code.*many"):
        package.start(properties={"hbase.regionserver.handler.count": "many"})


def test_a_missing_program_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("VAQUITA_BINARY", str(tmp_path / "nothing"))
    with pytest.raises(package.ProgramNotFound, match="VAQUITA_BINARY is .*nothing"):
        package.start()
    monkeypatch.delenv("VAQUITA_BINARY")
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(package.ProgramNotFound) as error:
        package.start()
    for part in ("linux-riscv64", str(tmp_path / "vaquita"), "VAQUITA_BINARY", "linux-aarch64", "container image"):
        assert part in str(error.value)


def test_a_table_without_families_is_refused(vaquita):
    with pytest.raises(ValueError, match="families of table u"):
        vaquita.prepare({"u": "f"}, "")
