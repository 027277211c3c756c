"""The page behind the unsubscribe link of a mail. It needs no sign-in: the link is signed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notices.services import unsubscribing


@csrf_exempt  # mail programs post here (RFC 8058); the signature says whose wish it is
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, signed: str) -> HttpResponse:
    """GET asks, POST switches off, or on again with `again`. Scanners of mail follow links, so GET changes nothing."""
    try:
        found = unsubscribing.read(signed)
    except unsubscribing.BadLink as bad:
        status = 410 if bad.code in ("old", "gone") else 404
        return render(request, "notices/unsubscribe_refused.html", {"message": bad.message}, status=status)
    context = {"about": found.about, "is_everything": found.is_everything, "everything": _everything(found)}
    if request.method == "POST":
        is_again = "again" in request.POST
        unsubscribing.switch(found, on=is_again)
        context["done"] = "again" if is_again else "off"
    answer = render(request, "notices/unsubscribe.html", context)
    answer["Referrer-Policy"] = "no-referrer"  # the address is as good as the person's word
    return answer


def _everything(found: unsubscribing.Subscription) -> str:
    """The link that switches everything off, offered beside that of less."""
    return "" if found.is_everything else unsubscribing.link(found.user.pk, unsubscribing.EVERYTHING)
