"""How anybody can check a match or a season without this site, and the script for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import matches.proof

_NAME = "check_export.py"


@require_safe
def checking(request: HttpRequest) -> HttpResponse:
    """What can be checked, and how."""
    return render(request, "matches/checking.html")


@require_safe
def script(request: HttpRequest) -> HttpResponse:
    """The script that proves exported files, to keep and to read."""
    headers = {"Content-Disposition": f'attachment; filename="{_NAME}"', "Cache-Control": "public, max-age=3600"}
    return HttpResponse(_script(), content_type="text/x-python; charset=utf-8", headers=headers)


@cache
def _script() -> bytes:
    return Path(matches.proof.__file__).with_name(_NAME).read_bytes()
