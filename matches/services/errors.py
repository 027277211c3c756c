"""The exceptions that services raise.

Exception
└── Refused              `code` for programs, `message` for people, `status` for HTTP
    ├── NotAPlayer       403: acts in a match that is not theirs
    ├── KeyConflict      409: the same idempotency key with another body
    ├── TooManyRefused   429: the log keeps no more refused actions of this player for a while
    ├── TooOften         429: joins, or says to be away, too often in one match
    ├── BotPlays         409: acts where a bot plays for them
    ├── BadKey           400: an idempotency key that cannot be kept
    ├── TooLarge         413: more than any action takes
    ├── Busy             503: the database has too much to do; the same again will do
    ├── MatchFault       503: the rules failed; nothing was stored, hosts are told
    └── CommandRefused   a host's (or joiner's) command that cannot be carried out now
"""


class Refused(Exception):
    """A request that was understood and not carried out; nothing was changed."""

    code = "refused"
    status = 400
    retry_after: int | None = None
    """Seconds until the same may be worth another try; None where nobody knows."""

    usual = ""
    """What it says where nothing else is said."""

    def __init__(self, message: str = "", *, code: str | None = None, field: str | None = None) -> None:
        self.message = message or self.usual
        super().__init__(self.message)
        self.field = field
        if code is not None:
            self.code = code


class NotAPlayer(Refused):
    code = "not_a_player"
    status = 403
    is_hidden = False
    """Whether the match is one that strangers are not to know of."""


class KeyConflict(Refused):
    code = "key_reused"
    status = 409
    usual = "This Idempotency-Key was used for something else. Use a new key for a new request."


class TooManyRefused(Refused):
    code = "too_many_refused"
    status = 429


class BadKey(Refused):
    code = "bad_key"


class TooLarge(Refused):
    code = "too_large"
    status = 413


class Busy(Refused):
    code = "busy"
    status = 503
    retry_after = 2


class MatchFault(Refused):
    code = "match_fault"
    status = 503


class CommandRefused(Refused):
    code = "command_refused"
    status = 409
