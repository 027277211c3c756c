"""The icons of assets. Their shapes differ, not only their colours; their names are in `matches.engine.sentences`."""

from __future__ import annotations

_ITEM = "item:"

ICONS = {
    "chip": "chip",
    "garnet": "garnet",
    "blood_garnet": "blood-garnet",
    "token": "token",
    "tol": "tol",
    "priority": "priority",
    "gold": "gold",
    "silver": "silver",
    "bronze": "bronze",
}


def icon_of(asset: str) -> str:
    """An asset's icon. `item:<name>` is one of a match's items; an asset without an icon of its own gets a token's."""
    return ICONS.get(asset) or ("item" if asset.startswith(_ITEM) else "token")
