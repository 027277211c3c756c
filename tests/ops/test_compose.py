"""docker-compose.yml agrees with the settings: every name is one they read, everything they insist on is given."""

import os
import re
import socket
import subprocess

import pytest
from django.conf import settings

from genius_site import env
from tests.ops import compose

GIVEN = {
    "SECRET_KEY": "k" * 50,
    "SITE_URL": "https://genius.example.org",
    "EMAIL_URL": "smtp+tls://u:p@mail.example.org",
    "POSTGRES_PASSWORD": "abc123",
    "POSTGRES_SITE_PASSWORD": "def456",
}
OURS = ("migrate", "web", "worker", "beat", "backup")


@pytest.fixture(scope="module")
def file():
    return compose.load(GIVEN)


def test_the_services_are_there(file):
    assert set(file["services"]) == {"postgres", "redis", "proxy", *OURS}


@pytest.mark.parametrize("service", OURS)
def test_every_variable_is_one_the_settings_read(file, service):
    environment = file["services"][service]["environment"]
    assert set(environment) - {"TMPDIR"} <= settings.ENV.names
    assert {"SECRET_KEY", "SITE_URL", "EMAIL_URL"} <= set(environment)
    assert environment["REDIS_URL"] == "redis://redis:6379/0"
    database = env.database(environment["DATABASE_URL"])
    assert [database[name] for name in ("HOST", "USER", "PASSWORD")] == [
        "postgres",
        "genius_site",
        GIVEN["POSTGRES_SITE_PASSWORD"],
    ]


SAID_HERE = {"DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "DATA_DIR", "LOG_FORMAT", "PORT"}
FOR_ONE_MACHINE = {"LOCAL", "DEBUG", "PATIENT"}


def test_every_other_variable_that_stands_in_env_reaches_the_site():
    others = settings.ENV.names - SAID_HERE - FOR_ONE_MACHINE
    given = compose.load({**GIVEN, **{name: f"what {name} says" for name in others}})
    for service in ("web", "worker", "beat"):
        environment = given["services"][service]["environment"]
        assert [name for name in sorted(others) if environment.get(name) != f"what {name} says"] == []


def test_only_what_changes_or_copies_all_tables_owns_them(file):
    owners = {}
    for service in OURS:
        if url := file["services"][service]["environment"].get("OWNER_DATABASE_URL"):
            owner = env.database(url)
            owners[service] = (owner["USER"], owner["PASSWORD"])
    of_postgres = file["services"]["postgres"]["environment"]
    assert owners == dict.fromkeys(
        ("migrate", "backup"), (of_postgres["POSTGRES_USER"], of_postgres["POSTGRES_PASSWORD"])
    )


@pytest.mark.parametrize("name", GIVEN)
def test_nothing_starts_without_a_secret(name):
    with pytest.raises(compose.Missing, match=name):
        compose.load({**GIVEN, name: ""})


def test_the_example_environment_names_exactly_what_is_needed_and_whom_the_site_may_speak_to():
    example = dict(re.findall(r"^(\w+)=(.*)$", (compose.ROOT / ".env.example").read_text(), re.MULTILINE))
    assert set(example) == {*GIVEN, "OUTGOING_HOSTS", "SECOND_FACTOR"}
    for service in OURS:
        environment = compose.load({**GIVEN, "OUTGOING_HOSTS": example["OUTGOING_HOSTS"]})["services"][service][
            "environment"
        ]
        assert "discord.com" in env.hosts(environment["OUTGOING_HOSTS"])


def test_everything_that_keeps_running_is_watched_and_restarted(file):
    for name, service in file["services"].items():
        if name == "migrate":
            assert service["restart"] == "no"
        else:
            assert service["restart"] == "unless-stopped"
            assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")


def test_the_worker_is_asked_by_its_name_also_where_no_variable_tells_it(file, tmp_path):
    celery = tmp_path / "celery"
    celery.write_text('#!/bin/sh\necho "$@"\n')
    celery.chmod(0o755)
    kind, command = file["services"]["worker"]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    path = f"{tmp_path}:{os.environ['PATH']}"
    said = subprocess.run(["/bin/sh", "-c", command], env={"PATH": path}, capture_output=True, text=True, check=True)
    assert f"--destination worker@{socket.gethostname()} " in said.stdout
    assert "worker@%h" in file["services"]["worker"]["command"]


def test_web_worker_and_beat_wait_for_the_migrations(file):
    for name in ("web", "worker", "beat", "backup"):
        needs = {other: entry["condition"] for other, entry in file["services"][name]["depends_on"].items()}
        assert needs == {
            "postgres": "service_healthy",
            "redis": "service_healthy",
            "migrate": "service_completed_successfully",
        }


def test_what_must_last_lies_in_a_volume(file):
    used = {mount.split(":")[0] for service in file["services"].values() for mount in service.get("volumes", [])}
    assert used - {"./deploy/Caddyfile"} == set(file["volumes"])
    data = file["services"]["web"]["environment"]["DATA_DIR"]
    assert f"data:{data}" in file["services"]["web"]["volumes"]


def test_the_site_writes_its_volumes_alone_and_no_copy_of_the_database_to_memory(file):
    for name in OURS:
        service = file["services"][name]
        assert service["read_only"] is True
        (in_memory,) = service["tmpfs"]
        folder, size = in_memory.split(":")
        assert folder == "/tmp"  # noqa: S108 - in a container that is in memory
        assert re.fullmatch(r"size=\d+m", size)
        folders = {mount.split(":")[1] for mount in service["volumes"]}
        assert {service["environment"]["DATA_DIR"]} <= folders
        assert (service["environment"].get("TMPDIR") in folders) == (name == "backup")


def test_the_database_is_not_open_to_the_world(file):
    assert "ports" not in file["services"]["postgres"]
    assert "ports" not in file["services"]["redis"]
    assert all(port.startswith("127.0.0.1:") for port in file["services"]["web"]["ports"])


def test_only_web_and_worker_reach_what_is_outside_and_the_proxy_no_data(file):
    assert file["networks"] == {"inside": {"internal": True}, "outside": None}
    reached = {name: set(service["networks"]) for name, service in file["services"].items()}
    assert {name for name, found in reached.items() if "outside" in found} == {"web", "worker", "proxy"}
    assert {name for name, found in reached.items() if "inside" in found} == set(reached) - {"proxy"}
    for name, service in file["services"].items():
        for other in service.get("depends_on", ()):
            assert reached[name] & reached[other], f"{name} cannot reach {other}"
        assert (
            "ports" not in service or "outside" in reached[name]
        )  # nothing is published of a network that is internal


def test_nothing_uses_up_the_machine(file):
    for name, service in file["services"].items():
        assert {"mem_limit", "cpus", "pids_limit"} <= service.keys(), name
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name
    for name in OURS:
        assert file["services"][name]["cap_drop"] == ["ALL"]
        assert file["services"][name]["security_opt"] == ["no-new-privileges:true"]


def test_a_backup_is_made_every_day_checked_and_missed(file):
    backup = file["services"]["backup"]
    script = backup["command"][2]
    assert "manage.py backup /backups --keep 14" in script
    assert "sleep 86400" in script
    assert "backups:/backups" in backup["volumes"]
    assert "genius-*.pgdump" in backup["healthcheck"]["test"][1]


def test_the_proxy_lets_nobody_be_slow_for_long(file):
    proxy = file["services"]["proxy"]
    assert proxy["environment"]["SITE_URL"] == GIVEN["SITE_URL"]
    text = (compose.ROOT / "deploy" / "Caddyfile").read_text()
    assert text.count("{") == text.count("}")
    directives = {" ".join(line.split()) for line in text.splitlines()}
    assert {
        "read_header 15s",
        "read_body 30s",
        "idle 60s",
        "max_header_size 64KB",
        "respond @metrics 404",
        "reverse_proxy web:8000",
        "{$SITE_URL} {",
    } <= directives


def test_the_proxy_writes_down_no_internet_address():
    """What the privacy page says of the server's log."""
    text = (compose.ROOT / "deploy" / "Caddyfile").read_text()
    left_out = set(re.findall(r"^\s*request>(\w+) delete$", text, re.MULTILINE))
    assert {"remote_ip", "remote_port", "client_ip", "headers", "uri"} <= left_out


def lines_of_the_image():
    text = (compose.ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith(("#", " "))]


def test_the_image_is_not_run_by_root_and_says_whether_it_is_well(file):
    lines = lines_of_the_image()
    words = [word for word, _ in lines]
    last_stage = lines[len(words) - 1 - words[::-1].index("FROM") :]
    rest = dict(last_stage)
    assert rest["USER"] == "10001"  # Kubernetes sees of a number that it is not root
    assert "genius_site.healthcheck" in rest["HEALTHCHECK"]
    assert "/readyz" in rest["HEALTHCHECK"]
    assert rest["CMD"].split('"')[1] == "daphne"
    assert not any("uv" in text and "install" in text for word, text in last_stage if word == "RUN")
    client = re.search(r"postgresql-client-(\d+)", " ".join(text for _, text in last_stage))
    assert client
    assert file["services"]["postgres"]["image"] == f"postgres:{client[1]}"


def test_logs_can_go_to_another_machine_from_every_service(file):
    elsewhere = compose.load({"LOG_HOST": "logs.example.org:6514"}, "deploy/compose.logs.yml")["services"]
    assert set(elsewhere) == set(file["services"])
    for name, service in elsewhere.items():
        assert service["logging"]["driver"] == "syslog", name
        options = service["logging"]["options"]
        assert options["syslog-address"] == "tcp+tls://logs.example.org:6514"
        # With another driver it takes the place of what the first file says; with the same both would be merged.
        assert file["services"][name]["logging"]["driver"] != "syslog"
    with pytest.raises(compose.Missing, match="LOG_HOST"):
        compose.load({}, "deploy/compose.logs.yml")
