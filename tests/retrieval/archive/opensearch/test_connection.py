"""What STET_ARCHIVE may say of a cluster; and what goes wrong on the way there, in words."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from retrieval import errors
from retrieval.archive.opensearch.address import Address, Credentials, Sharding, is_opensearch, parse
from retrieval.archive.opensearch.connection import connect, translated
from tests.retrieval.site import Answer, Site, served
from tests.support.tables import cases


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as found:
        yield found


def answering(site: Site, status: int, body: object) -> Address:
    """Have a server give one answer to all; return where it is."""
    site.answers["/"] = Answer(json.dumps(body), status, {"Content-Type": "application/json"})
    host, _, port = site.address.removeprefix("http://").partition(":")
    return Address(((host, int(port)),), secure=False)


NO = {"error": "no"}


@cases("status, body, error, words")
def test_each_refusal_has_its_words(site: Site, status: int, body: object, error: str, words: str) -> None:
    """They say what to do, and are of the articles' side's own tree."""
    with pytest.raises(getattr(errors, error), match=words) as raised:
        connect(answering(site, status, body), Credentials("ann", "secret"))
    assert isinstance(raised.value, errors.RetrievalError)
    assert "secret" not in str(raised.value)


def test_a_cluster_that_is_not_there_is_said_to_be_away() -> None:
    with closing(socket.socket()) as held:
        held.bind(("127.0.0.1", 0))  # and does not listen
        with pytest.raises(errors.UnreachableArchiveError, match="does not answer"):
            connect(Address((("127.0.0.1", held.getsockname()[1]),), secure=False), Credentials())


@pytest.mark.parametrize(
    ("authority", "words"),
    [("", "STET_ARCHIVE_CA"), ("nowhere.pem", "STET_ARCHIVE_CA names no file"), ("ca.pem", "STET_ARCHIVE_CA")],
)
def test_no_tls_and_certificates_that_are_none_are_refused(
    site: Site, tmp_path: Path, authority: str, words: str
) -> None:
    (host,) = answering(site, 200, {}).hosts
    (tmp_path / "ca.pem").write_text("no certificate", encoding="ascii")  # the working folder
    with pytest.raises(errors.UnreachableArchiveError, match=words):
        connect(Address((host,)), Credentials("ann", "secret", authority))


def test_an_api_key_is_sent_as_opensearch_wants_it(site: Site) -> None:
    connect(answering(site, 200, {"version": {"number": "3.7.0"}}), Credentials(key="os_secret"))
    assert {headers["authorization"] for _, headers in site.asked} == {"ApiKey os_secret"}
    with pytest.raises(errors.RefusedArchiveError, match="STET_ARCHIVE_LOGIN") as raised:
        connect(answering(site, 401, {}), Credentials(key="os_secret"))
    assert "os_secret" not in str(raised.value)


def test_an_error_of_the_programs_own_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), translated():
        _ = 1 / 0
    with pytest.raises(FileNotFoundError), translated():
        Path("nowhere").read_bytes()


@pytest.mark.parametrize(
    ("setting", "address"),
    [
        ("opensearch+https://search.example", Address((("search.example", 9200),))),
        ("opensearch+https://search.example:443/desk_2", Address((("search.example", 443),), prefix="desk_2")),
        ("opensearch+https://a.example:9201,b.example/stet", Address((("a.example", 9201), ("b.example", 9200)))),
        ("opensearch+http://127.0.0.1:9200", Address((("127.0.0.1", 9200),), secure=False)),
        ("opensearch+http://[::1]:9200", Address((("::1", 9200),), secure=False)),
    ],
)
def test_a_setting_says_hosts_and_name(setting: str, address: Address) -> None:
    """With TLS, unless it is this machine itself that is asked."""
    assert is_opensearch(setting)
    assert parse(setting) == address


@cases("setting, why")
def test_what_names_no_cluster_is_refused_in_words(setting: str, why: str) -> None:
    with pytest.raises(errors.ArchiveError, match=why) as refused:
        parse(setting)
    assert "opensearch+https://search.example:9200/stet" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_credentials_are_never_shown() -> None:
    assert "secret" not in repr(Credentials("ann", "secret", key="secret"))


@pytest.mark.parametrize(("shards", "replicas"), [(0, 1), (1025, 1), (1, 17)])
def test_a_layout_that_no_cluster_has_is_refused(shards: int, replicas: int) -> None:
    with pytest.raises(errors.ArchiveError, match="STET_ARCHIVE_SHARDS"):
        Sharding(shards, replicas)
