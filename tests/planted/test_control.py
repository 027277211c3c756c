"""What still works with each of the planted faults."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client

from genius_site.asgi import application
from genius_site.celery import app


@pytest.mark.both
@pytest.mark.django_db
def test_the_site_stands() -> None:
    """All pages and tasks are there, and visitors see the front page."""
    call_command("check")
    app.loader.import_default_modules()
    assert len(app.tasks) > 20
    assert application is not None
    assert Client().get("/").status_code == 200
