"""The pages on which hosts manage the public webhooks of a match or season."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from matches.web.match_page import open_match_page
from notices import webhooks
from notices.addresses import Refused
from notices.channels.webhook import JSON
from notices.models import Address
from notices.safe_http import LONGEST_ADDRESS, AddressRefused, host_of
from notices.webhooks import OwnerType, type_of

_LAST_POSTS = 8


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        label="Address",
        max_length=LONGEST_ADDRESS,
        help_text="Copy it from the channel's settings. It begins with https://. Anybody who has it can post there.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
    )
    form = forms.ChoiceField(label="Who reads it", choices=list(webhooks.FORMS.items()))
    kinds = forms.MultipleChoiceField(
        label="What the site posts",
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    hidden = forms.BooleanField(
        label="Hide every line and the picture until somebody clicks them (Discord)", required=False
    )

    role = forms.CharField(
        label="A role to mention (Discord)",
        required=False,
        max_length=40,
        help_text="The role's ID: switch on developer mode in Discord and copy the ID. Posts never mention @everyone.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )
    names_at = forms.MultipleChoiceField(
        label="When to mention the role", required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, owner_type: OwnerType, data: Any = None) -> None:
        super().__init__(data)
        kinds: Any = self.fields["kinds"]
        names_at: Any = self.fields["names_at"]
        kinds.choices = names_at.choices = [(kind.key, kind.label) for kind in owner_type.kinds]
        kinds.initial = owner_type.by_default


_ACTS = {
    "test": (webhooks.send_test, "A test is on its way. Look again in a few seconds."),
    "start": (webhooks.start_again, "The site posts news there again."),
    "remove": (webhooks.remove, "Removed. The site no longer posts there."),
}


Open = Callable[[HttpRequest, str], tuple[Any, Any]]
"""Opens the page of a match or season for one of its hosts. Returns the page, which makes the template's context, and
the owner of the webhooks. Raises `Http404` for everybody else."""


def views_of(open_page: Open, template: str) -> tuple[Callable[..., HttpResponse], Callable[..., HttpResponse]]:
    """Return two views: the list of an owner's webhooks, and the action of its buttons."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    def listed(request: HttpRequest, public_id: str) -> HttpResponse:
        """List the webhooks and the results of their latest posts; a POST adds one."""
        page, owner = open_page(request, public_id)
        owner_type = type_of(owner)
        form = WebhookForm(owner_type, request.POST if request.method == "POST" else None)
        if form.is_valid():
            sent = form.cleaned_data
            try:
                more = {name: sent[name] for name in ("hidden", "role", "names_at")}
                webhooks.add(owner, request.user, sent["url"], sent["form"], sent["kinds"], **more)
            except Refused as refused:
                form.add_error(refused.field or None, refused.message)
            else:
                messages.success(request, "Added. The site posts public news there from now on.")
                return redirect(owner_type.page_of(owner))
        shown = [
            _shown(webhook, owner_type) for webhook in owner_type.of(owner).select_related("created_by").order_by("pk")
        ]
        context = page.context("webhooks", form=form, webhooks=shown)
        return render(request, template, context, status=422 if form.is_bound else 200)

    @require_POST
    def press(request: HttpRequest, public_id: str, token: str, act: str) -> HttpResponse:
        """Do what a button of one webhook says."""
        _, owner = open_page(request, public_id)
        if act not in _ACTS:
            raise Http404
        do, done = _ACTS[act]
        try:
            if not do(owner, token, request.user):
                raise Http404
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, done)
        return redirect(type_of(owner).page_of(owner))

    return listed, press


def _shown(webhook: Address, owner_type: OwnerType) -> dict[str, Any]:
    """Describe a webhook by its host alone, since anybody with the whole address can post there."""
    try:
        host = host_of(webhook.target)
    except AddressRefused:
        host = "an address that the site now refuses"
    details = webhook.details
    return {
        "row": webhook,
        "token": webhook.token,
        "host": host,
        "end": webhook.target[-4:],
        "form": webhooks.FORMS[details["form"]],
        "secret": details["secret"] if details["form"] == JSON else "",
        "hidden": details["hidden"],
        "role": details.get("role", ""),
        "kinds": [
            f"{kind.label} (mentions the role)" if kind.key in details.get("names_at", ()) else kind.label
            for kind in owner_type.kinds
            if kind.key in details["kinds"]
        ],
        "by": webhook.created_by.get_username() if webhook.created_by else "",
        "posts": webhook.deliveries.order_by("-pk")[:_LAST_POSTS],
    }


def _of_match(request: HttpRequest, public_id: str) -> tuple[Any, Any]:
    page = open_match_page(request, public_id)
    if not page.viewer.is_host:
        raise Http404("no such match")
    return page, page.match


of_match, act_of_match = views_of(_of_match, "match_webhooks/list.html")
