"""Web, worker and beat as three processes on PostgreSQL and Redis, started by the commands of docker-compose.yml."""

import os
import subprocess
import sys
import urllib.request

import pytest

from tests.ops import compose
from tests.ops.deployment import Deployment, deployed

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def deployment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deployment")
    with deployed(folder, os.environ["DATABASE_URL"], os.environ["REDIS_URL"]) as site:
        yield site


def test_the_sweep_of_beat_and_worker_is_seen_by_the_web_process(deployment: Deployment) -> None:
    """/healthz is green only when the worker has run what beat ordered; `deployed` has waited for that."""
    result = subprocess.run(
        [sys.executable, "-m", "genius_site.healthcheck", deployment.url],
        cwd=compose.ROOT,
        env=deployment.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_pages_come_with_the_static_files_they_name(deployment: Deployment) -> None:
    with urllib.request.urlopen(f"{deployment.url}/accounts/login/") as answer:  # noqa: S310
        page = answer.read().decode()
    sources = [part.split('"')[0] for part in page.split('src="')[1:] if part.startswith("/static/")]
    assert sources
    for source in sources:
        with urllib.request.urlopen(deployment.url + source) as answer:  # noqa: S310
            assert "immutable" in answer.headers["Cache-Control"]
