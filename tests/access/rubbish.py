"""What rubbish is made of: texts, names of fields and parameters, bodies, and addresses that get none."""

NASTY = (
    *(
        "",
        "0",
        "-1",
        "1e9",
        "9" * 40,
        "NaN",
        "Infinity",
        "null",
        "true",
        "[]",
        "{}",
        "²",
        "٣",
        "-1h",
        "99999999999999d",
    ),
    *("\x00", "a\x00b", "%00", "\x7f", "\x1b[31m", "\r\nX-Y: z", "\u202eannounce", "𝔘", "A" * 3000),
    *("../../etc/passwd", "..%2f", "//evil.example", "/\\evil.example", "javascript:alert(1)", "' OR 1=1--"),
    *("<script>alert(1)</script>", "{{7*7}}", "{% debug %}", "0001-01-01T00:00", "9999-12-31T23:59"),
    *("ann", "Z", "bid", "confirm", "99999999999999d"),
)
FIELDS = (
    *("type", "seat", "amount", "count", "key", "player", "to", "bids[7][gold]", "token", "all", "login", "username"),
    *("email", "password", "password1", "display_name", "time_zone", "theme", "name", "reason", "by", "asset", "hosts"),
    *("starts_at", "decision", "chosen", "due", "_back", "_update", "title", "joining", "places", "config-chips"),
    *("config-pregame", "config-prizes", "players-TOTAL_FORMS", "players-INITIAL_FORMS", "players-0-player", "next"),
    *("players-0-garnets", "players-0-handle", "action", "_selected_action", "index", "code", "credential", "game"),
)
PARAMETERS = (
    *("page", "state", "game", "status", "limit", "offset", "after", "receipt", "lot", "next", "q", "o", "p", "all"),
    *("match", "what", "asset", "status__exact", "preset", "player", "_to_field", "_popup", "seed__startswith"),
)
# These do what they are for, whatever comes with them; or they are only slow, as it is their business to hash.
LEFT_OUT = ("logout", "leave", "password", "signup", "login", "invitation", "user/<id>")
TYPES = (
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data",
    "",
)
BODIES = (
    *(b"", b"{", b"[" * 9000, b"\xff\xfe", b'"\\ud800"', b"NaN", b"1" * 5000, b'{"type":"bid","type":"bid"}', b"null"),
    *(b'{"type":"bid","seat":"Z","amount":' + b"9" * 299 + b"}", b'{"type":"bid","amount":1e999}', b"A" * 20_000),
    *(b"--x--", b"&".join([b"a=1"] * 3000)),
)

HEADERS = ("Referer", "Accept-Language", "If-None-Match", "Range", "Idempotency-Key", "Authorization", "HX-Request")
