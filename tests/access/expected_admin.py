"""Who gets what in the admin."""

from tests.access.rows import Family, Row

_NOBODY = "302 302 403 403 403 403 403"
_BOSSES = "302 302 403 403 403 200 200"
_THEIRS = "302 302 404 404 200 404 200"  # neither other hosts nor whoever plays in it
_THEIRS_NOT_NOW = "302 302 404 404 302 404 302"

ADMIN = Family(
    ("visitor", "stranger", "playing host", "other host", "host", "playing boss", "boss"),
    (
        Row(
            "staff; the lists show what is theirs",
            get="302 302 200",
            post="302 302 200",
            routes="""
            admin/ admin/matches/match/people/ admin/matches/match/ admin/matches/match/add/
            admin/matches/match/overview/ admin/matches/submission/ admin/matches/ledgerentry/ admin/matches/holding/
            admin/matches/announcement/ admin/matches/bid/ admin/^*/$ admin/seasons/season/ admin/seasons/season/add/
            """,
        ),
        Row(
            "staff, to read", get="302 302 200", post="302 302 405", routes="admin/password_change/done/ admin/jsi18n/"
        ),
        Row("the way in", get="302 403 302", post="302 403 200", routes="admin/login/"),
        Row("to the site's form", get="302", post="302", routes="admin/password_change/"),
        Row("the way out", get="302 302 405", post="302", routes="admin/logout/"),
        Row("suggestions are not used", get=_NOBODY, post="302 302 405", routes="admin/autocomplete/"),
        Row(
            "what is not there",
            get="302 302 404",
            post="302 302 404",
            routes="""
            admin/(?P<url>.*)$ admin/matches/match/*/history/ admin/matches/submission/*/history/
            admin/matches/ledgerentry/*/history/ admin/matches/holding/*/history/
            admin/matches/announcement/*/history/ admin/matches/bid/*/history/ admin/matches/submission/*/change/
            admin/matches/ledgerentry/*/change/ admin/matches/holding/*/change/ admin/matches/announcement/*/change/
            admin/matches/bid/*/change/
            """,
        ),
        Row(
            "the console of a season",
            get=_THEIRS,
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            routes="admin/seasons/season/*/change/",
        ),
        Row(
            "settings and cast of a season, before it begins",
            get={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            routes="admin/seasons/season/*/settings/ admin/seasons/season/*/cast/",
        ),
        Row(
            "the next match of a season, while it runs",
            get={"draft": _THEIRS_NOT_NOW, "open": _THEIRS, "finished": _THEIRS_NOT_NOW},
            post={"draft": _THEIRS_NOT_NOW, "open": _THEIRS, "finished": _THEIRS_NOT_NOW},
            routes="admin/seasons/season/*/next/",
        ),
        Row(
            "a season's invitations, of which there are none here",
            get=_THEIRS_NOT_NOW,
            post=_THEIRS_NOT_NOW,
            routes="admin/seasons/season/*/invitation/",
        ),
        Row(
            "a season's invitations on one page",
            get=_THEIRS,
            post=_THEIRS.replace("200", "405"),
            routes="admin/seasons/season/*/invitations/",
        ),
        Row("applications to a season", get=_THEIRS, post=_THEIRS, routes="admin/seasons/season/*/applications/"),
        Row(
            "log, ledger and history of a season",
            get=_THEIRS,
            post=_THEIRS,
            routes="admin/seasons/season/*/log/ admin/seasons/season/*/ledger/ admin/seasons/season/*/history/",
        ),
        Row(
            "a season's commands, none of which has this name",
            get="302 302 404",
            post="302 302 404",
            routes="admin/seasons/season/*/do/*/",
        ),
        Row(
            "ways round, which would tell addresses of others' drafts",
            get="404",
            post="404",
            routes="^admin/r/ admin/r/*/*/",
        ),
        Row(
            "the match's page, with its table of players before the start",
            get=_THEIRS,
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW, "finished": _THEIRS_NOT_NOW},
            routes="admin/matches/match/*/change/",
        ),
        Row(
            "its settings, as long as it is a draft",
            get={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            routes="admin/matches/match/*/settings/",
        ),
        Row(
            "what players will see, until it is over",
            get={"draft": _THEIRS, "open": _THEIRS, "finished": _THEIRS_NOT_NOW},
            post=_THEIRS.replace("200", "405"),
            routes="admin/matches/match/*/preview/",
        ),
        Row(
            "its rehearsal, and the form that asks for one",
            get=_THEIRS,
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW, "finished": _THEIRS_NOT_NOW},
            routes="admin/matches/match/*/rehearsals/",
        ),
        Row(
            "a command for running matches",
            get={"draft": _THEIRS_NOT_NOW, "open": _THEIRS},
            post={"draft": _THEIRS_NOT_NOW, "open": _THEIRS},
            routes="admin/matches/match/*/do/*/",
        ),
        Row("settings and players, to use again", get=_THEIRS, post=_THEIRS, routes="admin/matches/match/*/duplicate/"),
        Row(
            "invitations, to take away",
            get=_THEIRS,
            post=_THEIRS.replace("200", "405"),
            routes="admin/matches/match/*/invitations/",
        ),
        Row(
            "a list of names, before the start",
            get={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            routes="admin/matches/match/*/names/",
        ),
        Row(
            "a new link for a place",
            get=_THEIRS_NOT_NOW,
            post=_THEIRS_NOT_NOW,
            routes="admin/matches/match/*/invitation/",
        ),
        Row(
            "never",
            get=_NOBODY,
            post=_NOBODY,
            routes="""
            admin/accounts/apitoken/add/ admin/accounts/apitoken/*/delete/ admin/mfa/authenticator/add/
            admin/accounts/user/*/delete/ admin/matches/match/*/delete/ admin/seasons/season/*/delete/
            admin/matches/submission/add/ admin/matches/submission/*/delete/ admin/matches/ledgerentry/add/
            admin/matches/ledgerentry/*/delete/ admin/matches/holding/add/ admin/matches/holding/*/delete/
            admin/matches/announcement/add/ admin/matches/announcement/*/delete/ admin/matches/bid/add/
            admin/matches/bid/*/delete/
            """,
        ),
        Row(
            "people and what belongs to them",
            get=_BOSSES,
            post=_BOSSES,
            routes="""
            admin/auth/group/ admin/auth/group/add/ admin/auth/group/*/history/ admin/auth/group/*/delete/
            admin/auth/group/*/change/ admin/accounts/user/ admin/accounts/user/add/ admin/accounts/user/*/password/
            admin/accounts/user/*/history/ admin/accounts/user/*/change/ admin/accounts/apitoken/
            admin/accounts/apitoken/*/history/ admin/account/emailaddress/ admin/account/emailaddress/add/
            admin/mfa/authenticator/
            """,
        ),
        Row(
            "letting somebody host",
            get=_NOBODY,
            post="302 302 403 403 403 302",
            routes="admin/accounts/user/*/make-host/",
        ),
        Row(
            "a token, to look at; its only change is to be revoked from the list",
            get=_BOSSES,
            post="302 302 403 403 403 302",
            routes="admin/accounts/apitoken/*/change/",
        ),
        Row(
            "the same, of which there is none",
            get="302 302 403 403 403 302",
            post="302 302 403 403 403 302",
            routes="""
            admin/account/emailaddress/*/delete/ admin/account/emailaddress/*/change/
            admin/mfa/authenticator/*/delete/
            """,
        ),
        Row(
            "a second factor, which is never changed here",
            get="302 302 403 403 403 302",
            post=_NOBODY,
            routes="admin/mfa/authenticator/*/change/",
        ),
        Row(
            "old addresses, and changes of what is not there",
            get="302",
            post="302",
            routes="""
            admin/auth/group/*/ admin/accounts/user/*/ admin/accounts/apitoken/*/ admin/matches/match/*/
            admin/matches/submission/*/ admin/matches/ledgerentry/*/ admin/matches/holding/*/
            admin/matches/announcement/*/ admin/matches/bid/*/ admin/seasons/season/*/
            admin/account/emailaddress/*/history/ admin/account/emailaddress/*/ admin/mfa/authenticator/*/history/
            admin/mfa/authenticator/*/
            """,
        ),
    ),
)
