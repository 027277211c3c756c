"""Names that accounts have had: of deleted ones, and from before they were renamed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import models
from django.utils.crypto import salted_hmac


class NameNow(NamedTuple):
    """What to show instead of a name, and the account that had it."""

    shown: str
    account: int


class FormerName(models.Model):
    """Only a keyed hash of a name is kept, never the name.

    Of a username's look: nobody may take it again, nor one that looks like it, but for `account`, which was renamed;
    logs name accounts by it, and a newcomer would be taken for them. Of a name, letter by letter, that older things may
    still have: what to show instead of it, and the deleted `account`.
    """

    digest = models.CharField(max_length=64, db_index=True)
    account = models.PositiveBigIntegerField(null=True)
    shown = models.CharField(max_length=60, blank=True, default="", db_default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["digest", "account"], name="former_name_once_an_account")]

    def __str__(self) -> str:
        return self.digest[:8]

    @classmethod
    def remember(cls, name: str, shown: str, account: int) -> None:
        """From now on a deleted account's name is shown as another, where that account had to do with something."""
        if name:
            cls.objects.update_or_create(digest=_digest(name), account=account, defaults={"shown": shown})

    @classmethod
    def now(cls, names: Iterable[str]) -> list[tuple[str, NameNow]]:
        """Of these names those of deleted accounts, each with what to show instead; once for each that had it."""
        asked = {_digest(name): name for name in names}
        found = cls.objects.filter(digest__in=asked, account__isnull=False) if asked else ()
        return [(asked[each.digest], NameNow(each.shown, each.account or 0)) for each in found]


def _digest(name: str) -> str:
    return salted_hmac("accounts.shown_name", name, algorithm="sha256").hexdigest()
