"""Takes the names of somebody whose account is deleted out of what others were told of their matches.

Notices are texts, kept for weeks. What was sent cannot be taken back; what waits is sent with the new name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet

from matches.models import Player
from matches.services.departing import matches_with
from notices.match_webhooks import stopping
from notices.models import MatchPost, Notice, PublicPost


def leave(user: Any, name: str) -> None:
    """End somebody's part in notices (`accounts.leaving`); before their places have other names.

    What they are called in one match, or on the site, may be another player's name in the next: there it stays.
    """
    stopping.leave(user, name)
    for match in matches_with(user):
        others = {each.shown_name for each in Player.objects.filter(match=match).exclude(user=user)}
        own = Player.objects.filter(match=match, user=user).values_list("name", flat=True)
        rename(
            {user.username, str(user), *own} - others,
            name,
            Notice.objects.filter(match=match).exclude(user=user),
            MatchPost.objects.filter(webhook__match=match),
        )


def rename(names: Iterable[str], name: str, notices: QuerySet[Notice], posts: QuerySet[Any]) -> None:
    """Put a name in place of these in the texts of notices, and in posts that wait."""
    old = sorted(filter(None, names), key=len, reverse=True)
    if not old:
        return
    named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, old))})(?!\w)")
    has_one = Q()
    for each in old:
        has_one |= Q(text__contains=each)
    for notice in notices.filter(has_one).iterator():
        Notice.objects.filter(pk=notice.pk).update(text=named.sub(lambda _: name, notice.text))
    for post in posts.filter(status=PublicPost.Status.WAITING).iterator():
        items = [item | {"text": named.sub(lambda _: name, item["text"])} for item in post.items]
        posts.model._default_manager.filter(pk=post.pk).update(items=items)
