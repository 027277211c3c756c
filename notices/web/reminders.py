"""When one is reminded of deadlines, and being told again later."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from matches.queries.access import MatchHidden, access_match
from notices.channels.wording import moment
from notices.models import Habits
from notices.reminders.again import CannotTellAgain, read, tell_again, when
from notices.reminders.spacing import DEFAULT, OFFERED, spacings_of
from notices.reminders.watching import on_new_spacings


class SpacingForm(forms.Form):
    spacing = forms.MultipleChoiceField(
        label="Remind me of a deadline, if I have sent nothing by then",
        choices=list(OFFERED.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": "Choose at least one. To get no reminders at all, switch off “A deadline is near” "
            "under Notices, for each way by which they reach you."
        },
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def spacing(request: HttpRequest) -> HttpResponse:
    """A person's own spacings."""
    user: Any = request.user
    habits = Habits.objects.filter(user=user).first() or Habits(user=user)
    form = SpacingForm(
        request.POST if request.method == "POST" else None, initial={"spacing": sorted(spacings_of(habits.spacing))}
    )
    if request.method == "POST" and form.is_valid():
        chosen = sorted(float(each) for each in form.cleaned_data["spacing"])
        habits, _ = Habits.objects.get_or_create(user=user)
        Habits.objects.filter(pk=habits.pk).update(spacing=[] if chosen == sorted(DEFAULT) else chosen)
        on_new_spacings(user)
        messages.success(request, "Saved. From now on you are reminded like this, in all your matches.")
        return redirect("reminders:spacing")
    return render(request, "notices/spacing.html", {"form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: HttpRequest, public_id: str) -> HttpResponse:
    """One more reminder of what a match asks of this person, in two hours; first a page with the button."""
    user: Any = request.user
    try:
        viewer = access_match(public_id, user)
    except MatchHidden:
        raise Http404("no such match") from None
    if request.method != "POST":
        context = {"match": {"title": viewer.match.title, "url": viewer.match.get_absolute_url()}}
        try:
            would_be = {"would_be": moment(when(user, viewer.match), user.time_zone)}
        except CannotTellAgain as error:
            would_be = {"problem": error.message}
        return render(request, "notices/again.html", context | would_be)
    try:
        due = tell_again(user, viewer.match)
    except CannotTellAgain as error:
        messages.error(request, error.message)
    else:
        messages.success(
            request, f"You will be told again on {moment(due, user.time_zone)}, if you have sent nothing by then."
        )
    return redirect(viewer.match.get_absolute_url())


@csrf_exempt  # the signature says whose wish it is; and a page without a referrer posts without an origin
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def again_by_link(request: HttpRequest, signed: str) -> HttpResponse:
    """The same from a mail, without signing in. Scanners of mail follow links, so GET changes nothing."""
    context: dict[str, Any] = {}
    status = 200
    try:
        user, match = read(signed)
        context["match"] = {"title": match.title, "url": match.get_absolute_url()}
        if request.method == "POST":
            context["due"] = moment(tell_again(user, match), user.time_zone)
        else:
            context["would_be"] = moment(when(user, match), user.time_zone)
    except CannotTellAgain as error:
        context["problem"] = error.message
        status = {"forged": 404, "old": 410}.get(error.code, 409)
    answer = render(request, "notices/again.html", context, status=status)
    answer["Referrer-Policy"] = "no-referrer"  # the address is as good as the person's word
    return answer
