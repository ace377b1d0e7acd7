"""What the comparisons with servers in Java share: their class path, the servers and the client as processes."""
import atexit
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
OPENED = ["java.base/" + p for p in ("java.lang", "java.lang.reflect", "java.util", "java.util.concurrent", "java.io",
                                     "java.net", "java.nio", "sun.nio.ch", "jdk.internal.ref", "jdk.internal.misc")]
JAVA = (["java", "-Djava.net.preferIPv4Stack=true",
         "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true"]
        + [f"--add-opens={package}=ALL-UNNAMED" for package in OPENED])


def build(folder):
    """Compiles the Java programs of a folder of bench/ when they changed; returns the class path."""
    built = REPOSITORY / "build" / f"bench-{folder.name}"
    class_path = built / "class-path"
    newest = max(f.stat().st_mtime for f in [folder / "pom.xml", *folder.rglob("*.java")])
    if not class_path.exists() or class_path.stat().st_mtime < newest:
        built.mkdir(parents=True, exist_ok=True)
        maven = subprocess.run(["mvn", "-q", "-B", "-f", folder / "pom.xml", f"-Dbuild.folder={built}", "compile",
                                "dependency:build-classpath", f"-Dmdep.outputFile={class_path}"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if maven.returncode != 0:
            raise SystemExit(maven.stdout)
        (built / "classes" / "log4j.properties").write_text("log4j.rootLogger=OFF\n")
        class_path.touch()
    return f"{built / 'classes'}:{class_path.read_text()}"


class Process:
    """What /proc says about the process `pid`."""

    def __init__(self, pid):
        self.pid = pid

    def status(self, field):
        return int(re.search(field + r":\s+(\d+)", pathlib.Path(f"/proc/{self.pid}/status").read_text()).group(1))

    def cpu_seconds(self):
        stat = pathlib.Path(f"/proc/{self.pid}/stat").read_text()
        user, system = stat[stat.rindex(")") + 2:].split()[11:13]
        return (int(user) + int(system)) / 100  # clock ticks of 10 ms


class Server(Process):
    """A server that runs until `stop`, with its data in the folder."""

    def __init__(self, command, folder):
        self.folder = folder
        self.started = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        super().__init__(self.process.pid)
        atexit.register(self.stop)

    def line(self, pattern):
        for text in self.process.stdout:
            found = re.search(pattern, text)
            if found:
                return found.group(1)
        raise SystemExit(f"{self.process.args[0]} ended before it was ready")

    def drop_output(self):
        """Reads what the server still prints: one that logs would wait for a reader."""
        threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()

    def stop(self):
        atexit.unregister(self.stop)
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop_and_keep(self):
        """Ends the server in order; returns its folder, for another server to run on."""
        atexit.unregister(self.stop)
        self.process.terminate()
        self.process.wait()
        return self.folder


def start_vaquita(binary, folder=None):
    folder = folder or tempfile.mkdtemp(prefix="bench-vaquita-")
    return Server([binary, "standalone", "--data", folder + "/data", "--free-ports"], folder)


def start_java(class_path, program):
    """Starts a server that prints its address when it is ready."""
    folder = tempfile.mkdtemp(prefix="bench-java-")
    server = Server([*JAVA, "-Xmx4g", "-cp", class_path, program, folder], folder)
    server.address = server.line(r"^(127\S+)$")
    server.drop_output()
    return server


def bench(vaquita, folder, addresses, *arguments):
    """Runs `vaquita bench` with the folder's workload on the addresses, by name, and returns its runs."""
    output = folder / "run.json"
    command = [vaquita, "bench", "--workload", folder / "workload", "--output", output, *arguments]
    for name, address in addresses.items():
        command += ["--address", f"{name}=hbase://{address}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout)
    return json.loads(output.read_text())["runs"]


def phases(lines):
    """Returns the figures in the lines that the client prints: by phase, operations a second, the server's CPU time in
    all and for an operation, the client's for an operation, and the server's memory then."""
    figures = {}
    for text in lines:
        found = re.match(r"phase ([^|]+)\|(.*)", text)
        if not found:
            raise SystemExit(f"the client says: {text}")
        name, values = found.groups()
        words = values.split()
        value = {key: float(number) for key, number in zip(words[::2], words[1::2])}
        figures[name] = {"seconds": value["seconds"], "rate": value["operations"] / value["seconds"],
                         "cpu_s": value["server_cpu"], "cpu_us": value["server_cpu"] / value["operations"] * 1e6,
                         "client_us": value["client_cpu"] / value["operations"] * 1e6, "mb": value["server_mb"]}
    return figures


class Client:
    """The Java client, one warm process for all servers of a turn."""

    def __init__(self, class_path, program):
        self.process = subprocess.Popen([*JAVA, "-Xmx1g", "-cp", class_path, program],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, command):
        print(command, file=self.process.stdin, flush=True)
        lines = []
        for text in self.process.stdout:
            if text.strip() == "done":
                return lines
            lines.append(text.strip())
        raise SystemExit(f"{command}: {self.process.stderr.read()}")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
