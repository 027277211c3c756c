"""Logging: structlog over the standard library, one line per event, and an id per request.

A line says what happened, in which match and who did it, by id. Bodies, query strings, cookies, headers and tokens are
never logged.
"""

import logging
import re
import secrets
from collections.abc import Callable
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from structlog.tracebacks import ExceptionDictTransformer

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


_KEY_LIKE = re.compile(r"(?<=/)[\w:.=~-]{20,}")


def _spare(_: Any, __: str, line: dict[str, Any]) -> dict[str, Any]:
    """Shorten what Django logs about refused requests: paths of invitations and password resets are keys, and
    tracebacks of malformed requests would let anybody fill the log."""
    record: logging.LogRecord = line["_record"]
    if record.name.startswith("django."):
        line["event"] = _KEY_LIKE.sub("…", line["event"])
        if getattr(record, "status_code", 500) < 500:
            line.pop("exc_info", None)
    return line


def configure(log_format: str, level: str) -> dict[str, Any]:
    """Django's LOGGING for `console` or `json` and a level; also sets structlog up."""
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    # Without local variables, which may be seeds, sealed bids and keys.
    if log_format == "json":
        tracebacks = structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False))
        last: list[Any] = [tracebacks, structlog.processors.JSONRenderer()]
    else:
        last = [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [_spare, *_SHARED],
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True, "level": level},
            "django.server": {"handlers": [], "propagate": True},
            "django.db.backends": {"level": "INFO"},  # DEBUG would print parameters
            "django.channels.server": {"level": "WARNING"},
            # The embedded schedule ticks every second; a line per tick would hide everything else.
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.consumer.connection": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "daphne": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
        },
    }


class RequestIdMiddleware:
    """Adds an id to every line logged during a request and to the answer, so that a report can name it: the one that
    `StandardHeaders` has made, or a new one.

    It stays bound afterwards, because Django logs a refused request after all middleware has returned.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        scope = getattr(request, "scope", {})
        request_id = scope.get("request_id") or secrets.token_hex(8)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response


# -- reports ---------------------------------------------------------------------------------------------
# Failures told to Sentry, for those who set SENTRY_DSN: what failed and where in the program, and nothing else.
#
# A request, a local variable, even the text of an exception may hold a sealed bid, a seed or a key (PostgreSQL's
# errors quote whole rows). So an event is not cleaned but built again, of what is known to be harmless; the rest is
# in the log of the process, where the event's id leads to.

EXTRA = "genius: SENTRY_DSN is set, but sentry-sdk is not installed: pip install sentry-sdk"

_KEPT = ("event_id", "timestamp", "level", "platform", "release", "environment", "sdk")
_OF_A_FRAME = ("filename", "abs_path", "function", "module", "lineno", "in_app")


def configure_reports(dsn: str, site_url: str, release: str, transport: Any = None) -> None:
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
