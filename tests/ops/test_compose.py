"""docker-compose.yml agrees with the settings: every name is one they read, everything they insist on is given."""

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


@pytest.mark.parametrize("service", OURS)
def test_every_variable_is_one_the_settings_read(file, service):
    environment = file["services"][service]["environment"]
    assert set(environment) <= settings.ENV.names
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


def test_the_database_is_not_open_to_the_world(file):
    assert "ports" not in file["services"]["postgres"]
    assert "ports" not in file["services"]["redis"]
    assert all(port.startswith("127.0.0.1:") for port in file["services"]["web"]["ports"])
