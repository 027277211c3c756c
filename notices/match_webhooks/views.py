"""The page on which hosts look after the webhooks of their match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches.models import Match
from matches.web.match_page import MatchPage, open_match_page
from notices.match_webhooks import editing
from notices.match_webhooks.editing import NotDone
from notices.match_webhooks.kinds import BY_DEFAULT, KINDS
from notices.models import MatchWebhook
from notices.safe_addresses import AddressRefused, host_of

_LAST_POSTS = 8


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        label="Address",
        max_length=editing.LONGEST_URL,
        help_text="As the channel's settings show it; it begins with https://. Whoever has it can post there.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
    )
    form = forms.ChoiceField(label="Who reads it", choices=MatchWebhook.Form.choices)
    kinds = forms.MultipleChoiceField(
        label="What is posted",
        choices=[(kind.key, kind.label) for kind in KINDS],
        initial=BY_DEFAULT,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one kind of news."},
    )
    hidden = forms.BooleanField(
        label="Hide every line and the picture until somebody clicks them (Discord)", required=False
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, public_id: str) -> HttpResponse:
    """The webhooks with what came of their latest posts; a POST adds one."""
    page = _of_host(request, public_id)
    form = WebhookForm(request.POST) if request.method == "POST" else WebhookForm()
    if request.method == "POST" and form.is_valid() and _added(page, request, form):
        messages.success(request, "Added. What everybody is told from now on is posted there.")
        return redirect("match_webhooks:list", public_id)
    found = MatchWebhook.objects.filter(match=page.match).select_related("created_by")
    context = page.context("webhooks", form=form, webhooks=[_shown(each) for each in found])
    status = 422 if form.is_bound else 200
    return render(request, "match_webhooks/list.html", context, status=status)


def _added(page: MatchPage, request: HttpRequest, form: WebhookForm) -> bool:
    sent = form.cleaned_data
    try:
        editing.add(page.match, request.user, sent["url"], sent["form"], sent["kinds"], hidden=sent["hidden"])
    except NotDone as refused:
        form.add_error(refused.field or None, refused.message)
        return False
    return True


_Act = Callable[[Match, str], bool]
_ACTS: dict[str, tuple[_Act, str]] = {
    "test": (editing.send_test, "A test is on its way. Look again in a few seconds."),
    "start": (editing.start_again, "It is posted to again."),
    "remove": (editing.remove, "Removed. Nothing more is posted there."),
}


@require_POST
def act(request: HttpRequest, public_id: str, token: str, act: str) -> HttpResponse:
    """A button of one webhook."""
    page = _of_host(request, public_id)
    if act not in _ACTS:
        raise Http404
    do, done = _ACTS[act]
    if act == "start":
        do = partial(editing.start_again, host=request.user)
    try:
        if not do(page.match, token):
            raise Http404
    except NotDone as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)
    return redirect("match_webhooks:list", public_id)


def _of_host(request: HttpRequest, public_id: str) -> MatchPage:
    """The match for one of its hosts. For all others there is no such page."""
    page = open_match_page(request, public_id)
    if not page.viewer.is_host:
        raise Http404("no such match")
    return page


def _shown(webhook: MatchWebhook) -> dict[str, Any]:
    """A webhook for its page. Its address can be used by anybody who has it, so only the host is shown."""
    try:
        host = host_of(webhook.url)
    except AddressRefused:
        host = "an address that is refused today"
    return {
        "token": webhook.token,
        "host": host,
        "end": webhook.url[-4:],
        "form": webhook.get_form_display(),
        "is_json": webhook.form == MatchWebhook.Form.JSON,
        "secret": webhook.secret,
        "hidden": webhook.hidden,
        "kinds": [kind.label for kind in KINDS if kind.key in webhook.kinds],
        "by": webhook.created_by.get_username() if webhook.created_by else "",
        "created_at": webhook.created_at,
        "last_sent_at": webhook.last_sent_at,
        "last_error": webhook.last_error,
        "last_error_at": webhook.last_error_at,
        "rests_until": webhook.rests_until,
        "stopped_at": webhook.stopped_at,
        "posts": [
            {
                "at": post.at,
                "status": post.status,
                "label": post.get_status_display(),
                "attempts": post.attempts,
                "error": post.last_error,
                "text": post.items[0]["text"] if post.items else "",
                "more": len(post.items) - 1,
            }
            for post in webhook.posts.order_by("-pk")[:_LAST_POSTS]
        ],
    }
