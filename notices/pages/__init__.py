"""Notices -> HTML and JSON, for pages and pushes."""
