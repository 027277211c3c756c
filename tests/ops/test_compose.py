"""docker-compose.yml agrees with the settings: every name is one they read, everything they insist on is given."""

import re

import pytest

from genius_site.env import REQUIRED, VARIABLES, load
from tests.ops import compose

GIVEN = {
    "SECRET_KEY": "k" * 50,
    "SITE_URL": "https://genius.example.org",
    "EMAIL_URL": "smtp+tls://u:p@mail.example.org",
    "POSTGRES_PASSWORD": "abc123",
}
OURS = ("migrate", "web", "worker", "beat")


@pytest.fixture(scope="module")
def file():
    return compose.load(GIVEN)


def test_the_services_are_there(file):
    assert set(file["services"]) == {"postgres", "redis", *OURS}


@pytest.mark.parametrize("service", OURS)
def test_every_variable_is_one_the_settings_read(file, service):
    environment = file["services"][service]["environment"]
    assert set(environment) <= set(VARIABLES)
    assert set(REQUIRED) <= set(environment)
    env = load(environment)
    assert not env.local
    assert env.redis_url == "redis://redis:6379/0"
    assert (env.database.vendor, env.database.host, env.database.user) == ("postgresql", "postgres", "genius")
    assert env.database.password == file["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"]


@pytest.mark.parametrize("name", GIVEN)
def test_nothing_starts_without_a_secret(name):
    with pytest.raises(compose.Missing, match=name):
        compose.load({**GIVEN, name: ""})


def test_the_example_environment_names_exactly_what_is_needed():
    names = re.findall(r"^(\w+)=", (compose.ROOT / ".env.example").read_text(), re.MULTILINE)
    assert set(names) == set(GIVEN)


def test_everything_that_keeps_running_is_watched_and_restarted(file):
    for name, service in file["services"].items():
        if name == "migrate":
            assert service["restart"] == "no"
        else:
            assert service["restart"] == "unless-stopped"
            assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")


def test_web_worker_and_beat_wait_for_the_migrations(file):
    for name in ("web", "worker", "beat"):
        needs = {other: entry["condition"] for other, entry in file["services"][name]["depends_on"].items()}
        assert needs == {
            "postgres": "service_healthy",
            "redis": "service_healthy",
            "migrate": "service_completed_successfully",
        }


def test_what_must_last_lies_in_a_volume(file):
    used = {mount.split(":")[0] for service in file["services"].values() for mount in service.get("volumes", [])}
    assert used == set(file["volumes"])
    data = file["services"]["web"]["environment"]["DATA_DIR"]
    assert f"data:{data}" in file["services"]["web"]["volumes"]


def test_the_database_is_not_open_to_the_world(file):
    assert "ports" not in file["services"]["postgres"]
    assert "ports" not in file["services"]["redis"]
    assert all(port.startswith("127.0.0.1:") for port in file["services"]["web"]["ports"])
