"""The base of the admin pages of matches and seasons: who gets in, and the pages of a command."""

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, ClassVar, cast

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse

from matches.admin import invitations_page, sent_forms
from matches.admin.changelist import LongList, is_id
from matches.admin.commands.base import Command, CommandRequest, Page, one_time_key
from matches.admin.preview import first_deadlines
from matches.models import Match, Role
from matches.services.commands import ONLY_OBSERVES, AlreadyDone, NotAHost
from matches.services.errors import Refused

_MICROSECOND = timedelta(microseconds=1)
_GIVEN_BY_LINKS = frozenset({"player", "decision", "what", "question", "to", "member", "match"})

SEEN, ACTED, TOLD = "seen", "acted", "told"
"""Who gets a page: hosts and observers; only hosts; only hosts, while observers get an explanation on the main page."""

PageView = Callable[[Any, HttpRequest, Any], HttpResponse]


class ConsoleAdmin(LongList):
    """The list of what somebody hosts, and the pages of each, whose URLs contain its id."""

    commands: ClassVar[Mapping[str, Command]] = {}
    pages: ClassVar[Mapping[str, tuple[PageView, str]]] = {}
    """Name in the URL -> the page, and who gets it."""
    invitations: ClassVar[invitations_page.Invitations]

    # -- what subclasses define ------------------------------------------------------------------

    def enter(self, subject: Any, user: Any) -> Role:
        """Return the role of somebody who opens it, and record that they have. Raises `NotAHost`."""
        raise NotImplementedError

    def bring_up(self, subject: Any) -> None:
        """Pass everything that is due."""
        raise NotImplementedError

    def show(self, request: HttpRequest, subject: Any, role: Role) -> HttpResponse:
        """Render its main page."""
        raise NotImplementedError

    def taking_back(self, command: Command) -> str:
        """Say whether a command can be taken back; empty if there is nothing to say."""
        return ""

    # -- URLs ------------------------------------------------------------------------------------

    def page_urls(self) -> list[URLPattern]:
        """Return the URLs of its pages, which go before Django's own."""
        own: dict[str, Any] = {name: partial(self._own_page, view, who) for name, (view, who) in self.pages.items()}
        found = {**own, "invitation": self._invitation_page, "do/<slug:name>": self._command_page}
        guarded = self.admin_site.admin_view
        return [
            path(f"<path:object_id>/{way}/", guarded(view), name=self._named(way.replace("do/<slug:name>", "command")))
            for way, view in found.items()
        ]

    def _named(self, page: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{page}"

    def to(self, page: str, *args: Any, anchor: str = "") -> HttpResponse:
        """Redirect to a page of the console."""
        return redirect(reverse(f"admin:{self._named(page)}", args=args) + anchor)

    def page(self, request: HttpRequest, title: str, subject: Any = None) -> dict[str, Any]:
        """Return the context that the admin's templates need on every page, and the page's subject, by its kind."""
        return {
            **self.admin_site.each_context(request),
            "is_nav_sidebar_enabled": False,
            "title": title,
            "opts": self.opts,
            "shown": subject,
            str(self.opts.model_name): subject,
            "media": self.media,
        }

    def hosted(self, request: HttpRequest, object_id: str, who: str = SEEN) -> tuple[Any, Role]:
        """Return the subject with this id, after passing what is due, and the viewer's role. One of other hosts is
        treated as missing. Observers only look: whatever they send is refused here, and again by the services."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        missing = f"There is no such {self.opts.model_name} among those you host."
        found = unquote(object_id)
        # Without the annotations of the list, which take ten times as long.
        subject = self.model._default_manager.filter(pk=found).first() if is_id(found) else None
        if subject is None:
            raise Http404(missing)
        try:
            role = self.enter(subject, request.user)
        except NotAHost:
            raise Http404(missing) from None
        if not role.acts and (who == ACTED or request.method not in ("GET", "HEAD")):
            raise PermissionDenied(ONLY_OBSERVES)
        self.bring_up(subject)
        return subject, role

    def _own_page(self, view: PageView, who: str, request: HttpRequest, object_id: str) -> HttpResponse:
        subject, role = self.hosted(request, object_id, who)
        if who == TOLD and not role.acts:
            messages.error(request, ONLY_OBSERVES)
            return self.to("change", subject.pk)
        return view(self, request, subject)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        return self.show(request, *self.hosted(request, object_id))

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        said = "You cannot delete a match or season here. End or cancel it, or delete a draft on its own page."
        raise PermissionDenied(said)

    def _invitation_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Renew the link to an open place; or send an invitation again, or revoke it (POST only)."""
        subject, _ = self.hosted(request, object_id)
        if request.method == "POST" and "do" in request.POST:
            invitations_page.follow_up(request, subject, self.invitations)
            return self.to("invitations", subject.pk)
        if request.method == "POST":
            invitations_page.renew(request, subject, self.invitations)
        return self.to("change", subject.pk)

    # -- the pages of a command ------------------------------------------------------------------

    def _command_page(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        """Show the form on GET, the confirmation on POST; a POST with `_confirm` gives the command."""
        subject, role = self.hosted(request, object_id)
        command = self.commands.get(name)
        if command is None:
            raise Http404
        if not command.for_role(role):
            owners = f"Only the owner of this {self.opts.model_name} can do that."
            messages.error(request, owners if role.acts else ONLY_OBSERVES)
            return self.to("change", subject.pk)
        if not command.may(subject):
            self._say_why_not(request, subject, command)
            return self.to("change", subject.pk)
        if request.method != "POST":
            given = {key: value[:100] for key, value in request.GET.items() if key in _GIVEN_BY_LINKS}
            form: Any = command.form(subject, request.user, initial=given)
            if form.visible_fields() and not command.asks(subject):
                filled = command.form(subject, request.user, {each.html_name: _sent(each) for each in form})
                return self._form(request, subject, command, filled, filled.cleaned_data if filled.is_valid() else None)
            return self._form(request, subject, command, form, None if form.visible_fields() else dict(form.initial))
        form = command.form(subject, request.user, request.POST)
        if "_update" in request.POST:
            return self._form(request, subject, command, sent_forms.unjudged(form))
        if "_preview" in request.POST and command.preview and (shown := command.preview(request, form)):
            return shown
        if not form.is_valid() or not {"_back", "_preview"}.isdisjoint(request.POST):
            return self._form(request, subject, command, form)
        if "_confirm" not in request.POST:
            return self._form(request, subject, command, form, form.cleaned_data)
        return self._carry_out(request, subject, command, form)

    def _say_why_not(self, request: HttpRequest, subject: Any, command: Command) -> None:
        """Say why a command is not possible, for people who come from an outdated page, or click twice."""
        key = one_time_key(request)
        if key and subject.log.filter(user=request.user, key=key).exists():
            messages.info(request, AlreadyDone.usual)
            return
        why = f"the {self.opts.model_name} is {subject.get_status_display().lower()}"
        if subject.status in command.statuses and not subject.is_over:
            why = "it is already done or no longer needed"
        messages.error(request, f"“{command.title}” is not possible now: {why}.")

    def _carry_out(self, request: HttpRequest, subject: Any, command: Command, form: Any) -> HttpResponse:
        values = {**form.cleaned_data, "expected": _expected(request)}
        try:
            answer = command.run(CommandRequest(subject, request.user, values, one_time_key(request)))
        except AlreadyDone as refusal:
            messages.info(request, refusal.message)
        except Refused as refusal:
            _refuse(form, refusal)
            return self._form(request, subject, command, form)
        else:
            if isinstance(answer, Page):
                context = {**self.page(request, answer.title, subject), **answer.context}
                return render(request, answer.template, context)
            messages.success(request, answer)
        if not self.get_queryset(request).filter(pk=subject.pk).exists():  # deleted, or handed over
            # The log of a match is gone with it, the admin history is not. Seasons note their deletion themselves.
            if isinstance(subject, Match) and not Match.objects.filter(pk=subject.pk).exists():
                self.log_deletions(request, cast("Any", [subject]))
            return self.to("changelist")
        return self.after(subject, command)

    def after(self, subject: Any, command: Command) -> HttpResponse:
        """Go to where work continues after a command."""
        return self.to("change", subject.pk)

    def _form(
        self, request: HttpRequest, subject: Any, command: Command, form: Any, values: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the form or, with `values`, the confirmation."""
        context = {
            **self.page(request, command.title, subject),
            "command": command,
            "beside": [each for each in self.commands.values() if each.beside == command.name and each.may(subject)],
            "form": form,
            "confirm": values is not None,
            "key": secrets.token_urlsafe(12),  # so that a double click or a reload does nothing twice
        }
        if values is None:
            return render(request, "admin/command.html", context)
        wanted = CommandRequest(subject, request.user, values)
        if refusal := command.refusal(wanted):
            return render(request, "admin/command.html", {**context, "refusal": refusal})
        try:
            told = command.consequence(wanted)
        except Refused as refused:  # refused at the field, before anybody confirms it
            form = form if form.is_bound else command.form(subject, request.user, values)
            form.full_clean()
            _refuse(form, refused)
            return self._form(request, subject, command, form)
        context["consequence"] = [*told, *filter(None, [self.taking_back(command)])]
        context["due"] = wanted.due // _MICROSECOND if command.names_deadline and wanted.due is not None else None
        if command.starts_at is not None:
            context["deadlines"] = first_deadlines(subject, command.starts_at(wanted))
        return render(request, "admin/command.html", context)


def _sent(field: Any) -> Any:
    """What an untouched field would send."""
    value = field.value()
    return field.field.widget.format_value(value) if isinstance(value, datetime) else value


def _refuse(form: Any, refusal: Refused) -> None:
    form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)


def _expected(request: HttpRequest) -> timedelta | None:
    """The deadline that the confirmation page showed, sent in microseconds of match time."""
    text = request.POST.get("due", "")
    return int(text) * _MICROSECOND if text.isascii() and text.isdecimal() and len(text) < 18 else None
