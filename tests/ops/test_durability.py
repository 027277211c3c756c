"""Settings on which it depends whether what was answered is kept, and whether work is done again after a death.

No other test would miss them: a database that does not wait for its disk loses nothing until the power fails. So these
read what is in force: the settings of a real site, in a process of its own, and the database's own answers.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import json, django
django.setup()
from django.conf import settings
from django.db import connection
from genius_site.celery import app
asked = {}
with connection.cursor() as cursor:
    for name in ("synchronous", "journal_mode"):
        cursor.execute(f"PRAGMA {name}")
        asked[name] = cursor.fetchone()[0]
print(json.dumps(asked | {
    "mode": settings.DATABASES["default"]["OPTIONS"]["transaction_mode"],
    "late": app.conf.task_acks_late, "rejects": app.conf.task_reject_on_worker_lost,
    "ahead": app.conf.worker_prefetch_multiplier,
}))
"""


@pytest.fixture(scope="module")
def in_force(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a site has that is started without any variable of its own but its folder."""
    folder = tmp_path_factory.mktemp("site")
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder), "LOCAL": "1"}
    environment["DJANGO_SETTINGS_MODULE"] = "genius_site.settings"
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    return json.loads(done.stdout)


def test_sqlite_answers_after_the_disk_has_it(in_force: Any) -> None:
    full = 2
    assert (in_force["synchronous"], in_force["journal_mode"], in_force["mode"]) == (full, "wal", "IMMEDIATE")


def test_a_task_is_acknowledged_when_it_is_done_and_given_to_another_where_a_worker_dies(in_force: Any) -> None:
    assert (in_force["late"], in_force["rejects"], in_force["ahead"]) == (True, True, 1)


@pytest.mark.services
@pytest.mark.django_db
def test_postgresql_answers_after_its_own_log_is_on_disk_and_nobody_waits_for_ever() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, setting FROM pg_settings WHERE name LIKE '%%timeout%%' OR name = 'synchronous_commit'"
        )
        found = dict(cursor.fetchall())
    assert found["synchronous_commit"] == "on"
    assert 0 < int(found["lock_timeout"]) <= 5000
    assert 0 < int(found["statement_timeout"]) <= 30_000
    assert "synchronous_commit" not in str(settings.DATABASES)
