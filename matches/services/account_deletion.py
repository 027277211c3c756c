"""What happens in matches when a person's account is deleted.

Before a match begins they leave it. In a running match they withdraw: the player stays in the rules, but nobody acts
there. A neutral name replaces theirs everywhere, by a row of the log, so that `verify` knows of it. Handles stay,
because the log and the rules name players by them.
"""

from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from django.db.models import Q, QuerySet

from matches.engine.step import EVERYONE
from matches.models import Insider, Match, MatchRole, Player, Role, Submission
from matches.services import joining
from matches.services.commands import command_row
from matches.services.errors import CommandRefused, retrying
from matches.services.locking import locked_match
from matches.services.opening import open_due
from matches.services.places import change_hands, free_name, names_in, where
from matches.services.roles import hosted_by, roles_of, store_roles, with_a_role, without
from matches.services.writer import Writer

RENAME = "former_player"


def reasons(user: Any) -> list[str]:
    """Why an account cannot be deleted yet: a sentence for each match that they own and that is not over."""
    owned = Match.objects.filter(roles__user=user, roles__role=Role.OWNER).exclude(status__in=Match.OVER)
    return [
        f"You own the match “{match.title}”. Hand it over, cancel it, or delete the draft."
        for match in owned.order_by("pk")
    ]


def leave(user: Any, name: str) -> None:
    """End a person's part in all matches, as player and as host; `name` is shown in place of theirs."""
    for match in Match.objects.filter(with_a_role(user)).exclude(status__in=Match.OVER).order_by("pk"):
        _stop_hosting(match, user)
    for match in Match.objects.filter(players__user=user).order_by("pk"):
        leave_one(match, user, name)


@retrying
def _stop_hosting(match: Match, user: Any) -> None:
    """Take away the person's role. Other hosts remain, because `reasons` does not let an owner go."""
    with locked_match(match.pk) as writer:
        before = roles_of(writer.match)
        if before.of(user) is None or writer.match.is_over:
            return
        after = without(before, user)
        store_roles(writer.match, after)
        changed = before.changed_to(after)
        writer.record(command_row(writer, user, "hosts", reason="The account was deleted.", **changed))
        writer.save()


def leave_one(match: Match, user: Any, name: str) -> None:
    """End a person's part as player in one match; `name` is shown in place of theirs."""
    _rename(match, user, name)
    try:
        joining.leave(match, user)
    except CommandRefused:  # it has begun, or its start has come
        _withdraw(match, user, name)
        with suppress(CommandRefused):  # unless that has put off the start
            joining.leave(match, user)


@retrying
def show_again(match: Match) -> None:
    """Make every process render its pages of a match anew, because a name in them has changed."""
    with locked_match(match.pk) as writer:
        writer.touch_all()
        writer.save_words()


def forget_name(user: Any) -> None:
    """Render anew every match whose pages may show the name of a deleted account."""
    for match in matches_with(user):
        show_again(match)


def matches_with(user: Any) -> QuerySet[Match]:
    """The matches whose pages may show a person's name: they play there, are in the log, or are or were its hosts."""
    found = Q()
    for table in (Player, Submission, Insider):
        found |= Q(pk__in=table._default_manager.filter(user=user).values("match"))
    return Match.objects.filter(found).order_by("pk")


@retrying
def _rename(match: Match, user: Any, name: str) -> None:
    with locked_match(match.pk) as writer:
        player = _place_of(writer, user)
        if player is None or player.name == (shown := _free(writer, player, name)):
            return
        player.name = shown
        player.save(update_fields=["name"])
        writer.record(_row(writer, user, player, RENAME))
        writer.touch_all()
        writer.save()


@retrying
def _withdraw(match: Match, user: Any, name: str) -> None:
    with locked_match(match.pk) as writer:
        open_due(writer)
        if writer.match.status not in Match.RUNNING:
            if writer.is_unsaved:
                writer.save()
            return
        writer.pass_due()
        player = _place_of(writer, user)
        if player is not None and writer.match.status in Match.RUNNING:
            left, data = player.shown_name, {"bot": False, "where": where(writer), "reason": "The account was deleted."}
            entry = writer.record(_row(writer, user, player, "withdraw_player", left=left, **data))
            change_hands(writer, player, None)
            player.name = _free(writer, player, name)
            player.save(update_fields=["name"])
            writer.announce(entry, EVERYONE, "player_withdrawn", left=left, player=player.handle, **data)
        writer.save()


def _place_of(writer: Writer, user: Any) -> Player | None:
    return writer.match.players.filter(user=user).first()


def _free(writer: Writer, player: Player, name: str) -> str:
    nobody = SimpleNamespace(username=name.replace(" ", "."), get_full_name=lambda: name)
    return free_name(nobody, names_in(writer.match, besides=player.pk))


def _row(writer: Writer, user: Any, player: Player, command: str, **data: Any) -> Submission:
    payload = {"command": command, "player": player.handle, **data}
    return writer.row(payload, actor=f"player:{player.handle}", user_id=user.pk)


def export(user: Any) -> dict[str, Any]:
    """The matches in which a person plays or hosts and all that they did there, for the export of their data."""
    fields = ("match__public_id", "match__title", "match__game", "match__status", "handle", "name", "team")
    acts = Submission.objects.filter(user=user).order_by("pk")
    roles = MatchRole.objects.filter(user=user).values("match__public_id", "role")
    return {
        "plays": list(Player.objects.filter(user=user).order_by("pk").values(*fields)),
        "hosts": list(hosted_by(user).order_by("pk").values("public_id", "title", "status")),
        "roles": list(roles.order_by("pk")),
        "did": list(
            acts.values("match__public_id", "kind", "actor", "payload", "received_at", "accepted", "code", "message")
        ),
    }
