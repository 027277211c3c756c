"""Whatever hosts do in the console leaves who, when, what and why in the log; and a second click does nothing more.

Every command and every page that takes something is carried out here, sent twice each; a new one without a row fails.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client

from matches.admin.commands import COMMANDS, acting
from matches.admin.commands.base import Command
from matches.models import Absence, HostNote, Invitation, Match, Question, Submission, clock
from matches.services import hosting
from matches.services.creation import create_match
from matches.services.deadlines import advance
from matches.services.joining import add_player, invite
from matches.services.questions import ask_hosts
from matches.services.replay import verify
from matches.services.roster import PlayerChange, change_players
from tests.admin.conftest import BEGIN, Console, settings_form
from tests.admin.test_permissions import routes
from tests.engine.tiny_game import GAME as TINY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tiny", "other_host", "players")]

Fields = dict[str, Any]
REASON = "Because it has to be."


class Deed(NamedTuple):
    """Something that a host does: what is sent. `before` brings the match to where it is possible. `says`: what the
    log's row has."""

    fields: Callable[[Match], Fields] = lambda match: {}
    before: Callable[[Console, Any], object] = lambda console, host: None
    says: Fields = {}


def _place(match: Match, handle: str = "ann") -> str:
    player = match.players.get(handle=handle)
    return f"{player.pk}:{player.user_id or ''}:{int(player.is_bot)}"


def _player(match: Match) -> Fields:
    return {"player": str(match.players.get(handle="ann").pk)}


def _match(console: Console) -> Match:
    assert console.match is not None
    return console.match


def _people() -> list[Any]:
    return list(get_user_model().objects.filter(username__in=("ann", "bob", "cat")).order_by("username"))


def _seat(console: Console, host: Any) -> None:
    change_players(_match(console), host, [PlayerChange(None, {"user": each}) for each in _people()])


def _free(console: Console, host: Any) -> None:
    change_players(_match(console), host, [PlayerChange(None, {"handle": "free"})])


def _published(console: Console, host: Any) -> None:
    _seat(console, host)
    hosting.publish(_match(console), host, BEGIN + timedelta(hours=2))


def _paused(console: Console, host: Any) -> None:
    hosting.pause(_match(console), host)


def _asked(console: Console, host: Any) -> None:
    match = _match(console)
    ask_hosts(match.pk, match.players.get(handle="ann").user_id, "May I bid 0?")


def _announced(console: Console, host: Any) -> None:
    hosting.announce(_match(console), host, "announcement", "We begin late.")


def _at_fault(console: Console, host: Any) -> None:
    Match.objects.filter(pk=_match(console).pk).update(fault="ValueError: odd", failures=3)


def _another(console: Console, host: Any, **config: Any) -> Match:
    """A match of the tiny game with these people, which begins now."""
    people = _people()
    console.match = match = create_match(TINY.slug, "Another", by=host, config=config)
    for user in people:
        add_player(match, user.username, user=user)
    hosting.start_now(match, host)
    match.refresh_from_db()
    return match


def _deciding(console: Console, host: Any) -> None:
    """It has come to where ann names somebody."""
    naming = {"polls": [{"key": "ec", "kind": "name", "deciders": ["ann"], "options": ["bob", "cat"]}]}
    match = _another(console, host, ending=naming)
    hosting.close_deadline(match, host)
    advance(match.pk)


def _answer() -> Fields:
    return {"question": Question.objects.get().token, "text": "No.", "to": "asker", "asked": ""}


def _start(match: Match) -> Fields:
    return {"starts_at": "2031-05-17T18:00", "open_places": "bots"}


COMMANDED: dict[str, Deed] = {
    "publish": Deed(_start, _seat),
    "start": Deed(before=_seat),
    "resume": Deed(lambda match: {"when": "now"}, _paused),
    "undo": Deed(lambda match: {"row": match.log_count}, _paused),
    "answer": Deed(lambda match: _answer(), _asked, {"command": "reply", "text": "No."}),
    "amend": Deed(lambda match: {"config-tokens": "1", "reason": REASON}, _another),
    "announce": Deed(lambda match: {"kind": "announcement", "text": "We begin late."}, says={"text": "We begin late."}),
    "remind": Deed(says={"command": "remind"}),
    "extend": Deed(lambda match: {"by": "2h", "reason": REASON}),
    "pause": Deed(lambda match: {"reason": REASON}),
    "close": Deed(lambda match: {"reason": REASON}),
    "who_plays": Deed(lambda match: {"place": _place(match), "what": "bot", "person": "", "reason": REASON}),
    "away": Deed(
        lambda match: {
            "place": _place(match),
            "since": "2031-05-17T16:00",
            "until": "2031-05-18T16:00",
            "reason": REASON,
        },
    ),
    "leniency": Deed(lambda match: {"on": "yes"}, _seat),
    "invite": Deed(
        lambda match: {"place": _place(match, "free"), "person": "", "label": "By mail", "lasts": "3d"},
        _free,
    ),
    "fill": Deed(lambda match: {"places": [str(match.players.get(handle="free").pk)]}, _free),
    "correct": Deed(lambda match: _player(match) | {"asset": "garnet", "amount": "-2", "reason": REASON}),
    "decide": Deed(
        lambda match: {"decision": "ann:name_candidate", "chosen": "cat", "reason": REASON},
        _deciding,
    ),
    "blood": Deed(),
    "when-sent": Deed(),
    "withdraw": Deed(
        lambda match: {"note": HostNote.objects.get().token, "reason": REASON},
        _announced,
        {"command": "withdraw_note"},
    ),
    "hosts": Deed(lambda match: {"hosts": "hanna, otto", "owner": "otto"}),
    "set_start": Deed(_start, _published, {"command": "publish"}),
    "unpublish": Deed(before=_published),
    "fault": Deed(before=_at_fault, says={"command": "clear_fault", "failures": [3, 0]}),
    "cancel": Deed(lambda match: {"reason": REASON}),
    "peek": Deed(
        lambda match: _player(match) | {"what": "sealed", "reason": REASON},
        says={"command": "peek", "player": "ann"},
    ),
}


BEFORE_IT_BEGINS = {"publish", "set_start", "start", "unpublish", "leniency", "invite", "fill"}
ELSEWHERE = {"delete"}
"""This has a test of its own below: what it needs is far from what all the others do."""


def test_every_command_is_here() -> None:
    """What hosts do inside the rules of a game is tested with that game."""
    assert set(COMMANDED) | ELSEWHERE == {name for name in COMMANDS if not name.startswith(acting.PREFIX)}


@pytest.mark.parametrize("name", sorted(BEFORE_IT_BEGINS))
def test_a_command_before_the_match_begins_is_told_by_the_log(
    console: Console, draft: Match, host: Any, name: str
) -> None:
    leaves_traces(console, host, COMMANDED[name], lambda fields: console.do(name, **fields), COMMANDS[name])


@pytest.mark.parametrize("name", sorted(set(COMMANDED) - BEFORE_IT_BEGINS))
def test_a_command_of_a_match_that_has_begun_is_told_by_the_log(
    console: Console, running: Match, host: Any, name: str
) -> None:
    leaves_traces(console, host, COMMANDED[name], lambda fields: console.do(name, **fields), COMMANDS[name])


def leaves_traces(
    console: Console, host: Any, deed: Deed, do: Callable[[Fields], object], command: Command | None = None
) -> None:
    """Carry it out, each request twice. The log agrees with what is stored before and afterwards; it names the host,
    the time, and the reason if one is asked."""
    deed.before(console, host)
    match = _match(console)
    match.refresh_from_db()
    assert verify(match) == []
    since, fields = match.log_count, deed.fields(match)
    with sent_twice(console.client) as did_more:
        do(fields)
    match.refresh_from_db()
    rows = commands_of(match, host, since)
    assert rows, "the log has nothing of it"
    assert not did_more
    assert {(row.user_id, row.received_at) for row, _ in rows} == {(host.pk, clock.now())}
    assert verify(match) == []
    assert any(deed.says.items() <= payload.items() for _, payload in rows)
    if command is not None and "reason" in command.form.base_fields:
        private = Absence.objects.filter(submission__in=[row.pk for row, _ in rows]).values_list("reason", flat=True)
        assert fields["reason"] in {*private, *(payload.get("reason") for _, payload in rows)}


@contextmanager
def sent_twice(client: Client) -> Iterator[list[str]]:
    """Each POST of this client is sent twice; addresses where the second did something too."""
    post: Callable[..., Any] = client.post
    more: list[str] = []

    def twice(address: str, data: Fields, **how: Any) -> Any:
        first, once = post(address, data, **how), all_rows()
        assert post(address, data, **how).status_code < 500
        if all_rows() != once:
            more.append(address)
        return first

    client.post = twice  # type: ignore[method-assign]
    yield more
    del client.post


def all_rows() -> list[tuple[Any, ...]]:
    return list(Submission.objects.order_by("pk").values_list("pk", "number", "hash"))


def commands_of(match: Match, host: Any, since: int) -> list[tuple[Submission, Fields]]:
    """The commands of this host in the log behind row number `since`, each with its payload."""
    rows = match.log.filter(number__gt=since, kind=Submission.Kind.COMMAND, actor=f"host:{host.username}")
    return [(row, json.loads(row.payload)) for row in rows.order_by("number")]


def test_a_draft_that_is_deleted_leaves_an_entry_of_the_administrators(console: Console, host: Any) -> None:
    console.match = create_match(TINY.slug, "Bare", hosts=(host,))
    console.do("delete")
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_repr, entry.is_deletion()) == (host, "Bare", True)
    console.match = create_match(TINY.slug, "Given away", hosts=(host,))
    console.do("hosts", hosts="otto", owner="otto", observers="")
    assert LogEntry.objects.get() == entry


# -- pages that take something ---------------------------------------------------------------------------


def _sent(console: Console, page: str, **fields: Any) -> None:
    answer = console.client.post(f"{console.address}/{page}/", fields)
    assert answer.status_code == 302, answer.content.decode()


def _change(console: Console, fields: Fields) -> None:
    console.save_players([fields])


def _invited(console: Console, host: Any) -> None:
    _free(console, host)
    invite(_match(console), host, _match(console).players.get(), sent_to=_people()[0])


def _link_shown(match: Match) -> Fields:
    return {"place": str(match.players.get().pk), "nonce": match.players.get().invite_nonce}


def _number(match: Match) -> str:
    return str(Invitation.objects.get(revoked_at=None).pk)


PAGES: dict[str, tuple[Deed, Callable[[Console, Fields], object]]] = {
    "settings": (
        Deed(lambda match: settings_form("Day table")),
        lambda console, fields: _sent(console, "settings", **fields),
    ),
    "change": (Deed(lambda match: {"person": "ann", "garnets": "3"}), _change),
    "names": (
        Deed(lambda match: {"names": "ann\nzed"}),
        lambda console, fields: _sent(console, "names", **fields),
    ),
    "invitation": (
        Deed(
            lambda match: {"do": "again", "invitation": _number(match), "key": "one"},
            _invited,
        ),
        lambda console, fields: _sent(console, "invitation", **fields),
    ),
    "invitation, revoked": (
        Deed(lambda match: {"do": "revoke", "invitation": _number(match)}, _invited),
        lambda console, fields: _sent(console, "invitation", **fields),
    ),
    "invitation, renewed": (
        Deed(lambda match: _link_shown(match), _free, {"command": "renew_invitation"}),
        lambda console, fields: _sent(console, "invitation", **fields),
    ),
}

MAKE_A_MATCH = ("add", "duplicate")
CHANGE_NOTHING = {
    "changelist": "the list",
    "overview": "the list of what needs a host",
    "people": "names for the table of players",
    "command": "the commands, above",
    "preview": "shows what is typed",
    "rehearsals": "plays a match that is none",
    "invitations": "links and codes to print",
    "history": "is not there",
    "delete": "is not there",
}


def test_every_page_of_a_match_is_here() -> None:
    pages = {str(name).removeprefix("matches_match_") for name, _ in routes() if str(name).startswith("matches_match_")}
    assert {name.split(",")[0] for name in PAGES} | {*MAKE_A_MATCH, *CHANGE_NOTHING} == pages


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_takes_is_told_by_the_log(console: Console, draft: Match, host: Any, name: str) -> None:
    deed, send = PAGES[name]
    leaves_traces(console, host, deed, lambda fields: send(console, fields))


@pytest.mark.parametrize("page", MAKE_A_MATCH)
def test_a_match_that_a_page_makes_begins_its_log_with_who_made_it(
    console: Console, draft: Match, host: Any, page: str
) -> None:
    first = draft.pk
    {
        "add": lambda: console.create("Another"),
        "duplicate": lambda: _sent(console, "duplicate", people="nobody"),
    }[page]()
    made = Match.objects.exclude(pk=first).get()
    row, payload = commands_of(made, host, 0)[0]
    assert (row.number, row.user, row.received_at, payload["command"]) == (1, host, clock.now(), "create")
    assert verify(made) == []
