"""Whether the seed of a match is the one that its log has promised."""

from __future__ import annotations

import json

from matches.models import Match, Submission


def compare(match: Match) -> list[str]:
    """The difference between what the log promised of the seed and the seed that is there, in a sentence."""
    promises = match.log.filter(kind=Submission.Kind.COMMAND, payload__startswith='{"command":"publish"')
    said = [json.loads(payload).get("seed_hash") for payload in promises.values_list("payload", flat=True)]
    if any(promised not in (None, match.seed_hash) for promised in said):
        return ["The seed is not the one that was promised when the match was announced."]
    return []
