"""The JSON API: the same services, views and rules as the pages, for programs."""
