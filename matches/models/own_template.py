"""Settings that a host keeps under a name, to make matches from."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class OwnTemplate(models.Model):
    """A template of one host's own. `document` is what `services.drafts.settings_file` writes and reads."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="match_templates")
    name = models.CharField(max_length=80)
    document = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"],
                name="template_name_once_an_owner",
                violation_error_message="You have a template of that name already.",
            )
        ]

    def __str__(self) -> str:
        return self.name
