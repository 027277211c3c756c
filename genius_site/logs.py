"""Configures logging: structlog over the standard library, one line per event, and an id per request.

A line says what happened, in which match and who did it, by id. Bodies, query strings, cookies, headers and tokens are
never logged.
"""

import logging
import re
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


_KEY_LIKE = re.compile(r"(?<=/)[\w:.=~-]{20,}")


def _spare(_: Any, __: str, line: dict[str, Any]) -> dict[str, Any]:
    """Shorten what Django logs about refused requests: paths of invitations and password resets are secrets, and
    tracebacks of malformed requests would let anybody fill the log."""
    record: logging.LogRecord = line["_record"]
    if record.name.startswith("django."):
        line["event"] = _KEY_LIKE.sub("…", line["event"])
        if getattr(record, "status_code", 500) < 500:
            line.pop("exc_info", None)
    return line


def configure(log_format: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING for a format (`console` or `json`) and a level; also configures structlog."""
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
