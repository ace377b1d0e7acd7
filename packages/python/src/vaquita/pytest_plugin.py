"""The fixtures that pytest has once the package is installed.

``vaquita_server`` is one process for the session (with pytest-xdist: for each worker), ``vaquita`` the same, reset for each test, and
``vaquita_factory`` makes further ones. The tables of all tests may stand in pytest's configuration, those of one in a marker:

    [pytest]
    vaquita_tables =
        t f
        users info stats

    @pytest.mark.vaquita(tables={"t": ["f"]}, seed="put 't', 'r', 'f:q', 'v'")
"""

from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterator, List, Mapping, Optional, Sequence

import pytest

if TYPE_CHECKING:
    from vaquita.server import Vaquita

_servers = pytest.StashKey[List["Vaquita"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("vaquita_tables", "Tables that each test finds, one a line: its name, then its families", type="linelist")
    parser.addini("vaquita_properties", "Properties of the server as hbase-site.xml has them, one a line: name=value", type="linelist")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "vaquita(tables={}, seed=''): the tables that the test finds, and commands of HBase's shell that run before it"
    )


def _tables(config: pytest.Config) -> Dict[str, Sequence[str]]:
    found: Dict[str, Sequence[str]] = {}
    for line in config.getini("vaquita_tables"):
        name, *families = line.split()
        if not families:
            raise pytest.UsageError(f"vaquita_tables: {line!r} names a table without families; write e.g. 't f'")
        found[name] = families
    return found


def _properties(config: pytest.Config) -> Dict[str, str]:
    found: Dict[str, str] = {}
    for line in config.getini("vaquita_properties"):
        name, equals, value = line.partition("=")
        if not equals:
            raise pytest.UsageError(f"vaquita_properties: {line!r} is not name=value")
        found[name.strip()] = value.strip()
    return found


def _used(request: pytest.FixtureRequest, server: "Vaquita") -> "Vaquita":
    request.node.stash.setdefault(_servers, []).append(server)
    return server


@pytest.fixture(scope="session")
def vaquita_server(request: pytest.FixtureRequest) -> Iterator["Vaquita"]:
    """A server for the whole session; tests share what is in it."""
    import vaquita

    with vaquita.start(properties=_properties(request.config)) as server:
        yield server


@pytest.fixture
def vaquita(request: pytest.FixtureRequest, vaquita_server: "Vaquita") -> "Vaquita":
    """The session's server, with the declared tables and nothing else."""
    tables = _tables(request.config)
    seed = ""
    for mark in reversed(list(request.node.iter_markers("vaquita"))):  # the module's first, then the class's, then the test's
        if mark.args or not set(mark.kwargs) <= {"tables", "seed"}:
            given = ", ".join([*map(repr, mark.args), *(f"{name}=..." for name in mark.kwargs)])
            raise pytest.UsageError(f"pytest.mark.vaquita({given}): it takes tables=... and seed=...")
        tables.update(mark.kwargs.get("tables", {}))
        seed += mark.kwargs.get("seed", "") + "\n"
    _used(request, vaquita_server).prepare(tables, seed.strip())
    return vaquita_server


@pytest.fixture
def vaquita_factory(request: pytest.FixtureRequest) -> Iterator[Callable[..., "Vaquita"]]:
    """Starts further servers, which end with the test; takes what ``vaquita.start`` takes."""
    from vaquita.server import start

    started: List["Vaquita"] = []

    def make(
        *, tables: Optional[Mapping[str, Sequence[str]]] = None, seed: str = "", properties: Optional[Mapping[str, str]] = None
    ) -> "Vaquita":
        server = start(tables=tables, seed=seed, properties=properties)
        started.append(server)
        return _used(request, server)

    yield make
    for server in started:
        server.stop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    if report.failed:
        session = getattr(item, "funcargs", {}).get("vaquita_server")
        used = item.stash.get(_servers, [])
        for server in used if session is None or session in used else [session, *used]:
            if server.log.exists():
                report.sections.append((f"Vaquita, process {server.pid}", server.last_log_lines()))
