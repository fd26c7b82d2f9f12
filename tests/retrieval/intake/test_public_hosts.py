"""Addresses of the internet, and addresses of somebody's own network."""

from __future__ import annotations

import pytest

from retrieval.intake.public_hosts import is_private_host, is_public

OWN = (
    "127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1"
    " ::1 :: fe80::1 fe80::1%eth0 fd00::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 2002:7f00:1::"
).split()
OTHERS = "8.8.8.8 172.32.0.1 192.169.0.1 2606:4700::1111 ::ffff:8.8.8.8".split()


@pytest.mark.parametrize("address", OWN)
def test_what_is_of_a_network_of_its_own_is_not_public(address: str) -> None:
    """Nor is this machine, however it is written, nor what clouds tell their machines."""
    assert not is_public(address)


@pytest.mark.parametrize("address", OTHERS)
def test_what_is_of_the_internet_is_public(address: str) -> None:
    """In both protocols."""
    assert is_public(address)


@pytest.mark.parametrize(
    ("host", "private"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("8.8.8.8", False)]
)
def test_a_host_is_private_by_what_it_stands_for(host: str, *, private: bool) -> None:
    """A number stands for itself."""
    assert is_private_host(host) is private
