"""Reads environment variables for the settings, and the program's version; nothing else looks at `os.environ`.

A secret may also be in a file, put there by a vault: `SECRET_KEY_FILE` names the file of `SECRET_KEY`. Errors are
collected, and values never quoted, since they may be secrets.
"""

import base64
import os
import re
import secrets
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env, FileAwareMapping

from matches.infra.private_files import kept, make_private_folder

T = TypeVar("T")
Cast = Callable[[str], T]

BASE_DIR = Path(__file__).resolve().parent.parent


class Environment:
    """The variables of a process: `read` returns one, `refuse` ends the process if any was missing or wrong."""

    def __init__(self, given: Mapping[str, str] = os.environ) -> None:
        self._given = FileAwareMapping(env=dict(given))
        self.names: set[str] = set()
        self.wrong: list[str] = []

    def text(self, name: str) -> str:
        """Return a variable's text, stripped; empty if it is not set."""
        self.names.add(name)
        try:
            return str(self._given.get(name, "")).strip()
        except (OSError, UnicodeError):
            self.wrong.append(f"{name}_FILE: expected the name of a readable file")
            return ""

    def read(self, name: str, cast: Cast[T], default: T) -> T:
        """Return a variable's value; `default` if it is not set or wrong, in which case the error is collected."""
        if not (text := self.text(name)):
            return default
        try:
            return cast(text)
        except ImproperlyConfigured:
            self.wrong.append(f"{name}: expected another kind of address")
        except ValueError as error:
            self.wrong.append(f"{name}: expected {error}")
        return default

    def flag(self, name: str) -> bool:
        return self.read(name, flag, False)

    def need(self, *names: str) -> None:
        """Collect an error about those of these that are not set."""
        if missing := [name for name in names if not self.text(name)]:
            self.wrong.append(f"missing from the environment: {', '.join(missing)} (docs/running.md explains each)")

    def together(self, *names: str) -> None:
        """Require that either all of these are set, or none."""
        if any(self.text(name) for name in names):
            self.need(*names)

    def refuse(self) -> None:
        """Raise `SystemExit` with one line about everything that is missing or wrong, if anything is."""
        if self.wrong:
            raise SystemExit(f"genius: {'; '.join(self.wrong)}")


# -- readers of variables; each raises a ValueError that says what is expected ---------------------------------------


def flag(text: str) -> bool:
    if text.lower() not in (*Env.BOOLEAN_TRUE_STRINGS, "0", "false", "no", "off"):
        raise ValueError("1 or 0")
    return text.lower() in Env.BOOLEAN_TRUE_STRINGS


def number(least: int, most: int) -> Cast[int]:
    def cast(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,6}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return cast


def one_of(*choices: str) -> Cast[str]:
    return like("|".join(map(re.escape, choices)), f"one of {', '.join(choices)}")


def like(pattern: str, expected: str) -> Cast[str]:
    def cast(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(expected)
        return text

    return cast


def parts_of(text: str, expected: str) -> SplitResult:
    """Split a URL, and check that its port is valid."""
    try:
        parts = urlsplit(text)
        parts.port  # noqa: B018  # reading it checks it
    except ValueError:
        raise ValueError(f"{expected}; in user and password write / as %2F, # as %23 and @ as %40") from None
    return parts


def origin(text: str) -> str:
    """Read `https://host`, with nothing after it."""
    expected = "an address such as https://genius.example.org"
    parts = parts_of(text, expected)
    plain = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise ValueError(expected)
    return f"{parts.scheme}://{parts.netloc}"


def origins(text: str) -> list[str]:
    return [origin(each.strip()) for each in text.split(",")]


def hosts(text: str) -> list[str]:
    found = [each.strip() for each in text.split(",")]
    if not all(re.fullmatch(r"[^\s/*]+", each) for each in found):
        raise ValueError("host names such as genius.example.org, separated by commas")
    return found


def is_allowed(host: str, pattern: str) -> bool:
    """Whether a host fits a pattern of Django's: `.example.org` includes its subdomains."""
    return host == pattern.lower() or (pattern.startswith(".") and f".{host}".endswith(pattern.lower()))


def redis(text: str) -> str:
    parts = parts_of(text, "redis://host:port/0")
    if parts.scheme not in ("redis", "rediss") or not parts.hostname or not re.fullmatch(r"/?[0-9]*", parts.path):
        raise ValueError("redis://host:port/0")
    return text


def database(text: str) -> dict[str, Any]:
    """Read an entry of Django's DATABASES."""
    expected = "postgres://user:password@host:port/name or sqlite:///path"
    parts = parts_of(text, expected)
    if parts.scheme not in ("postgres", "postgresql", "sqlite") or len(parts.path) < 2:
        raise ValueError(expected)
    found: dict[str, Any] = {"OPTIONS": {}, **Env.db_url_config(text)}
    return {**found, "HOST": found["OPTIONS"].pop("host", "") or found["HOST"], "PORT": str(found["PORT"] or "")}


def email(text: str) -> dict[str, Any]:
    """Read Django's settings for mail."""
    expected = "smtp://, smtp+tls:// or smtps://user:password@host:port; console:// prints, dummy:// drops mail"
    schemes = {"console": ("consolemail", 0), "dummy": ("dummymail", 0)}
    schemes |= {"smtp": ("smtp", 25), "smtp+tls": ("smtp+tls", 587), "smtps": ("smtp+ssl", 465)}
    parts = parts_of(text, expected)
    scheme, port = schemes.get(parts.scheme, ("", 0))
    if not scheme or (port and not parts.hostname):
        raise ValueError(expected)
    found = Env.email_url_config(parts._replace(scheme=scheme).geturl())
    found = {name: value for name, value in found.items() if value and name != "EMAIL_FILE_PATH"}
    return {"EMAIL_HOST": "", "EMAIL_PORT": port, **found}


def vapid_key(text: str) -> str:
    key = text.rstrip("=")
    try:
        if len(base64.b64decode(key + "=", altchars=b"-_", validate=True)) == 32:
            return key
    except ValueError:
        pass
    raise ValueError("32 bytes in base64url")


def file(text: str) -> str:
    if not Path(text).is_file():
        raise ValueError("the path of a file")
    return text


def local_secret(data_dir: Path) -> str:
    """Return the secret key of local mode from DATA_DIR/secret.txt, made if missing. Raises `SystemExit`."""
    path = data_dir / "secret.txt"
    try:
        make_private_folder(data_dir, is_ours=data_dir == BASE_DIR / "var")
        secret = kept(path, lambda: secrets.token_urlsafe(48))
    except OSError as error:
        raise SystemExit(f"genius: DATA_DIR: {error.filename}: {error.strerror}") from None
    if len(secret) < 32:
        raise SystemExit(f"genius: SECRET_KEY: {path} is cut short. Delete it to get a new one")
    return secret


# -- the program's version -------------------------------------------------------------------------------


@cache
def program_version() -> str:
    """Return the version in pyproject.toml."""
    file = Path(__file__).resolve().parent.parent / "pyproject.toml"
    return str(tomllib.loads(file.read_text())["project"]["version"])
