"""The site's settings in a simulation: two web processes and a worker on one SQLite file in memory."""

import os
import tempfile
from pathlib import Path

_SHM = Path("/dev/shm")
FOLDER = Path(os.environ.get("SIMULATION_DIR") or _SHM if _SHM.is_dir() else tempfile.gettempdir())
_data_dir = FOLDER / f"genius-simulation-{os.getpid()}"
_data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
for _name in ("DATABASE_URL", "REDIS_URL", "DEBUG"):
    os.environ.pop(_name, None)
os.environ.update(LOCAL="1", DATA_DIR=str(_data_dir), SECRET_KEY="only-for-simulations-" + "x" * 32)
os.environ.update(LOG_LEVEL=os.environ.get("SIMULATION_LOG", "ERROR"), ACTION_RATE="0")

from genius_site.settings import *  # noqa: E402, F403
from genius_site.settings import DATABASES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Nobody waits for locks, as nobody else runs meanwhile.
DATABASES["default"]["OPTIONS"]["timeout"] = 0
# A simulation that loses power starts over.
DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
CHANNEL_LAYERS = {"default": {"BACKEND": "lab.simulation.outside.Layer"}}
EMAIL_BACKEND = "lab.simulation.outside.Backend"
