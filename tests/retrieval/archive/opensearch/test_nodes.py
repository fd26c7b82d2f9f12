"""Three nodes with the settings of ``deploy/opensearch``, with TLS; and one of them killed."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.command import Library
from bot.model import Question
from bot.service import QuestionService
from retrieval.archive.archive import PersistentArchive
from retrieval.archive.opensearch import filling
from retrieval.archive.opensearch.address import Sharding
from retrieval.archive.opensearch.archive import ClusterArchive
from retrieval.archive.opensearch.index import Index
from tests.servers.opensearch import NoServerError, wait_for_cluster
from tests.servers.secured import ASKS, DEPLOYED, FILLS, PREFIX, serving_secured
from tests.shelf import FIXTURES, SEEDS, golden, readings
from tests.support.nightly import NIGHTLY

pytestmark = pytest.mark.rest

NAMES = ("a", "b", "c")
ELSEWHERE = {"node.name", "network.host", "discovery.seed_hosts", "bootstrap.memory_lock"}  # of containers only
SPREAD = Sharding(shards=3, replicas=1)


def composed(file: str) -> dict[str, dict[str, Any]]:
    services: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOYED / file).read_text(encoding="utf-8"))["services"]
    return services


def options(*files: str) -> list[str]:
    """Return the settings that the Compose files give every node, as options of the program."""
    found = [
        {key: value for file in files for key, value in composed(file)[name]["environment"].items()} for name in NAMES
    ]
    settings = [{key: value for key, value in each.items() if "." in key and key not in ELSEWHERE} for each in found]
    assert settings[0] == settings[1] == settings[2]
    return [f"{key}={value}" for key, value in settings[0].items()]


def test_each_node_has_a_name_a_disk_and_a_port_of_its_own() -> None:
    services = composed("compose.yml")
    assert [(each["environment"]["node.name"], *each["volumes"], *each["ports"]) for each in services.values()] == [
        (name, f"{name}:/usr/share/opensearch/data", f"127.0.0.1:{port}:9200")
        for name, port in zip(NAMES, (9200, 9201, 9202), strict=True)
    ]
    assert {each["environment"]["discovery.seed_hosts"] for each in services.values()} == {",".join(NAMES)}


def test_tls_gives_each_node_its_own_certificate() -> None:
    for name, service in composed("compose.tls.yml").items():
        sources = [Path(volume.partition(":")[0]) for volume in service["volumes"]]
        assert {each.stem for each in sources if each.suffix in {".pem", ".key"}} == {"ca", name}
        assert all((DEPLOYED / each).is_file() for each in sources if each.parent == Path())


@pytest.mark.skipif(not NIGHTLY, reason="three servers take a minute: `make nightly`")
def test_three_nodes_answer_by_tls_and_a_killed_one_changes_no_reply(tmp_path: Path) -> None:
    asked = [Question(each.question) for shelf in (SEEDS, FIXTURES) for each in golden(shelf)]
    file = PersistentArchive(tmp_path / "archive.sqlite")
    file.add([*readings(SEEDS), *readings(FIXTURES)])
    try:
        with serving_secured(*NAMES, own=options("compose.yml", "compose.tls.yml")) as server:
            setting = f"opensearch+{server.place}/{PREFIX}three"
            index = Index(setting, server.credentials(FILLS), SPREAD)
            filling.fill(index, file, lambda: None, keep=False)
            wait_for_cluster(server.admin, len(NAMES))
            cluster = ClusterArchive(Index(setting, server.credentials(ASKS)))
            one, other = QuestionService(Library(file)), QuestionService(Library(cluster))
            for number, question in enumerate(asked):
                if number == len(asked) // 3:
                    server.nodes[1].process.kill()
                assert one.answer(question) == other.answer(question), question.text
    except NoServerError as error:
        pytest.skip(str(error))
