"""Who gets what at which address: the whole site, row by row. A new address needs a row here.

An expectation is a status for each of a family's roles in their order, or one for all of them; where it depends on the
match's status, one for each of these. Addresses of rows name a row of the match's own books.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.access.cast import ROLES

Expected = str | dict[str, str]


class Row(NamedTuple):
    """Addresses that answer alike."""

    what: str
    get: Expected
    post: Expected
    routes: str


class Family(NamedTuple):
    """Part of the site, and in which roles it is visited."""

    roles: tuple[str, ...]
    rows: tuple[Row, ...]


_INSIDERS = "404 404 200 404 200 404 200 200 200"  # a draft is for its hosts and players
_PLAYERS = "403 403 200 403 200 403 403 200 403"

SITE = Family(
    ROLES,
    (
        Row(
            "everybody reads, nobody writes",
            get="200",
            post="405",
            routes="""
            / api/v1/ api/v1/matches/ api/v1/games/ api/v1/games/<slug:slug>/schema/ games/ games/<slug:slug>/ matches/
            """,
        ),
        Row(
            "everybody reads of a match, once it is announced",
            get={"draft": _INSIDERS, "open": "200"},
            post="405",
            routes="""
            api/v1/matches/<slug:public_id>/ api/v1/matches/<slug:public_id>/feed/
            api/v1/matches/<slug:public_id>/history/ api/v1/matches/<slug:public_id>/hosts/
            matches/<slug:public_id>/ matches/<slug:public_id>/parts/ matches/<slug:public_id>/rules/
            matches/<slug:public_id>/history/ matches/<slug:public_id>/result/ matches/<slug:public_id>/log/
            matches/<slug:public_id>/news/
            """,
        ),
        Row(
            "everybody reads the log, once the match is finished",
            get={"draft": _INSIDERS.replace("200", "409"), "open": "409", "finished": "200"},
            post="405",
            routes="api/v1/matches/<slug:public_id>/log/ matches/<slug:public_id>/log.json",
        ),
        Row(
            "players act, by programs",
            get="405",
            post={"draft": "401 404 422 404 422 404 404 422 404", "open": "401 403 422 403 422 403 403 422 403"},
            routes="api/v1/matches/<slug:public_id>/actions/",
        ),
        Row(
            "players act, by forms",
            get="405",
            post={"draft": "404 404 422 404 422 404 403 422 403", "open": "401 403 422 403 422 403 403 422 403"},
            routes="matches/<slug:public_id>/act/",
        ),
        Row(
            "players ask what would come of it",
            get="405",
            post={"draft": _PLAYERS.replace("403 403 200 403 200 403", "404 404 200 404 200 404"), "open": _PLAYERS},
            routes="matches/<slug:public_id>/preview/",
        ),
        Row(
            "everybody asks what if, by programs; this game knows no questions",
            get="405",
            post={"draft": _INSIDERS.replace("200", "422"), "open": "422"},
            routes="api/v1/matches/<slug:public_id>/ask/",
        ),
        Row(
            "the same by forms: there is nothing to ask",
            get="404",
            post="405",
            routes="matches/<slug:public_id>/ask/ games/<slug:slug>/ask/",
        ),
        Row(
            "people with an account come and go",
            get="302 405 405 405 405 405 405 405 405",
            post={"draft": "302 404 302 404 302 404 302 302 302", "open": "302"},
            routes="matches/<slug:public_id>/join/ matches/<slug:public_id>/leave/",
        ),
        Row("a link that is no good", get="410", post="410", routes="join/<str:code>/"),
        Row(
            "a person's own list",
            get="302 200 200 200 200 200 200 200 200",
            post="302 405 405 405 405 405 405 405 405",
            routes="me/ me/all/ me/hosted/",
        ),
        Row(
            "a person's own forms",
            get="302 200 200 200 200 200 200 200 200",
            post="302 200 200 200 200 200 200 200 200",
            routes="profile/ profile/tokens/",
        ),
        Row(
            "the player's token, which is nobody else's to revoke",
            get="302 405 405 405 405 405 405 405 405",
            post="302 404 302 404 404 404 404 404 404",
            routes="profile/tokens/<int:pk>/revoke/",
        ),
        Row("one's notices", get="302 405 405 405 405 405 405 405 405", post="302", routes="notices/read/"),
        Row("whether it works; no sweep runs here", get="503", post="405", routes="healthz"),
        Row("nothing below the API's root", get="404", post="404", routes="api/"),
    ),
)

# What everybody with an account is to these pages; none of them has a password or a second factor.
ACCOUNTS = Family(
    ("visitor", "stranger"),
    (
        Row("who is in need not come in", get="200 302", post="200 302", routes="accounts/login/ accounts/signup/"),
        Row(
            "one's own; the answer to a post is another page",
            get="302 200",
            post="302",
            routes="accounts/logout/ accounts/email/ accounts/sessions/",
        ),
        Row(
            "one's own; a post that says nothing comes back",
            get="302 200",
            post="302 200",
            routes="""
            accounts/password/set/ accounts/2fa/totp/activate/ accounts/2fa/recovery-codes/generate/
            accounts/2fa/webauthn/add/ accounts/3rdparty/
            """,
        ),
        Row("one's own, to read", get="302 200", post="302 405", routes="accounts/2fa/ accounts/2fa/webauthn/"),
        Row(
            "one's own, which these people have not",
            get="302 404",
            post="302 404",
            routes="""
            accounts/2fa/totp/deactivate/ accounts/2fa/recovery-codes/download/
            accounts/2fa/webauthn/keys/<int:pk>/remove/ accounts/2fa/webauthn/keys/<int:pk>/edit/
            """,
        ),
        Row("codes that these people have not", get="302 404", post="302 405", routes="accounts/2fa/recovery-codes/"),
        Row(
            "nothing to prove oneself by",
            get="302 403",
            post="302 403",
            routes="accounts/reauthenticate/ accounts/2fa/reauthenticate/ accounts/2fa/webauthn/reauthenticate/",
        ),
        Row(
            "steps on a way that nobody here is on",
            get="302",
            post="302",
            routes="""
            accounts/password/change/ accounts/login/code/confirm/ accounts/2fa/authenticate/ accounts/3rdparty/signup/
            """,
        ),
        Row(
            "words for everybody",
            get="200",
            post="405",
            routes="""
            accounts/inactive/ accounts/confirm-email/ accounts/password/reset/key/done/ accounts/password/reset/done/
            accounts/3rdparty/login/cancelled/
            """,
        ),
        Row(
            "who forgot the password",
            get="200",
            post="200",
            routes="accounts/password/reset/ accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        ),
        Row("a key that is no good", get="200", post="404", routes=r"accounts/^confirm-email/(?P<key>[-:\w]+)/$"),
        Row("a sign-in elsewhere that failed", get="401", post="405", routes="accounts/3rdparty/login/error/"),
        Row(
            "old addresses",
            get="301",
            post="301",
            routes="""
            accounts/social/login/cancelled/ accounts/social/login/error/ accounts/social/signup/
            accounts/social/connections/
            """,
        ),
    ),
)

_NOBODY = "302 302 403 403 403 403 403"
_BOSSES = "302 302 403 403 403 200 200"
_THEIRS = "302 302 404 404 200 404 200"  # neither other hosts nor whoever plays in it
_THEIRS_NOT_NOW = "302 302 404 404 302 404 302"

ADMIN = Family(
    ("visitor", "stranger", "playing host", "other host", "host", "playing boss", "boss"),
    (
        Row(
            "staff; the lists show what is theirs",
            get="302 302 200 200 200 200 200",
            post="302 302 200 200 200 200 200",
            routes="""
            admin/ admin/password_change/ admin/matches/match/people/ admin/matches/match/ admin/matches/match/add/
            admin/matches/submission/ admin/matches/ledgerentry/ admin/matches/holding/ admin/matches/announcement/
            admin/matches/bid/ admin/^(?P<app_label>)/$
            """,
        ),
        Row(
            "staff, to read",
            get="302 302 200 200 200 200 200",
            post="302 302 405 405 405 405 405",
            routes="admin/password_change/done/ admin/jsi18n/",
        ),
        Row(
            "the way in",
            get="302 403 302 302 302 302 302",
            post="302 403 200 200 200 200 200",
            routes="admin/login/",
        ),
        Row("the way out", get="302 302 405 405 405 405 405", post="302", routes="admin/logout/"),
        Row("suggestions are not used", get=_NOBODY, post="302 302 405 405 405 405 405", routes="admin/autocomplete/"),
        Row(
            "what is not there",
            get="302 302 404 404 404 404 404",
            post="302 302 404 404 404 404 404",
            routes="""
            admin/(?P<url>.*)$
            admin/matches/match/<path:object_id>/history/ admin/matches/submission/<path:object_id>/history/
            admin/matches/ledgerentry/<path:object_id>/history/ admin/matches/holding/<path:object_id>/history/
            admin/matches/announcement/<path:object_id>/history/ admin/matches/bid/<path:object_id>/history/
            admin/matches/submission/<path:object_id>/change/ admin/matches/ledgerentry/<path:object_id>/change/
            admin/matches/holding/<path:object_id>/change/ admin/matches/announcement/<path:object_id>/change/
            admin/matches/bid/<path:object_id>/change/
            """,
        ),
        Row(
            "ways round, which would tell addresses of others' drafts",
            get="404",
            post="404",
            routes="^admin/r/ admin/r/<path:content_type_id>/<path:object_id>/",
        ),
        Row(
            "the match's page, with its table of players before the start",
            get=_THEIRS,
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW, "finished": _THEIRS_NOT_NOW},
            routes="admin/matches/match/<path:object_id>/change/",
        ),
        Row(
            "its settings, as long as it is a draft",
            get={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            post={"draft": _THEIRS, "open": _THEIRS_NOT_NOW},
            routes="admin/matches/match/<path:object_id>/settings/",
        ),
        Row(
            "what players will see, until it is over",
            get={"draft": _THEIRS, "open": _THEIRS, "finished": _THEIRS_NOT_NOW},
            post=_THEIRS.replace("200", "405"),
            routes="admin/matches/match/<path:object_id>/preview/",
        ),
        Row(
            "settings of a running match, of which this game has none that may change",
            get=_THEIRS_NOT_NOW,
            post=_THEIRS_NOT_NOW,
            routes="admin/matches/match/<path:object_id>/amend/",
        ),
        Row(
            "a command for running matches",
            get={"draft": _THEIRS_NOT_NOW, "open": _THEIRS},
            post={"draft": _THEIRS_NOT_NOW, "open": _THEIRS},
            routes="admin/matches/match/<path:object_id>/do/<slug:name>/",
        ),
        Row(
            "a new link for a place",
            get=_THEIRS_NOT_NOW,
            post=_THEIRS_NOT_NOW,
            routes="admin/matches/match/<path:object_id>/invitation/",
        ),
        Row(
            "never",
            get=_NOBODY,
            post=_NOBODY,
            routes="""
            admin/accounts/apitoken/add/ admin/accounts/apitoken/<path:object_id>/delete/ admin/mfa/authenticator/add/
            admin/matches/match/<path:object_id>/delete/
            admin/matches/submission/add/ admin/matches/submission/<path:object_id>/delete/
            admin/matches/ledgerentry/add/ admin/matches/ledgerentry/<path:object_id>/delete/
            admin/matches/holding/add/ admin/matches/holding/<path:object_id>/delete/
            admin/matches/announcement/add/ admin/matches/announcement/<path:object_id>/delete/
            admin/matches/bid/add/ admin/matches/bid/<path:object_id>/delete/
            """,
        ),
        Row(
            "people and what belongs to them",
            get=_BOSSES,
            post=_BOSSES,
            routes="""
            admin/auth/group/ admin/auth/group/add/ admin/auth/group/<path:object_id>/history/
            admin/auth/group/<path:object_id>/delete/ admin/auth/group/<path:object_id>/change/
            admin/accounts/user/ admin/accounts/user/add/ admin/accounts/user/<id>/password/
            admin/accounts/user/<path:object_id>/history/ admin/accounts/user/<path:object_id>/delete/
            admin/accounts/user/<path:object_id>/change/
            admin/accounts/apitoken/ admin/accounts/apitoken/<path:object_id>/history/
            admin/account/emailaddress/ admin/account/emailaddress/add/ admin/mfa/authenticator/
            admin/socialaccount/socialaccount/ admin/socialaccount/socialaccount/add/
            admin/usersessions/usersession/ admin/usersessions/usersession/add/
            """,
        ),
        Row(
            "a token, to look at; its only change is to be revoked from the list",
            get=_BOSSES,
            post="302 302 403 403 403 302 302",
            routes="admin/accounts/apitoken/<path:object_id>/change/",
        ),
        Row(
            "the same, of which there is none",
            get="302 302 403 403 403 302 302",
            post="302 302 403 403 403 302 302",
            routes="""
            admin/account/emailaddress/<path:object_id>/delete/ admin/account/emailaddress/<path:object_id>/change/
            admin/mfa/authenticator/<path:object_id>/delete/
            admin/socialaccount/socialaccount/<path:object_id>/delete/
            admin/socialaccount/socialaccount/<path:object_id>/change/
            admin/usersessions/usersession/<path:object_id>/delete/
            admin/usersessions/usersession/<path:object_id>/change/
            """,
        ),
        Row(
            "a second factor, which is never changed here",
            get="302 302 403 403 403 302 302",
            post=_NOBODY,
            routes="admin/mfa/authenticator/<path:object_id>/change/",
        ),
        Row(
            "old addresses, and changes of what is not there",
            get="302",
            post="302",
            routes="""
            admin/auth/group/<path:object_id>/ admin/accounts/user/<path:object_id>/
            admin/accounts/apitoken/<path:object_id>/ admin/matches/match/<path:object_id>/
            admin/matches/submission/<path:object_id>/ admin/matches/ledgerentry/<path:object_id>/
            admin/matches/holding/<path:object_id>/ admin/matches/announcement/<path:object_id>/
            admin/matches/bid/<path:object_id>/
            admin/account/emailaddress/<path:object_id>/history/ admin/account/emailaddress/<path:object_id>/
            admin/mfa/authenticator/<path:object_id>/history/ admin/mfa/authenticator/<path:object_id>/
            admin/socialaccount/socialaccount/<path:object_id>/history/
            admin/socialaccount/socialaccount/<path:object_id>/
            admin/usersessions/usersession/<path:object_id>/history/ admin/usersessions/usersession/<path:object_id>/
            """,
        ),
    ),
)

FAMILIES = (SITE, ACCOUNTS, ADMIN)


def statuses(expected: Expected) -> tuple[str, ...]:
    """The match's statuses in which it is asked."""
    return tuple(expected) if isinstance(expected, dict) else ("open",)


def status_for(expected: Expected, status: str, family: Family, role: str) -> int:
    """What this role gets."""
    words = (expected[status] if isinstance(expected, dict) else expected).split()
    return int(words[0] if len(words) == 1 else words[family.roles.index(role)])
