"""The environment, read once into one typed value; nothing else in the project looks at `os.environ`.

A secret may also be in a file, which a vault puts there: `SECRET_KEY_FILE` names the file of `SECRET_KEY`.

There are two modes. *Local* (`LOCAL=1`, `DEBUG=1`, or `manage.py` with nothing set) fills every gap: SQLite, an
in-process channel layer, a secret kept in a file. Otherwise every variable of `REQUIRED` must be there.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from genius_site import env_values as values
from genius_site.env_values import Database, Email
from genius_site.private_files import kept, make_private_folder

T = TypeVar("T")

BASE_DIR = Path(__file__).resolve().parent.parent
REQUIRED = ("SECRET_KEY", "SITE_URL", "EMAIL_URL")
"""What only the operator can know. Outside local mode nothing starts without it."""

VARIABLES: dict[str, str] = {
    "SECRET_KEY": "signs sessions and tokens; at least 32 characters",
    "OLD_SECRET_KEY": "the SECRET_KEY before a new one, until second factors are encrypted again (an hour)",
    "SITE_URL": "where people reach the site, such as https://genius.example.org",
    "EMAIL_URL": values.EMAILS,
    "DEFAULT_FROM_EMAIL": "sender of e-mails (default: genius@ the host of SITE_URL)",
    "CONTACT_EMAIL": "whom people write to about privacy and security (default: DEFAULT_FROM_EMAIL)",
    "ALLOWED_HOSTS": "host names, comma separated (default: the host of SITE_URL)",
    "CSRF_TRUSTED_ORIGINS": "further origins that may post forms, comma separated",
    "DATABASE_URL": f"{values.DATABASES} (default: a file in DATA_DIR)",
    "OWNER_DATABASE_URL": "the same database as the role that owns it, for manage.py (default: DATABASE_URL owns it)",
    "REDIS_URL": "redis://host:port/0; without it one process does everything",
    "DATA_DIR": "where files are kept (default: var/ beside manage.py)",
    "PATIENT": "1: no limit on waiting for the database; manage.py sets it for all commands but its servers",
    "SECURE_PROXY": "1 when a proxy in front sets X-Forwarded-Proto itself",
    "VAPID_PRIVATE_KEY": "signs pushes to browsers; 32 bytes in base64url (default: kept in DATA_DIR)",
    "OUTGOING_HOSTS": "hosts that webhooks and pushes may go to, comma separated (default: all public ones)",
    "SECOND_FACTOR": "who has to have a second factor: hosts, everybody or optional (default: hosts, locally optional)",
    "CALENDAR_ADDRESSES": "secrets: calendars also at addresses with a secret; no-secrets: never (default: secrets)",
    "BREACHED_PASSWORDS": "a file of the passwords that nobody may take, as docs/running.md says (default: 20,000)",
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
    "OUTAGE_MINUTES": "after how long without a sweep deadlines are extended; 0: never (default: 10)",
    "OUTAGE_HOURS": "how long after an outage a day's deadline comes at least (default: 12)",
    "LOG_FORMAT": "console or json (default: json, locally console)",
    "LOG_LEVEL": "DEBUG, INFO, WARNING or ERROR (default: INFO)",
    "PORT": "where `manage.py serve` listens (default: 8000)",
    "DEBUG": "1 shows tracebacks in the browser; implies LOCAL",
    "LOCAL": "1 for use on this machine only; manage.py sets it when DEBUG and SECRET_KEY are unset",
}


SECRETS = (
    "SECRET_KEY",
    "OLD_SECRET_KEY",
    "EMAIL_URL",
    "DATABASE_URL",
    "OWNER_DATABASE_URL",
    "REDIS_URL",
    "VAPID_PRIVATE_KEY",
    "METRICS_TOKEN",
    "SENTRY_DSN",
    "DISCORD_CLIENT_SECRET",
    "DISCORD_BOT_TOKEN",
)
"""What may be in a file instead, which the same name with `_FILE` names."""


class BadEnvironment(Exception):
    """Variables are missing or wrong; the text is one line and names each of them."""


@dataclass(frozen=True, slots=True)
class Env:
    """All settings from outside."""

    local: bool
    debug: bool
    secret_key: str
    old_secret_key: str
    data_dir: Path
    database: Database
    owner_database: Database | None
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
    outgoing_hosts: tuple[str, ...]
    second_factor: str
    calendar_addresses: str
    breached_passwords: str
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
    outage_minutes: int
    outage_hours: int
    log_format: str
    log_level: str

    @property
    def https(self) -> bool:
        """Whether the site is reached over https, so that cookies may require it."""
        return self.site_url.startswith("https://")


def load(environ: Mapping[str, str] = os.environ) -> Env:
    """The environment as `Env`; raises `BadEnvironment` that names every variable that is missing or wrong."""
    wrong: list[str] = []
    given = {name: environ.get(name, "").strip() for name in VARIABLES} | _in_files(environ, wrong)

    def read(name: str, parse: Callable[[str], T], default: T) -> T:
        """One variable, parsed; `default` if it is unset, or wrong, which is noted."""
        try:
            return parse(given[name]) if given[name] else default
        except ValueError as error:
            wrong.append(f"{name}: {error}")
            return default

    debug = read("DEBUG", values.flag, False)
    local = debug or read("LOCAL", values.flag, False)
    if missing := _missing(given, () if local else REQUIRED):
        meanings = "; ".join(f"{name} ({VARIABLES[name]})" for name in missing)
        wrong.append(f"missing in the environment: {meanings}")

    none: tuple[str, ...] = ()
    nobody: Database | None = None
    data_dir = Path(given["DATA_DIR"] or BASE_DIR / "var").resolve()
    port = read("PORT", values.port, 8000)
    site_url = read("SITE_URL", values.site_url, f"http://127.0.0.1:{port}")
    host = urlsplit(site_url).hostname or ""
    hosts: tuple[str, ...] = (host,)
    hosts = read("ALLOWED_HOSTS", values.hosts, hosts)
    if local:
        hosts = tuple(dict.fromkeys((*hosts, "localhost", "127.0.0.1", "[::1]")))
    elif not any(values.is_allowed(host, pattern) for pattern in hosts):
        wrong.append(f"ALLOWED_HOSTS: expected {host} among them, which is the host of SITE_URL")
    database = read("DATABASE_URL", values.database, Database("sqlite", str(data_dir / "genius.sqlite3")))
    owner_database = read("OWNER_DATABASE_URL", values.database, nobody)
    if owner_database is not None and not database.is_also(owner_database):
        wrong.append("OWNER_DATABASE_URL: expected another user of the PostgreSQL database that DATABASE_URL names")
    env = Env(
        local=local,
        debug=debug,
        secret_key=read("SECRET_KEY", values.secret_key, ""),
        old_secret_key=read("OLD_SECRET_KEY", values.secret_key, ""),
        data_dir=data_dir,
        database=database,
        owner_database=owner_database,
        patient=read("PATIENT", values.flag, False),
        redis_url=read("REDIS_URL", values.redis_url, ""),
        port=port,
        site_url=site_url,
        allowed_hosts=hosts,
        # Locally the address is a guess, and a page is trusted only if it comes from the same host as the request.
        csrf_trusted_origins=(
            *((site_url,) if given["SITE_URL"] else ()),
            *read("CSRF_TRUSTED_ORIGINS", values.origins, none),
        ),
        email=read("EMAIL_URL", values.email, values.email("console://")),
        default_from_email=read("DEFAULT_FROM_EMAIL", values.sender, f"Genius <genius@{host}>"),
        contact_email=read("CONTACT_EMAIL", values.address, ""),
        vapid_private_key=read("VAPID_PRIVATE_KEY", values.vapid_key, ""),
        outgoing_hosts=read("OUTGOING_HOSTS", values.hosts, none),
        second_factor=read(
            "SECOND_FACTOR", values.one_of("optional", "hosts", "everybody"), "optional" if local else "hosts"
        ),
        calendar_addresses=read("CALENDAR_ADDRESSES", values.one_of("secrets", "no-secrets"), "secrets"),
        breached_passwords=read("BREACHED_PASSWORDS", values.file, ""),
        metrics_token=read("METRICS_TOKEN", values.metrics_token, ""),
        metrics_port=read("METRICS_PORT", values.port, 0),
        sentry_dsn=read("SENTRY_DSN", values.sentry_dsn, ""),
        discord_client_id=given["DISCORD_CLIENT_ID"],
        discord_client_secret=given["DISCORD_CLIENT_SECRET"],
        discord_application_id=read("DISCORD_APPLICATION_ID", values.application_id, ""),
        discord_public_key=read("DISCORD_PUBLIC_KEY", values.public_key, ""),
        discord_bot_token=given["DISCORD_BOT_TOKEN"],
        secure_proxy=read("SECURE_PROXY", values.flag, False),
        action_rate=read("ACTION_RATE", values.whole, 30),
        sockets_per_address=read("SOCKETS_PER_ADDRESS", values.at_least_one, 200),
        outage_minutes=read("OUTAGE_MINUTES", values.whole, 10),
        outage_hours=read("OUTAGE_HOURS", values.whole, 12),
        log_format=read("LOG_FORMAT", values.one_of("console", "json"), "console" if local else "json"),
        log_level=read("LOG_LEVEL", values.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
    )
    if wrong:
        raise BadEnvironment("; ".join(wrong))
    return env if env.secret_key else replace(env, secret_key=_secret_in(data_dir))


def load_or_exit() -> Env:
    """`load`, or end the process with one line."""
    try:
        return load()
    except BadEnvironment as error:
        raise SystemExit(f"genius: {error}") from None


def _in_files(environ: Mapping[str, str], wrong: list[str]) -> dict[str, str]:
    """The secrets that are in files. What is wrong with these is added to `wrong`."""
    found = {}
    for name in SECRETS:
        path = environ.get(f"{name}_FILE", "").strip()
        if path and environ.get(name, "").strip():
            wrong.append(f"{name}_FILE: expected {name} or this, not both")
        elif path:
            try:
                found[name] = Path(path).read_text().strip()
            except (OSError, UnicodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "expected a file of text"
                wrong.append(f"{name}_FILE: {path}: {reason}")
                continue
            if not found[name]:
                wrong.append(f"{name}_FILE: {path} is empty")
    return found


def _missing(given: Mapping[str, str], required: Sequence[str]) -> list[str]:
    """What is required, and the other half where one half of what Discord needs is there."""
    missing = [name for name in required if not given[name]]
    for name, partner in (
        ("DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET"),
        ("DISCORD_CLIENT_SECRET", "DISCORD_CLIENT_ID"),
        ("DISCORD_APPLICATION_ID", "DISCORD_PUBLIC_KEY"),
        ("DISCORD_PUBLIC_KEY", "DISCORD_APPLICATION_ID"),
    ):
        if given[partner] and not given[name]:
            missing.append(name)
    return missing


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
