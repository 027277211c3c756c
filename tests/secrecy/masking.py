"""Pages without what is random by itself, so that two of them can be compared."""

import re

from notices.models import Notice

# Each begins with the letters that it is found by: Python looks for those many times faster than for a choice.
_RANDOM = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r'csrfmiddlewaretoken" value="[^"]+', "TOKEN"),
        (r'"X-CSRFToken": "[^"]+', "TOKEN"),
        (r'id="key-\w+" value="[^"]+', "KEY"),
        (r'name="key" value="[^"]+', "KEY"),
        (r"/notices/again/[\w:-]+", "AGAIN"),
        (r'name="server-now" content="[^"]+', "NOW"),
        (r"feed-[\w-]{12}", "TOKEN"),
        (r'data-texts="[^"]*"', "TEXTS"),  # checksums of what is on the page, with all that is masked here
        (r'"texts":\{[^}]*\}', "TEXTS"),  # the same of a frame; its parts are compared
        (r"private-[\w-]{12}", "TOKEN"),
        (r"notice-[\w-]{12}", "TOKEN"),
        (r"note-[\w-]{12}", "TOKEN"),
        (r"after=[\w-]{12}(?![\w-])", "TOKEN"),  # where a list goes on
        (r'note(?:&quot;|\\*"): ?(?:&quot;|\\*")[\w-]{12}', "TOKEN"),
        (r'value=\\?"[\w-]{12}(?=\\?" data-read)', "TOKEN"),
        (r"[0-9a-f](?<=\b.)[0-9a-f]{31}(?:[0-9a-f]{32})?\b", "HASH"),
        (r"[0-9a-f](?<=\b.)[0-9a-f]{19,62}…", "HASH"),
    )
]


def masked(text: str, public_id: str) -> str:
    """The text without what is random by itself: ids, tokens, keys, the seed's hash, the salts of receipts."""
    text = text.replace(public_id, "ID")
    for token in Notice.objects.values_list("token", flat=True):
        text = text.replace(token, "TOKEN")
    for pattern, name in _RANDOM:
        text = pattern.sub(name, text)
    return text
