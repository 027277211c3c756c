"""The Celery tasks. They take no arguments and may run late or twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from accounts import letters
from accounts.sign_in import devices, recovery_codes, sealed_seeds, tries


@shared_task
def send_letters() -> None:
    """Send letters of the account pages."""
    letters.send_due()


@shared_task
def tidy() -> None:
    """Delete what nobody needs any more, and encrypt or hash what an older release or an older key has left."""
    now = timezone.now()
    tries.tidy(now)
    devices.tidy(now)
    sealed_seeds.seal_old()
    recovery_codes.hash_old()
