"""Without a container engine: a process stands in for the container, and its ports for the mapped ones."""

import os
from unittest import mock

import pytest

os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"


def test_clients_are_told_the_mapped_addresses(vaquita_factory, monkeypatch):
    from testcontainers.core import container as engine

    from vaquita.testcontainers import _SERVICES, VaquitaContainer

    process = vaquita_factory(tables={"t": ["f"]})
    ports = {_SERVICES[name]: int(address.rsplit(":", 1)[1]) for name, address in process.control("GET", "advertise").items()}
    monkeypatch.setattr(engine, "DockerClient", mock.MagicMock())
    monkeypatch.setattr(VaquitaContainer, "get_container_host_ip", lambda self: "localhost")
    monkeypatch.setattr(VaquitaContainer, "get_exposed_port", lambda self, port: ports[port])
    with VaquitaContainer() as hbase:
        assert process.control("GET", "advertise")["regionServer"] == f"localhost:{ports[16020]}"
        assert hbase.zookeeper() == f"localhost:{ports[2181]}"
        with hbase.connection() as connection:
            assert connection.tables() == [b"t"]
        hbase.control("POST", "reset", {})
        assert vaquita_tables(hbase) == []

    def refuses(self, method, operation, request):
        raise OSError(operation)

    monkeypatch.setattr(VaquitaContainer, "control", refuses)
    failing = VaquitaContainer()
    with mock.patch.object(failing, "stop") as stop, pytest.raises(OSError, match="advertise"):
        failing.start()
    stop.assert_called_once()


def vaquita_tables(hbase):
    with hbase.connection() as connection:
        return connection.tables()
