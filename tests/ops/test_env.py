"""The environment: what it must have, what it may have, and that a mistake is named at the start, without a secret."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

from genius_site import env

ROOT = Path(__file__).resolve().parents[2]
REQUIRED = ("SECRET_KEY", "SITE_URL", "EMAIL_URL")
SECRETS = ("SECRET_KEY", "DATABASE_URL", "EMAIL_URL", "REDIS_URL", "METRICS_TOKEN")
FULL = {
    "SECRET_KEY": "k" * 50,
    "SITE_URL": "https://genius.example.org",
    "EMAIL_URL": "smtp+tls://me:p%40ss@mail.example.org",
}
BAD = {
    "SECRET_KEY": "hunter2",
    "SITE_URL": "genius.example.org",
    "ALLOWED_HOSTS": "genius.example.org discord.com",
    "CSRF_TRUSTED_ORIGINS": "genius.example.org",
    "DATABASE_URL": "postgres://genius:hunter2/x@db/genius",
    "OWNER_DATABASE_URL": "mysql://u:hunter2@h/db",
    "REDIS_URL": "redis://:hunter2/x@redis:6379/0",
    "EMAIL_URL": "smtp://me:hunter2/x@mail.example.org",
    "SECURE_PROXY": "perhaps",
    "LOG_FORMAT": "xml",
    "LOG_LEVEL": "LOUD",
    "PORT": "65536",
    "ACTION_RATE": "-1",
    "SOCKETS_PER_ADDRESS": "0",
    "METRICS_TOKEN": "hunter2",
    "CONTACT_EMAIL": "The hosts",
    "DEFAULT_FROM_EMAIL": "The hosts",
    "OUTGOING_HOSTS": "https://discord.com",
    "BREACHED_PASSWORDS": "/nowhere.txt",
    "SECOND_FACTOR": "some",
    "OUTAGE_HOURS": "12.5",
    "VAPID_PRIVATE_KEY": "hunter2",
    "DISCORD_PUBLIC_KEY": "hunter2",
    "DISCORD_BOT_TOKEN_FILE": "/nowhere/at/all",
}
ASK = """
import json
from django.conf import settings
print(json.dumps({name: getattr(settings, name) for name in dir(settings) if name.isupper()}, default=str))
"""


def run(command: list[str], **environ: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "genius_site.settings", **environ}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


def in_force(**environ: str) -> dict[str, Any]:
    done = run([sys.executable, "-c", ASK], **environ)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def refused(**environ: str) -> str:
    done = run([sys.executable, "-c", ASK], **environ)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


def test_everything_missing_or_wrong_is_named_at_once_in_one_line_without_a_secret() -> None:
    told = refused(**{**FULL, **BAD, "DISCORD_APPLICATION_ID": "12"})
    assert [name for name in BAD if f"{name}: expected" not in told] == []
    assert "hunter2" not in told
    told = refused(DEBUG="0", DISCORD_CLIENT_ID="x")
    assert all(name in told for name in (*REQUIRED, "DISCORD_CLIENT_SECRET"))
    told = refused(**{**FULL, "ALLOWED_HOSTS": "other.example.org"})
    assert told == "genius: ALLOWED_HOSTS: it must include genius.example.org, the host of SITE_URL"


def test_local_mode_needs_nothing_and_keeps_its_secret(tmp_path: Path) -> None:
    first = in_force(LOCAL="1", DATA_DIR=str(tmp_path), PORT="8123")
    assert {"localhost", "127.0.0.1"} <= set(first["ALLOWED_HOSTS"])
    assert (first["SITE_URL"], first["CSRF_TRUSTED_ORIGINS"]) == ("http://127.0.0.1:8123", [])
    file = tmp_path / "secret.txt"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().strip() == first["SECRET_KEY"]
    assert in_force(DEBUG="1", DATA_DIR=str(tmp_path))["SECRET_KEY"] == first["SECRET_KEY"]
    file.write_text("abc")
    assert "is cut short" in refused(LOCAL="1", DATA_DIR=str(tmp_path))


def test_a_secret_can_be_in_a_file(tmp_path: Path) -> None:
    given = {
        **FULL,
        "DATABASE_URL": "postgres://u:p@db/genius",
        "REDIS_URL": "redis://:p@r:6379/0",
        "METRICS_TOKEN": "m" * 20,
    }
    in_files = {name: value for name, value in given.items() if name not in SECRETS}
    for name in SECRETS:
        (tmp_path / name).write_text(given[name] + "\n")
        in_files[f"{name}_FILE"] = str(tmp_path / name)
    reader = env.Environment(in_files)
    assert {name: reader.text(name) for name in given} == given


def test_a_server_started_without_manage_is_never_local() -> None:
    result = run([sys.executable, "-m", "daphne", "genius_site.asgi:application"])
    assert result.returncode != 0
    assert result.stderr.startswith("genius: missing from the environment: SECRET_KEY")
    assert len(result.stderr.splitlines()) == 1
