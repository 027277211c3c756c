"""A pasted list of names, the invitations that come of it, and bots for what stays open."""

from typing import Any

import pytest

from matches.models import Match
from matches.services.errors import CommandRefused
from matches.services.joining import claim, invitation_of, invite
from matches.services.pasted_names import add_names
from tests.admin.conftest import Console, person, text_of

pytestmark = pytest.mark.django_db


def paste(console: Console, names: str, **more: str) -> str:
    return text_of(console.client.post(f"{console.address}/names/", {"names": names, **more}, follow=True))


def who(match: Match) -> list[tuple[Any, ...]]:
    return [(p.handle, p.name, p.user.username if p.user else None) for p in match.players.all()]


def test_people_get_places_and_other_names_invitations(console: Console, draft: Match, players: list[Any]) -> None:
    players[1].display_name = "Bob the Builder"
    players[1].save()
    head = {"HX-Request": "true"}
    text = "1. ANN, @bob\n- Zoë Müller\r\nzed_7\n\n,"
    checked = console.client.post(f"{console.address}/names/", {"names": text, "_check": "1"}, headers=head)
    assert "4 names ready to add." in text_of(checked)
    assert "<html" not in text_of(checked)
    assert not draft.players.exists()
    assert "4 names are now in the list of players." in paste(console, text)
    assert who(draft) == [
        ("ann", "ann", "ann"),
        ("bob", "Bob the Builder", "bob"),
        ("ZoeMuller", "Zoë Müller", None),
        ("zed_7", "", None),
    ]
    assert "added ann; added bob; added ZoeMuller; added zed_7" in console.page()
    assert "1 name is now in the list" in paste(console, "cat", invite="on")
    assert who(draft)[-1] == ("cat", "", None)


def test_each_line_says_what_is_wrong_with_it_and_nobody_is_added(
    console: Console, draft: Match, players: list[Any]
) -> None:
    person("Ian")
    gone = person("gone")
    gone.is_active = False
    gone.save()
    paste(console, "ann")
    shown = paste(
        console,
        "bob\nann\n@nobody\nIan1\nlan\nbob\nhanna\nb0b\nadmin\nx: red\n"
        + "y" * 60
        + "\ngone\na\u202eb\neve@example.org",
    )
    for said in (
        "We cannot use 12 of the 14 names as written.",
        "ann already plays in this match.",
        "There is nobody called nobody.",
        "“lan” looks like the username Ian, but is different.",
        "“bob” is in the list twice: see name 1.",
        "hanna hosts this match",
        "“b0b” looks like the username bob",
        "is reserved",
        "This game has no teams",
        "A name has up to 50 letters.",
        "The account gone is no longer in use.",
        "Please use visible characters",
        "This looks like an email address, and everybody sees",
    ):
        assert said in shown, said
    assert [each[0] for each in who(draft)] == ["ann"]
    assert "We have added nobody" in _refusal(draft, console)
    assert "up to 100 names at a time" in paste(console, ",".join(f"n{n}" for n in range(101)))
    assert "The list has no names." in paste(console, " ")
    assert "The list has no names." in _refusal(draft, console, ",,\n")


def _refusal(draft: Match, console: Console, text: str = "bob, lan") -> str:
    with pytest.raises(CommandRefused) as refused:
        add_names(draft, draft.hosts.get(), text)
    return refused.value.message


# -- bots ------------------------------------------------------------------------------------------


def test_bots_come_in_new_places_and_replace_only_who_was_named(
    console: Console, draft: Match, players: list[Any]
) -> None:
    """The button for all that is missing leaves invitations alone; who would be replaced is named before."""
    paste(console, "ann, zed, yan")
    link = invitation_of(draft.players.get(handle="zed"))
    invite(draft, console.match.hosts.get(), draft.players.get(handle="yan"), label="Yan of work")  # type: ignore[union-attr]
    console.client.post(f"{console.address}/change/", {**_same_rows(draft), "bots": "new"})
    usual = draft.rules.sizes.usual[0]
    bots = draft.players.filter(is_bot=True)
    assert (draft.players.count(), bots.count()) == (usual, usual - 3)
    assert not bots.filter(handle__in=["zed", "yan"]).exists()
    rows = draft.log.count()
    console.client.post(f"{console.address}/change/", {**_same_rows(draft), "bots": "new"})
    assert draft.log.count() == rows

    saved = console.client.post(f"{console.address}/change/", {**_same_rows(draft), "then": "fill"}, follow=True)
    assert "yan, invited: Yan of work" in text_of(saved)
    yan = draft.players.get(handle="yan")
    asked = console.ask("fill", places=[yan.pk])
    assert "From now on a bot plays as yan." in asked
    assert not draft.players.get(handle="yan").is_bot
    console.do("fill", places=[yan.pk])
    assert draft.players.get(handle="yan").is_bot
    claim(link, players[1])


def _same_rows(match: Match) -> dict[str, Any]:
    players = list(match.players.select_related("user"))
    data: dict[str, Any] = {"players-TOTAL_FORMS": len(players), "players-INITIAL_FORMS": len(players)}
    for number, each in enumerate(players):
        row = {"player": each.pk, "handle": each.handle, "name": each.name, "position": each.position}
        row |= {"person": each.user.username} if each.user else {}
        row |= {"is_bot": "on"} if each.is_bot else {}
        data |= {f"players-{number}-{key}": value for key, value in row.items()}
    return data
