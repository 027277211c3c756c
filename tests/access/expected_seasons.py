"""Who gets what of a season: its members are the players of the matches, its owner their host."""

from tests.access.cast import ROLES
from tests.access.rows import Family, Row

_LOUNGE = "404 404 200 404 200 404 200 200 404"  # an administrator who was not named reads nothing
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
            api/v1/seasons/<slug:public_id>/
            api/v1/seasons/<slug:public_id>/feed/
            """,
        ),
        Row(
            "everybody reads the predictions; what says no name is refused",
            get={"draft": "404", "open": "200", "finished": "200"},
            post={"draft": "404", "open": "302 422 422 422 422 422 422 422 422"},
            routes="seasons/<slug:public_id>/predictions/",
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
        Row(
            "everybody comes to a season's talk, once it has begun, and finds there who may read what",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post="405",
            routes="""
            seasons/<slug:public_id>/talk/ seasons/<slug:public_id>/talk/channels/
            seasons/<slug:public_id>/talk/unread/ seasons/<slug:public_id>/talk/search/
            seasons/<slug:public_id>/talk/export/ seasons/<slug:public_id>/talk/rooms/
            seasons/<slug:public_id>/talk/confessionals/ api/v1/seasons/<slug:public_id>/talk/export/
            api/v1/seasons/<slug:public_id>/talk/confessionals/ api/v1/seasons/<slug:public_id>/talk/rooms/
            """,
        ),
        Row(
            "members and hosts read the lounge",
            get={"draft": "404", "open": _LOUNGE, "finished": _LOUNGE},
            post="405",
            routes="""
            seasons/<slug:public_id>/talk/in/<slug:channel>/ seasons/<slug:public_id>/talk/in/<slug:channel>/latest/
            """,
        ),
        Row(
            "they write there; this post says nothing",
            get="405",
            post={"draft": "302 404 404 404 404 404 404 404 404", "open": "302 404 422 404 422 404 422 422 404"},
            routes="seasons/<slug:public_id>/talk/in/<slug:channel>/write/",
        ),
        Row(
            "a room in which nobody has written cannot be muted",
            get="405",
            post="302 404 404 404 404 404 404 404 404",
            routes="seasons/<slug:public_id>/talk/in/<slug:channel>/mute/",
        ),
        Row(
            "whoever has an account sees whom one could write to; this post names nobody",
            get={"draft": _HOSTS.replace("404", "302", 1), "open": "302 200 200 200 200 200 200 200 200"},
            post={
                "draft": "302 404 404 404 404 404 403 404 403",
                "open": "302 403 403 403 403 403 403 403 403",
            },
            routes="seasons/<slug:public_id>/talk/new/",
        ),
        Row(
            "everybody reads what was chosen about talk, hosts choose",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post={"draft": _HOSTS.replace("200", "302"), "open": "403 403 403 403 403 403 409 403 409"},
            routes="seasons/<slug:public_id>/talk/choices/",
        ),
        Row(
            "hosts see what was reported",
            get="302 404 404 404 404 404 200 404 404",
            post="405",
            routes="seasons/<slug:public_id>/talk/reports/",
        ),
        Row(
            "hosts close rooms; this post names none",
            get=_HOSTS.replace("404", "302", 1),
            post="302 404 404 404 404 404 409 404 409",
            routes="seasons/<slug:public_id>/talk/quiet/",
        ),
        Row(
            "a message that is not there",
            get="302 404 404 404 404 404 404 404 404",
            post="302 404 404 404 404 404 404 404 404",
            routes="""
            seasons/<slug:public_id>/talk/message/<str:token>/report/
            seasons/<slug:public_id>/talk/message/<str:token>/hide/
            """,
        ),
        Row(
            "the same of one's own",
            get="405",
            post="302 404 404 404 404 404 404 404 404",
            routes="seasons/<slug:public_id>/talk/message/<str:token>/release/",
        ),
        Row(
            "programs read which rooms they may read; this post is not what can be taken there",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post="401 422 422 422 422 422 422 422 422",
            routes="api/v1/seasons/<slug:public_id>/talk/",
        ),
        Row(
            "programs of members and hosts read the lounge; this post is not what can be taken there",
            get={"draft": "404", "open": _LOUNGE, "finished": _LOUNGE},
            post="401 422 422 422 422 422 422 422 422",
            routes="api/v1/seasons/<slug:public_id>/talk/<slug:channel>/",
        ),
        Row(
            "programs say how far they have read; this post does not",
            get="405",
            post="401 422 422 422 422 422 422 422 422",
            routes="api/v1/seasons/<slug:public_id>/talk/<slug:channel>/seen/",
        ),
        Row(
            "programs say what they search for",
            get={"draft": _HOSTS.replace("200", "400"), "open": "400", "finished": "400"},
            post="405",
            routes="api/v1/seasons/<slug:public_id>/talk/search/",
        ),
    ),
)
