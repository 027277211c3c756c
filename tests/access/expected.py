"""Who gets what at which address: the whole site, row by row. A new address needs a row here.

An expectation is a status for each of a family's roles in their order, the last one for all that follow; where it
depends on the match's status, one for each of these. Addresses of rows name a row of the match's own books.
"""

from tests.access.cast import ROLES
from tests.access.expected_admin import ADMIN
from tests.access.expected_programs import PROGRAMS
from tests.access.expected_seasons import SEASONS
from tests.access.rows import Expected, Family, Row

__all__ = ["ACCOUNTS", "ADMIN", "FAMILIES", "SEASONS", "SITE", "Expected", "Family", "Row", "status_for", "statuses"]

_INSIDERS = "404 404 200 404 200 404 200 200 200"  # a draft is for its hosts and players
_WRITE_DRAFT = "302 404 403 404 403 404 403 403 403"  # talk begins with the announcement
_PLAYERS = "403 403 200 403 200 403 403 200 403"

SITE = Family(
    ROLES,
    (
        *PROGRAMS,
        Row(
            "everybody reads, nobody writes",
            get="200",
            post="405",
            routes="""
            / api/openapi.json bots/ bots/bot.py api/v1/ api/v1/matches/ api/v1/games/ api/v1/games/*/schema/ games/
            games/*/ matches/ results.atom people/*/ checking/ check_export.py people/*/hosted/ api/v1/people/*/
            privacy/ accessibility/ .well-known/security.txt robots.txt sitemap.xml manifest.webmanifest favicon.ico
            """,
        ),
        Row("everybody chooses whether results are hidden", get="200", post="302", routes="results/"),
        Row("everybody asks for a result; this post names no match", get="405", post="400", routes="results/show/"),
        Row(
            "everybody reads of a match, once it is announced",
            get={"draft": _INSIDERS, "open": "200"},
            post="405",
            routes="""
            api/v1/matches/*/ api/v1/matches/*/feed/ api/v1/matches/*/history/ api/v1/matches/*/hosts/
            api/v1/matches/*/notes/ api/v1/matches/*/players/ matches/*/hosts/ matches/*/ matches/*/parts/
            matches/*/rules/ matches/*/history/ matches/*/result/ matches/*/log/ matches/*/news/ matches/*/picture.png
            matches/*/recap/
            """,
        ),
        Row(
            "everybody reads the log, once the match is finished",
            get={"draft": _INSIDERS.replace("200", "409"), "open": "409", "finished": "200"},
            post="405",
            routes="api/v1/matches/*/log/ matches/*/log.json api/v1/matches/*/export/ api/v1/matches/*/replay/",
        ),
        Row(
            "everybody watches the replay, once the match is finished; until then it is hidden from its hosts too",
            get={"draft": "404", "open": "404", "finished": "200"},
            post="405",
            routes="matches/*/replay/ matches/*/replay/frames/",
        ),
        Row(
            "what a player sees is for their trusted viewer, of whom there is none here",
            get="302 404",
            post="405",
            routes="matches/*/their-view/",
        ),
        Row(
            "players act, by programs",
            get="405",
            post={"draft": "401 404 422 404 422 404 404 422 404", "open": "401 403 422 403 422 403 403 422 403"},
            routes="api/v1/matches/*/actions/",
        ),
        Row(
            "players ask the hosts, and read their own questions, by programs",
            get={"draft": "404 404 200 404 200 404 403 200 403", "open": "401 403 200 403 200 403 403 200 403"},
            post={"draft": "401 422", "open": "401 422"},
            routes="api/v1/matches/*/questions/",
        ),
        Row("everybody may practise", get="200", post="422", routes="games/*/practice/"),
        Row(
            "and asks at their table, of which there is none here",
            get="405",
            post="404",
            routes="games/*/practice/preview/",
        ),
        Row(
            "everybody with an account has notes of their own",
            get={"draft": _INSIDERS.replace("404", "302", 1), "open": "302 200 200 200 200 200 200 200 200"},
            post={"draft": _INSIDERS.replace("404", "302", 1).replace("200", "302"), "open": "302"},
            routes="matches/*/notebook/",
        ),
        Row(
            "and a file of them",
            get={"draft": _INSIDERS.replace("404", "302", 1), "open": "302 200 200 200 200 200 200 200 200"},
            post="302 405",
            routes="matches/*/notebook/export/",
        ),
        Row(
            "players ask the hosts, by forms",
            get="405",
            post={"draft": "404 404 422 404 422 404 403 422 403", "open": "401 403 422 403 422 403 403 422 403"},
            routes="matches/*/hosts/ask/",
        ),
        Row(
            "players excuse themselves and take more time; a form that says nothing is refused",
            get={"draft": "302 404 200 404 200 404 403 200 403", "open": "302 403 200 403 200 403 403 200 403"},
            post={"draft": "302 404 400 404 400 404 403 400 403", "open": "302 403 400 403 400 403 403 400 403"},
            routes="matches/*/place/",
        ),
        Row(
            "players act, by forms",
            get="405",
            post={"draft": "404 404 422 404 422 404 403 422 403", "open": "401 403 422 403 422 403 403 422 403"},
            routes="matches/*/act/",
        ),
        Row(
            "players ask what would come of it",
            get="405",
            post={"draft": _PLAYERS.replace("403 403 200 403 200 403", "404 404 200 404 200 404"), "open": _PLAYERS},
            routes="matches/*/preview/",
        ),
        Row(
            "everybody asks what if, by programs; this game knows no questions",
            get="405",
            post={"draft": _INSIDERS.replace("200", "422"), "open": "422"},
            routes="api/v1/matches/*/ask/",
        ),
        Row("the same by forms: there is nothing to ask", get="404", post="405", routes="matches/*/ask/ games/*/ask/"),
        Row(
            "people with an account come and go",
            get="302 405",
            post={"draft": "302 404 302 404 302 404 302", "open": "302"},
            routes="matches/*/join/ matches/*/leave/ matches/*/hosts/read/ matches/*/ready/",
        ),
        Row(
            "people with an account may be told again, if anything is asked of them",
            get={"draft": "302 404 200 404 200 404 200", "open": "302 200"},
            post={"draft": "302 404 302 404 302 404 302", "open": "302"},
            routes="matches/*/again/",
        ),
        Row(
            "everybody reads the feed of a match, once it is announced; who they are makes no difference",
            get={"draft": "404", "open": "200"},
            post="405",
            routes="matches/*/feed.atom",
        ),
        Row(
            "hosts look after the webhooks of a match; for all others there is no such page",
            get="404 404 404 404 404 404 200 404 200",
            post="404 404 404 404 404 404 422 404 422",
            routes="matches/*/webhooks/",
        ),
        Row("a webhook that there is not", get="405", post="404", routes="matches/*/webhooks/*/*/"),
        Row("a calendar that there is not", get="404", post="405", routes="calendar/*.ics"),
        Row(
            "a link in a mail that was not made here",
            get="404",
            post="404",
            routes="notices/again/*/ notices/unsubscribe/*/",
        ),
        Row("what browsers need for pushes", get="200", post="405", routes="push.js"),
        Row("adding a browser, without saying which one", get="405", post="401 422", routes="notices/push/on/"),
        Row("renewing one, from no page of this site", get="405", post="403", routes="notices/push/renew/"),
        Row("removing one that is not there", get="405", post="401 200", routes="notices/push/off/"),
        Row(
            "everybody reads public talk, once the match is announced",
            get={"draft": _INSIDERS, "open": "200", "finished": "200"},
            post="405",
            routes="""
            matches/*/talk/ matches/*/talk/in/*/ matches/*/talk/in/*/latest/ matches/*/talk/channels/
            matches/*/talk/unread/ matches/*/talk/search/ matches/*/talk/export/ api/v1/matches/*/talk/export/
            """,
        ),
        Row(
            "the same by programs, which say what they search for",
            get={"draft": _INSIDERS.replace("200", "400"), "open": "400"},
            post="405",
            routes="api/v1/matches/*/talk/search/",
        ),
        Row(
            "programs read likewise; this post is not what can be taken there",
            get={"draft": _INSIDERS, "open": "200"},
            post="401 422",
            routes="api/v1/matches/*/talk/ api/v1/matches/*/talk/*/",
        ),
        Row(
            "programs say how far they have read; this post does not",
            get="405",
            post="401 422",
            routes="api/v1/matches/*/talk/*/seen/ api/v1/matches/*/talk/gift/",
        ),
        Row(
            "players and hosts write there; this post says nothing",
            get="405",
            post={"draft": _WRITE_DRAFT, "open": "302 403 422 403 422 403 422 422 403"},
            routes="matches/*/talk/in/*/write/",
        ),
        Row(
            "a room in which nobody has written cannot be muted",
            get="405",
            post="302 404",
            routes="matches/*/talk/in/*/mute/",
        ),
        Row(
            "whoever has an account sees whom one could write to; this post names nobody",
            get={"draft": _INSIDERS.replace("404", "302", 1), "open": "302 200 200 200 200 200 200 200 200"},
            post={"draft": "302 404 403 404 403 404 403", "open": "302 403"},
            routes="matches/*/talk/new/",
        ),
        Row(
            "everybody reads what was chosen, hosts choose",
            get={"draft": _INSIDERS, "open": "200"},
            post={"draft": "404 404 403 404 403 404 302 403 302", "open": "403 403 403 403 403 403 409 403 409"},
            routes="matches/*/talk/choices/",
        ),
        Row(
            "hosts see what was reported",
            get="302 404 404 404 404 404 200 404",
            post="405",
            routes="matches/*/talk/reports/",
        ),
        Row(
            "a message that is not there",
            get="302 404",
            post="302 404",
            routes="matches/*/talk/message/*/report/ matches/*/talk/message/*/hide/",
        ),
        Row(
            "slash commands are off until their settings are there",
            get="404",
            post="404",
            routes="chat/interactions/ profile/chat/ profile/chat/code/ profile/chat/unlink/",
        ),
        Row("a link that is no good", get="410", post="410", routes="join/*/ seasons/join/*/"),
        Row("on to a person's own page or match", get="302", post="302 405", routes="people/me/ me/next/"),
        Row(
            "a person's own list",
            get="302 200",
            post="302 405",
            routes="me/ me/all/ me/hosted/ profile/calendar/ notices/",
        ),
        Row(
            "a person's own forms",
            get="302 200",
            post="302 200",
            routes="profile/ profile/tokens/ profile/leave/ profile/notices/ profile/notices/reminders/",
        ),
        Row("one's picture; what is none is refused", get="302 200", post="302 422", routes="profile/picture/"),
        Row("a picture that there is not", get="404", post="405", routes="profile/picture/*.png"),
        Row(
            "the player's token, which is nobody else's to revoke",
            get="302 405",
            post="302 404 302 404",
            routes="profile/tokens/*/revoke/",
        ),
        Row("one's data", get="302 200", post="302 405", routes="profile/export.json"),
        Row(
            "one's calendar addresses",
            get="302 405",
            post="302",
            routes="profile/calendar/new/ profile/calendar/revoke/",
        ),
        Row(
            "one's addresses, none of which is there",
            get="302 405",
            post="302 404",
            routes="profile/notices/mail/try/ profile/notices/*/try/ profile/notices/*/remove/",
        ),
        Row(
            "whoever sees a match may mute it",
            get={"draft": "302 404 200 404 200 404 200", "open": "302 200", "finished": "302 200"},
            post={"draft": "302 404 302 404 302 404 302", "open": "302", "finished": "302"},
            routes="matches/*/notices/",
        ),
        Row("that one is here", get="302 405", post="302 204", routes="notices/here/"),
        Row("one's notices", get="302 405", post="302", routes="notices/read/ notices/sound/"),
        Row("nothing below the API's root", get="404", post="404", routes="api/"),
    ),
)

# What everybody with an account is to these pages; none of them has a password or a second factor.
ACCOUNTS = Family(
    ("visitor", "stranger"),
    (
        Row("a passkey that is none", get="302", post="302", routes="accounts/2fa/webauthn/login/"),
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
        Row("codes, which these people have not", get="302 404", post="302 405", routes="accounts/2fa/recovery-codes/"),
        Row(
            "one's own, which these people have not",
            get="302 404",
            post="302 404",
            routes="""
            accounts/2fa/totp/deactivate/ accounts/2fa/recovery-codes/download/ accounts/2fa/webauthn/keys/*/remove/
            accounts/2fa/webauthn/keys/*/edit/
            """,
        ),
        Row(
            "nothing to prove oneself by",
            get="302 403",
            post="302 403",
            routes="""
            accounts/reauthenticate/ accounts/2fa/reauthenticate/ accounts/2fa/webauthn/reauthenticate/
            accounts/reauthenticate/code/ accounts/reauthenticate/code/confirm/
            """,
        ),
        Row(
            "steps on a way that nobody here is on",
            get="302",
            post="302",
            routes="""
            accounts/password/change/ accounts/login/code/confirm/ accounts/2fa/authenticate/
            accounts/3rdparty/signup/
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

FAMILIES = (SITE, SEASONS, ACCOUNTS, ADMIN)


def statuses(expected: Expected) -> tuple[str, ...]:
    """The match's statuses in which it is asked."""
    return tuple(expected) if isinstance(expected, dict) else ("open",)


def status_for(expected: Expected, status: str, family: Family, role: str) -> int:
    """What this role gets."""
    words = (expected[status] if isinstance(expected, dict) else expected).split()
    return int(words[min(family.roles.index(role), len(words) - 1)])
