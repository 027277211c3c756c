"""Checks the absences of a match against its log."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime

from matches.models import Absence, Match, Submission


def compare(match: Match) -> list[str]:
    """The differences between what the log says was granted and what is stored, a sentence each."""
    absences: Counter[object] = Counter()
    for row in match.log.filter(kind=Submission.Kind.COMMAND, player=None, accepted=True).iterator():
        said = json.loads(row.payload)
        if said["command"] == "absence":
            times = (datetime.fromisoformat(said["since"]), datetime.fromisoformat(said["until"]))
            absences[row.pk, said["player"], *times, said["bot"]] += 1
    noted = Absence.objects.filter(match=match)
    found = []
    if absences != Counter(noted.values_list("submission_id", "player__handle", "since", "until", "bot")):
        found.append("The absences are not those that the log gives.")
    return found
