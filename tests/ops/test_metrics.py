"""`/metrics`: for those who may read it, cheap, and nothing in it that people choose; alerts and board name what is
there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from genius_site import health
from genius_site import metrics as stored_metrics
from matches.infra import metrics
from matches.models import Match, clock
from matches.services.deadlines import sweep
from tests.services.conftest import HOUR, Table, register_tiny_game

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"


def values() -> dict[str, float]:
    """Every sample as it is now, by its name and labels."""
    health.stored.forget()
    found = {}
    for family in text_string_to_metric_families(generate_latest(metrics.REGISTRY).decode()):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def ask(client: str = "127.0.0.1", host: str = "127.0.0.1:8000", **headers: str) -> tuple[int, bytes]:
    given = {name.replace("_", "-"): text for name, text in headers.items()}
    answer = Client(headers={"host": host, **given}, REMOTE_ADDR=client).get("/metrics")
    return answer.status_code, answer.content


@pytest.mark.django_db(transaction=True)
def test_without_a_token_only_a_program_on_this_machine_reads_it() -> None:
    health.stored.forget()
    status, body = ask()
    assert status == 200
    assert b"genius_database_up 1.0" in body
    assert (ask("192.0.2.7"))[0] == 404
    for name in ("x_forwarded_for", "forwarded", "x_real_ip", "via"):  # a proxy on this machine passed it on
        assert (ask(**{name: "192.0.2.7"}))[0] == 404
    assert ask(host="genius.example.org")[0] in (400, 404)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch, transactional_db: None, present: clock.FixedTime) -> Table:
    register_tiny_game(monkeypatch)
    return Table(present).open()


def test_actions_and_what_waits_are_counted(table: Table) -> None:
    before = values()
    table.act("bob", "bid", amount=2)
    after = values()

    def more(name: str) -> float:
        return after[name] - before[name]

    assert more("genius_actions_total{outcome=accepted,way=alone}") == 1
    assert more("genius_commit_seconds_count{way=alone}") == 1
    assert after["genius_outbox_rows"] > 0
    assert after["genius_outbox_age_seconds"] == 0
    assert after["genius_sweep_delay_seconds"] == 0
    table.at(25 * HOUR)
    late = values()
    assert late["genius_sweep_delay_seconds"] == 3600
    assert late["genius_outbox_age_seconds"] == 25 * 3600
    Match.objects.update(rules_version=99)  # it waits for its rules, so the sweep leaves it out
    assert values()["genius_sweep_delay_seconds"] == 0
    Match.objects.update(rules_version=table.match.rules_version)
    sweep()
    assert values()["genius_sweep_delay_seconds"] == 0
    assert values()["genius_sweep_age_seconds"] == 0
    Match.objects.update(failures=3)
    assert values()["genius_matches_set_aside"] == 1


# -- alerts and board ----------------------------------------------------------------------------

OF_OTHERS = {"up"}


def known() -> set[str]:
    """Every name that may stand in a query."""
    names = set(stored_metrics.meanings())
    for family in metrics.REGISTRY.collect():
        kinds = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(family.type, ("",))
        names |= {family.name + end for end in kinds}
    return names | OF_OTHERS


def names_in(query: str) -> set[str]:
    without_labels = re.sub(r"\{[^}]*\}|by \([^)]*\)|\"[^\"]*\"", "", query)
    return set(re.findall(r"\b(?:genius_\w+|process_\w+|up)\b", without_labels))


def rules() -> list[dict[str, Any]]:
    file = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())
    return list(file["groups"][0]["rules"])


def queries() -> dict[str, str]:
    board = json.loads((DEPLOY / "grafana" / "genius.json").read_text())
    shown = [(panel["title"], each["expr"]) for panel in board["panels"] for each in panel["targets"]]
    return {rule["alert"]: rule["expr"] for rule in rules()} | {f"{title}: {expr}": expr for title, expr in shown}


@pytest.mark.django_db(transaction=True)
def test_alerts_and_board_name_metrics_that_are_there() -> None:
    there = known()
    for title, query in queries().items():
        assert query.count("(") == query.count(")"), title
        assert names_in(query), title
        assert names_in(query) <= there, title
    assert "genius_sweeps_total" not in there
