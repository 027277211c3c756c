"""Forms that hosts send: checked while they type, and held back if others changed it."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse

from matches.admin.commands.base import Sentences
from matches.engine.sentences import counted
from matches.models import Match, Submission
from matches.services.errors import retrying
from matches.services.locking import undisturbed

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
