"""The messages that slash commands show: plain text that pings nobody and only their user sees."""

import re
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from matches.engine.sentences import joined
from matches.models import Match, Player
from matches.models.ledger import units
from matches.pages.context import headline_of, people_of
from matches.pages.texts import action_in_words
from matches.queries.feed import names_in
from matches.queries.lists import MyMatch
from matches.queries.matches import Position
from matches.services.actions import Answer

LONGEST = 2000
_EPHEMERAL = 1 << 6
_MARKS = re.compile(r"([\\*_~`|>#\[\]()<@-])")

NOT_LINKED = (
    "Your chat account is not linked to an account on the site. Sign in there, get a code under Profile, Chat, and "
    "type it here: /genius link"
)
SECOND_FACTOR = (
    "The site now requires a second factor. Sign in there and set one up. Then your commands work again without a new "
    "code."
)


def message(text: str) -> dict[str, Any]:
    """Return a message that only the person who used the command sees, shortened to fit; names in it ping nobody."""
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return {"type": 4, "data": {"flags": _EPHEMERAL, "content": text, "allowed_mentions": {"parse": []}}}


def plain(text: str) -> str:
    """Return other people's text with its markup escaped."""
    return _MARKS.sub(r"\\\1", text)


def outcome(answer: Answer, action: dict[str, Any]) -> str:
    """Return the outcome of an action in words."""
    if not answer.accepted:
        return plain(answer.message)
    said = plain(action_in_words(action, names_in(answer.match)))
    receipt = answer.receipt or {}
    return f"Done: {said}. Receipt no. {receipt.get('number')}: `{receipt.get('hash')}`\n{_link(answer.match)}"


def board(position: Position) -> str:
    """Return the state of a match in words, as everybody may know it."""
    match, people = position.match, people_of(position.match)
    lines = [f"**{plain(match.title)}**", plain(headline_of(position, people).line)]
    if position.public is not None:
        leads = position.public.who_leads
        if leads.leaders:
            why = f" ({leads.why})" if leads.why else ""
            lines.append(plain(f"Ahead: {joined(people.name(handle) for handle in leads.leaders)}{why}"))
        lines += [plain(f"{people.name(handle)}: {line}") for handle, line in leads.lines.items()]
    return _up_to_a_page([*lines, _link(match)])


def purse(position: Position, player: Player) -> str:
    """Return what a player has and is asked for, in words."""
    private = position.private_of(player)
    title = f"**{plain(position.match.title)}**"
    if private is None:
        return f"{title}\nThe match has not begun.\n{_link(position.match)}"
    held = [units(asset, amount) for asset, amount in private.balances.items() if amount]
    lines = [title, plain(f"You have {joined(held)}." if held else "You have nothing.")]
    lines += [plain(ask.text) + _until(position.match, ask.until) for ask in private.asked]
    lines += [plain(private.if_idle)] if private.if_idle else []
    return _up_to_a_page([*lines, _link(position.match)])


def my_matches(found: list[MyMatch]) -> str:
    """Return a person's matches that are not over, in words."""
    if not found:
        return "You are not playing in any match now."
    lines = []
    for each in found:
        asked = "; ".join(plain(ask.text) + _until(each.match, ask.until) for ask in each.asked)
        lines.append(f"**{plain(each.match.title)}** ({plain(each.match.rules.title)}): {asked or 'nothing to do now'}")
    return _up_to_a_page(lines)


def _up_to_a_page(lines: list[str]) -> str:
    """Join as many lines as a message holds."""
    kept, room = [], LONGEST
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)


def _link(match: Match) -> str:
    return f"<{settings.SITE_URL}{match.get_absolute_url()}>"


def _until(match: Match, until: float | None) -> str:
    """A deadline, which the chat shows in its reader's time zone."""
    at: datetime | None = None if until is None else match.clock.instant(timedelta(seconds=until))
    return f" (until <t:{int(at.timestamp())}:f>)" if at else ""
