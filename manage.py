#!/usr/bin/env python
"""Django's command line, and the way to run the site locally: see genius_site/command_line.py."""

import sys
from importlib.util import find_spec


def main() -> None:
    """Run one management command."""
    if not (find_spec("django") and find_spec("celery")):
        sys.exit("genius: this Python lacks what the site needs; `make run` makes .venv, then use .venv/bin/python")
    from genius_site.command_line import run

    run(sys.argv)


if __name__ == "__main__":
    main()
