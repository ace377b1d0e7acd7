"""Vaquita in a container of testcontainers-python, for machines that the program does not run on.

    with VaquitaContainer() as hbase:
        table = hbase.connection().table("t")
"""

import json
import time
import urllib.request
from typing import Any, Dict, Mapping, Optional

from testcontainers.core.container import DockerContainer

from vaquita.client import Connection
from vaquita.server import CONTROL_SECONDS

# The names that the control has for the services, and the ports in the container.
_SERVICES = {"zookeeper": 2181, "master": 16000, "regionServer": 16020, "grpc": 16040, "masterInfo": 16010, "regionServerInfo": 16030}
_START_SECONDS = 60.0
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # the container is near, whatever proxy the environment names


class VaquitaContainer(DockerContainer):
    """The image "vaquita", as packages/docker builds it, or another. Clients are told the ports that it was mapped to."""

    def __init__(self, image: str = "vaquita") -> None:
        super().__init__(image)
        self.with_exposed_ports(*_SERVICES.values())
        self.with_command("standalone --ephemeral --bind 0.0.0.0 --insecure --test-control=any")

    def start(self) -> "VaquitaContainer":
        super().start()
        try:
            self._wait()
            self.control("POST", "advertise", {service: self._address(service) for service in _SERVICES})
        except BaseException:
            self.stop()
            raise
        return self

    def zookeeper(self) -> str:
        """Returns ZooKeeper's address, by which HBase's own clients find the server."""
        return self._address("zookeeper")

    def connection(self) -> Connection:
        """Returns a new connection to Vaquita's own API."""
        return Connection(self._address("grpc"))

    def control(self, method: str, operation: str, request: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
        """Any operation of docs/test-control.md, e.g. ``control("POST", "reset", {})``."""
        url = f"http://{self._address('masterInfo')}/control/v1/{operation}"
        body = None if request is None else json.dumps(request).encode()
        with _OPENER.open(urllib.request.Request(url, data=body, method=method), timeout=CONTROL_SECONDS) as answer:
            found: Dict[str, Any] = json.load(answer)
            return found

    def _address(self, service: str) -> str:
        return f"{self.get_container_host_ip()}:{self.get_exposed_port(_SERVICES[service])}"

    def _wait(self) -> None:
        """Waits until the server says that it is well. No event tells the end of a start in a container."""
        end = time.monotonic() + _START_SECONDS
        while True:
            try:
                with _OPENER.open(f"http://{self._address('masterInfo')}/health", timeout=_START_SECONDS):
                    return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
