"""A client that a generator makes from the description of the API: without a warning, and it plays."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_python_client import MetaType, generate
from openapi_python_client.config import Config, ConfigFile

from matches.api.openapi import document
from tests.fixtures.any_game import GAME
from tests.fixtures.table import Person, Table

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "generated_client"


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Imports a module of the client."""
    described = tmp_path / "openapi.json"
    described.write_text(json.dumps(document()))
    config = Config.from_sources(
        ConfigFile(post_hooks=[]),
        MetaType.NONE,
        document_source=described,
        file_encoding="utf-8",
        overwrite=True,
        output_path=tmp_path / NAME,
    )
    assert generate(config=config) == [], "the generator warns"
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda module: importlib.import_module(f"{NAME}.{module}")
    for module in [module for module in sys.modules if module.partition(".")[0] == NAME]:
        del sys.modules[module]


def test_a_generated_client_lists_reads_bids_and_is_refused(generated: Any, table: Table, ann: Person) -> None:
    models, api = generated("models"), generated("client")
    act, bid = generated("api.matches.matches_act_post"), getattr(models, GAME.actions["bid"].__name__)
    impossible = bid.from_dict({**table.good_bid(0), "amount": 0})
    with api.AuthenticatedClient(base_url=table.site.url, token=ann.token) as client:
        listed = generated("api.matches.matches_match_list_get").sync(client=client, limit=10)
        (info,) = listed.matches
        assert (info.id, listed.next_) == (table.match.public_id, None)

        read = generated("api.matches.matches_match_detail_get").sync(info.id, client=client)
        assert isinstance(read.public, getattr(models, GAME.public_type.__name__))
        assert read.private.handle == ann.handle

        done = act.sync(info.id, client=client, body=bid.from_dict(table.good_bid(0)), idempotency_key="mine")
        assert isinstance(done, models.Done)
        assert done.receipt.number == 1

        refused = act.sync(info.id, client=client, body=impossible)
        assert isinstance(refused, models.Refusal)
        assert (refused.code, refused.accepted) == ("not_positive", False)
    with api.Client(base_url=table.site.url) as client:
        assert act.sync(info.id, client=client, body=impossible).code == "not_signed_in"
