"""Pages without what is random by itself, so that two of them can be compared."""

from __future__ import annotations

import re
from typing import Any


def masked(text: str, table: Any) -> str:
    """The text without what is random by itself: ids, tokens, keys, the seed's hash, the salts of receipts."""
    text = text.replace(table.match.public_id, "ID")
    text = re.sub(r'(csrfmiddlewaretoken" value=")[^"]+|("X-CSRFToken": ")[^"]+', "TOKEN", text)
    text = re.sub(r'(id="key-\w+" value=")[^"]+', "KEY", text)
    text = re.sub(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b", "HASH", text)
    text = re.sub(r'(name="server-now" content=")[^"]+', "NOW", text)
    return re.sub(r"\b(feed|private|notice)-[\w-]{12}|(value=\\?\")[\w-]{12}(?=\\?\" data-read)", "TOKEN", text)
