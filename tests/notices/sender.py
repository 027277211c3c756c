"""A process that sends what is due without end; it is there to be killed.

It says "ready" when it begins. Its claims are short, so that a test need not wait a minute for what a killed one had
claimed.
"""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.fixtures.forks import Fork

CLAIM_SECONDS = 2.0


@contextmanager
def sending(count: int, certificate: Path, mail_port: int) -> Iterator[list[Fork]]:
    """So many senders on the test's database that have all begun; killed at the end of the block."""
    work = {"certificate": str(certificate), "mail": mail_port}
    with ExitStack() as stack:
        processes = [stack.enter_context(Fork("tests.notices.sender", work)) for _ in range(count)]
        for process in processes:
            assert process.stdout.readline() == "ready\n", process.errors
        yield processes


def import_all() -> None:
    """What it needs, before anybody forks."""
    import_module("notices.deliveries")
    import_module("tests.fixtures.receiver")


def main(work: dict[str, Any]) -> None:
    from django.conf import settings

    from notices import deliveries, safe_http
    from tests.fixtures.receiver import TestNetwork

    safe_http.net = TestNetwork(Path(work["certificate"]))
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", work["mail"]
    deliveries.CLAIM = timedelta(seconds=CLAIM_SECONDS)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    with ThreadPoolExecutor(4) as pool:  # as a worker's tasks
        while True:
            found = [address for channel in deliveries.Channel for address in deliveries.due(channel)]
            if not sum(pool.map(deliveries.send_next, found)):
                time.sleep(0.05)
