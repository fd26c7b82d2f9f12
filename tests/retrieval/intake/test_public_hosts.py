"""Addresses of the internet, and addresses of somebody's own network."""

from __future__ import annotations

from retrieval.intake.fetching import is_public

OWN = (
    "127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1"
    " ::1 :: fe80::1 fe80::1%eth0 fd00::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 2002:7f00:1::"
    " 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::a00:1 ::127.0.0.1 ::ffff:0:127.0.0.1 fec0::1 2001:0:4136:e378:8000::1"
    " 224.0.0.1 239.255.255.250 ff02::1 ff0e::1 255.255.255.255 192.0.2.1 2001:db8::1 3fff::1 5f00::1"
).split()
OTHERS = "8.8.8.8 172.32.0.1 192.169.0.1 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::".split()


def test_addresses_of_the_internet_are_public_and_no_others() -> None:
    assert [address for address in (*OWN, *OTHERS) if is_public(address)] == OTHERS
