"""Views of notices: one's own list, how one is notified, reminders, and the links in mail that need no sign-in."""

from functools import cache
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.sign_in import form_login_required, page_of_form
from accounts.views import SignedInRequest
from matches.infra.rate_limits import Buckets
from matches.infra.text import without_nul
from matches.queries.access import MatchHidden, Viewer, access_match
from matches.web.match_page import leaf
from notices import addresses, events, inbox, preferences, reading
from notices.channels import push
from notices.channels.base import moment
from notices.forms import GridForm, HabitsForm, WebhookForm
from notices.models import Address, Habits, Mute
from notices.preferences import BadLink
from notices.reminder_times import (
    DEFAULT,
    OFFERED,
    CannotTellAgain,
    on_new_spacings,
    read_again_link,
    spacings_of,
    tell_again,
    when_again,
)

_A_PAGE = 30


@login_required
@require_safe
def listed(request: HttpRequest) -> HttpResponse:
    """List one's notices. The unread ones come first: tasks, then gains and losses, then the news grouped by match."""
    page, place = leaf(request, lambda after: inbox.read_page(request.user, after, _A_PAGE))
    unread = inbox.unread(request.user) if place["is_first"] else []
    rooms = inbox.of_unread_talk.ask(request.user) if place["is_first"] else ()
    told = {each.url for each in unread}
    context = {
        "talk": [each for some in rooms for each in some if each["url"] not in told],  # not twice what a notice tells
        "asks": [each for each in unread if each.group == events.ACT],
        "gains": [each for each in unread if each.group in (events.LOST, events.WON)],
        "people": [each for each in unread if each.event in events.FROM_PEOPLE],
        "news": inbox.by_match(
            each for each in unread if each.group == events.NEWS and each.event not in events.FROM_PEOPLE
        ),
        "count": len(unread),
        "most": inbox.MOST_UNREAD,
        "read": inbox.by_match(page.items),
    }
    return render(request, "notices/list.html", context | place)


@form_login_required
@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """Mark notices as read: those named by `token`, one `match`'s, or with `all` those that ask for nothing. Scripts
    get the new bell and card."""
    match = without_nul(request.POST.get("match", ""))
    everything = "all" in request.POST or bool(match)
    tokens = None if everything else list(map(without_nul, request.POST.getlist("token")[:100]))
    reading.mark_read(request.user, tokens, match, asks="all" not in request.POST)
    if request.htmx:  # type: ignore[attr-defined]
        return JsonResponse(inbox.fragments(inbox.unread(request.user)))
    return redirect(page_of_form(request) or "/notices/")


@form_login_required
@require_POST
def here(request: HttpRequest) -> HttpResponse:
    """Record that the person is on a page."""
    preferences.touch(request.user)
    return HttpResponse(status=204)


@form_login_required
@require_POST
def sound(request: SignedInRequest) -> HttpResponse:
    """Turn the sound on or off; scripts get the switch again."""
    wanted = request.POST.get("sound") == "on"
    Habits.objects.update_or_create(user=request.user, defaults={"sound": wanted})
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "notices/sound.html", {"own": {"sound": wanted}})
    return redirect(page_of_form(request) or "/notices/")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: SignedInRequest) -> HttpResponse:
    """Show the choices; a POST stores the grid (`part` = grid), the habits, or a new webhook, or none of it."""
    part = request.POST.get("part", "") if request.method == "POST" else ""
    habits = HabitsForm(request.POST if part == "habits" else None, instance=_habits_of(request.user))
    grid = GridForm(request.POST if part == "grid" else None)
    hook = WebhookForm(request.POST if part == "webhook" else None)
    if part == "grid" and grid.is_valid():
        preferences.choose(request.user, grid.wanted())
        messages.success(request, "Saved. We will notify you as you have chosen.")
        return redirect("notices:choose")
    if part == "habits" and habits.is_valid():
        Habits.objects.update_or_create(user=request.user, defaults=habits.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("notices:choose")
    made, secret = _add(request, hook) if part == "webhook" and hook.is_valid() else (None, "")
    if made is not None:
        hook = WebhookForm()
    refused = {"grid": grid, "habits": habits, "webhook": hook}.get(part) if made is None else None
    context = _page(request.user, grid, habits, hook, made, secret) | {"refused": refused}
    return render(request, "notices/choose.html", context, status=422 if part and made is None else 200)


def _add(request: SignedInRequest, form: WebhookForm) -> tuple[Address | None, str]:
    """Return the new webhook and its secret; if it is refused, add the error to the form."""
    said = form.cleaned_data
    try:
        return addresses.add_webhook(request.user, said["url"], said["form"], said["label"])
    except addresses.Refused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, refused.message)
        return None, ""


def _page(user: Any, grid: GridForm, habits: HabitsForm, hook: WebhookForm, made: Any, secret: str) -> dict[str, Any]:
    of_channel = Address.objects.filter(user=user).order_by("pk")
    muted = Mute.objects.filter(user=user).select_related("match").defer("match__state").order_by("-pk")
    return {
        "grid": preferences.grid(user, grid.data.getlist("on") if grid.is_bound else None),  # type: ignore[attr-defined]
        "habits": habits,
        "webhook_form": hook,
        "made": made,
        "secret": secret,
        "mail": preferences.mail_of(user),
        "browsers": of_channel.filter(channel=events.PUSH),
        "webhooks": of_channel.filter(channel=events.WEBHOOK),
        "push_key": push.public_key(),
        "muted": muted,
        "zone": user.time_zone,
    }


def _habits_of(user: Any) -> Habits:
    """A person's habits, or the defaults, not yet stored."""
    return Habits.objects.filter(user=user).first() or Habits(user=user)


# -- addresses -----------------------------------------------------------------------------------------


@cache
def _tests() -> Buckets:
    """A few tests at once, then one every twenty seconds, since each sends something to another site."""
    return Buckets(0.05, 4)


@form_login_required
@require_POST
def try_out(request: SignedInRequest, token: str) -> HttpResponse:
    """Send a test to one of one's addresses."""
    return _try(request, token)


@form_login_required
@require_POST
def try_mail(request: SignedInRequest) -> HttpResponse:
    """Send a test to the account's own address for mail."""
    return _try(request, addresses.mail_token(request.user))


def _try(request: SignedInRequest, token: str) -> HttpResponse:
    if not Address.objects.filter(user=request.user, token=token).exists():
        raise Http404("no such address")
    wait = _tests().take(request.user.pk)
    if wait:
        messages.error(request, f"That was a lot of tests. Please wait {int(wait) + 1} s before the next one.")
        return redirect("notices:choose")
    outcome = addresses.try_out(request.user, token)
    if outcome is not None:
        (messages.success if outcome.sent else messages.error)(request, outcome.message)
    return redirect("notices:choose")


@form_login_required
@require_POST
def remove(request: SignedInRequest, token: str) -> HttpResponse:
    """Remove one of one's addresses."""
    if not addresses.remove(request.user, token):
        raise Http404("no such address")
    messages.success(request, "Removed. We no longer send anything there.")
    return redirect("notices:choose")


# -- one match -----------------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Show whether this match is muted for one; a POST mutes it, or with `again` ends that."""
    viewer = _viewer(request, public_id)
    if request.method == "POST":
        if "again" in request.POST:
            Mute.objects.filter(user=request.user, match=viewer.match).delete()
            messages.success(request, f"{viewer.match.title} is no longer muted.")
        else:
            preferences.mute(request.user, viewer.match)
            messages.success(request, f"{viewer.match.title} is muted. Its notices still come here, on the site.")
        return redirect("notices:choose" if "list" in request.POST else viewer.match.get_absolute_url())
    is_muted = Mute.objects.filter(user=request.user, match=viewer.match).exists()
    return render(request, "notices/mute.html", {"shown": viewer.match, "is_muted": is_muted})


def _viewer(request: HttpRequest, public_id: str) -> Viewer:
    try:
        return access_match(public_id, request.user)
    except MatchHidden:
        raise Http404("no such match") from None


class SpacingForm(forms.Form):
    spacing = forms.MultipleChoiceField(
        label="If I have sent nothing, remind me of a deadline",
        choices=list(OFFERED.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one. To get no reminders at all, switch off “A deadline is near” "
            "under Notices, for each way they reach you."
        },
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spacing(request: HttpRequest) -> HttpResponse:
    """Choose when one is reminded of deadlines."""
    user: Any = request.user
    shown = {"spacing": sorted(spacings_of(_habits_of(user).spacing))}
    form = SpacingForm(request.POST if request.method == "POST" else None, initial=shown)
    if request.method == "POST" and form.is_valid():
        chosen = sorted(float(each) for each in form.cleaned_data["spacing"])
        Habits.objects.update_or_create(user=user, defaults={"spacing": [] if chosen == sorted(DEFAULT) else chosen})
        on_new_spacings(user)
        messages.success(request, "Saved. These reminders now apply to all your matches.")
        return redirect("reminders:spacing")
    return render(request, "notices/spacing.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for another reminder of a match's deadline in two hours; GET shows the button."""
    user: Any = request.user
    viewer = _viewer(request, public_id)
    if request.method != "POST":
        context = {"match": {"title": viewer.match.title, "url": viewer.match.get_absolute_url()}}
        try:
            would_be = {"would_be": moment(when_again(user, viewer.match), user.time_zone)}
        except CannotTellAgain as error:
            would_be = {"problem": error.message}
        return render(request, "notices/again.html", context | would_be)
    try:
        due = tell_again(user, viewer.match)
    except CannotTellAgain as error:
        messages.error(request, error.message)
    else:
        messages.success(
            request, f"We will remind you again on {moment(due, user.time_zone)} if you have sent nothing by then."
        )
    return redirect(viewer.match.get_absolute_url())


@csrf_exempt  # the signature authenticates; and a page without a referrer posts without an origin
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def again_by_link(request: HttpRequest, signed: str) -> HttpResponse:
    """Like `again`, from a mail and without signing in. Mail scanners follow links, so GET changes nothing."""
    context: dict[str, Any] = {}
    status = 200
    try:
        user, match = read_again_link(signed)
        context["match"] = {"title": match.title, "url": match.get_absolute_url()}
        if request.method == "POST":
            context["due"] = moment(tell_again(user, match), user.time_zone)
        else:
            context["would_be"] = moment(when_again(user, match), user.time_zone)
    except BadLink as error:
        context["problem"] = error.message
        status = {"forged": 404, "old": 410}.get(error.code, 409)
    answer = render(request, "notices/again.html", context, status=status)
    answer["Referrer-Policy"] = "no-referrer"  # the address is as good as the person's word
    return answer


@csrf_exempt  # mail programs post here (RFC 8058); the signature authenticates
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, signed: str) -> HttpResponse:
    """Ask on GET; on POST switch mail off, or on with `again`. Mail scanners follow links, so GET changes nothing."""
    try:
        found = preferences.read_unsubscribe_link(signed)
    except BadLink as bad:
        status = 410 if bad.code in ("old", "gone") else 404
        return render(request, "notices/unsubscribe_refused.html", {"message": bad.message}, status=status)
    # Offer a link that switches everything off beside one that switches off less.
    everything = "" if found.is_everything else preferences.unsubscribe_link(found.user.pk, preferences.EVERYTHING)
    context = {"about": found.about, "is_everything": found.is_everything, "everything": everything}
    if request.method == "POST":
        is_again = "again" in request.POST
        preferences.switch_mail(found, on=is_again)
        context["done"] = "again" if is_again else "off"
    answer = render(request, "notices/unsubscribe.html", context)
    answer["Referrer-Policy"] = "no-referrer"  # the address is as good as the person's word
    return answer
