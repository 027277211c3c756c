"""Forms that hosts send: checked while they type, kept if they were signed out, held back if others changed it."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, JsonResponse, QueryDict
from django.urls import URLPattern

from matches.admin.commands.base import Sentences
from matches.engine.sentences import counted
from matches.infra.rate_limits import wait_to_ask
from matches.models import Match, Submission
from matches.services.locking import undisturbed
from matches.services.storage.retry import retrying

# -- checks --------------------------------------------------------------------------------------------------
# What is wrong with a form, while somebody fills it in: errors at their fields, and nothing is stored.


def is_check(request: HttpRequest) -> bool:
    """Whether a form was sent by the page's script to be checked, and not to be saved."""
    return request.method == "POST" and "_check" in request.POST


def unjudged(form: Any) -> Any:
    """A form that a host asked for afresh: what they typed stays, and is not judged yet."""
    form.full_clean()
    form.errors.clear()
    return form


def answer(forms: Iterable[Any], *more: str) -> JsonResponse:
    """`errors`: id of a field -> sentences; `said`: all of it in a line, empty where nothing is wrong. What is only
    missing is not an error yet: it may still come. `more` are sentences about the whole form."""
    errors: dict[str, list[str]] = {}
    whole = [text for text in more if text]
    for form in forms:
        for name, found in form.errors.as_data().items():
            texts = [text for each in found if each.code != "required" for text in each.messages]
            if name in form.fields and texts:
                errors[form[name].auto_id] = texts
            elif name not in form.fields:
                whole += texts
    if errors:
        whole.insert(0, f"Nothing is saved yet: {counted(len(errors), 'field needs', 'fields need')} correcting.")
    return JsonResponse({"errors": errors, "said": " ".join(whole)})


# -- unsaved -------------------------------------------------------------------------------------------------
# What a host typed and sent after their session had ended: it is kept until they have signed in again.
#
# It is in the new session of the same browser, for the person who typed it (a hidden field says who) and for the page
# that they typed it in; they see it there once, not saved.

_KEPT = "unsaved"
_BY = "typed_by"
_LARGEST = 100_000
_NOT_KEPT = ("csrfmiddlewaretoken", "_confirm", "_check", "key")


def keeping(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    """These addresses, which keep what strangers send, before they lead to the sign-in."""
    found = list(patterns)
    for pattern in found:
        pattern.callback = _keeping(pattern.callback)
    return found


def _keeping(view: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not request.user.is_authenticated:
            _keep(request)
        found: HttpResponseBase = view(request, *args, **kwargs)
        return found

    return kept


def _keep(request: HttpRequest) -> None:
    typed = request.POST.copy()
    for name in _NOT_KEPT:
        typed.pop(name, None)
    text = typed.urlencode()
    if typed.get(_BY) and len(text) <= _LARGEST and not wait_to_ask(request, None):
        request.session[_KEPT] = {"path": request.path, "by": typed[_BY], "typed": text}


def take(request: HttpRequest) -> QueryDict | None:
    """What this person had typed in this page before they signed in again; given once, with a message that says so."""
    kept = request.session.get(_KEPT)
    if request.method != "GET" or not kept or kept["path"] != request.path:
        return None
    del request.session[_KEPT]
    if kept["by"] != str(request.user.pk):
        return None
    messages.warning(request, "You were signed out before you sent this. What you typed is below but not saved yet.")
    return QueryDict(kept["typed"])


# -- meanwhile -----------------------------------------------------------------------------------------------
# What others have changed since a host opened a form: it is said before what this host typed takes its place.

FIELD = "as_of"
"""A hidden field: how long the match's log was when the form was made."""

_LONGEST = 18


def as_of(match: Match, typed: Mapping[str, Any] | None = None) -> int:
    """How long the log was for whoever typed this, or is now."""
    found = str(typed.get(FIELD, "")) if typed else ""
    is_number = found.isascii() and found.isdecimal() and len(found) <= _LONGEST
    return int(found) if is_number else match.log_count


@retrying
def unless_by_others(request: HttpRequest, match: Match, sentences: Sentences, save: Callable[[], None]) -> str:
    """Save, unless others have changed something by these commands: then what, in words. Nobody comes between the two.
    Raises what saving raises."""
    with undisturbed(match.pk):
        if said := _by_others(request, match, sentences):
            match.refresh_from_db()
        else:
            save()
        return said


def _by_others(request: HttpRequest, match: Match, sentences: Sentences) -> str:
    """What others have changed by these commands; empty if nothing. A form without the field asks nobody."""
    host: Any = request.user
    since = as_of(match, request.POST)
    rows = match.log.filter(kind=Submission.Kind.COMMAND, accepted=True, number__gt=since)
    said = []
    for row in rows.exclude(user=host).order_by("number"):
        payload = json.loads(row.payload)
        if tell := sentences.get(payload["command"]):
            said.append(f"{tell(payload)} ({row.actor.partition(':')[2] or row.actor}).")
    if not said:
        return ""
    return (
        f"Since you opened this page, others have changed something. {' '.join(said)} What you typed is not saved "
        f"yet. Check it first: saving it now replaces their changes."
    )
