"""`python -m genius_site.web`: the web process of the full set-up, by the server that the variable SERVER names.

Celery is not in it: it has processes of its own there. The commands of daphne and uvicorn work as well; this one
brings the limits of `door` for both.
"""

from __future__ import annotations

import argparse
import os


def main() -> None:
    """Serve until SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m genius_site.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")
    import django

    from genius_site import servers

    django.setup()
    servers.chosen(options.host, options.port, lambda: None).run()


if __name__ == "__main__":
    main()
