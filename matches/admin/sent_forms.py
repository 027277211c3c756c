"""Checking forms while hosts type, and holding a form back if others have changed something meanwhile."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse

from matches.admin.commands.base import Sentences
from matches.engine.sentences import counted
from matches.models import Match, Submission
from matches.services.errors import retrying
from matches.services.locking import undisturbed

# -- checks while somebody types: errors at their fields, and nothing is stored ------------------------------


def is_check(request: HttpRequest) -> bool:
    """Whether a page's script sent a form only to be checked."""
    return request.method == "POST" and "_check" in request.POST


def unjudged(form: Any) -> Any:
    """Return the form without errors, for a host who asked for a fresh one; what they typed stays."""
    form.full_clean()
    form.errors.clear()
    return form


def answer(forms: Iterable[Any], *more: str) -> JsonResponse:
    """Return `errors`: id of a field -> sentences, and `said`: all in one line, empty if nothing is wrong. Empty
    required fields are no errors yet. `more`: sentences about the whole form."""
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


# -- changes by others since a host opened a form, shown before this host's input replaces them --------------

FIELD = "as_of"
"""A hidden field: the length of the match's log when the form was made."""

_LONGEST = 18


def as_of(match: Match, typed: Mapping[str, Any] | None = None) -> int:
    """Return the length of the log when this form was made, or now."""
    found = str(typed.get(FIELD, "")) if typed else ""
    is_number = found.isascii() and found.isdecimal() and len(found) <= _LONGEST
    return int(found) if is_number else match.log_count


@retrying
def unless_by_others(request: HttpRequest, match: Match, sentences: Sentences, save: Callable[[], None]) -> str:
    """Save, unless others have changed something by these commands; then return what, in words. Both happen under one
    lock. Raises what `save` raises."""
    with undisturbed(match.pk):
        if said := _by_others(request, match, sentences):
            match.refresh_from_db()
        else:
            save()
        return said


def _by_others(request: HttpRequest, match: Match, sentences: Sentences) -> str:
    """What others have changed by these commands; empty if nothing, or if the form lacks the field."""
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
