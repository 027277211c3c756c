"""What is stored. Only `jotter.services` writes these, and nobody but their owner is ever shown them: they are in no
log, no admin, and no API."""

from jotter.models.notebook import Notebook

__all__ = ["Notebook"]
