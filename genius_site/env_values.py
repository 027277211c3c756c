"""What each variable of the environment may look like. Every reader raises a ValueError that says what is expected, and
never repeats what may be a secret."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

DATABASES = "postgres://user:password@host:port/name or sqlite:///path"
EMAILS = "smtp://, smtp+tls:// or smtps://user:password@host:port; console:// prints, dummy:// drops mail"


@dataclass(frozen=True, slots=True)
class Email:
    """How mail is sent: a Django backend and, for SMTP, its connection."""

    backend: str
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    use_tls: bool = False
    use_ssl: bool = False


@dataclass(frozen=True, slots=True)
class Database:
    """The parts of DATABASE_URL: `postgresql` with an address, or `sqlite` with a path as its name."""

    vendor: str
    name: str
    host: str = ""
    port: str = ""
    user: str = ""
    password: str = ""
    options: tuple[tuple[str, str], ...] = ()

    def is_also(self, other: Database) -> bool:
        """Whether the other one is the same database on PostgreSQL, by another user. It may have another address."""
        both_on_postgresql = self.vendor == other.vendor == "postgresql"
        return both_on_postgresql and self.name == other.name and self.user != other.user


def flag(text: str) -> bool:
    values = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in values:
        raise ValueError(f"expected 1 or 0, got {text!r}")
    return values[text.lower()]


def whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValueError(f"expected a whole number, got {text!r}")
    return int(text)


def at_least_one(text: str) -> int:
    number = whole(text)
    if number < 1:
        raise ValueError("expected at least 1")
    return number


def port(text: str) -> int:
    number = whole(text)
    if number > 65535:
        raise ValueError(f"expected the number of a port, at most 65535, got {text!r}")
    return number


def _split(text: str, expected: str) -> SplitResult:
    """An address in its parts, with a port that can be one. What Python says of a wrong address may quote a password,
    such as one with a / or a #, so it is not said."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018  # reading it checks it
    except ValueError:
        raise ValueError(f"expected {expected}; in user and password / is written %2F, # %23 and @ %40") from None
    return parts


def one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}, got {text!r}")
        return text

    return parse


def _list(text: str) -> tuple[str, ...]:
    return tuple(part for part in (part.strip() for part in text.split(",")) if part)


def hosts(text: str) -> tuple[str, ...]:
    hosts = _list(text)
    for host in hosts:
        if "/" in host or host == "*" or " " in host:
            raise ValueError(f"expected host names such as genius.example.org, with commas between them, got {host!r}")
    return hosts


def file(text: str) -> str:
    if not Path(text).is_file():
        raise ValueError(f"expected the path of a file, got {text!r}")
    return text


def is_allowed(host: str, pattern: str) -> bool:
    """Whether a host fits a pattern, as Django compares them: `.example.org` stands for all below it, too."""
    return host == pattern.lower() or (pattern.startswith(".") and f".{host}".endswith(pattern.lower()))


def _origin(text: str) -> SplitResult:
    expected = "an address such as https://genius.example.org"
    parts = _split(text, expected)
    plain = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise ValueError(f"expected {expected}, got {text!r}")
    return parts


def site_url(text: str) -> str:
    parts = _origin(text)
    return f"{parts.scheme}://{parts.netloc}"


def origins(text: str) -> tuple[str, ...]:
    return tuple(site_url(origin) for origin in _list(text))


def secret_key(text: str) -> str:
    if len(text) < 32:
        raise ValueError("expected at least 32 characters")  # the secret is never shown
    return text


def address(text: str) -> str:
    name, _, host = text.partition("@")
    if not (name and "." in host) or any(sign in text for sign in " <>,"):
        raise ValueError(f"expected an address such as genius@example.org, got {text!r}")
    return text


def sender(text: str) -> str:
    if "@" not in parseaddr(text)[1] or not text.isprintable():
        raise ValueError(f"expected a sender such as Genius <genius@example.org>, got {text!r}")
    return text


def metrics_token(text: str) -> str:
    if len(text) < 16:
        raise ValueError("expected at least 16 characters")  # the token is never shown
    return text


def sentry_dsn(text: str) -> str:
    expected = "an address such as https://key@sentry.example.org/1"  # the key is never shown
    parts = _split(text, expected)
    if parts.scheme not in ("http", "https") or not parts.username or not parts.hostname or len(parts.path) < 2:
        raise ValueError(f"expected {expected}")
    return text


def vapid_key(text: str) -> str:
    key = text.rstrip("=")
    try:
        if len(base64.b64decode(key + "=", altchars=b"-_", validate=True)) == 32:
            return key
    except ValueError:
        pass
    raise ValueError("expected 32 bytes in base64url")  # the key is never shown


def application_id(text: str) -> str:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise ValueError("expected the number of an application")
    return text


def public_key(text: str) -> str:
    if len(text) != 64 or not all(digit in "0123456789abcdef" for digit in text.lower()):
        raise ValueError("expected 64 hexadecimal digits")
    return text.lower()


def redis_url(text: str) -> str:
    expected = "redis://host:port/0"  # it may hold a password, so it is never shown
    parts = _split(text, expected)
    number = parts.path.removeprefix("/")
    if parts.scheme not in ("redis", "rediss") or not parts.hostname or not (number.isdecimal() or not number):
        raise ValueError(f"expected {expected}")
    return text


def database(text: str) -> Database:
    parts = _split(text, DATABASES)
    if parts.scheme == "sqlite" and not parts.netloc and len(parts.path) > 1:
        return Database("sqlite", unquote(parts.path[1:]))
    if parts.scheme in ("postgres", "postgresql") and len(parts.path) > 1:
        options = dict(parse_qsl(parts.query))
        return Database(
            vendor="postgresql",
            name=unquote(parts.path[1:]),
            host=options.pop("host", "") or unquote(parts.hostname or ""),
            port=str(parts.port or ""),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            options=tuple(options.items()),
        )
    raise ValueError(f"expected {DATABASES}")


def email(text: str) -> Email:
    backends = "django.core.mail.backends."
    parts = _split(text, EMAILS)
    if parts.scheme in ("console", "dummy"):
        return Email(f"{backends}{parts.scheme}.EmailBackend")
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname:
        raise ValueError(f"expected {EMAILS}")
    return Email(
        backend=f"{backends}smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_tls=parts.scheme == "smtp+tls",
        use_ssl=parts.scheme == "smtps",
    )
