"""Django in this process, on the database of a running server: for what HTTP alone cannot set up or see."""

from __future__ import annotations

import os

from lab.site import Site


def enter(site: Site) -> None:
    """Set Django up with the server's environment, once per process."""
    os.environ.update(site.env)
    os.environ["DJANGO_SETTINGS_MODULE"] = "genius_site.settings"
    import django

    django.setup()
