"""The environment, read once into one typed value; nothing else in the project looks at `os.environ`.

There are two modes. *Local* (`LOCAL=1`, `DEBUG=1`, or `manage.py` with nothing set) fills every gap: SQLite, an
in-process channel layer, a secret kept in a file. Otherwise every variable of `REQUIRED` must be there.
"""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from genius_site.private_files import kept, make_private_folder

T = TypeVar("T")

BASE_DIR = Path(__file__).resolve().parent.parent
REQUIRED = ("SECRET_KEY", "SITE_URL", "EMAIL_URL")
"""What only the operator can know. Outside local mode nothing starts without it."""

VARIABLES: dict[str, str] = {
    "SECRET_KEY": "signs sessions and tokens; at least 32 characters",
    "SITE_URL": "where people reach the site, such as https://genius.example.org",
    "EMAIL_URL": "smtp://, smtp+tls:// or smtps://user:password@host:port; console:// prints, dummy:// drops mail",
    "DEFAULT_FROM_EMAIL": "sender of e-mails (default: genius@ the host of SITE_URL)",
    "CONTACT_EMAIL": "whom people write to about privacy and security (default: DEFAULT_FROM_EMAIL)",
    "ALLOWED_HOSTS": "host names, comma separated (default: the host of SITE_URL)",
    "CSRF_TRUSTED_ORIGINS": "further origins that may post forms, comma separated",
    "DATABASE_URL": "postgres://user:password@host:port/name or sqlite:///path (default: a file in DATA_DIR)",
    "REDIS_URL": "redis://host:port/0; without it one process does everything",
    "DATA_DIR": "where files are kept (default: var/ beside manage.py)",
    "PATIENT": "1: no limit on waiting for the database; manage.py sets it for all commands but its servers",
    "SECURE_PROXY": "1 when a proxy in front sets X-Forwarded-Proto itself",
    "VAPID_PRIVATE_KEY": "signs pushes to browsers; 32 bytes in base64url (default: kept in DATA_DIR)",
    "METRICS_TOKEN": "lets Prometheus read /metrics; at least 16 characters (default: only from this machine)",
    "METRICS_PORT": "where the worker answers /metrics (default: nowhere)",
    "SENTRY_DSN": "where failures are reported to; needs the extra `sentry` (default: nowhere)",
    "DISCORD_CLIENT_ID": "with DISCORD_CLIENT_SECRET: sign-in with Discord",
    "DISCORD_CLIENT_SECRET": "see DISCORD_CLIENT_ID",
    "DISCORD_APPLICATION_ID": "with DISCORD_PUBLIC_KEY: slash commands in Discord (docs/slash-commands.md)",
    "DISCORD_PUBLIC_KEY": "see DISCORD_APPLICATION_ID; 64 hexadecimal digits",
    "DISCORD_BOT_TOKEN": "only for `manage.py register_chat_commands`",
    "ACTION_RATE": "how many actions a second one person may send, thrice that at once; 0: any (default: 30)",
    "SOCKETS_PER_ADDRESS": "how many live pages one address may have open (default: 200)",
    "MOST_CONNECTIONS": "how many connections the web process keeps at once (default: 2000)",
    "OUTAGE_MINUTES": "after how long without a sweep deadlines are extended; 0: never (default: 10)",
    "OUTAGE_HOURS": "how long after an outage a day's deadline comes at least (default: 12)",
    "SERVER": "daphne or uvicorn, which serves pages and sockets (default: daphne)",
    "LOG_FORMAT": "console or json (default: json, locally console)",
    "LOG_LEVEL": "DEBUG, INFO, WARNING or ERROR (default: INFO)",
    "PORT": "where `manage.py serve` listens (default: 8000)",
    "DEBUG": "1 shows tracebacks in the browser; implies LOCAL",
    "LOCAL": "1 for use on this machine only; manage.py sets it when DEBUG and SECRET_KEY are unset",
}


class BadEnvironment(Exception):
    """A variable is missing or wrong; the text is one line and names each variable."""


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


@dataclass(frozen=True, slots=True)
class Env:
    """All settings from outside."""

    local: bool
    debug: bool
    secret_key: str
    data_dir: Path
    database: Database
    patient: bool
    redis_url: str
    port: int
    site_url: str
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    email: Email
    default_from_email: str
    contact_email: str
    vapid_private_key: str
    metrics_token: str
    metrics_port: int
    sentry_dsn: str
    discord_client_id: str
    discord_client_secret: str
    discord_application_id: str
    discord_public_key: str
    discord_bot_token: str
    secure_proxy: bool
    action_rate: int
    sockets_per_address: int
    most_connections: int
    outage_minutes: int
    outage_hours: int
    server: str
    log_format: str
    log_level: str

    @property
    def https(self) -> bool:
        """Whether the site is reached over https, so that cookies may require it."""
        return self.site_url.startswith("https://")


def load(environ: Mapping[str, str] = os.environ) -> Env:
    """The environment as `Env`; raises `BadEnvironment` that names every missing variable, or the first bad one."""
    given = {name: environ.get(name, "").strip() for name in VARIABLES}
    debug = _read(given, "DEBUG", _flag, False)
    local = debug or _read(given, "LOCAL", _flag, False)
    _refuse_missing(given, () if local else REQUIRED)

    none: tuple[str, ...] = ()
    data_dir = Path(given["DATA_DIR"] or BASE_DIR / "var").resolve()
    port = _read(given, "PORT", _whole, 8000)
    site_url = _read(given, "SITE_URL", _site_url, f"http://127.0.0.1:{port}")
    host = urlsplit(site_url).hostname or ""
    hosts: tuple[str, ...] = (host,)
    hosts = _read(given, "ALLOWED_HOSTS", _hosts, hosts)
    if local:
        hosts = tuple(dict.fromkeys((*hosts, "localhost", "127.0.0.1", "[::1]")))
    return Env(
        local=local,
        debug=debug,
        secret_key=_read(given, "SECRET_KEY", _secret_key, "") or _secret_in(data_dir),
        data_dir=data_dir,
        database=_read(given, "DATABASE_URL", _database, Database("sqlite", str(data_dir / "genius.sqlite3"))),
        patient=_read(given, "PATIENT", _flag, False),
        redis_url=_read(given, "REDIS_URL", _redis_url, ""),
        port=port,
        site_url=site_url,
        allowed_hosts=hosts,
        # Locally the address is a guess, and a page is trusted only if it comes from the same host as the request.
        csrf_trusted_origins=(
            *((site_url,) if given["SITE_URL"] else ()),
            *_read(given, "CSRF_TRUSTED_ORIGINS", _origins, none),
        ),
        email=_read(given, "EMAIL_URL", _email, _email("console://")),
        default_from_email=given["DEFAULT_FROM_EMAIL"] or f"Genius <genius@{host}>",
        contact_email=_read(given, "CONTACT_EMAIL", _address, ""),
        vapid_private_key=_read(given, "VAPID_PRIVATE_KEY", _vapid_key, ""),
        metrics_token=_read(given, "METRICS_TOKEN", _metrics_token, ""),
        metrics_port=_read(given, "METRICS_PORT", _whole, 0),
        sentry_dsn=_read(given, "SENTRY_DSN", _sentry_dsn, ""),
        discord_client_id=given["DISCORD_CLIENT_ID"],
        discord_client_secret=given["DISCORD_CLIENT_SECRET"],
        discord_application_id=_read(given, "DISCORD_APPLICATION_ID", _application_id, ""),
        discord_public_key=_read(given, "DISCORD_PUBLIC_KEY", _public_key, ""),
        discord_bot_token=given["DISCORD_BOT_TOKEN"],
        secure_proxy=_read(given, "SECURE_PROXY", _flag, False),
        action_rate=_read(given, "ACTION_RATE", _whole, 30),
        sockets_per_address=_read(given, "SOCKETS_PER_ADDRESS", _whole, 200),
        most_connections=_read(given, "MOST_CONNECTIONS", _whole, 2000),
        outage_minutes=_read(given, "OUTAGE_MINUTES", _whole, 10),
        outage_hours=_read(given, "OUTAGE_HOURS", _whole, 12),
        server=_read(given, "SERVER", _one_of("daphne", "uvicorn"), "daphne"),
        log_format=_read(given, "LOG_FORMAT", _one_of("console", "json"), "console" if local else "json"),
        log_level=_read(given, "LOG_LEVEL", _one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
    )


def load_or_exit() -> Env:
    """`load`, or end the process with one line."""
    try:
        return load()
    except BadEnvironment as error:
        raise SystemExit(f"genius: {error}") from None


def _refuse_missing(given: Mapping[str, str], required: Sequence[str]) -> None:
    """Raises `BadEnvironment` for what is required, and for one half of what Discord needs."""
    missing = [name for name in required if not given[name]]
    for name, partner in (
        ("DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET"),
        ("DISCORD_CLIENT_SECRET", "DISCORD_CLIENT_ID"),
        ("DISCORD_APPLICATION_ID", "DISCORD_PUBLIC_KEY"),
        ("DISCORD_PUBLIC_KEY", "DISCORD_APPLICATION_ID"),
    ):
        if given[partner] and not given[name]:
            missing.append(name)
    if missing:
        meanings = "; ".join(f"{name} ({VARIABLES[name]})" for name in missing)
        raise BadEnvironment(f"missing in the environment: {meanings}")


def _read(given: Mapping[str, str], name: str, parse: Callable[[str], T], default: T) -> T:
    """One variable, parsed, or `default` if unset; a ValueError becomes a line that names the variable."""
    if not given[name]:
        return default
    try:
        return parse(given[name])
    except ValueError as error:
        raise BadEnvironment(f"{name}: {error}") from None


def _flag(text: str) -> bool:
    values = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in values:
        raise ValueError(f"expected 1 or 0, got {text!r}")
    return values[text.lower()]


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValueError(f"expected a whole number, got {text!r}")
    return int(text)


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"expected one of {', '.join(choices)}, got {text!r}")
        return text

    return parse


def _list(text: str) -> tuple[str, ...]:
    return tuple(part for part in (part.strip() for part in text.split(",")) if part)


def _hosts(text: str) -> tuple[str, ...]:
    hosts = _list(text)
    for host in hosts:
        if "/" in host or host == "*":
            raise ValueError(f"expected host names such as genius.example.org, got {host!r}")
    return hosts


def _origin(text: str) -> SplitResult:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError(f"expected an address such as https://genius.example.org, got {text!r}")
    return parts


def _site_url(text: str) -> str:
    parts = _origin(text)
    return f"{parts.scheme}://{parts.netloc}"


def _origins(text: str) -> tuple[str, ...]:
    return tuple(_site_url(origin) for origin in _list(text))


def _secret_key(text: str) -> str:
    if len(text) < 32:
        raise ValueError("expected at least 32 characters")  # the secret is never shown
    return text


def _address(text: str) -> str:
    name, _, host = text.partition("@")
    if not (name and "." in host) or any(sign in text for sign in " <>,"):
        raise ValueError(f"expected an address such as genius@example.org, got {text!r}")
    return text


def _metrics_token(text: str) -> str:
    if len(text) < 16:
        raise ValueError("expected at least 16 characters")  # the token is never shown
    return text


def _sentry_dsn(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.username or not parts.hostname or len(parts.path) < 2:
        raise ValueError("expected an address such as https://key@sentry.example.org/1")  # the key is never shown
    return text


def _vapid_key(text: str) -> str:
    key = text.rstrip("=")
    try:
        if len(base64.b64decode(key + "=", altchars=b"-_", validate=True)) == 32:
            return key
    except ValueError:
        pass
    raise ValueError("expected 32 bytes in base64url")  # the key is never shown


def _application_id(text: str) -> str:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise ValueError("expected the number of an application")
    return text


def _public_key(text: str) -> str:
    if len(text) != 64 or not all(digit in "0123456789abcdef" for digit in text.lower()):
        raise ValueError("expected 64 hexadecimal digits")
    return text.lower()


def _redis_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("redis", "rediss") or not parts.hostname:
        raise ValueError("expected redis://host:port/0")  # it may hold a password, so it is never shown
    return text


def _database(text: str) -> Database:
    parts = urlsplit(text)
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
    raise ValueError("expected postgres://user:password@host:port/name or sqlite:///path")


def _email(text: str) -> Email:
    backends = "django.core.mail.backends."
    parts = urlsplit(text)
    if parts.scheme in ("console", "dummy"):
        return Email(f"{backends}{parts.scheme}.EmailBackend")
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname:
        raise ValueError(f"expected {VARIABLES['EMAIL_URL']}")
    return Email(
        backend=f"{backends}smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_tls=parts.scheme == "smtp+tls",
        use_ssl=parts.scheme == "smtps",
    )


def _secret_in(data_dir: Path) -> str:
    try:
        return _kept_secret(data_dir)
    except OSError as error:
        raise BadEnvironment(f"DATA_DIR: {error.filename}: {error.strerror}") from None


def _kept_secret(data_dir: Path) -> str:
    """The secret of local mode, from DATA_DIR/secret.txt; created there (mode 0600) if missing."""
    path = data_dir / "secret.txt"
    make_private_folder(data_dir, is_ours=data_dir == BASE_DIR / "var")
    secret = kept(path, lambda: secrets.token_urlsafe(48))
    if len(secret) < 32:
        raise BadEnvironment(f"SECRET_KEY: {path} is cut short; delete it to get a new one")
    return secret
