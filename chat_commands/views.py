"""The endpoint to which a chat server posts slash commands, and the page on which people link their chat accounts."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.sign_in import form_login_required
from chat_commands import handlers, linking, signatures
from chat_commands.models import ChatAccount
from chat_commands.signatures import NotTaken
from matches.infra import rate_limits
from matches.models import clock

# -- the endpoint for commands ---------------------------------------------------------------------------


@csrf_exempt  # it is signed, and uses no cookies
@never_cache
def interactions(request: HttpRequest) -> HttpResponse:
    """Accept a signed interaction. 401 unless it is signed and fresh, 400 if it is malformed or was received
    before; 404 if slash commands are off."""
    if not linking.is_on():
        raise Http404("slash commands are off")
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        answer = _answer(request)
    except NotTaken as refused:
        return JsonResponse({"code": refused.code, "message": refused.message}, status=refused.status)
    return JsonResponse(answer)


def _answer(request: HttpRequest) -> dict[str, Any]:
    body, now, headers = request.body, clock.now(), request.headers
    signature, timestamp = headers.get("X-Signature-Ed25519", ""), headers.get("X-Signature-Timestamp", "")
    signatures.check(body, signature, timestamp, settings.CHAT_PUBLIC_KEY, now)
    interaction = signatures.read(body, settings.CHAT_APPLICATION_ID)
    if interaction.type == signatures.PING:
        return {"type": 1}
    linking.take(interaction.id)
    return (
        handlers.choices(interaction)
        if interaction.type == signatures.AUTOCOMPLETE
        else handlers.answer(interaction, now)
    )


# -- the page on which people link their chat account, and end the link ----------------------------------

View = Callable[[HttpRequest], HttpResponse]


def _if_on(view: View) -> View:
    """Answer 404 to everybody if slash commands are off."""

    @wraps(view)
    def wrapper(request: HttpRequest) -> HttpResponse:
        if not linking.is_on():
            raise Http404("slash commands are off")
        return view(request)

    return wrapper


@_if_on
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show whether a chat account is linked, and how to link one."""
    return _show(request)


@_if_on
@form_login_required
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def code(request: HttpRequest) -> HttpResponse:
    """Show a new code once. Asks for the password again, as whoever links a chat account can act from it."""
    if rate_limits.action_rates().take(request.user.pk):
        return _show(request, error=rate_limits.TOO_FAST, status=429)
    return _show(request, code=linking.new_code(request.user, clock.now()))


@_if_on
@form_login_required
@require_POST
def unlink(request: HttpRequest) -> HttpResponse:
    """End the link."""
    if linking.unlink(request.user):
        messages.success(request, "The link has ended. Nobody can act in your name from that chat account any more.")
    return redirect("chat_commands:account")


def _show(request: HttpRequest, *, code: str = "", error: str = "", status: int = 200) -> HttpResponse:
    linked: Any = ChatAccount.objects.filter(user_id=request.user.pk or 0).first()
    minutes = int(linking.CODE_LASTS.total_seconds() // 60)
    shown = {"chat_id": linked.chat_id, "since": linked.linked_at} if linked else None
    context = {"linked": shown, "code": code, "error": error, "minutes": minutes}
    return render(request, "chat_commands/account.html", context, status=status)
