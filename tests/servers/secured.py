"""A real OpenSearch with its security plugin: TLS by an authority of its own, and users with roles.

Certificates, settings and roles are those of ``deploy/opensearch``, so that what ``docs/cluster.md`` has people do
is what is tried.
"""

import json
import secrets
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from opensearchpy import OpenSearch
from opensearchpy.exceptions import TransportError

from retrieval.archive.opensearch.address import Credentials
from retrieval.archive.opensearch.index import Body
from tests.servers import opensearch
from tests.servers.opensearch import LOOPBACK, Distribution, Node, NoServerError

PLUGIN = f"org.opensearch.plugin:opensearch-security:{opensearch.VERSION}.0"
DEPLOYED = Path(__file__).parents[2] / "deploy" / "opensearch"
PREFIX = "test_"  # of the archives that the users below may ask
FILLS, ASKS, KEEPS, NOBODY = "fills", "asks", "keeps", "nobody"  # users, with the role of that name; the last has none


@dataclass(frozen=True, slots=True)
class Secured:
    """A running cluster: its nodes, the file of its authority, a client that may do all, users' passwords.

    ``repository`` is the folder in which it may keep snapshots.
    """

    nodes: list[Node]
    authority: Path
    admin: OpenSearch
    repository: Path
    passwords: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return f"https://{','.join(each.http for each in self.nodes)}"

    def client(self, user: str) -> OpenSearch:
        credentials = self.credentials(user)
        return OpenSearch(
            [f"https://{self.nodes[0].http}"],
            ca_certs=credentials.authority,
            http_auth=(credentials.user, credentials.password),
            timeout=opensearch.STARTING,
        )

    def credentials(self, user: str) -> Credentials:
        return Credentials(user, self.passwords[user], str(self.authority))

    def user(self, name: str, allowed: Body | None = None) -> Credentials:
        self.passwords[name] = secrets.token_urlsafe(24)
        self._put(f"internalusers/{name}", {"password": self.passwords[name]})
        if allowed:
            self._put(f"roles/stet_{name}", allowed)
            self._put(f"rolesmapping/stet_{name}", {"users": [name]})
        return self.credentials(name)

    def _put(self, what: str, body: Body) -> None:
        self.admin.transport.perform_request("PUT", f"/_plugins/_security/api/{what}", body=body)


def role(name: str) -> Body:
    found: Body = json.loads((DEPLOYED / f"{name}.json").read_text(encoding="utf-8").replace("stet-*", f"{PREFIX}*"))
    return found


@contextmanager
def serving_secured(*names: str, own: Sequence[str] = ()) -> Iterator[Secured]:
    """Give a cluster with its users, of nodes with these names or of one, and options of their own, once it is green.

    Raises ``NoServerError`` where it cannot be fetched or run.
    """
    if not shutil.which("openssl"):
        raise NoServerError("there is no openssl here to make certificates with")
    with ExitStack() as stack:
        distribution = stack.enter_context(opensearch.unpacked())
        _install(distribution, opensearch.fetched(PLUGIN))
        folder = distribution.home.parent
        certificates, repository = folder / "certificates", folder / "repository"
        for made in (certificates, repository):
            made.mkdir()
        certify(certificates, LOOPBACK)
        opensearch.give_away(repository)
        lines = (DEPLOYED / "security.yml").read_text(encoding="utf-8").splitlines()
        secured = replace(distribution, settings=(*lines, f"path.repo: [{repository}]"))
        for made, name in ((f"{LOOPBACK}.pem", "node.pem"), (f"{LOOPBACK}.key", "node.key"), ("ca.pem", "ca.pem")):
            shutil.copy(certificates / made, distribution.home / "config" / name)
        nodes = secured.start_all(*(folder / name for name in names or ("node",)), own=own)
        for node in nodes:
            stack.callback(node.stop)
        admin = stack.enter_context(closing(_administrator(nodes[0], certificates)))
        _wait(admin)
        opensearch.wait_for_cluster(admin, len(nodes))
        opensearch.shorten_waits(admin)
        server = Secured(nodes, certificates / "ca.pem", admin, repository)
        for name in (FILLS, ASKS, KEEPS):
            server.user(name, role(name))
        server.user(NOBODY)
        yield server


def _install(distribution: Distribution, packed: Path) -> None:
    """Do what ``opensearch-plugin install`` does, which takes a Java of its own."""
    plugin, config = distribution.home / "plugins" / "opensearch-security", distribution.home / "config"
    with zipfile.ZipFile(packed) as content:
        content.extractall(plugin)
    (plugin / "config").rename(config / plugin.name)
    shutil.copy(DEPLOYED / "internal_users.yml", config / plugin.name)
    opensearch.give_away(distribution.home.parent)


def certify(folder: Path, *hosts: str) -> None:
    subprocess.run([DEPLOYED / "certificates.sh", *hosts], check=True, capture_output=True, cwd=folder)


def _administrator(node: Node, folder: Path) -> OpenSearch:
    own = {"client_cert": str(folder / "admin.pem"), "client_key": str(folder / "admin.key")}
    return OpenSearch([f"https://{node.http}"], ca_certs=str(folder / "ca.pem"), timeout=opensearch.STARTING, **own)


def _wait(admin: OpenSearch) -> None:
    """Wait until the server has made its index of users and roles: before that it lets nobody in."""
    until, pause = monotonic() + opensearch.STARTING, threading.Event()
    while monotonic() < until:
        with suppress(TransportError):
            admin.transport.perform_request("GET", "/_plugins/_security/api/roles")
            return
        pause.wait(opensearch.BETWEEN)
    raise RuntimeError("OpenSearch's security plugin does not start")
