"""Bugs that are planted in the product's code in memory, to see whether the simulator finds them."""

from __future__ import annotations

from simulation.planted import play, telling
from simulation.planted.planting import BUGS

__all__ = ["BUGS", "play", "telling"]
