"""The present, for every page: its countdowns go by the database's time, not by the browser's clock."""

from datetime import datetime

from django.http import HttpRequest

from matches.models import clock


def present(request: HttpRequest) -> dict[str, datetime]:
    """A context processor."""
    return {"server_now": clock.now()}
