"""What the environment may say, what is missing, and that each refusal names its variable in one line."""

import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from genius_site.env import REQUIRED, SECRETS, VARIABLES, BadEnvironment, Database, load

FULL = {
    "SECRET_KEY": "s" * 50,
    "SITE_URL": "https://genius.example.org",
    "EMAIL_URL": "smtp+tls://me:p%40ss@mail.example.org",
}
ROOT = Path(__file__).resolve().parents[2]


def test_outside_local_mode_everything_missing_is_named_at_once() -> None:
    with pytest.raises(BadEnvironment) as caught:
        load({})
    assert "\n" not in str(caught.value)
    for name in REQUIRED:
        assert name in str(caught.value)


@pytest.mark.parametrize("name", REQUIRED)
def test_each_missing_variable_is_named_and_no_other(name: str) -> None:
    with pytest.raises(BadEnvironment) as caught:
        load({**FULL, name: "  "})
    assert [other for other in REQUIRED if f"{other} (" in str(caught.value)] == [name]


def test_debug_off_is_as_strict_as_debug_unset() -> None:
    with pytest.raises(BadEnvironment, match="SECRET_KEY"):
        load({"DEBUG": "0"})


@pytest.mark.parametrize(("one", "other"), [("ID", "SECRET"), ("SECRET", "ID")])
def test_half_a_discord_configuration_names_the_other_half(one: str, other: str) -> None:
    with pytest.raises(BadEnvironment, match=f"DISCORD_CLIENT_{other}"):
        load({**FULL, f"DISCORD_CLIENT_{one}": "x"})


BAD = {
    "DEBUG": "maybe",
    "LOCAL": "2",
    "SECRET_KEY": "short",
    "OLD_SECRET_KEY": "short",
    "SITE_URL": "genius.example.org",
    "ALLOWED_HOSTS": "https://genius.example.org",
    "CSRF_TRUSTED_ORIGINS": "genius.example.org",
    "DATABASE_URL": "mysql://u:hunter2@h/db",
    "OWNER_DATABASE_URL": "mysql://u:hunter2@h/db",
    "REDIS_URL": "http://:hunter2@localhost:6379",
    "EMAIL_URL": "mail://u:hunter2@h",
    "SECURE_PROXY": "perhaps",
    "LOG_FORMAT": "xml",
    "LOG_LEVEL": "LOUD",
    "PATIENT": "very",
    "PORT": "80.0",
    "ACTION_RATE": "-1",
    "SOCKETS_PER_ADDRESS": "many",
    "METRICS_TOKEN": "hunter2",
    "CONTACT_EMAIL": "The hosts",
    "METRICS_PORT": "-1",
    "SENTRY_DSN": "sentry.example.org/hunter2",
    "DEFAULT_FROM_EMAIL": "The hosts",
    "OUTGOING_HOSTS": "https://discord.com",
    "BREACHED_PASSWORDS": "/nowhere.txt",
    "SECOND_FACTOR": "some",
    "CALENDAR_ADDRESSES": "some",
    "OUTAGE_MINUTES": "ten",
    "OUTAGE_HOURS": "12.5",
    "VAPID_PRIVATE_KEY": "hunter2",
    "DISCORD_APPLICATION_ID": "Genius",
    "DISCORD_PUBLIC_KEY": "hunter2",
}
PARTNERS = {"DISCORD_APPLICATION_ID": "12", "DISCORD_PUBLIC_KEY": "a" * 64}
FREE_TEXT = {"DATA_DIR", "DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET", "DISCORD_BOT_TOKEN"}


def test_no_variable_is_taken_unread() -> None:
    assert set(VARIABLES) == set(BAD) | FREE_TEXT


@pytest.mark.parametrize(("name", "value"), BAD.items())
def test_a_bad_value_names_its_variable_in_one_line(name: str, value: str) -> None:
    with pytest.raises(BadEnvironment) as caught:
        load({**FULL, **(PARTNERS if name in PARTNERS else {}), name: value})
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        *("SECRET_KEY", "OLD_SECRET_KEY", "DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "EMAIL_URL"),
        *("METRICS_TOKEN", "SENTRY_DSN"),
    ],
)
def test_a_refusal_never_repeats_a_secret(name: str) -> None:
    with pytest.raises(BadEnvironment) as caught:
        load({**FULL, name: BAD[name]})
    assert "hunter2" not in str(caught.value)
    assert "short" not in str(caught.value)


def test_everything_wrong_is_named_at_once() -> None:
    """Also beside something that is missing: nobody starts the site once for each mistake."""
    with pytest.raises(BadEnvironment) as caught:
        load({**BAD, "LOCAL": "0", "DEBUG": "0", "EMAIL_URL": ""})
    told = str(caught.value)
    assert "\n" not in told
    assert [name for name in BAD if f"{name}: " not in told and name not in ("LOCAL", "DEBUG", "EMAIL_URL")] == []
    assert "missing in the environment: EMAIL_URL (" in told
    assert "hunter2" not in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "postgres://genius:hunter2/x@db/genius"),
        ("DATABASE_URL", "postgres://genius:hunter2@db:99999/genius"),
        ("DATABASE_URL", "postgres://genius:[hunter2@db/genius"),
        ("EMAIL_URL", "smtp://me:hunter2/x@mail.example.org"),
        ("REDIS_URL", "redis://:hunter2/x@redis:6379/0"),
        ("REDIS_URL", "redis://:hunter2@redis:6379/genius"),
        ("SENTRY_DSN", "https://hunter2:x@h:p/1"),
        ("SITE_URL", "https://genius.example.org:99999"),
        ("SITE_URL", "https://genius.example.org/?a=b"),
        ("PORT", "65536"),
        ("SOCKETS_PER_ADDRESS", "0"),
        ("ALLOWED_HOSTS", "other.example.org"),
    ],
)
def test_what_would_fail_later_is_refused_at_the_start(name: str, value: str) -> None:
    """A password with a / is cut into a host and a port, which Python would quote."""
    with pytest.raises(BadEnvironment) as caught:
        load({**FULL, name: value})
    assert str(caught.value).startswith(f"{name}: ")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("hosts", ["genius.example.org", ".example.org", "www.example.org, GENIUS.example.org"])
def test_the_site_itself_is_among_its_hosts(hosts: str, tmp_path: Path) -> None:
    assert load({**FULL, "ALLOWED_HOSTS": hosts, "DATA_DIR": str(tmp_path)}).allowed_hosts


@pytest.mark.parametrize("name", ["ALLOWED_HOSTS", "OUTGOING_HOSTS"])
def test_hosts_without_commas_between_them_are_no_host(name: str) -> None:
    """As one host they would fit none, and nothing would ever be sent."""
    with pytest.raises(BadEnvironment, match=f"{name}: .* with commas between them"):
        load({**FULL, name: "genius.example.org discord.com"})


@pytest.mark.parametrize("hosts", ["*", "a.example.org,*"])
def test_every_host_is_never_allowed(hosts: str) -> None:
    with pytest.raises(BadEnvironment, match="ALLOWED_HOSTS"):
        load({**FULL, "ALLOWED_HOSTS": hosts})


def test_the_host_and_origin_of_the_site_need_not_be_said_twice(tmp_path: Path) -> None:
    env = load({**FULL, "DATA_DIR": str(tmp_path)})
    assert env.allowed_hosts == ("genius.example.org",)
    assert env.csrf_trusted_origins == ("https://genius.example.org",)
    assert env.default_from_email == "Genius <genius@genius.example.org>"
    assert load({"LOCAL": "1", "DATA_DIR": str(tmp_path)}).csrf_trusted_origins == ()
    assert env.https
    assert not env.local
    assert not env.debug


def test_database_urls(tmp_path: Path) -> None:
    def database(url: str) -> Database:
        return load({**FULL, "DATABASE_URL": url, "DATA_DIR": str(tmp_path)}).database

    assert database("postgres://u:p%2F@db:5433/genius?sslmode=require") == Database(
        "postgresql", "genius", "db", "5433", "u", "p/", (("sslmode", "require"),)
    )
    assert database("postgresql://u@/genius?host=/run/pg") == Database("postgresql", "genius", "/run/pg", "", "u", "")
    assert database("sqlite:////srv/genius.sqlite3") == Database("sqlite", "/srv/genius.sqlite3")
    assert load({**FULL, "DATA_DIR": str(tmp_path)}).database == Database("sqlite", str(tmp_path / "genius.sqlite3"))


def test_email_urls(tmp_path: Path) -> None:
    email = load({**FULL, "DATA_DIR": str(tmp_path)}).email
    assert (email.host, email.port, email.user, email.password) == ("mail.example.org", 587, "me", "p@ss")
    assert email.use_tls
    assert not email.use_ssl
    secure = load({**FULL, "EMAIL_URL": "smtps://mail.example.org", "DATA_DIR": str(tmp_path)}).email
    assert (secure.port, secure.use_ssl, secure.use_tls) == (465, True, False)


def test_local_mode_needs_nothing_and_keeps_its_secret(tmp_path: Path) -> None:
    first = load({"LOCAL": "1", "DATA_DIR": str(tmp_path)})
    assert first.local
    assert not first.debug
    assert {"localhost", "127.0.0.1"} <= set(first.allowed_hosts)
    file = tmp_path / "secret.txt"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text().strip() == first.secret_key
    assert load({"DEBUG": "1", "DATA_DIR": str(tmp_path)}).secret_key == first.secret_key
    assert [path.name for path in tmp_path.iterdir()] == ["secret.txt"]


def test_another_port_is_part_of_the_local_address(tmp_path: Path) -> None:
    assert load({"LOCAL": "1", "DATA_DIR": str(tmp_path), "PORT": "8123"}).site_url == "http://127.0.0.1:8123"


def test_a_secret_file_cut_short_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("abc")
    with pytest.raises(BadEnvironment, match="SECRET_KEY"):
        load({"LOCAL": "1", "DATA_DIR": str(tmp_path)})


def test_outside_local_mode_no_secret_file_is_made(tmp_path: Path) -> None:
    load({**FULL, "DATA_DIR": str(tmp_path / "data")})
    assert not (tmp_path / "data").exists()


GOOD = {
    "SECRET_KEY": "k" * 50,
    "OLD_SECRET_KEY": "o" * 50,
    "EMAIL_URL": "dummy://",
    "DATABASE_URL": "postgres://u:p@db/genius",
    "OWNER_DATABASE_URL": "postgres://owner:p@db/genius",
    "REDIS_URL": "redis://:p@redis:6379/0",
    "VAPID_PRIVATE_KEY": "A" * 43,
    "METRICS_TOKEN": "m" * 20,
    "SENTRY_DSN": "https://key@sentry.example.org/1",
    "DISCORD_CLIENT_SECRET": "hunter2",
    "DISCORD_BOT_TOKEN": "hunter3",
}


@pytest.mark.parametrize(
    "url", ["", "sqlite:///genius.sqlite3", "postgres://owner:p@db/genius", "postgres://site:p@db/another"]
)
def test_an_owner_is_another_user_of_the_same_database(url: str) -> None:
    owner = "postgres://owner:hunter2@127.0.0.1:5433/genius"
    with pytest.raises(BadEnvironment, match="OWNER_DATABASE_URL: expected another user") as caught:
        load({**FULL, "DATABASE_URL": url, "OWNER_DATABASE_URL": owner})
    assert "hunter2" not in str(caught.value)
    found = load({**FULL, "DATABASE_URL": "postgres://site:p@db/genius", "OWNER_DATABASE_URL": owner})
    assert (found.database.user, found.owner_database and found.owner_database.user) == ("site", "owner")


def test_every_secret_can_be_in_a_file(tmp_path: Path) -> None:
    plain = {**FULL, **GOOD, "DISCORD_CLIENT_ID": "x", "DATA_DIR": str(tmp_path)}
    in_files = {name: value for name, value in plain.items() if name not in SECRETS}
    for name in SECRETS:
        (tmp_path / name).write_text(GOOD[name] + "\n")
        in_files[f"{name}_FILE"] = str(tmp_path / name)
    assert load(in_files) == load(plain)


@pytest.mark.parametrize("name", SECRETS)
def test_a_file_that_gives_no_secret_is_named_and_its_text_is_not(name: str, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    asked = {**{other: value for other, value in FULL.items() if other != name}, f"{name}_FILE": str(file)}
    told = []
    for content in (None, b"", b"hunter2\xff"):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(BadEnvironment, match=f"{name}_FILE: {file}") as caught:
            load(asked)
        told.append(str(caught.value))
    file.write_text(GOOD[name])
    with pytest.raises(BadEnvironment, match=f"{name}_FILE: expected {name} or this, not both") as caught:
        load({**FULL, **asked, name: GOOD[name]})
    assert "hunter2" not in " ".join([*told, str(caught.value)])


def test_the_manual_lists_every_variable_and_no_other_and_marks_those_that_may_be_in_files() -> None:
    _, _, part = (ROOT / "docs" / "running.md").read_text().partition("## Every variable")
    listed = re.findall(r"`(\w+)`( ◆)?", " ".join(re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE)))
    assert sorted(name for name, _ in listed) == sorted(VARIABLES)
    assert sorted(name for name, mark in listed if mark) == sorted(SECRETS)


def run(command: list[str], **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


def test_manage_refuses_with_one_line_and_no_traceback() -> None:
    result = run([sys.executable, "manage.py", "check"], DEBUG="0")
    assert result.returncode == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert all(name in result.stderr for name in REQUIRED)


def test_a_server_started_without_manage_is_never_local() -> None:
    result = run([sys.executable, "-m", "daphne", "genius_site.asgi:application"])
    assert result.returncode != 0
    assert result.stderr.startswith("genius: missing in the environment: SECRET_KEY")
    assert len(result.stderr.splitlines()) == 1


def test_a_worker_of_its_own_refuses_the_memory_broker(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "celery", "-A", "genius_site", "worker"]
    result = run(command, LOCAL="1", DATA_DIR=str(tmp_path))
    assert result.returncode != 0
    assert "needs REDIS_URL" in result.stderr


def test_the_deployment_checklist_has_nothing_to_say(tmp_path: Path) -> None:
    key = "Zk3-mJq8_tRw1xYv6bNc4aHs9eLd2fGu7oPi5KzQMnXBTyEWrS"
    result = run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        **{**FULL, "SECRET_KEY": key, "DATA_DIR": str(tmp_path)},
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("given", "asked"),
    [({}, "hosts"), ({"LOCAL": "1"}, "optional"), ({"SECOND_FACTOR": "everybody"}, "everybody")],
)
def test_hosts_are_asked_for_a_second_factor_where_nobody_says_otherwise(given: dict[str, str], asked: str) -> None:
    assert load({**FULL, **given}).second_factor == asked
