#!/usr/bin/env python
"""Django's command line, and the local entrance: with nothing configured it works on this machine alone.

daphne and celery, started directly, are not so lenient: they need the variables that `genius_site/env.py` names.
"""

import os
import sys


def main() -> None:
    """Runs one management command; a missing or bad variable ends it with one line instead of a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")
    if not {"LOCAL", "DEBUG", "SECRET_KEY"} & os.environ.keys():
        os.environ["LOCAL"] = "1"
    from django.core.management import execute_from_command_line

    from genius_site import env

    try:
        env.load().data_dir.mkdir(parents=True, exist_ok=True)
        execute_from_command_line(sys.argv)
    except env.BadEnvironment as error:
        sys.exit(f"genius: {error}")


if __name__ == "__main__":
    main()
