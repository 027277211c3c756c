"""Failures told to Sentry, for those who set SENTRY_DSN: what failed and where in the program, and nothing else.

A request, a local variable, even the text of an exception may hold a sealed bid, a seed or a key (PostgreSQL's errors
quote whole rows). So an event is not cleaned but built again, of what is known to be harmless; the rest is in the log
of the process, where the event's id leads to.
"""

from __future__ import annotations

import logging
from typing import Any

EXTRA = "genius: SENTRY_DSN is set, and sentry-sdk is not installed: pip install sentry-sdk"

_KEPT = ("event_id", "timestamp", "level", "platform", "release", "environment", "sdk")
_OF_A_FRAME = ("filename", "abs_path", "function", "module", "lineno", "in_app")


def configure(dsn: str, site_url: str, release: str, transport: Any = None) -> None:
    """Tell of every line of the log that is an error, with its traceback. Without a DSN nothing is told, nor imported.

    Raises `SystemExit` with a line where the package is missing. `transport` is for tests.
    """
    if not dsn:
        return
    try:
        import sentry_sdk
        from sentry_sdk.integrations.logging import LoggingIntegration
    except ImportError:
        raise SystemExit(EXTRA) from None
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        environment=site_url,
        transport=transport,
        default_integrations=False,  # Django and Celery log what fails in them
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=logging.ERROR)],
        before_send=scrubbed,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
    )


def scrubbed(event: Any, hint: Any) -> Any:
    """The event as it is sent: the name of the line in the log, types of exceptions, and places in the program."""
    found = {key: event[key] for key in _KEPT if key in event}
    found["message"] = _name(hint.get("log_record"))
    found["logger"] = event.get("logger", "")
    if values := (event.get("exception") or {}).get("values"):
        found["exception"] = {"values": [_exception(value) for value in values]}
    return found


def _name(record: logging.LogRecord | None) -> str:
    """What happened, without what it happened to: the event's name, or the words before they are filled in."""
    if record is None:
        return "exception"
    if isinstance(record.msg, dict):
        return str(record.msg.get("event", ""))
    return str(record.msg) if record.args else record.name


def _exception(value: Any) -> dict[str, Any]:
    frames = (value.get("stacktrace") or {}).get("frames") or []
    return {
        "type": value.get("type"),
        "module": value.get("module"),
        "stacktrace": {"frames": [{key: frame[key] for key in _OF_A_FRAME if key in frame} for frame in frames]},
    }
