"""What services tell the rest of the site."""

from django.dispatch import Signal

unsent_changed = Signal()
"""After the commit: what a player has typed and not sent was kept again, or is gone. Sent with `match` (a `Match`),
`user_id`, and `page`: the name that the page on which it was typed has given itself, perhaps empty."""
