"""A real OpenSearch for tests: the minimal distribution from Maven's central repository, on loopback, without security.

``python -m tests.servers.opensearch`` starts it, prints how to name it to the tests, and stops it when told to.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import click
from opensearchpy import OpenSearch
from platformdirs import user_cache_path

VARIABLE = "STET_TEST_OPENSEARCH"  # names a server that runs already: http://HOST:PORT
CACHE = user_cache_path("stet") / "opensearch"  # the machine's, although a test has another one
VERSION, VERSION_WITH_VECTORS = "2.19.3", "3.3.0"  # without and with the k-NN plugin, which Maven has of the second
JAVA_WITH_VECTORS = 21  # the oldest that the second runs on
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
FETCHING = 300  # seconds
DISTRIBUTION = "org.opensearch.distribution.integ-test-zip:opensearch"
KNN = "org.opensearch.plugin:opensearch-knn"
# the module that the plugin needs, which this distribution lacks
PAINLESS = ("org.opensearch.plugin:lang-painless", "org.opensearch.plugin:opensearch-scripting-painless-spi")
PAINLESS_NEEDS = (
    "org.antlr:antlr4-runtime:4.13.1",
    *(f"org.ow2.asm:asm{part}:9.7" for part in ("", "-util", "-tree", "-commons", "-analysis")),
)
# has the plugin that lets tests set how often replicas' leases are renewed; Maven lacks the newest of an old version
FRAMEWORK = "org.opensearch.test:framework"
FRAMEWORK_VERSIONS = {VERSION: "2.19.2"}
SHORT_WAITS = "org/opensearch/test/InternalSettingsPlugin.class"
HEAP = "512m"
JVM = (
    # it lives for minutes: what compiles and collects for longer costs more than it saves
    *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss1m", "-Djava.awt.headless=true"),
    # as the distribution's own script has it
    *("-Djna.nosys=true", "-Dlog4j.shutdownHookEnabled=false", "-Dlog4j2.disable.jmx=true"),
    *("-Dio.netty.noUnsafe=true", "-Dio.netty.noKeySetOptimization=true"),
    *("-Dio.netty.recycler.maxCapacityPerThread=0", "-Dio.netty.allocator.numDirectArenas=0"),
    *("-Djava.locale.providers=SPI,CLDR", "--add-opens=java.base/java.io=ALL-UNNAMED"),
    *("-Dopensearch.distribution.type=tar", "-Dopensearch.bundled_jdk=false"),
)
STARTING, STOPPING = 180, 30  # seconds
BETWEEN = 0.2  # seconds from one look at a starting server to the next
NOBODY = 65534  # whom the server runs as where root starts it: it refuses to be root itself
LOOPBACK = "127.0.0.1"
JAVA_VERSION = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)


class NoServerError(Exception):
    """There is no server to be had here; the message says what is missing."""


def fetched(artifact: str, kind: str = "zip") -> Path:
    """Return the file ``GROUP:NAME:VERSION`` of a kind, fetched once; ``NoServerError`` where it cannot be had."""
    _, name, version = artifact.split(":")
    kept = CACHE / f"{name}-{version}.{kind}"
    if kept.exists():
        return kept
    maven = shutil.which("mvn")
    if not maven:
        raise NoServerError(f"there is no Maven here to fetch {name} with")
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as fresh:
        fetching = [maven, "-q", "-B", COPY, f"-Dartifact={artifact}:{kind}", f"-DoutputDirectory={fresh}"]
        try:
            subprocess.run(fetching, check=True, timeout=FETCHING, capture_output=True)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise NoServerError(f"Maven cannot fetch {name}") from error
        # whole or not at all, whoever else fetches it meanwhile
        (Path(fresh) / kept.name).replace(kept)
    return kept


@dataclass(frozen=True, slots=True)
class Node:
    """A running node: its process, where it is asked (``host:port``), and the folder of all that it has."""

    process: subprocess.Popen[bytes]
    http: str
    folder: Path

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass(frozen=True, slots=True)
class Distribution:
    """What a node is started from: the unpacked distribution, the Java it runs on, and how much memory it takes.

    ``settings`` are lines of its ``opensearch.yml`` beside those that every node has.
    """

    home: Path
    java: Path
    heap: str
    settings: tuple[str, ...] = ()

    def start_all(self, *folders: Path, own: Sequence[str] = ()) -> list[Node]:
        """Start nodes that are one cluster, each in a folder of its own that it is called by; ``own`` are options."""
        members = {folder.name: free_port() for folder in folders}
        for folder in folders:
            shutil.copytree(self.home / "config", folder / "config")
            for name in ("data", "logs", "temporary"):
                (folder / name).mkdir()
            lines = (*_configuration(folder, members), *self.settings, "")
            (folder / "config" / "opensearch.yml").write_text("\n".join(lines), encoding="utf-8")
            give_away(folder)
        processes = {folder: self.process(folder, own) for folder in folders}
        try:
            return [Node(process, _port(process, folder), folder) for folder, process in processes.items()]
        except BaseException:
            for process in processes.values():
                process.kill()
                process.wait()
            raise

    def process(self, folder: Path, own: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        """Start a node by Java itself: the distribution's script starts three more of it first, to find its options."""
        agent = self.home / "agent" / "opensearch-agent.jar"  # since OpenSearch 3; before, Java's security manager
        user = NOBODY if os.geteuid() == 0 else None
        command = [
            *(str(self.java / "bin" / "java"), *JVM, f"-Xms{self.heap}", f"-Xmx{self.heap}"),
            f"-javaagent:{agent}" if agent.exists() else "-Djava.security.manager=allow",
            f"-Djava.io.tmpdir={folder / 'temporary'}",
            f"-Dopensearch.path.home={self.home}",
            f"-Dopensearch.path.conf={folder / 'config'}",
            *("-cp", f"{self.home / 'lib' / '*'}", "org.opensearch.bootstrap.OpenSearch"),
            *(f"-E{option}" for option in own),
        ]
        with (folder / "out.log").open("wb") as log:
            return subprocess.Popen(
                command,
                env={"PATH": os.environ["PATH"]},
                stdout=log,
                stderr=log,
                cwd=folder,
                user=user,
                group=user,
                extra_groups=None if user is None else (),
            )


@contextmanager
def serving() -> Iterator[Node]:
    """Give a node, once it is green; it and its data are gone afterwards. Raises ``NoServerError`` as ``unpacked``."""
    with ExitStack() as stack:
        java = newest_java()
        with_vectors = java is not None and java[0] >= JAVA_WITH_VECTORS
        version = VERSION_WITH_VECTORS if with_vectors else VERSION
        distribution = stack.enter_context(unpacked(version, java and java[1]))
        if with_vectors:
            install_vectors(distribution)
        [node] = distribution.start_all(distribution.home.parent / "node")
        stack.callback(node.stop)
        with OpenSearch([f"http://{node.http}"]) as client:
            wait_for_cluster(client)
            shorten_waits(client)
        yield node


@contextmanager
def unpacked(version: str = VERSION, java: Path | None = None) -> Iterator[Distribution]:
    """Give a distribution of one's own, with room for nodes beside it; all of it is gone afterwards.

    ``java`` is the home of the one that it runs on. Raises ``NoServerError`` where it cannot be fetched or run.
    """
    found = shutil.which("java")
    if not java and not found:
        raise NoServerError("there is no Java here")
    archive = fetched(f"{DISTRIBUTION}:{version}")
    with tempfile.TemporaryDirectory(prefix="stet-opensearch-") as name:
        folder = Path(name)
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)
        home = folder / f"opensearch-{version}"
        with suppress(NoServerError):  # without it, removals take the half minute that they do elsewhere
            install_short_waits(home, version)
        give_away(folder)
        yield Distribution(home, java or Path(str(found)).resolve().parent.parent, HEAP)


def newest_java() -> tuple[int, Path] | None:
    homes = [home for home in Path("/usr/lib/jvm").glob("*") if (home / "release").is_file()]
    found = [(int(match[1]), home) for home in homes if (match := JAVA_VERSION.search((home / "release").read_text()))]
    return max(found, default=None)


def install_vectors(distribution: Distribution) -> None:
    module, plugin = distribution.home / "modules" / "lang-painless", distribution.home / "plugins" / "opensearch-knn"
    for folder in (module, plugin):
        folder.mkdir()
    for artifact in (*(f"{name}:{VERSION_WITH_VECTORS}" for name in PAINLESS), *PAINLESS_NEEDS):
        shutil.copy(fetched(artifact, "jar"), module)
    _describe(module, VERSION_WITH_VECTORS, "org.opensearch.painless.PainlessModulePlugin")
    with zipfile.ZipFile(fetched(f"{KNN}:{VERSION_WITH_VECTORS}.0")) as packed:
        packed.extractall(plugin)
    give_away(distribution.home.parent)


def install_short_waits(home: Path, version: str) -> None:
    jar = fetched(f"{FRAMEWORK}:{FRAMEWORK_VERSIONS.get(version, version)}", "jar")
    plugin = home / "plugins" / "short-waits"
    plugin.mkdir(parents=True)
    with zipfile.ZipFile(jar) as packed, zipfile.ZipFile(plugin / "plugin.jar", "w") as alone:
        alone.writestr(SHORT_WAITS, packed.read(SHORT_WAITS))
    _describe(plugin, version, SHORT_WAITS.removesuffix(".class").replace("/", "."))


def _describe(plugin: Path, version: str, its_class: str) -> None:
    described = {"description": "", "name": plugin.name, "version": version, "opensearch.version": version}
    described |= {"classname": its_class, "java.version": "11"}  # or newer
    lines = "".join(f"{key}={value}\n" for key, value in described.items())
    (plugin / "plugin-descriptor.properties").write_text(lines, encoding="utf-8")


def shorten_waits(client: OpenSearch) -> None:
    """Have replicas' leases renewed each second, where the server's plugin is there; half a minute is usual."""
    plugins = client.cat.plugins(params={"h": "component"})
    if "short-waits" in plugins:
        intervals = ("soft_deletes.retention_lease.sync_interval", "global_checkpoint_sync.interval")
        settings = {f"index.{name}": "1s" for name in intervals}
        body = {"index_patterns": ["*"], "template": {"settings": settings}}
        client.indices.put_index_template(name="short_waits", body=body)


def give_away(folder: Path) -> None:
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as free:
        return int(free.getsockname()[1])


def _configuration(folder: Path, members: Mapping[str, int]) -> tuple[str, ...]:
    return (
        f"cluster.name: {folder.parent.name}",
        f"node.name: {folder.name}",
        f"path.data: {folder / 'data'}",
        f"path.logs: {folder / 'logs'}",
        f"network.host: {LOOPBACK}",
        "http.port: 0",  # whichever is free; it is written to a file
        f"transport.port: {members[folder.name]}",
        "node.portsfile: true",
        "cluster.routing.allocation.disk.threshold_enabled: false",  # how full the disk is, is no test's business
        f"cluster.initial_cluster_manager_nodes: [{', '.join(members)}]",
        *(f"discovery.probe.{kind}_timeout: 60s" for kind in ("connect", "handshake") if len(members) > 1),
        f"discovery.seed_hosts: [{', '.join(f'{LOOPBACK}:{port}' for port in members.values())}]",
    )


def _port(process: subprocess.Popen[bytes], folder: Path) -> str:
    ports, until, pause = folder / "logs" / "http.ports", monotonic() + STARTING, threading.Event()
    while not ports.exists():
        if process.poll() is not None or monotonic() > until:
            log = (folder / "out.log").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"OpenSearch does not start:\n{log[-2000:]}")
        pause.wait(BETWEEN)
    return next(line for line in ports.read_text(encoding="utf-8").split() if line.startswith(LOOPBACK))


def wait_for_cluster(client: OpenSearch, nodes: int = 1) -> None:
    want = {"wait_for_status": "green", "wait_for_nodes": nodes, "request_timeout": STARTING, "timeout": f"{STARTING}s"}
    health = client.cluster.health(params=want)
    if health["timed_out"]:
        raise RuntimeError(f"OpenSearch does not get green: {health}")


def main() -> None:
    """Serve until the end of standard input, or until interrupted."""
    with serving() as node:
        click.echo(f"export {VARIABLE}=http://{node.http}")
        click.echo("It stops at the end of its input, or by Ctrl-C.", err=True)
        with suppress(KeyboardInterrupt):
            sys.stdin.read()


if __name__ == "__main__":
    main()
