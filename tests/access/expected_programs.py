"""Who gets what by the API, beside what pages show. Roles as for the whole site."""

from tests.access.rows import Row

PROGRAMS = (
    Row(
        "everybody with an account reads who they are, by programs",
        get="401 200",
        post="405",
        routes="api/v1/me/ api/v1/me/matches/",
    ),
    Row(
        "players see to their place, by programs; this post says nothing",
        get={"draft": "404 404 200 404 200 404 403 200 403", "open": "401 403 200 403 200 403 403 200 403"},
        post={"draft": "401 404 422 404 422 404 403 422 403", "open": "401 403 422 403 422 403 403 422 403"},
        routes="api/v1/matches/*/place/",
    ),
)
"""Rows of the family of the site."""
