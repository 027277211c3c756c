"""Matches that were cancelled, that could not begin, and that one hosts: what their people see of them."""

from matches.services import hosting
from tests.web.conftest import Table, browser


class TestCancelled:
    def test_nobody_is_asked_for_anything_any_more(self, table: Table) -> None:
        ann = browser(table.users["ann"])
        assert 'class="phrases asked"' in ann.look(table.url)  # the control: a sealed bid is asked for
        assert ann.get(f"/api/v1{table.url}").json()["private"]["asked"]
        hosting.cancel(table.match, table.users["dora"], "too few")
        page = ann.look(table.url)
        assert 'class="phrases asked"' not in page
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
