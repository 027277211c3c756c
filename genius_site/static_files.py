"""Static files, as WhiteNoise finds them."""

from contextlib import closing
from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Reads each file whole and closes it at once: who leaves before its answer is there would leave it open."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        with closing(WhiteNoiseMiddleware.serve(static_file, request)) as found:
            return HttpResponse(found.getvalue(), status=found.status_code, headers=dict(found.items()))
