"""What the pages have in common on which hosts look after the webhooks of a match, or of what else has some."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render

from notices.match_webhooks import editing
from notices.match_webhooks.desks import Desk, desk_of
from notices.match_webhooks.editing import NotDone
from notices.models import PublicWebhook
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
    form = forms.ChoiceField(label="Who reads it", choices=PublicWebhook.Form.choices)
    kinds = forms.MultipleChoiceField(
        label="What is posted",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one kind of news."},
    )
    hidden = forms.BooleanField(
        label="Hide every line and the picture until somebody clicks them (Discord)", required=False
    )

    def __init__(self, desk: Desk, data: Any = None) -> None:
        super().__init__(data)
        kinds: Any = self.fields["kinds"]
        kinds.choices = [(kind.key, kind.label) for kind in desk.kinds]
        kinds.initial = desk.by_default


def listed(request: HttpRequest, page: Any, owner: Any, template: str) -> HttpResponse:
    """The webhooks with what came of their latest posts; a POST adds one. `page` makes the context of the template."""
    form, done = _add(request, owner)
    if done is not None:
        return done
    context = page.context("webhooks", form=form, webhooks=_all_shown(owner))
    return render(request, template, context, status=422 if form.is_bound else 200)


def _add(request: HttpRequest, owner: Any) -> tuple[WebhookForm, HttpResponseRedirect | None]:
    """The form, and where to go once a post has added an address."""
    desk = desk_of(owner)
    form = WebhookForm(desk, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return form, None
    sent = form.cleaned_data
    try:
        editing.add(owner, request.user, sent["url"], sent["form"], sent["kinds"], hidden=sent["hidden"])
    except NotDone as refused:
        form.add_error(refused.field or None, refused.message)
        return form, None
    messages.success(request, "Added. What everybody is told from now on is posted there.")
    return form, redirect(desk.page_of(owner))


_Act = Callable[[Any, str], bool]
_ACTS: dict[str, tuple[_Act, str]] = {
    "test": (editing.send_test, "A test is on its way. Look again in a few seconds."),
    "start": (editing.start_again, "From now on news is posted there again."),
    "remove": (editing.remove, "Removed. Nothing more is posted there."),
}


def act(request: HttpRequest, owner: Any, token: str, name: str) -> HttpResponseRedirect:
    """What a button of one webhook does. Raises `Http404`."""
    if name not in _ACTS:
        raise Http404
    do, done = _ACTS[name]
    if name == "start":
        do = partial(editing.start_again, host=request.user)
    try:
        if not do(owner, token):
            raise Http404
    except NotDone as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)
    return redirect(desk_of(owner).page_of(owner))


def _all_shown(owner: Any) -> list[dict[str, Any]]:
    desk = desk_of(owner)
    return [_shown(webhook, desk) for webhook in desk.of(owner).select_related("created_by")]


def _shown(webhook: PublicWebhook, desk: Desk) -> dict[str, Any]:
    """Its address can be used by anybody who has it, so only the host is shown."""
    try:
        host = host_of(webhook.url)
    except AddressRefused:
        host = "an address that is refused today"
    return {
        "token": webhook.token,
        "host": host,
        "end": webhook.url[-4:],
        "form": webhook.get_form_display(),
        "is_json": webhook.form == PublicWebhook.Form.JSON,
        "secret": webhook.secret,
        "hidden": webhook.hidden,
        "kinds": [kind.label for kind in desk.kinds if kind.key in webhook.kinds],
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
