"""Template tag for the front page: a board of practice on which a visitor can move before they have a table."""

from typing import Any

from django import template
from django.http import HttpRequest

from matches.engine.game import AnyGame
from practice import views

register = template.Library()


@register.simple_tag(takes_context=True)
def first_table(context: template.Context, game: AnyGame) -> dict[str, Any]:
    """`{% first_table game as first %}`: the board of this visitor's table of a game, or of a new one, and the form of
    a first move, which stores that table; see `views.first_table`."""
    request: HttpRequest = context["request"]
    return views.first_table(request, game)
