"""What somebody might do to the database by chance: values, rows and their places, in any table of a match or season.

ALTERATIONS=1000 for the night. The seed of the run is in the head of its output.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest
from django.db import models

from matches.models import Match, OutboxRow, Result
from matches.services.replay import differences
from seasons.models import Season
from seasons.services.verifying import verify as verify_season
from tests.fixtures.chosen import EVERYTHING
from tests.trust.fields import fields_of, label
from tests.trust.tampering import erase, found, other
from tests.trust.worlds import OF_MATCHES, OF_SEASONS, Worlds, rows_of

pytestmark = pytest.mark.django_db

ALTERATIONS = int(os.environ.get("ALTERATIONS", "400" if EVERYTHING else "60"))

MAY_GO = (Match, Season, Result, OutboxRow)
"""Without its own row nothing is left to verify; a result is made again; the outbox is a queue (docs/checking.md)."""

MAY_BE_EMPTIED = {"matches.Announcement.player_id"}
"""As where somebody else has taken the place of the person who was told."""


class Alteration(NamedTuple):
    """What is done to which match or season, and how."""

    of: Match | Season
    said: str
    do: Callable[[], object]


class Tamperer:
    """Draws one alteration after another; each changes something that `verify` has to compare."""

    def __init__(self, worlds: Worlds, season: Season, chance: random.Random) -> None:
        self._chance = chance
        self._places = [(match, model) for match in worlds.matches for model in OF_MATCHES]
        self._places += [(season, model) for model in OF_SEASONS] * len(worlds.matches)
        self._places = [place for place in self._places if rows_of(place[1], place[0]).exists()]
        self._ways = (self._another_value, self._anothers_value, self._nothing, self._blurred) * 3
        self._ways += (self._exchanged, self._gone, self._doubled)

    def draw(self) -> Alteration:
        while True:
            of, model = self._chance.choice(self._places)
            rows = list(rows_of(model, of).order_by("pk"))
            row, field = self._chance.choice(rows), self._chance.choice(fields_of(model))
            way = self._chance.choice(self._ways)
            if (do := way(rows, row, field)) is not None:
                what = f"{way.__name__[1:]}: {label(model)} {row.pk} of {of.pk}"
                return Alteration(of, what if way in self._ways[-3:] else f"{what}, {field.attname}", do)

    # Each gives what does it, or None where it would change nothing.

    def _another_value(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        return self._put(row, field, other(field, field.value_from_object(row)))

    def _anothers_value(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        """What another row has there, of this match or of any."""
        others = rows if self._chance.random() < 0.5 else list(type(row)._default_manager.order_by("pk"))
        return self._put(row, field, field.value_from_object(self._chance.choice(others)))

    def _nothing(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        empty: Any = None if field.null else {} if isinstance(field, models.JSONField) else ""
        if isinstance(field, models.IntegerField | models.DecimalField | models.BooleanField) and not field.null:
            empty = 0
        return self._put(row, field, empty) if field.null or isinstance(empty, int) or _is_text(field) else None

    def _blurred(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        """One character, or any other number."""
        value = field.value_from_object(row)
        if isinstance(field, models.IntegerField | models.DecimalField) and not field.choices:
            return self._put(row, field, self._chance.randrange(10**6))
        if not _is_text(field) or not value:
            return None
        place = self._chance.randrange(len(value))
        return self._put(row, field, value[:place] + self._chance.choice("0a{,:9-") + value[place + 1 :])

    def _exchanged(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        """Two rows change places."""
        with_it, fields = self._chance.choice(rows), fields_of(type(row))
        values = [{each.attname: each.value_from_object(one) for each in fields} for one in (row, with_it)]
        if values[0] == values[1] or _may_have_any_order(row, with_it):
            return None
        places = [type(row)._default_manager.filter(pk=each.pk) for each in (row, with_it)]
        return lambda: (places[0].update(**values[1]), places[1].update(**values[0]))

    def _gone(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        return None if isinstance(row, MAY_GO) else lambda: erase(row)

    def _doubled(self, rows: list[models.Model], row: models.Model, field: models.Field) -> Any:
        values = {each.attname: each.value_from_object(row) for each in row._meta.concrete_fields}
        values.pop(row._meta.pk.attname)
        return (
            None if isinstance(row, MAY_GO) else lambda: type(row)._default_manager.bulk_create([type(row)(**values)])
        )

    def _put(self, row: models.Model, field: models.Field, value: Any) -> Any:
        may_be_empty = f"{label(type(row))}.{field.attname}" in MAY_BE_EMPTIED
        if value == field.value_from_object(row) or (value is None and may_be_empty):
            return None
        return lambda: type(row)._default_manager.filter(pk=row.pk).update(**{field.attname: value})


def _may_have_any_order(one: Any, other: Any) -> bool:
    """Whether one row of the log has written both, or rows of one instant, as one command may (docs/checking.md)."""
    names = {"submission_id", "row_id"} & set(vars(one))
    if any(getattr(one, name) == getattr(other, name) for name in names):
        return True
    rows = [getattr(each, "submission", None) for each in (one, other)]
    return all(rows) and rows[0].received_at == rows[1].received_at


def _is_text(field: models.Field) -> bool:
    return isinstance(field, models.CharField | models.TextField)


def of_either(of: Match | Season) -> Iterable[str]:
    return verify_season(of) if isinstance(of, Season) else differences(of)


def test_whatever_is_altered_by_chance_is_found(worlds: Worlds, season: Season) -> None:
    tamperer = Tamperer(worlds, season, random.Random(int(os.environ["RANDOM_SEED"])))
    tried, missed = 0, []
    while tried < ALTERATIONS:
        altered = tamperer.draw()
        sentences = found(of_either, altered.of, altered.do)
        tried += sentences is not None  # otherwise the database itself has refused it
        if sentences == []:
            missed.append(altered.said)
    assert not missed, "\n".join(missed)
