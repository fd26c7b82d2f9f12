"""What STET_ARCHIVE may say of a cluster."""

from __future__ import annotations

import pytest

from retrieval.archive.opensearch.address import Address, Credentials, Sharding, is_opensearch, parse
from retrieval.errors import ArchiveError


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


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("https://search.example", "must be opensearch"),
        ("opensearch+ftp://search.example", "must be opensearch"),
        ("opensearch+http://search.example", "without TLS"),
        ("opensearch+http://127.0.0.1,search.example", "without TLS"),
        ("opensearch+https://ann:secret@search.example", "STET_ARCHIVE_LOGIN"),
        ("opensearch+https://", "a host is missing"),
        ("opensearch+https://a.example,", "a host is missing"),
        ("opensearch+https://a.example:port", "no host with a port"),
        ("opensearch+https://a.example:70000", "no host with a port"),
        ("opensearch+https://a.example/Two-Desks", "small letters"),
        ("opensearch+https://a.example/a/b", "small letters"),
        ("opensearch+https://a.example?shards=3", "must be opensearch"),
        ("opensearch+https://a.example#here", "must be opensearch"),
    ],
)
def test_what_names_no_cluster_is_refused_in_words(setting: str, why: str) -> None:
    with pytest.raises(ArchiveError, match=why) as refused:
        parse(setting)
    assert "opensearch+https://search.example:9200/stet" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_credentials_are_never_shown() -> None:
    assert "secret" not in repr(Credentials("ann", "secret", key="secret"))


@pytest.mark.parametrize(
    ("shards", "replicas", "setting"),
    [(0, 1, "STET_ARCHIVE_SHARDS"), (1025, 1, "STET_ARCHIVE_SHARDS"), (1, 17, "STET_ARCHIVE_SHARDS")],
)
def test_a_layout_that_no_cluster_has_is_refused(shards: int, replicas: int, setting: str) -> None:
    with pytest.raises(ArchiveError, match=setting):
        Sharding(shards, replicas)
