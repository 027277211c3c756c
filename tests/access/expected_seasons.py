"""Who gets what of a season: its members are the players of the matches, its owner their host."""

from tests.access.cast import ROLES
from tests.access.rows import Family, Row

_LOUNGE = "404 404 200 404 200 404 200 200 404"  # an administrator who was not named reads nothing
_HOSTS = "404 404 404 404 404 404 200 404 200"  # a draft is for its hosts

SEASONS = Family(
    ROLES,
    (
        Row("everybody reads the list", get="200", post="405", routes="seasons/"),
        Row("everybody reads the list, by programs", get="200", post="405", routes="api/v1/seasons/"),
        Row(
            "everybody reads of a season, once it has begun",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post="405",
            routes="""
            seasons/*/ seasons/*/story/ seasons/*/rules/ seasons/*/cast/ api/v1/seasons/*/ api/v1/seasons/*/feed/
            """,
        ),
        Row(
            "everybody reads the predictions; what says no name is refused",
            get={"draft": "404", "open": "200", "finished": "200"},
            post={"draft": "404", "open": "302 422"},
            routes="seasons/*/predictions/",
        ),
        Row(
            "hosts look after the webhooks of a season; for all others there is no such page",
            get=_HOSTS,
            post=_HOSTS.replace("200", "422"),
            routes="seasons/*/webhooks/",
        ),
        Row("applications, for which none of these seasons asks", get="404", post="404", routes="seasons/*/apply/"),
        Row("a webhook that there is not", get="405", post="404", routes="seasons/*/webhooks/*/*/"),
        Row(
            "members read their own balances",
            get={"draft": "404", "open": "404 404 200 404 200 404 404 200 404"},
            post="405",
            routes="seasons/*/statement/",
        ),
        Row(
            "hosts read the balances of each member, and everybody does after the end",
            get={"draft": "404", "open": "404 404 200 404 404 404 200 404 200", "finished": "200"},
            post="405",
            routes="seasons/*/statement/*/",
        ),
        Row(
            "members read their own balances, by programs",
            get={"draft": _HOSTS.replace("200", "403"), "open": "403 403 200 403 200 403 403 200 403"},
            post="405",
            routes="api/v1/seasons/*/ledger/",
        ),
        Row(
            "the whole season after the end, by programs",
            get={"draft": _HOSTS.replace("200", "409"), "open": "409", "finished": "200"},
            post="405",
            routes="api/v1/seasons/*/export/",
        ),
        Row(
            "a trusted viewer that there is not",
            get="405",
            post={"draft": "302 404", "open": "302 404"},
            routes="seasons/*/viewers/*/*/",
        ),
        Row(
            "a member names an opponent, by a form",
            get="302 405",
            post={"draft": "302 404 404 404 404 404 302 404 302", "open": "302"},
            routes="seasons/*/opponent/",
        ),
        Row(
            "a member gives garnets, by a form; what says no number is refused on the page",
            get="302 405",
            post={"draft": "302 404 404 404 404 404 422 404 422", "open": "302 422"},
            routes="seasons/*/gift/",
        ),
        Row(
            "a member names an opponent or gives garnets, by programs; what says no name is malformed",
            get="405",
            post={"draft": _HOSTS.replace("404", "401", 1).replace("200", "422"), "open": "401 422"},
            routes="api/v1/seasons/*/opponent/ api/v1/seasons/*/gift/",
        ),
        Row(
            "everybody comes to a season's talk, once it has begun, and finds there who may read what",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post="405",
            routes="""
            seasons/*/talk/ seasons/*/talk/channels/ seasons/*/talk/unread/ seasons/*/talk/search/
            seasons/*/talk/export/ seasons/*/talk/rooms/ seasons/*/talk/confessionals/ api/v1/seasons/*/talk/export/
            api/v1/seasons/*/talk/confessionals/ api/v1/seasons/*/talk/rooms/
            """,
        ),
        Row(
            "members and hosts read the lounge",
            get={"draft": "404", "open": _LOUNGE, "finished": _LOUNGE},
            post="405",
            routes="seasons/*/talk/in/*/ seasons/*/talk/in/*/latest/",
        ),
        Row(
            "they write there; this post says nothing",
            get="405",
            post={"draft": "302 404", "open": "302 404 422 404 422 404 422 422 404"},
            routes="seasons/*/talk/in/*/write/",
        ),
        Row(
            "a room in which nobody has written cannot be muted",
            get="405",
            post="302 404",
            routes="seasons/*/talk/in/*/mute/",
        ),
        Row(
            "whoever has an account sees whom one could write to; this post names nobody",
            get={"draft": _HOSTS.replace("404", "302", 1), "open": "302 200 200 200 200 200 200 200 200"},
            post={"draft": "302 404 404 404 404 404 403 404 403", "open": "302 403"},
            routes="seasons/*/talk/new/",
        ),
        Row(
            "everybody reads what was chosen about talk, hosts choose",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post={"draft": _HOSTS.replace("200", "302"), "open": "403 403 403 403 403 403 409 403 409"},
            routes="seasons/*/talk/choices/",
        ),
        Row(
            "hosts see what was reported",
            get="302 404 404 404 404 404 200 404",
            post="405",
            routes="seasons/*/talk/reports/",
        ),
        Row(
            "hosts close rooms; this post names none",
            get=_HOSTS.replace("404", "302", 1),
            post="302 404 404 404 404 404 409 404 409",
            routes="seasons/*/talk/quiet/",
        ),
        Row(
            "a message that is not there",
            get="302 404",
            post="302 404",
            routes="seasons/*/talk/message/*/report/ seasons/*/talk/message/*/hide/",
        ),
        Row("the same of one's own", get="405", post="302 404", routes="seasons/*/talk/message/*/release/"),
        Row(
            "programs read which rooms they may read; this post is not what can be taken there",
            get={"draft": _HOSTS, "open": "200", "finished": "200"},
            post="401 422",
            routes="api/v1/seasons/*/talk/",
        ),
        Row(
            "programs of members and hosts read the lounge; this post is not what can be taken there",
            get={"draft": "404", "open": _LOUNGE, "finished": _LOUNGE},
            post="401 422",
            routes="api/v1/seasons/*/talk/*/",
        ),
        Row(
            "programs say how far they have read; this post does not",
            get="405",
            post="401 422",
            routes="api/v1/seasons/*/talk/*/seen/",
        ),
        Row(
            "programs say what they search for",
            get={"draft": _HOSTS.replace("200", "400"), "open": "400", "finished": "400"},
            post="405",
            routes="api/v1/seasons/*/talk/search/",
        ),
    ),
)
