"""Posts to addresses that people typed in, such as webhooks, without lending them the server's place in its network.

An address must be https, at a public host (on a site for its own machine alone also http at that machine), and without
a password in it. Every address that its name resolves to is checked, and the connection goes to one of those that were
checked: a name that resolves differently a moment later gains nothing. The certificate must be that of the name.
Redirects are not followed, and an answer is read up to 64 KB for five seconds in all, from the look-up of the name to
the last byte.
"""

import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache

from django.utils.http import parse_http_date_safe

from matches.models import clock
from notices.safe_addresses import NotReached, Target, is_public, is_this_machine, not_public, target_of

MOST_READ = 64 * 1024
MOST_SECONDS = 5.0

_USER_AGENT = "Genius-Webhook/1"
_MOST_ADDRESSES = 4  # of one name that are tried, one after the other


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: its status, the first `MOST_READ` bytes of its body, and the seconds that it asks to wait."""

    status: int
    body: bytes = b""
    retry_after: int | None = None

    @property
    def is_good(self) -> bool:
        """Whether the post was taken."""
        return 200 <= self.status < 300


class Internet:
    """What there is around this process; tests put another one in its place (`net`)."""

    def resolve(self, host: str, port: int) -> list[str]:
        """All the IP addresses of a host. Raises `OSError`."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(each[4][0]) for each in found))

    def is_allowed(self, address: str) -> bool:
        """Whether a resolved address may be connected to."""
        return is_public(address)

    def trusted(self) -> ssl.SSLContext:
        """Which certificates are believed."""
        return _of_the_system()


@cache
def _of_the_system() -> ssl.SSLContext:
    return ssl.create_default_context()


net = Internet()


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Posts once and returns what was answered, whatever its status. Takes `MOST_SECONDS` at most.

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
            # A first address that swallows everything must leave time for the second.
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
    """The addresses of the host, each of them public. Raises `AddressRefused`, `NotReached`."""
    found: queue.SimpleQueue[list[str] | OSError | UnicodeError] = queue.SimpleQueue()
    internet = net

    def look_up() -> None:
        try:
            found.put(internet.resolve(target.host, target.port))
        except (OSError, UnicodeError) as error:
            found.put(error)

    # A look-up has no limit of its own; one that hangs is left behind and ends by itself.
    threading.Thread(target=look_up, daemon=True, name="look-up").start()
    try:
        addresses = found.get(timeout=max(0.0, ends - time.monotonic()))
    except queue.Empty:
        raise NotReached("timeout", "The address's server could not be looked up in time.") from None
    if isinstance(addresses, Exception) or not addresses:
        raise NotReached("unknown_host", "The host's name could not be looked up.")
    is_allowed = is_this_machine if target.is_local else net.is_allowed
    if not all(is_allowed(address) for address in addresses):
        raise not_public()
    return addresses[:_MOST_ADDRESSES]


@contextmanager
def _cut_at(ends: float, line: socket.socket) -> Iterator[None]:
    """Ends a connection at that moment: socket timeouts begin again with every byte that drips in."""
    twin = line.dup()  # TLS takes the socket over, and this one still ends the connection

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
    """Post over a connection to a checked address, by TLS with the certificate of the host's name."""
    line.settimeout(max(0.01, ends - time.monotonic()))
    if not target.is_local:
        line = net.trusted().wrap_socket(line, server_hostname=target.host.rstrip("."))
    with closing(http.client.HTTPConnection(target.host, target.port)) as connection:
        connection.sock = line
        usual = {"Host": target.authority, "User-Agent": _USER_AGENT, "Connection": "close"}
        connection.request("POST", target.path, body, {**usual, **headers})
        with connection.getresponse() as response:
            if time.monotonic() >= ends:  # headers that were cut off look like complete ones
                raise TimeoutError
            return Answer(response.status, _read(response), _seconds(response.headers.get("Retry-After")))


def _read(response: http.client.HTTPResponse) -> bytes:
    """The beginning of the body. An answer that breaks off in its body has been an answer all the same."""
    found = b""
    with suppress(http.client.HTTPException, OSError):
        while len(found) < MOST_READ and (part := response.read(min(MOST_READ - len(found), 8192))):
            found += part
    return found


def _seconds(value: str | None) -> int | None:
    """How long a `Retry-After` asks to wait: it says so in seconds, or names the instant."""
    if not value or not value.isascii():
        return None
    if value.isdigit():
        return int(value) if len(value) < 6 else None
    at = parse_http_date_safe(value)
    return None if at is None else max(0, min(at - int(clock.now().timestamp()), 99_999))


def _said(error: Exception | None, ends: float) -> NotReached:
    """What went wrong, without anything that only this server's network could have told."""
    if time.monotonic() >= ends or isinstance(error, TimeoutError) or error is None:
        return NotReached("timeout", f"The host did not answer within {MOST_SECONDS:.0f} seconds.")
    if isinstance(error, ssl.SSLError):
        return NotReached("certificate", "The host has no valid certificate for its name, or does not speak TLS.")
    return NotReached("no_answer", "The host did not accept the connection, or closed it.")
