"""Rows of a form in which votes are given to players.

With sixty players everybody has sixty such rows, and the close of a round changes all of them. So they are made without
a template, and once for all who see the same."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from matches.pages.context import People
from matches.pages.forms import FormState
from matches.pages.templatetags.match_tags import act_error, field

register = template.Library()

_MOST_KEPT = 16_384
# After the field: a label is that of the first control in it.
_STEPS = "".join(
    f'<button type="button" data-step="{step}" tabindex="-1" aria-hidden="true">{sign}</button>'
    for step, sign in ((-1, "−"), (1, "+"))
)
_NOTHING: Mapping[str, int] = {}


@register.simple_tag(takes_context=True)
def vote_rows(
    context: Context,
    action: str,
    name: str,
    handles: Iterable[str],
    *,
    most: int,
    votes: Mapping[str, int] | None,
    last: Mapping[str, int],
    gave: Mapping[str, int],
    you: str,
) -> SafeString:
    """`{% vote_rows "vote_a" "votes" view.on_stage most=own.tokens votes=own.vote_a.votes … %}`: a row for each player,
    whose input is the entry of the action's dict `name`. `most`: the most votes for one; `votes`: those that count now;
    `last`: how many each received in the last round, and `gave`: how many of them from the reader; `you`: the reader's
    handle."""
    people: People = context["people"]
    form_state: FormState = context.get("form_state") or FormState()
    chosen, given = context.get("chosen"), votes or _NOTHING
    rows = []
    for handle in handles:
        sealed, received = given.get(handle), last.get(handle)
        about = (action, name, handle, people.name(handle), sealed, received, gave.get(handle), most)
        if form_state.type == action:
            box, error = field(context, action, name, handle), act_error(context, action, name, handle)
            rows.append(_row(*about, handle == you, handle == chosen, box["value"], box["tied"], error))
        else:
            rows.append(_row(*about, handle == you, handle == chosen))
    return SafeString("".join(rows))


@lru_cache(maxsize=_MOST_KEPT)
def _row(
    action: str,
    name: str,
    handle: str,
    shown: str,
    sealed: int | None,
    received: int | None,
    gave: int | None,
    most: int,
    is_you: bool,
    is_chosen: bool,
    typed: str | None = None,
    tied: str = "",
    error: str = "",
) -> str:
    box: dict[str, Any] = field(Context(), action, name, handle)
    last = [] if received is None else [f"{received} last round", *([f"{gave} yours"] if gave else [])]
    said = ", ".join((["you"] if is_you else []) + last)
    now = "" if sealed is None else str(sealed)
    value = now if typed is None else typed
    return (
        f"<label><span>{escape(shown)}</span>"
        + (f"<small>{said}</small>" if said else "")
        + '<span class="stepper stepper--small" data-stepper>'
        + (f'<input id="{box["id"]}"{tied}' if tied else "<input")
        + f' name="{escape(box["name"])}" form="{box["form"]}" type="number" min="0" max="{most}"'
        f' autocomplete="off" placeholder="0" data-votes="{escape(handle)}"'
        + (f' data-sealed="{now}"' if now else "")
        + (f' value="{escape(value)}"' if value else "")
        + (" data-first-field" if is_chosen else "")
        + f">{_STEPS}</span></label>{error}"
    )
