"""Sends HTTP posts to addresses that people typed in, such as webhooks, without exposing the site's own network (SSRF).

An address must be https, at a public host (on a site for its own machine alone also http at that machine), and without
a password in it. Every address that its name resolves to is checked, and the connection goes to one of those that were
checked, so a name that resolves differently a moment later gains nothing. The certificate must match the name.
Redirects are not followed, and of an answer only status and headers are read, for five seconds in all, from the look-up
of the name to the last header.
"""

import http.client
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.http.request import validate_host
from django.utils.http import parse_http_date_safe

from matches.models import clock

LONGEST_ADDRESS = 1000

_PORTS_OF_THE_SYSTEM = range(1024)

_WRITTEN = "-._~!$&'()*+,;=:@/%?[]"  # left unescaped in a path or query
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?")
_LOOKS_LIKE_A_NUMBER = re.compile(r"(\d+|0x[0-9a-f]*)\.?", re.IGNORECASE)

# Metadata services of cloud providers, at addresses that count as public.
_METADATA = {ipaddress.ip_address("168.63.129.16"), ipaddress.ip_address("192.0.0.192")}
# These wrap IPv4 addresses, or are not hosts of the internet.
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
    """A parsed address: `host` as in certificates, `path` with the query. `is_local`: http on this machine."""

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
    """Whether an IP address is an ordinary host of the internet: not of this machine or network, none that wraps
    another address, and none at which a cloud tells secrets."""
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
    """Whether an IP address is a loopback address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def host_of(url: str) -> str:
    """Return the host of an address, for display where the rest may be a secret. Raises `AddressRefused`."""
    return target_of(url).host


def target_of(url: str) -> Target:
    """Parse an address and do all checks that need no network. Raises `AddressRefused`."""
    if not url or len(url) > LONGEST_ADDRESS:
        raise AddressRefused("url_length", f"Give an address of at most {LONGEST_ADDRESS} characters.")
    # Parsers disagree on these, so one could check another host than the one connected to.
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
        raise AddressRefused("host_not_allowed", f"This site sends only to {allowed}. Ask whoever runs it.")
    return target


def _is_local(scheme: str, host: str) -> bool:
    return settings.LOCAL_RECEIVERS and scheme == "http" and (host == "localhost" or is_this_machine(host))


def _host(host: str, *, bracketed: bool) -> str:
    """Normalise a host. Raises `AddressRefused` if it is invalid, or an IP address that is not public."""
    malformed = AddressRefused("host", "The address needs the name of a server, such as example.org.")
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
    """Return the refusal of an address that is not public."""
    return AddressRefused("not_public", "The server is not on the public internet, so the site sends nothing to it.")


MOST_SECONDS = 5.0

_USER_AGENT = "Genius-Webhook/1"
_MOST_ADDRESSES = 4  # how many addresses of one name are tried, one after the other


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: its status, and the seconds that it asks to wait."""

    status: int
    retry_after: int | None = None

    @property
    def is_good(self) -> bool:
        """Whether the post was taken."""
        return 200 <= self.status < 300


class Internet:
    """The network outside this process; tests replace it (`net`)."""

    def resolve(self, host: str, port: int) -> list[str]:
        """All the IP addresses of a host. Raises `OSError`."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(each[4][0]) for each in found))

    def is_allowed(self, address: str) -> bool:
        """Whether a resolved address may be connected to."""
        return is_public(address)

    def trusted(self) -> ssl.SSLContext:
        """The certificates to trust."""
        return _of_the_system()


@cache
def _of_the_system() -> ssl.SSLContext:
    return ssl.create_default_context()


net = Internet()


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post once and return the answer, whatever its status. Takes `MOST_SECONDS` at most.

    Raises `AddressRefused` before anything is sent, and `NotReached` if no answer came.
    """
    target = target_of(url)
    ends = time.monotonic() + MOST_SECONDS
    addresses = _checked_addresses(target, ends)
    problem: Exception | None = None
    for place, address in enumerate(addresses):
        left = ends - time.monotonic()
        if left <= 0:
            break
        try:
            # An unresponsive first address must leave time for the second.
            line = socket.create_connection((address, target.port), left / (len(addresses) - place))
        except OSError as error:
            problem = error
            continue
        try:
            with closing(line), _cut_at(ends, line):
                return _exchange(line, target, body, headers, ends)
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise _said(error, ends) from None
    raise _said(problem, ends)


def _checked_addresses(target: Target, ends: float) -> list[str]:
    """Resolve the host and check that each address is public. Raises `AddressRefused`, `NotReached`."""
    found: queue.SimpleQueue[list[str] | OSError | UnicodeError] = queue.SimpleQueue()
    internet = net

    def look_up() -> None:
        try:
            found.put(internet.resolve(target.host, target.port))
        except (OSError, UnicodeError) as error:
            found.put(error)

    # A look-up has no timeout of its own; one that hangs is abandoned and ends by itself.
    threading.Thread(target=look_up, daemon=True, name="look-up").start()
    try:
        addresses = found.get(timeout=max(0.0, ends - time.monotonic()))
    except queue.Empty:
        raise NotReached("timeout", "The site could not look up the receiver's name in time.") from None
    if isinstance(addresses, Exception) or not addresses:
        raise NotReached("unknown_host", "The site could not look up the receiver's name.")
    is_allowed = is_this_machine if target.is_local else net.is_allowed
    if not all(is_allowed(address) for address in addresses):
        raise not_public()
    return addresses[:_MOST_ADDRESSES]


@contextmanager
def _cut_at(ends: float, line: socket.socket) -> Iterator[None]:
    """Cut a connection at that time: socket timeouts begin again with every byte that trickles in."""
    twin = line.dup()  # TLS takes over the socket; its duplicate can still shut the connection down

    def cut() -> None:
        with suppress(OSError):  # closed already
            twin.shutdown(socket.SHUT_RDWR)

    watch = threading.Timer(max(0.0, ends - time.monotonic()), cut)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        twin.close()


def _exchange(line: socket.socket, target: Target, body: bytes, headers: Mapping[str, str], ends: float) -> Answer:
    """Post over a connection to a checked address, with TLS for the host's name."""
    line.settimeout(max(0.01, ends - time.monotonic()))
    if not target.is_local:
        line = net.trusted().wrap_socket(line, server_hostname=target.host.rstrip("."))
    with closing(http.client.HTTPConnection(target.host, target.port)) as connection:
        connection.sock = line
        usual = {"Host": target.authority, "User-Agent": _USER_AGENT, "Connection": "close"}
        connection.request("POST", target.path, body, {**usual, **headers})
        with connection.getresponse() as response:
            if time.monotonic() >= ends:  # headers that were cut off look complete
                raise TimeoutError
            return Answer(response.status, _seconds(response.headers.get("Retry-After")))


def _seconds(value: str | None) -> int | None:
    """The wait that `Retry-After` asks for, given in seconds or as a date."""
    if not value or not value.isascii():
        return None
    if value.isdigit():
        return int(value) if len(value) < 6 else None
    at = parse_http_date_safe(value)
    return None if at is None else max(0, min(at - int(clock.now().timestamp()), 99_999))


def _said(error: Exception | None, ends: float) -> NotReached:
    """Describe an error, revealing nothing about the server's own network."""
    if time.monotonic() >= ends or isinstance(error, TimeoutError) or error is None:
        return NotReached("timeout", f"The receiver did not answer within {MOST_SECONDS:.0f} seconds.")
    if isinstance(error, ssl.SSLError):
        return NotReached("certificate", "The receiver has no valid certificate for its name, or does not speak TLS.")
    return NotReached("no_answer", "The receiver did not accept the connection, or closed it.")
