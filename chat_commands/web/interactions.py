"""The endpoint to which the chat server posts commands."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.request import RawPostDataException
from django.views.decorators.csrf import csrf_exempt

from chat_commands import answering, signed
from chat_commands.services import linking, seen
from chat_commands.signed import NotTaken
from matches.models import clock


@csrf_exempt  # it is signed, and no cookie is read
def interactions(request: HttpRequest) -> HttpResponse:
    """Take a signed interaction. 401 unless it is signed and fresh, 400 if it is malformed, too large, or was received
    before; 404 where slash commands are off."""
    if not linking.is_on():
        raise Http404("slash commands are off")
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        answer = _answer(request)
    except NotTaken as refused:
        return _json({"code": refused.code, "message": refused.message}, refused.status)
    return _json(answer)


def _answer(request: HttpRequest) -> dict[str, Any]:
    body, now, headers = _body(request), clock.now(), request.headers
    signature, timestamp = headers.get("X-Signature-Ed25519", ""), headers.get("X-Signature-Timestamp", "")
    signed.check(body, signature, timestamp, settings.CHAT_PUBLIC_KEY, now)
    interaction = signed.read(body, settings.CHAT_APPLICATION_ID)
    if interaction.type == signed.PING:
        return {"type": 1}
    seen.take(interaction.id, now)
    return (
        answering.choices(interaction)
        if interaction.type == signed.AUTOCOMPLETE
        else answering.answer(interaction, now)
    )


def _body(request: HttpRequest) -> bytes:
    """What was posted. Raises `NotTaken` if it is too large."""
    try:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length[:12]) > signed.LARGEST_BODY or len(request.body) > signed.LARGEST_BODY:
            raise NotTaken(400, "too_large", f"At most {signed.LARGEST_BODY} bytes are accepted.")
        return request.body
    except (RequestDataTooBig, RawPostDataException):
        raise NotTaken(400, "too_large", f"At most {signed.LARGEST_BODY} bytes are accepted.") from None


def _json(value: dict[str, Any], status: int = 200) -> HttpResponse:
    response = JsonResponse(value, status=status)
    response["Cache-Control"] = "no-store, private"
    return response
