"""Who gets what of a season: its members are the players of the matches, its owner their host."""

from __future__ import annotations

from tests.access.cast import ROLES
from tests.access.rows import Family, Row

_HOSTS = "404 404 404 404 404 404 200 404 200"  # a draft is for its hosts

SEASONS = Family(
    ROLES,
    (
        Row("everybody reads the list", get="200", post="405", routes="seasons/"),
        Row(
            "everybody reads the list, by programs",
            get="200",
            post="405",
            routes="api/v1/seasons/",
        ),
        Row(
            "everybody reads of a season, once it has begun",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post="405",
            routes="""
            seasons/<slug:public_id>/ seasons/<slug:public_id>/story/ seasons/<slug:public_id>/rules/
            seasons/<slug:public_id>/cast/
            seasons/<slug:public_id>/standings.csv api/v1/seasons/<slug:public_id>/
            api/v1/seasons/<slug:public_id>/feed/
            """,
        ),
        Row(
            "everybody gets the same picture, once it has begun",
            get={"draft": "404", "open": "200", "finished": "200"},
            post="405",
            routes="seasons/<slug:public_id>/picture.png",
        ),
        Row(
            "hosts look after the webhooks of a season; for all others there is no such page",
            get=_HOSTS,
            post=_HOSTS.replace("200", "422"),
            routes="seasons/<slug:public_id>/webhooks/",
        ),
        Row(
            "applications, for which none of these seasons asks",
            get="404",
            post="404",
            routes="seasons/<slug:public_id>/apply/",
        ),
        Row(
            "a webhook that there is not",
            get="405",
            post="404",
            routes="seasons/<slug:public_id>/webhooks/<str:token>/<slug:act>/",
        ),
        Row(
            "members read their own account",
            get={"draft": "404", "open": "404 404 200 404 200 404 404 200 404"},
            post="405",
            routes="seasons/<slug:public_id>/statement/",
        ),
        Row(
            "hosts read the account of each member, and everybody does after the end",
            get={"draft": "404", "open": "404 404 200 404 404 404 200 404 200", "finished": "200"},
            post="405",
            routes="seasons/<slug:public_id>/statement/<str:handle>/",
        ),
        Row(
            "hosts read the whole ledger, and everybody does after the end",
            get={"draft": _HOSTS, "open": _HOSTS, "finished": "200"},
            post="405",
            routes="seasons/<slug:public_id>/ledger.csv",
        ),
        Row(
            "the whole season as a file, after the end",
            get={"draft": "404", "open": "404", "finished": "200"},
            post="405",
            routes="seasons/<slug:public_id>/season.json",
        ),
        Row(
            "members read their own account, by programs",
            get={"draft": _HOSTS.replace("200", "403"), "open": "403 403 200 403 200 403 403 200 403"},
            post="405",
            routes="api/v1/seasons/<slug:public_id>/ledger/",
        ),
        Row(
            "the whole season after the end, by programs",
            get={"draft": _HOSTS.replace("200", "409"), "open": "409", "finished": "200"},
            post="405",
            routes="api/v1/seasons/<slug:public_id>/export/",
        ),
        Row(
            "a trusted viewer that there is not",
            get="405",
            post={"draft": "302 404 404 404 404 404 404 404 404", "open": "302 404 404 404 404 404 404 404 404"},
            routes="seasons/<slug:public_id>/viewers/<slug:token>/<slug:act>/",
        ),
        Row(
            "a member names an opponent, by a form",
            get="302 405 405 405 405 405 405 405 405",
            post={"draft": "302 404 404 404 404 404 302 404 302", "open": "302"},
            routes="seasons/<slug:public_id>/opponent/",
        ),
        Row(
            "a member gives garnets, by a form; what says no number is refused on the page",
            get="302 405 405 405 405 405 405 405 405",
            post={"draft": "302 404 404 404 404 404 422 404 422", "open": "302 422 422 422 422 422 422 422 422"},
            routes="seasons/<slug:public_id>/gift/",
        ),
        Row(
            "a member names an opponent or gives garnets, by programs; what says no name is malformed",
            get="405",
            post={
                "draft": _HOSTS.replace("404", "401", 1).replace("200", "422"),
                "open": "401 422 422 422 422 422 422 422 422",
            },
            routes="api/v1/seasons/<slug:public_id>/opponent/ api/v1/seasons/<slug:public_id>/gift/",
        ),
    ),
)
