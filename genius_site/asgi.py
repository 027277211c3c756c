"""The ASGI application: Django for pages, the API's fast path for actions in front of it, and WebSockets."""

import gc
import os
import sys
from http import HTTPStatus
from importlib import import_module

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "genius_site.settings")
django_app = get_asgi_application()  # first: it loads the apps that the imports below need

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from genius_site.limits import BodyLimit  # noqa: E402
from genius_site.metrics import Counted  # noqa: E402
from genius_site.middleware import StandardHeaders  # noqa: E402
from matches.api.endpoint import ApiGate  # noqa: E402
from matches.infra.origins import SameOriginOnly  # noqa: E402
from matches.live.socket import websocket_urlpatterns  # noqa: E402

if "daphne.server" in sys.modules:
    from functools import partialmethod

    from daphne.http_protocol import WebRequest
    from twisted.web import http

    # Django reads forms, in threads. Twisted would read them first, in the event loop, where its parser takes 20
    # seconds for one header of 240 kB.
    WebRequest.__init__ = partialmethod(WebRequest.__init__, parsePOSTFormSubmission=False)
    # Reason phrases that Twisted lacks, such as that of 422.
    http.RESPONSES.update({status.value: status.phrase.encode() for status in HTTPStatus})

application = ProtocolTypeRouter(
    {
        "http": StandardHeaders(BodyLimit(Counted(ApiGate(django_app)))),
        # The stubs do not know that `path()` may hold a consumer.
        "websocket": SameOriginOnly(URLRouter(websocket_urlpatterns)),  # type: ignore[arg-type]
    }
)

# Everything loaded by now stays, so the garbage collector need not scan it. Includes the embedded worker's tasks:
# loaded later they doubled the time of a bid.
import_module("genius_site.tasks")
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 20)
