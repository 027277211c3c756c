"""The site's settings for tests: local mode in a temporary folder, cheap passwords, mail kept in memory.

DATABASE_URL and REDIS_URL are obeyed, so the same tests run on PostgreSQL and Redis. Of several workers each has a
database of its own (pytest-django names it), and a Redis database of its own, which is chosen here.
"""

import os
import tempfile
from urllib.parse import urlsplit

_data_dir = os.path.join(tempfile.gettempdir(), f"genius-test-{os.getpid()}")  # made and removed by conftest.py
os.environ.update(LOCAL="1", DATA_DIR=_data_dir, SECRET_KEY="only-for-tests-" + "x" * 32, LOG_LEVEL="WARNING")
os.environ["ACTION_RATE"] = "0"  # tests act faster than anybody plays; those of the limit set their own
os.environ["OUTAGE_MINUTES"] = "0"  # tests let days pass at once; those of outages set their own
os.environ.pop("DEBUG", None)
_worker = os.environ.get("PYTEST_XDIST_WORKER", "")  # gw0, gw1, …
if _worker and os.environ.get("REDIS_URL"):
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{1 + int(_worker[2:])}").geturl()

from genius_site.settings import *  # noqa: E402, F403
from genius_site.settings import BASE_DIR, CHANNEL_LAYERS, DATA_DIR, DATABASES, TEMPLATES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_AUTOREFRESH = True  # each test client would look at every static file first, which takes longer than a page
# Of the tiny game and of the example, where tests register them.
TEMPLATES[0]["DIRS"] += [BASE_DIR / "tests" / "templates", BASE_DIR / "tests" / "example_game" / "templates"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in production: an in-memory database shared by threads knows neither WAL nor a busy timeout.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
    # A test run that loses power starts over.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    # A test may stand in its transaction for longer than any request does.
    DATABASES["default"]["OPTIONS"]["options"] += " -c idle_in_transaction_session_timeout=60s"
    DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 0, "max_size": 16, "timeout": 20}
if "CONFIG" in CHANNEL_LAYERS["default"]:  # what is told reaches every database of a Redis
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = f"genius-{_worker}"
