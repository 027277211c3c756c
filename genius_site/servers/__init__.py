"""The web servers that can serve the site: daphne (the default) or uvicorn, as the variable SERVER says."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Protocol

from django.conf import settings


class Running(Protocol):
    """A web server, before, during and after its run."""

    def run(self) -> None:
        """Serve until SIGINT, SIGTERM or `stop`."""

    def stop(self) -> None:
        """Stop it, from any thread."""


def chosen(host: str, port: int, on_ready: Callable[[], None]) -> Running:
    """The server named in the settings, not yet running. `on_ready` is called on its loop when it can answer.

    Imported only here, because daphne installs its reactor on import, and only one is needed.
    """

    def ready() -> None:
        _collect_seldom()
        on_ready()

    if settings.ENV.server == "uvicorn":
        from genius_site.servers.on_uvicorn import UvicornServer

        return UvicornServer(host, port, ready)
    from genius_site.servers.on_daphne import DaphneServer

    return DaphneServer(host, port, ready)


def _collect_seldom() -> None:
    """Have Python look less often for rings of objects that nobody needs any more, and not among what is there before
    the server can answer, which stays. It took a tenth of the time of a bid, whose own objects end without it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
