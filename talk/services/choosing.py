"""What hosts choose about talk, before the match begins."""

from __future__ import annotations

from typing import Any

from matches.models import Match
from matches.services.commands import command, command_row, need_status
from matches.services.errors import CommandRefused
from matches.services.opening import start_has_come
from matches.services.storage.retry import retrying
from talk.models import TalkChoices
from talk.queries.rights import Chosen, chosen_for

COMMAND = "choose_talk"
_BEGUN = "What was chosen about talk cannot be changed once the match has begun."


def in_words(chosen: Chosen) -> str:
    """“public talk, private talk between players; hosts read what is private”."""
    kinds = [
        ("public", "public talk"),
        ("spectators", "spectators write too"),
        ("team", "channels of teams"),
        ("private", "private talk between players"),
        ("speeches", "words with gifts"),
    ]
    named = ", ".join(words for name, words in kinds if getattr(chosen, name)) or "not at all"
    return f"{named}; hosts {'can' if chosen.hosts_read else 'cannot'} read what is private"


@retrying
def choose(match: Match, host: Any, chosen: Chosen) -> None:
    """Choose which kinds of talk a match has and whether its hosts read what is private. Logged, and fixed when the
    match begins. Raises `CommandRefused`, `NotAHost`."""
    with command(match, host) as writer:
        need_status(writer, *Match.BEFORE, otherwise=_BEGUN)
        if start_has_come(writer.match, writer.now):
            raise CommandRefused(_BEGUN)
        if chosen == chosen_for(writer.match):
            return
        TalkChoices.objects.update_or_create(match=writer.match, defaults=chosen._asdict())
        said = f"chose how people can talk: {in_words(chosen)}"
        writer.record(command_row(writer, host, COMMAND, said=said, **chosen._asdict()))
        writer.touch(public=True)
        writer.save()


def copy_choices(source: Match, draft: Match, host: Any, **kwargs: Any) -> None:
    """A receiver of `match_duplicated`: the new draft has the choices of the match that it is like."""
    choose(draft, host, chosen_for(source))
