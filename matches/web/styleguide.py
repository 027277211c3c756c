"""The style guide: every component in every state on one page, for developers. Only available when DEBUG is on."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django import forms
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from matches.pages.assets import ICONS

CAST = ["ann", "bob", "cat", "dee", "Eli_M", "fay", "gus", "Hana", "ivo", "June.K", "kai", "lou"]


class BidForm(forms.Form):
    amount = forms.IntegerField(
        min_value=1,
        label="Chips",
        help_text="Lowest free amount: 3.",
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "data-first-field": True}),
    )
    note = forms.CharField(required=False, label="Note to yourself")
    speed = forms.ChoiceField(
        choices=[("slow", "24 h"), ("fast", "12 h")], widget=forms.RadioSelect, label="A bid must stand for"
    )
    sure = forms.BooleanField(label="I have read the rules", help_text="They are on the tab “Rules”.")


def drawn_icons() -> list[str]:
    sprite = finders.find("img/icons.svg")
    return re.findall(r'<symbol id="([\w-]+)"', Path(sprite).read_text()) if sprite else []


def lot(label: str, kind: str, **details: Any) -> dict[str, Any]:
    return {"label": label, "kind": kind, **details}


def styleguide(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    ann, bob, cat, dee = ({"handle": name, "index": index} for index, name in enumerate(CAST[:4]))
    bad = BidForm({"bad-amount": "0", "bad-speed": "slow"}, prefix="bad")
    bad.is_valid()
    context = {
        "now": now,
        "calm": now + timedelta(days=3, hours=4),
        "soon": now + timedelta(minutes=95),
        "urgent": now + timedelta(minutes=12, seconds=9),
        "passed": now - timedelta(minutes=3),
        "paused_since": now - timedelta(hours=1),
        "example": datetime(2031, 11, 22, 14, tzinfo=UTC),
        "players": [{"handle": name, "index": index} for index, name in enumerate(CAST)],
        "later_players": [{"handle": name, "index": index + 12} for index, name in enumerate(CAST)],
        "teams": [
            {"handle": f"Team {name}", "index": index} for index, name in enumerate(("Ash", "Elm", "Oak", "Yew"))
        ],
        "assets": [*ICONS, "item:wide_net"],
        "icons": drawn_icons(),
        "surfaces": ["paper", "card", "well", "felt", "felt-deep", "felt-raised"],
        "accents": ["brass", "garnet", "jade", "slate"],
        "tabs": [
            {"href": "#", "text": "Board", "current": True},
            {"href": "#", "text": "Rules", "current": False},
            {"href": "#", "text": "History", "current": False},
            {"href": "#", "text": "Players", "current": False},
        ],
        "lots": [
            lot("O", "open", garnets=3, text="no bid yet"),
            lot("P", "bid", garnets=1, priority=1, bidder=bob, amount=3, text="5 h 12 min"),
            lot("Q", "bid", priority=3, bidder=ann, amount=7, text="yours, 11 h"),
            lot("R", "bid", garnets=2, priority=1, bidder=cat, amount=9, text="2 h 40 min"),
            lot("S", "won", garnets=1, priority=2, bidder=dee, amount=2, text="won"),
            lot("T", "won", priority=3, bidder=ann, amount=4, text="won by you"),
            lot("U", "closed", garnets=2, text="closed"),
        ],
        "feed": [
            {"at": now - timedelta(minutes=2), "text": "cat bids 9 chips on R.", "players": [cat], "mine": False},
            {
                "at": now - timedelta(hours=3),
                "text": "You bought 2 chips.",
                "players": [ann],
                "mine": True,
            },
            {"at": now - timedelta(days=2), "text": "dee wins S for 2 chips.", "players": [dee], "mine": False},
        ],
        "bid_form": BidForm(prefix="bid"),
        "form": BidForm(),
        "bad_form": bad,
        "strip": [(n, "taken" if n in (1, 2, 4, 7) else "lowest" if n == 3 else "") for n in range(1, 13)],
        "scores": [(dee, 21, 2), (ann, 17, 1), (bob, 12, 0), (cat, 9, 0)],
    }
    return render(request, "styleguide.html", context)
