"""Whose public news can be posted: matches, and what other apps register, such as seasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matches.models import Match
from notices.match_page import webhooks_page
from notices.match_webhooks.kinds import BY_DEFAULT, KINDS, Kind
from notices.models import MatchPost, MatchWebhook, PublicWebhook

if TYPE_CHECKING:
    from notices.match_webhooks.bodies import Board


@dataclass(frozen=True, slots=True)
class Desk:
    """One sort of webhooks.

    `webhooks`, `posts`: their tables (`PublicWebhook`, `PublicPost`). `owners`: whose news they post. `kinds`: what can
    be chosen, in the order of the form. `board_of`: what a webhook's post says of what it is about, as everybody may
    know it now. `hosts_of`: the ids of those who look after them. `page_of`: where they do so.
    """

    webhooks: type[PublicWebhook]
    posts: type[Any]
    owners: type[Any]
    kinds: tuple[Kind, ...]
    by_default: tuple[str, ...]
    board_of: Callable[[Any, Any], Board]
    hosts_of: Callable[[Any], list[int]]
    page_of: Callable[[Any], str]

    def of(self, owner: Any) -> Any:
        """The webhooks of one owner, a queryset."""
        return self.webhooks._default_manager.filter(**{self.webhooks.OWNER: owner})


def _board_of(webhook: MatchWebhook, post: MatchPost) -> Board:
    from notices.match_webhooks.bodies import Board  # slow to import

    return Board.of_match(webhook.match)


def _hosts_of(match: Match) -> list[int]:
    return list(match.hosts.filter(is_active=True).order_by("pk").values_list("pk", flat=True))


DESKS: list[Desk] = [Desk(MatchWebhook, MatchPost, Match, KINDS, BY_DEFAULT, _board_of, _hosts_of, webhooks_page)]


def register(desk: Desk) -> None:
    """Let the public news of something else be posted as well; in `AppConfig.ready`."""
    DESKS.append(desk)


def desk_of(owner: Any) -> Desk:
    """The desk for an owner, such as a match, or for one of its webhooks."""
    return next(desk for desk in DESKS if isinstance(owner, (desk.owners, desk.webhooks)))
