"""Webhooks of a season."""

from __future__ import annotations

from django.db import models

from notices.models import Address


class SeasonWebhook(Address):
    """One address that hears of what everybody is told in a season and in all of its matches."""

    season = models.ForeignKey("seasons.Season", on_delete=models.CASCADE, related_name="+")
