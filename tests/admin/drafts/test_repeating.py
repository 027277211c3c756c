"""A match made from another one: duplicates, templates of one's own, files, and what each of them leaves out."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from matches.models import Match, OwnTemplate
from matches.services.creation import create_match
from matches.services.hosting import switch_blood_garnets
from matches.services.roles import roles_from, roles_of, store_roles
from talk.queries.rights import USUAL, chosen_for
from talk.services.choosing import choose
from tests.admin.conftest import Console, browser_of, person, text_of

pytestmark = pytest.mark.django_db


def places(match: Match) -> list[tuple[Any, ...]]:
    return [(p.handle, p.user_id, p.is_bot, p.position, p.garnets) for p in match.players.all()]


def test_a_running_match_is_repeated_in_five_clicks(console: Console, running: Match, players: list[Any]) -> None:
    lists = text_of(console.client.get("/admin/matches/match/"))
    page = text_of(console.client.get(re.search(r'href="([^"]*/duplicate/)"', lists)[1]))  # type: ignore[index]
    key = re.search(r'name="key" value="([^"]+)"', page)[1]  # type: ignore[index]
    send = {"people": "seated", "key": key}
    answer = console.client.post(f"{console.address}/duplicate/", send)
    draft = Match.objects.get(title="Night table 2")
    assert answer.url == f"/admin/matches/match/{draft.pk}/change/"
    assert console.client.post(f"{console.address}/duplicate/", send).url == answer.url  # a second click makes no third
    assert draft.status == "draft"
    assert draft.config == running.config
    assert list(draft.hosts.all()) == list(running.hosts.all())
    assert places(draft) == places(running)
    assert draft.seed != running.seed
    assert not draft.state
    console.match = draft
    shown = console.page()
    assert "Everything is ready" in shown
    start = re.search(
        r'name="starts_at" value="([^"]+)"', text_of(console.client.get(f"{console.address}/do/publish/"))
    )
    assert start
    assert "Published." in console.do("publish", starts_at=start[1], open_places="wait")


def test_people_are_invited_or_left_out(console: Console, running: Match, players: list[Any]) -> None:
    running.players.filter(handle="bob").update(team="", name="Bobby")
    console.client.post(f"{console.address}/duplicate/", {"people": "invited"})
    invited = Match.objects.get(title="Night table 2")
    assert [(p.handle, p.user_id, p.name) for p in invited.players.all()] == [
        ("ann", None, ""),
        ("bob", None, ""),
        ("cat", None, ""),
    ]
    console.client.post(f"{console.address}/duplicate/", {"people": "nobody"})
    assert not Match.objects.get(title="Night table 3").players.exists()
    assert "What becomes" not in text_of(console.client.post(f"{console.address}/duplicate/", {"people": "all"}))
    assert Match.objects.count() == 3


def test_somebody_who_may_not_play_any_more_leaves_an_open_place(
    console: Console, running: Match, players: list[Any], other_host: Any
) -> None:
    players[0].is_active = False
    players[0].save()
    console.client.post(f"{console.address}/duplicate/", {"people": "seated"})
    again = Match.objects.get(title="Night table 2")
    assert next((p.handle, p.user_id) for p in again.players.all()) == ("ann", None)
    assert again.players.filter(user__isnull=False).count() == 2


def test_nobody_repeats_a_match_of_others(running: Match, other_host: Any, players: list[Any]) -> None:
    for somebody in (other_host, players[0]):
        answer = browser_of(somebody).post(f"/admin/matches/match/{running.pk}/duplicate/", {"people": "seated"})
        assert answer.status_code in (302, 404)
    assert Match.objects.count() == 1


# -- templates of one's own ------------------------------------------------------------------------


def test_settings_are_kept_under_a_name_and_used_again(console: Console, draft: Match, other_host: Any) -> None:
    desk = "/admin/matches/match/templates/"
    assert "You have no templates yet" in text_of(console.client.get(desk))
    Match.objects.filter(pk=draft.pk).update(config={"stop_after": "30d"}, description="Bring **tea**", places=9)
    page = text_of(console.client.post(f"{console.address}/template/", {"name": "  Our   Tuesday "}, follow=True))
    assert "“Our Tuesday” is among your templates" in page
    again = console.client.post(f"{console.address}/template/", {"name": "our tuesday"})
    assert "You have a template “Our Tuesday” already. Replace it" in text_of(again)
    console.client.post(f"{console.address}/template/", {"name": "our tuesday", "replace": "on"})
    kept = OwnTemplate.objects.get()
    sent = {"template": kept.pk, "act": "make", "key": "one"}
    assert browser_of(other_host).post(desk, sent).status_code == 200  # theirs it is not
    for _ in range(2):
        console.client.post(desk, sent)
    made = Match.objects.get(title="Night table 2")
    assert (made.config, made.description, made.places) == ({"stop_after": "30d"}, "Bring **tea**", 9)
    console.client.post(desk, {"template": kept.pk, "act": "rename", "name": "Ours"})
    assert "Ours" in text_of(console.client.get("/admin/matches/match/templates/"))
    assert "A template needs a name." in text_of(
        console.client.post(desk, {"template": kept.pk, "act": "rename", "name": " "}, follow=True)
    )
    console.client.post(desk, {"template": kept.pk, "act": "delete"})
    assert "That template no longer exists." in text_of(console.client.post(desk, sent, follow=True))
    assert Match.objects.count() == 2


def test_what_is_set_in_place_of_a_draw_is_not_used_again(console: Console, host: Any) -> None:
    order = list(range(1, 51))
    config = {"numbers": order, "decision_time": "5h"}
    console.match = create_match("number_auction", "Fixed", by=host, config=config)
    said = text_of(console.client.get(f"{console.address}/duplicate/"))
    assert "What was set in place of a draw is left out: the order of the numbers." in said
    console.client.post(f"{console.address}/duplicate/", {"people": "seated"})
    console.client.post(f"{console.address}/template/", {"name": "Fixed"})
    assert Match.objects.get(title="Fixed 2").config == {"decision_time": "5h"}
    assert OwnTemplate.objects.get().document["config"] == {"decision_time": "5h"}
    # The file is the match's own, for its hosts alone, who can read the order on its page.
    assert json.loads(console.client.get(f"{console.address}/settings-file/").content)["config"] == config


# -- files -----------------------------------------------------------------------------------------


def sent_file(console: Console, document: Any) -> str:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    file = SimpleUploadedFile("x.json", data)
    return text_of(console.client.post("/admin/matches/match/from-file/", {"file": file}, follow=True))


def test_settings_go_into_a_file_and_back(console: Console, draft: Match) -> None:
    Match.objects.filter(pk=draft.pk).update(config={"stop_after": "30d"}, description="Ä\nline", joining="open")
    Match.objects.filter(pk=draft.pk).update(usual_hour="14:00", usual_zone="Asia/Kathmandu")
    answer = console.client.get(f"{console.address}/settings-file/")
    assert 'filename="night-table.settings.json"' in answer["Content-Disposition"]
    assert draft.seed not in answer.content.decode()
    document = json.loads(answer.content)
    assert "is a draft with the settings of the file" in sent_file(console, answer.content)
    made = Match.objects.get(title="Night table 2")
    console.match = made
    again = json.loads(console.client.get(f"{console.address}/settings-file/").content)
    assert again == document | {"title": "Night table 2"}
    least = {key: document[key] for key in ("format", "version", "game", "title", "config")}
    assert "is a draft with" in sent_file(console, least)


def test_files_are_refused_with_everything_that_is_wrong(console: Console, draft: Match) -> None:
    good = json.loads(console.client.get(f"{console.address}/settings-file/").content)
    for document, said in (
        (b"", "The file is empty."),
        (b"{", "The file is not JSON"),
        (b'{"a": 1, "a": 2}', "appears twice"),
        ([], "expected one JSON object"),
        ({}, "This is not a file of a match's settings"),
        (good | {"version": 2}, "version” is 2; this site reads version 1"),
        (good | {"version": True}, "this site reads version 1"),
        (good | {"game": "chess"}, "This site has no game “chess”"),
        (good | {"seed": "00"}, "There is no “seed” in a match's settings"),
        (good | {"title": 5}, "“title” has to be text"),
        (good | {"title": " "}, "“title”: This field cannot be blank."),
        (good | {"title": "a\u202eb"}, "“title”: Please use visible characters"),
        (good | {"joining": "all"}, "“joining”: Value 'all' is not a valid choice."),
        (good | {"usual_hour": "25:00"}, "“usual_hour”: A time of day looks like 14:00."),
        (good | {"usual_hour": "14:00", "usual_zone": "Mars"}, "“usual_hour”: Choose a time zone"),
        (good | {"places": -1}, "“places”:"),
        (good | {"places": 10**30}, "“places”:"),
        (good | {"config": []}, "“config” has to be an object"),
        (good | {"config": {"stop_after": [], "nonsense": 1}}, "The setting “nonsense”: there is no such setting"),
        ({k: v for k, v in good.items() if k != "config"}, "“config” is missing"),
        (b"[" * 100_000, "nested more than 100 levels"),
        (b" " * 600_000, "The file is larger than 512 kB"),
    ):
        shown = sent_file(console, document)
        assert "No match was made from this file" in shown
        assert said in shown, (document, shown)
    assert "Choose a file." in text_of(console.client.post("/admin/matches/match/from-file/", {}))
    assert Match.objects.count() == 1


# -- roles and other apps --------------------------------------------------------------------------


def test_roles_talk_and_blood_garnets_come_along(
    console: Console, draft: Match, host: Any, other_host: Any, players: list[Any]
) -> None:
    watcher = person("wanda", staff=True)
    store_roles(draft, roles_from((host, other_host), (watcher,), owner=host))
    choose(draft, other_host, USUAL._replace(private=False))
    switch_blood_garnets(draft, host, True)
    browser_of(other_host).post(f"{console.address}/duplicate/", {"people": "seated"})
    made = Match.objects.get(title="Night table 2")
    roles = roles_of(made)
    assert (roles.owner, roles.cohosts, roles.observers) == (other_host, (host,), (watcher,))
    assert chosen_for(made) == USUAL._replace(private=False)
    assert made.blood_garnets

    looks_on = browser_of(watcher)
    for page in ("names", "invitations", "duplicate", "template"):
        assert looks_on.get(f"{console.address}/{page}/").status_code == 403
    assert looks_on.get(f"{console.address}/settings-file/").status_code == 200
    assert looks_on.post(f"{console.address}/duplicate/", {"people": "seated"}).status_code == 403
