"""Which addresses may be posted to."""

from typing import Any

import pytest

from notices.safe_http import AddressRefused, host_of, is_public, target_of

INSIDE = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",  # noqa: S104
    "169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "192.0.2.1", "198.18.0.1", "203.0.113.9",
    "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "192.88.99.1", "168.63.129.16",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "ff0e::1",
    "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1",
    "2002:7f00:1::", "2002:808:808::1", "2001::1", "2001:db8::1", "100::1", "3fff::1", "5f00::1",
    "", "example.org", "8.8.8.8 ", "0x8.8.8.8",
]  # fmt: skip


def test_an_address_inside_is_not_public() -> None:
    for address in INSIDE:
        assert not is_public(address)


def test_an_ordinary_host_is_public() -> None:
    for address in ("8.8.8.8", "1.1.1.1", "162.159.128.233", "2606:4700::6810:84e5", "2a00:1450::1"):
        assert is_public(address)


REFUSED = [
    ("", "url_length"),
    ("https://example.org/" + "a" * 2000, "url_length"),
    ("http://example.org/", "not_https"),
    ("ftp://example.org/", "not_https"),
    ("file:///etc/passwd", "not_https"),
    ("example.org/hook", "not_https"),
    ("//example.org/hook", "not_https"),
    ("https://user@example.org/", "credentials"),
    ("https://user:secret@example.org/", "credentials"),
    ("https://@example.org/", "credentials"),
    ("https://example.org\\@127.0.0.1/", "url_characters"),
    ("https://example.org/a b", "url_characters"),
    ("https://example.org/\r\nHost: x", "url_characters"),
    ("https://example.org/\x00", "url_characters"),
    ("https://example.org:80/", "port"),
    ("https://example.org:22/", "port"),
    ("https://example.org:0/", "port"),
    ("https://example.org:99999/", "url_malformed"),
    ("https://example.org:x/", "url_malformed"),
    ("https://[::1/", "url_malformed"),
    ("https:///path", "host"),
    ("https://-a.example/", "host"),
    ("https://a..example/", "host"),
    ("https://exa%6dple.org/", "host"),
    ("https://" + "a" * 64 + ".org/", "host"),
    ("https://\udcff.org/", "host"),
    ("https://2130706433/", "number_as_host"),
    ("https://0x7f000001/", "number_as_host"),
    ("https://0x7f.1/", "number_as_host"),
    ("https://0177.0.0.1/", "number_as_host"),
    ("https://127.1/", "number_as_host"),
    ("https://0x08080808/", "number_as_host"),
    ("https://127.0.0.1/", "not_public"),
    ("https://127.0.0.1./", "number_as_host"),
    ("https://１２７.0.0.1/", "not_public"),
    ("https://[::1]/", "not_public"),
    ("https://[::ffff:127.0.0.1]/", "not_public"),
    ("https://[::ffff:8.8.8.8]/", "not_public"),
    ("https://[fe80::1%25eth0]/", "not_public"),
    ("https://[64:ff9b::8.8.8.8]/", "not_public"),
    ("https://169.254.169.254/latest/meta-data/", "not_public"),
]


def test_an_address_is_refused_with_a_code_and_a_sentence() -> None:
    for url, code in REFUSED:
        with pytest.raises(AddressRefused) as refused:
            target_of(url)
        assert refused.value.code == code
        assert refused.value.message.endswith(".")


TAKEN = [
    ("https://discord.com/api/webhooks/1/abc?wait=true", "discord.com"),
    ("HTTPS://Example.ORG", "example.org"),
    ("https://example.org:8443/x", "example.org"),
    ("https://bücher.example/ä?ö=ü#teil", "xn--bcher-kva.example"),
    ("https://8.8.8.8/x", "8.8.8.8"),
    ("https://[2606:4700::1]:8443/", "2606:4700::1"),
    ("https://a_b.example.org./", "a_b.example.org."),
]


def test_an_ordinary_address_is_taken() -> None:
    for url, host in TAKEN:
        target_of(url)
        assert host_of(url) == host


def test_where_the_site_has_a_list_of_hosts_nothing_goes_elsewhere(settings: Any) -> None:
    settings.OUTGOING_HOSTS = ["discord.com", ".push.apple.com", "8.8.8.8"]
    for host in ("discord.com", "DISCORD.com", "discord.com.", "web.push.apple.com", "8.8.8.8", "discord.com:8443"):
        target_of(f"https://{host}/hook")
    for host in ("example.org", "discord.com.example.org", "notdiscord.com", "push.apple.com.example", "8.8.4.4"):
        with pytest.raises(AddressRefused, match=r"discord\.com, \.push\.apple\.com") as refused:
            target_of(f"https://{host}/hook")
        assert refused.value.code == "host_not_allowed"
