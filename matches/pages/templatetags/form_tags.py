"""Tags for the forms of a match, with what was typed in a refused one. They read `form_state` from the context."""

import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.pages.forms import FormState, input_name
from matches.pages.templatetags.components import component

register = template.Library()


class Box(NamedTuple):
    """An input of an action's form. `id`, `name`, `form`: its attributes. `value`, `chosen`, `error`: what was typed in
    a refused form, one or all of it, and why it was refused. `tied`: the attributes that link it to its error."""

    id: str
    name: str
    form: str
    value: str
    chosen: tuple[str, ...]
    error: str
    tied: SafeString


@register.simple_tag(takes_context=True)
def field(context: Context, action: str, name: str, *keys: object) -> Box:
    """`{% field "bid" "amount" as amount %}`: the attributes of an input of an action's form.

    `{% field "bid" "bids" auction "gold" as gold %}` is the input of a dict's entry, `bids[…][gold]`; any auction name
    works.
    """
    form_state: FormState = context.get("form_state") or FormState()
    full = input_name(name, *keys)
    ident = _ident(action, full)
    error = form_state.error(action, full)
    described = format_html(' aria-invalid="true" aria-describedby="{}-error"', ident)
    return Box(
        id=ident,
        name=full,
        form=f"{context.get('form_of', 'act')}-{action}",
        value=form_state.value(action, full),
        chosen=tuple(form_state.chosen(action, full)),
        error=error,
        tied=described if error else SafeString(""),
    )


@register.simple_tag
def amount_field(box: Box, *, most: int | None = None, served: int | None = None, attributes: str = "") -> SafeString:
    """`{% amount_field amount most=own.free %}`: an input for 1 or more, between minus and plus. `served`: what it
    shows where nothing was typed; `attributes`: for scripts."""
    return component("amount_field", box=box, most=most, served=served, attributes=attributes)


@register.simple_tag
def choice_field(
    box: Box, names: Iterable[str], *, without: Collection[str] = (), chosen: str = "", lot: str | None = None
) -> SafeString:
    """`{% choice_field seat view.seats_not_won without=own.standing_on %}`: a choice of one name, or of what was typed,
    which may be no longer among them. `chosen`: what it shows where nothing was typed, if it is among them. `lot`: it
    chooses the lot for the board, and this is the one of what counts now."""
    offered = tuple(name for name in names if name not in without)
    if box.value and box.value not in offered:
        offered = (*offered, box.value)
    return component("choice_field", box=box, names=offered, shown=box.value or chosen, lot=lot)


@register.simple_block_tag(takes_context=True, end_name="endact_form")
def act_form(context: Context, content: str, action: str) -> SafeString:
    """`{% act_form "bid" %} … {% endact_form %}`: wraps the fields and the button of an action's form.

    The fields name a form (the frame) that stays on the page while their part is replaced by pushes. For browsers that
    ignore such names, the fields also stand in a form of their own, to which the page adds what the frame has
    (`with_tokens`). They also say in which round or phase they were shown, so that a sealed bid cannot become an open
    one.
    """
    part = context.get("part", "")  # only the page of a match has parts of play
    meant = format_html('<input type="hidden" name="meant_for" form="act-{}" value="{}">', action, part)
    return format_html(
        '<form class="act-fields" data-of="{}" method="post" novalidate>{}{}</form>', action, SafeString(content), meant
    )


@register.simple_tag(takes_context=True)
def act_error(context: Context, action: str, name: str = "", *keys: object) -> SafeString:
    """`{% act_error "bid" "amount" %}`: what is wrong with a field or, without a name, with the whole form."""
    form_state: FormState = context.get("form_state") or FormState()
    full = input_name(name, *keys)
    error = form_state.error(action, full)
    if not error:
        return SafeString("")
    is_sent = "form_of" not in context and not form_state.was_sent  # a what-if is not sent but asked
    ident = f"{_ident(action, full)}-error"
    return component("act_error", error=error, id=ident, is_sent=is_sent, remedy=form_state.remedy)


@register.simple_tag(takes_context=True)
def first_error(context: Context) -> SafeString:
    """`{% first_error %}`, at the top of a refused form: what is wrong with the whole form, or else a link to the first
    field with an error."""
    form_state: FormState = context.get("form_state") or FormState()
    for name, error in sorted(form_state.errors.items(), key=lambda each: each[0] != ""):
        ident = f"{_ident(form_state.type, name)}-error"
        template, is_sent = "first_error" if name else "act_error", not form_state.was_sent
        return component(template, error=error, id=ident, is_sent=is_sent, remedy=form_state.remedy)
    return SafeString("")


@register.simple_tag(takes_context=True)
def question_form(context: Context, kind: str, *, inner: bool = False) -> SafeString:
    """`{% question_form "what_if" %}`: the form of one of the game's what-ifs, with the answer if it was asked.

    It can be on any page of a match and on the game's own page. Pushes do not change it. `inner=True`: without its
    section, for a page that has the section already.
    """
    match = context.get("match")
    slug = match.game if match else context["game"].slug
    url = f"{match.url}ask/" if match else reverse("matches:ask_of_game", args=[slug])
    asked = context.get("question")
    shown: dict[str, Any] = {
        **{str(name): value for name, value in context.flatten().items()},
        "kind": kind,
        "slug": slug,
        "url": url,
        "form_of": "ask",
        "fields": f"games/{slug}/ask.html",
        "game_part": f"games/{slug}/answer.html" if asked and asked["type"] == kind else "",
    }
    template = "components/question_form.html" if inner else "components/question.html"
    return SafeString(render_to_string(template, shown))


def _ident(action: str, full: str) -> str:
    """An id for the input of this name, without brackets and spaces."""
    return re.sub(r"[^\w-]+", "_", f"{action}-{full}" if full else action)
