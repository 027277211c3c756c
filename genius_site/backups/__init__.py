"""Backups: a copy of the running database in one file, with a manifest of what is in it, and the way back."""
