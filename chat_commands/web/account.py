"""The page on which people link their chat account, and end the link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from chat_commands.models import ChatAccount
from chat_commands.services import linking
from matches.infra import rate_limits
from matches.models import clock

View = Callable[[HttpRequest], HttpResponse]


def _if_on(view: View) -> View:
    """There is no such page, for anybody, where slash commands are off."""

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
    """Whether a chat account is linked, and how to link one."""
    return _show(request)


@_if_on
@login_required
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def code(request: HttpRequest) -> HttpResponse:
    """Show a new code, once: to who has just signed in, for whoever links a chat account can act from it."""
    if rate_limits.action_rates().take(request.user.pk):
        return _show(request, error=rate_limits.TOO_FAST, status=429)
    return _show(request, code=linking.new_code(request.user, clock.now()))


@_if_on
@login_required
@require_POST
def unlink(request: HttpRequest) -> HttpResponse:
    """End the link."""
    if linking.unlink(request.user):
        messages.success(request, "The link has ended. Nothing is done from that chat account in your name any more.")
    return redirect("chat_commands:account")


def _show(request: HttpRequest, *, code: str = "", error: str = "", status: int = 200) -> HttpResponse:
    linked: Any = ChatAccount.objects.filter(user_id=request.user.pk or 0).first()
    minutes = int(linking.CODE_LASTS.total_seconds() // 60)
    shown = {"chat_id": linked.chat_id, "since": linked.linked_at} if linked else None
    context = {"linked": shown, "code": code, "error": error, "minutes": minutes}
    return render(request, "chat_commands/account.html", context, status=status)
