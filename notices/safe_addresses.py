"""Which addresses that people typed in this site posts to: https at a host of the public internet, and where the site
has a list (`OUTGOING_HOSTS`), at one of these. A site that serves nobody but its own machine (`make run`) also posts to
that machine, by http (`LOCAL_RECEIVERS`).

What can be seen without the network is checked here; `safe_http` checks what the host's name resolves to, and posts.
"""

import ipaddress
import re
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.http.request import validate_host

LONGEST_ADDRESS = 1000

_PORTS_OF_THE_SYSTEM = range(1024)

_WRITTEN = "-._~!$&'()*+,;=:@/%?[]"  # what is in a path or query as it is
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?")
_LOOKS_LIKE_A_NUMBER = re.compile(r"(\d+|0x[0-9a-f]*)\.?", re.IGNORECASE)

# The clouds' own services at addresses that count as public.
_METADATA = {ipaddress.ip_address("168.63.129.16"), ipaddress.ip_address("192.0.0.192")}
# They only carry IPv4 addresses, or lead to something other than a host of the internet.
_TRANSLATED = [
    ipaddress.ip_network(each)
    for each in ("64:ff9b::/96", "64:ff9b:1::/48", "2001::/23", "2002::/16", "3fff::/20", "192.88.99.0/24")
]
_UNICAST = ipaddress.ip_network("2000::/3")


class Unsent(Exception):
    """Nothing was posted, or no answer came. `code` is stable; the text is a sentence for whoever typed the address."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class AddressRefused(Unsent):
    """The address is not one to which this site posts. Trying again helps only if its name resolves differently."""


class NotReached(Unsent):
    """The address may be fine, but it did not take the post this time."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart: `host` as in certificates and for the look-up, `path` with the query. `is_local`: by http
    at this machine."""

    host: str
    port: int
    path: str = field(repr=False)  # often a secret
    is_local: bool = False

    @property
    def authority(self) -> str:
        """The Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 443 and not self.is_local else f"{host}:{self.port}"


def is_public(address: str) -> bool:
    """Whether an IP address is that of an ordinary host of the internet: not of this machine or network, no address
    that carries another one inside it, and none at which a cloud tells secrets."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and (ip.scope_id or ip not in _UNICAST):
        return False  # link-local and mapped addresses are outside it too
    if any(ip.version == each.version and ip in each for each in _TRANSLATED) or ip in _METADATA:
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def is_this_machine(address: str) -> bool:
    """Whether an IP address is one by which this machine speaks to itself."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host of an address, to name it where the rest may be a secret. Raises `AddressRefused`."""
    return target_of(url).host


def target_of(url: str) -> Target:
    """An address taken apart, with all checks that need no network. Raises `AddressRefused`."""
    if not url or len(url) > LONGEST_ADDRESS:
        raise AddressRefused("url_length", f"Give an address of at most {LONGEST_ADDRESS} characters.")
    # Parsers disagree on these, and each could then check another host than the one connected to.
    if any(ord(sign) <= 32 or ord(sign) == 127 for sign in url) or "\\" in url:
        raise AddressRefused("url_characters", "An address has no spaces, line breaks or backslashes.")
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        is_local = _is_local(parts.scheme.lower(), host)
        port = parts.port if parts.port is not None else 80 if is_local else 443
    except ValueError:
        raise AddressRefused("url_malformed", "This is not a valid address.") from None
    if parts.scheme.lower() != "https" and not is_local:
        raise AddressRefused("not_https", "The address must begin with https://.")
    if "@" in parts.netloc:
        raise AddressRefused("credentials", "The address must not have a user name or password in it.")
    if port != 443 and port in _PORTS_OF_THE_SYSTEM and not is_local:
        raise AddressRefused("port", "The port must be 443, or 1024 and above.")
    path = quote(parts.path or "/", safe=_WRITTEN) + (f"?{quote(parts.query, safe=_WRITTEN)}" if parts.query else "")
    if is_local:
        return Target(host, port, path, is_local=True)
    target = Target(_host(host, bracketed="[" in parts.netloc), port, path)
    if settings.OUTGOING_HOSTS and not validate_host(target.host.rstrip("."), settings.OUTGOING_HOSTS):
        allowed = ", ".join(settings.OUTGOING_HOSTS)
        raise AddressRefused("host_not_allowed", f"This site sends to these hosts only: {allowed}. Ask who runs it.")
    return target


def _is_local(scheme: str, host: str) -> bool:
    return settings.LOCAL_RECEIVERS and scheme == "http" and (host == "localhost" or is_this_machine(host))


def _host(host: str, *, bracketed: bool) -> str:
    """The host in one form; raises `AddressRefused` for one that is none, or not public as an IP address."""
    malformed = AddressRefused("host", "The address needs the name of a host, such as example.org.")
    if bracketed:
        if not is_public(host):
            raise not_public()
        return host
    try:
        name = host.encode("idna").decode("ascii")
    except UnicodeError:
        raise malformed from None
    if not _HOST.fullmatch(name) or len(name) > 253:
        raise malformed
    if _LOOKS_LIKE_A_NUMBER.fullmatch(name.rstrip(".").rpartition(".")[2]):
        # 2130706433, 0x7f.1 and 0177.0.0.1 are 127.0.0.1 to some, and something else to others.
        try:
            ipaddress.IPv4Address(name)
        except ValueError:
            raise AddressRefused("number_as_host", "Write an IP address as four numbers, such as 192.0.2.1.") from None
        if not is_public(name):
            raise not_public()
    return name


def not_public() -> AddressRefused:
    """The refusal of an address inside."""
    return AddressRefused("not_public", "The host is not on the public internet, so nothing is sent to it.")
