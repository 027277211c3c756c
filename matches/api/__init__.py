"""The JSON API for programs: the same services, views and rules as the pages."""
