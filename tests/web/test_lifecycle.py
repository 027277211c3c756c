"""Matches that were cancelled, that could not begin, and that one hosts: what their people see of them."""

from datetime import timedelta

from matches.models import Match
from matches.models.clock import FixedTime
from matches.services import hosting
from matches.services.deadlines import sweep
from tests.fixtures.present import START
from tests.web.conftest import Table, browser


class TestCancelled:
    def test_nobody_is_asked_for_anything_any_more(self, table: Table) -> None:
        ann = browser(table.users["ann"])
        assert 'class="asked"' in ann.look(table.url)  # the control: a sealed bid is asked for
        assert ann.get(f"/api/v1{table.url}").json()["private"]["asked"]
        hosting.cancel(table.match, table.users["dora"], "too few")
        page = ann.look(table.url)
        assert 'class="asked"' not in page
        assert "Nobody can act in it any more." in page
        assert 'data-phase="cancelled"' in page
        facts = ann.get(f"/api/v1{table.url}").json()
        assert (facts["match"]["status"], facts["private"]["asked"], facts["private"]["if_idle"]) == (
            "cancelled",
            [],
            "",
        )
        for url in ("/", "/me/"):
            assert "#act" not in ann.look(url)


class TestStarts:
    def failed(self, present: FixedTime) -> Table:
        table = Table(present)
        Match.objects.filter(pk=table.match_id).update(joining="open", places=4)
        hosting.publish(table.match, table.users["dora"], START + timedelta(hours=1), "without")
        table.match.players.exclude(handle="ann").delete()
        present.instant = START + timedelta(hours=1)
        sweep()
        return table

    def test_a_match_that_could_not_begin_says_why_to_everybody(self, db: None, present: FixedTime) -> None:
        table = self.failed(present)
        for name in ("ann", "bob", "dora", None):
            page = browser(table.users[name] if name else None).look(table.url)
            assert "It did not begin" in page
            assert "takes 3 to 26 players; this match has 1." in page
        assert "It did not begin" in browser(table.users["ann"]).look("/me/")
        assert "It did not begin" in browser().look("/")
        assert "Play in this match" in browser(table.users["eve"]).look(table.url)


class TestHosted:
    def test_hosts_see_what_they_host_and_what_needs_them_first(self, db: None, present: FixedTime) -> None:
        running, draft = Table(present).open(), Table(present)
        failed = TestStarts().failed(present)
        dora = running.users["dora"]
        page = browser(dora).look("/me/")
        assert "You have no matches yet" not in page
        assert "You host" in page
        order = [page.index(table.url) for table in (failed, running, draft)]
        assert order == sorted(order)
        assert "/admin/" not in page[page.index("hosted-title") :], "no link to a console that does not let one in"
        dora.is_staff = True
        dora.save()
        assert f"/admin/matches/match/{failed.match_id}/change/" in browser(dora).look("/me/")
