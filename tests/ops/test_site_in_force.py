"""What is in force on a site that is reached over https: with a proxy in front or not, with Redis or alone.

The tests' own settings are those of local mode, in which none of this shows. So it is read in a process of its own.
"""

import json
import os
import subprocess
import sys
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import json
from django.conf import settings
told = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
kinds = (str, int, list, tuple, dict)
told = {name: value for name, value in told.items() if isinstance(value, kinds)}
print(json.dumps(told | {"OUTAGE_AFTER": settings.OUTAGE_AFTER.total_seconds()}, default=str))
"""
SITE = {
    "SECRET_KEY": "only-for-tests-" + "x" * 32,
    "SITE_URL": "https://genius.example.org",
    "EMAIL_URL": "console://",
    "DJANGO_SETTINGS_MODULE": "genius_site.settings",
}


@cache
def in_force(**variables: str) -> dict[str, Any]:
    """The settings of a site with these variables besides the required ones."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": os.environ["DATA_DIR"], **SITE, **variables}
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_nothing_goes_over_plain_http() -> None:
    site = in_force()
    assert [site[name] for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT")] == [True] * 3
    assert site["SECURE_HSTS_SECONDS"] >= timedelta(days=365).total_seconds()
    assert site["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert site["CONTENT_SECURITY_POLICY"]["DIRECTIVES"]["upgrade-insecure-requests"]


@pytest.mark.parametrize(("said", "trusted"), [({}, False), ({"SECURE_PROXY": "1"}, True)])
def test_only_a_proxy_that_is_there_is_believed(said: dict[str, str], trusted: bool) -> None:
    """What it says of scheme and address; without one anybody could say it."""
    site = in_force(**said)
    assert bool(site.get("SECURE_PROXY_SSL_HEADER")) == trusted
    assert site["ALLAUTH_TRUSTED_PROXY_COUNT"] == int(trusted)


def test_sites_that_share_a_redis_take_nothing_of_each_other() -> None:
    site = in_force(REDIS_URL="redis://127.0.0.1:1/0")
    assert site["CELERY_BROKER_TRANSPORT_OPTIONS"]["global_keyprefix"]
    assert site["CHANNEL_LAYERS"]["default"]["CONFIG"]["prefix"]
