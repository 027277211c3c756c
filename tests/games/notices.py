"""What a person has been told by notices, for tests of a game."""

from accounts.models import User
from notices.models import Notice
from notices.outbox import pass_on
from notices.reminding import remind


def texts_told(user: User, event: str) -> list[str]:
    """The texts of a person's notices of this event by now, oldest first; what is due is passed on before."""
    pass_on()
    remind()
    return list(Notice.objects.filter(user=user, event=event).order_by("pk").values_list("text", flat=True))
