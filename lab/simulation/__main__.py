"""`python -m lab.simulation`: play seeds, or one again."""

from __future__ import annotations

import argparse
import os
import shutil
import sys


def main() -> int:
    """Exit with 1 if anything fails."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lab.simulation.settings")
    import django
    from django.conf import settings

    django.setup()
    from lab.simulation import runs

    parser = argparse.ArgumentParser(prog="python -m lab.simulation", description=__doc__)
    runs.add_to(parser)
    options = parser.parse_args()
    try:
        return runs.obey(options)
    finally:
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
