"""Django's settings, all from environment variables; docs/running.md explains each.

There are two modes. *Local* (`LOCAL=1`, `DEBUG=1`, or `manage.py` with nothing set) has a default for everything:
SQLite, an in-process channel layer, a secret kept in a file. Otherwise what only the operator can know must be set.
"""

import warnings
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from genius_site import cache, env, logs
from genius_site.env import BASE_DIR

ENV = env.Environment()
DEBUG = ENV.flag("DEBUG")
LOCAL = ENV.flag("LOCAL") or DEBUG
if not LOCAL:
    ENV.need("SECRET_KEY", "SITE_URL", "EMAIL_URL")
DATA_DIR = Path(ENV.text("DATA_DIR") or BASE_DIR / "var").resolve()
_KEY = env.like(".{32,}", "at least 32 characters")
SECRET_KEY = ENV.read("SECRET_KEY", _KEY, "")
OLD_SECRET_KEY = ENV.read("OLD_SECRET_KEY", _KEY, "")  # decrypts secrets of second factors, nothing else
PORT = ENV.read("PORT", env.number(0, 65535), 8000)
SITE_URL = ENV.read("SITE_URL", env.origin, f"http://127.0.0.1:{PORT}")
SITE_HOST = urlsplit(SITE_URL).hostname or ""
HTTPS = SITE_URL.startswith("https://")
ALLOWED_HOSTS = ENV.read("ALLOWED_HOSTS", env.hosts, [SITE_HOST])
if LOCAL:
    ALLOWED_HOSTS = list(dict.fromkeys((*ALLOWED_HOSTS, "localhost", "127.0.0.1", "[::1]")))
elif not any(env.is_allowed(SITE_HOST, pattern) for pattern in ALLOWED_HOSTS):
    ENV.wrong.append(f"ALLOWED_HOSTS: it must include {SITE_HOST}, the host of SITE_URL")
CSRF_TRUSTED_ORIGINS: list[str] = ENV.read("CSRF_TRUSTED_ORIGINS", env.origins, [])
if ENV.text("SITE_URL"):  # else it is a guess; pages must then come from the host of the request
    CSRF_TRUSTED_ORIGINS = [SITE_URL, *CSRF_TRUSTED_ORIGINS]
REDIS_URL = ENV.read("REDIS_URL", env.redis, "")
SECURE_PROXY = ENV.flag("SECURE_PROXY")
ENV.together("DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET")
DISCORD_CLIENT_ID = ENV.text("DISCORD_CLIENT_ID")
METRICS_TOKEN = ENV.read("METRICS_TOKEN", env.like(".{16,}", "at least 16 characters"), "")
METRICS_PORT = ENV.read("METRICS_PORT", env.number(0, 65535), 0)
_ADDRESS = env.like(r"[^@\s<>,]+@[^@\s<>,]+\.[^@\s<>,]+", "an address such as genius@example.org")
CONTACT_EMAIL = ENV.read("CONTACT_EMAIL", _ADDRESS, "")

# --- Apps and middleware ---------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "accounts",
    "chat_commands",
    "matches",
    "notes",
    "notices",
    "practice",
    "seasons",
    "talk",
    "genius_site.admin_site.CheckedAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    # Without its keys its pages would only fail.
    *(["allauth.socialaccount.providers.discord"] if DISCORD_CLIENT_ID else []),
    "allauth.usersessions",
    "channels",
    "csp",
]
MIDDLEWARE = [
    "genius_site.health.ProbesMiddleware",
    "matches.api.codes.BusyMiddleware",
    "genius_site.middleware.HttpsOnlyApiMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # These early, so that their headers are on every answer.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "genius_site.middleware.NoNulMiddleware",
    "genius_site.middleware.StaticFiles",
    "genius_site.middleware.CompressedPagesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.sign_in.LastingMiddleware",
    "genius_site.middleware.PrivatePagesMiddleware",
    "accounts.middleware.TimeZoneMiddleware",
    "accounts.middleware.NewSessionKeyMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.second_factor.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "matches.web.match_page.NotShownMiddleware",
]
ROOT_URLCONF = "genius_site.urls"
ASGI_APPLICATION = "genius_site.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A game's templates and static files are in its own folder; no game is named here.
GAME_DIRS = sorted(path for path in (BASE_DIR / "matches" / "games").glob("*") if path.is_dir())
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *(path / "templates" for path in GAME_DIRS)],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["genius_site.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "matches.pages.fragments.present",
            ],
            # Almost every template uses these, so none needs to load them.
            "builtins": [
                "django.templatetags.static",
                "matches.pages.templatetags.components",
                "matches.pages.templatetags.form_tags",
                "matches.pages.templatetags.match_tags",
            ],
            "libraries": {
                "picture_tags": "matches.pages.templatetags.picture_tags",
            },
        },
    }
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"

# --- What is stored ---------------------------------------------------------------------------------------------------

SQLITE: dict[str, Any] = {
    "ENGINE": "genius_site.sqlite3",
    "OPTIONS": {
        # SQLite has no row locks: each transaction takes the write lock when it begins, and others wait. A deferred one
        # would fail in the middle with "database is locked". FULL: what was answered with "accepted" survives a power
        # cut.
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    },
}
# One long lock must not stop everybody: see matches/infra/db_waits.py. Commands (such as a migration) have no limits.
LOCK_SECONDS = 4.5
# A process that freezes in the middle of a transaction keeps its locks for this long. Then another connection of the
# same process may get a lock, and keep it as long again. Both together are less than others wait for a lock, so that
# those are answered within five seconds and not refused.
IDLE_SECONDS = 2
POSTGRESQL_LIMITS = (
    f"-c lock_timeout={int(LOCK_SECONDS * 1000)} -c statement_timeout=15s "
    f"-c idle_in_transaction_session_timeout={IDLE_SECONDS}s"
)
# Servers and workers never own the tables, whatever they are given (genius_site/database.py).
PATIENT = ENV.flag("PATIENT")
DATABASE = ENV.read("DATABASE_URL", env.database, env.database(f"sqlite:///{DATA_DIR}/genius.sqlite3"))
OWNER_DATABASE: dict[str, Any] = ENV.read("OWNER_DATABASE_URL", env.database, {})
if OWNER_DATABASE and (
    [OWNER_DATABASE[name] for name in ("ENGINE", "NAME")] != ["django.db.backends.postgresql", DATABASE["NAME"]]
    or OWNER_DATABASE["USER"] == DATABASE["USER"]
):
    ENV.wrong.append("OWNER_DATABASE_URL: expected another user of the PostgreSQL database that DATABASE_URL names")
DATABASES = {"default": OWNER_DATABASE if PATIENT and OWNER_DATABASE else DATABASE}
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES = {"default": {**SQLITE, "NAME": DATABASE["NAME"]}}
elif not PATIENT:
    OPTIONS: dict[str, Any] = DATABASES["default"]["OPTIONS"]
    OPTIONS["options"] = f"{POSTGRESQL_LIMITS} {OPTIONS.get('options', '')}".strip()
    # Only statements of services/storage/many.py are prepared; Django's cursors put values into the text.
    OPTIONS["prepare_threshold"] = 2
    # Each daphne request has its own thread: connections come from a pool or are never reused.
    OPTIONS["pool"] = {"min_size": 2, "max_size": 16, "timeout": 5}
# On SQLite every atomic() is a writer, so ATOMIC_REQUESTS is off: requests that only read must not be in one.

STATIC_URL = "/static/"
STATIC_ROOT = None if LOCAL else BASE_DIR / "staticfiles"  # local mode serves them from their folders
STATICFILES_DIRS: list[Any] = [BASE_DIR / "static", *(p for path in GAME_DIRS if (p := path / "static").is_dir())]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if LOCAL
        else "genius_site.static_files.HashedFiles"
    },
}
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site has a use for these files
WHITENOISE_USE_FINDERS = LOCAL
WHITENOISE_AUTOREFRESH = DEBUG
# WhiteNoise's iterator makes Django warn for every file under ASGI. Nothing else is silenced.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

CACHES = cache.configure(REDIS_URL)
if REDIS_URL:
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL], "prefix": "genius"},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# --- Security ---------------------------------------------------------------------------------------------------------

# Chrome applies form-action to the redirects that follow a post, and sign-in with Discord is one.
FORM_ACTIONS = [SELF, "https://discord.com"] if DISCORD_CLIENT_ID else [SELF]
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],  # data: for the QR code of two-factor set-up
        "font-src": [SELF],
        "connect-src": [SELF],  # covers wss: of the same origin
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": FORM_ACTIONS,
        "upgrade-insecure-requests": HTTPS,
    }
}
# Django's defaults do the rest: no frames, no sniffing, referrer and opener of the same origin only.
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
if SECURE_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if SECURE_PROXY else 0  # whose address rate limits count
# Browsers accept cookies with this prefix only from this very host, over https; accounts/cookies.py has the others.
OF_THIS_HOST = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{OF_THIS_HOST}sessionid"
SESSION_COOKIE_SECURE = HTTPS
SIGN_IN_DAYS, AWAY_DAYS = 30, 10  # accounts/sign_in.py
SESSION_COOKIE_AGE = AWAY_DAYS * 24 * 3600
CSRF_COOKIE_NAME = f"{OF_THIS_HOST}csrftoken"
CSRF_COOKIE_SECURE = HTTPS
MESSAGE_STORAGE = "accounts.cookies.Messages"
CSRF_FAILURE_VIEW = "accounts.views.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 6500  # 30 rounds of 20 questions, about as many as such a body can hold

# --- People and sign-in -----------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
PASSWORD_RESET_TIMEOUT = 24 * 3600  # as long as a mail is retried
# What somebody who knows this site would try first (docs/security.md).
OWN_WORDS = ["genius", "garnet", "auction", "deathmatch", *SITE_HOST.split(".")]
AUTH_PASSWORD_VALIDATORS.append({"NAME": "accounts.validators.WordsOfTheSite", "OPTIONS": {"words": OWN_WORDS}})
if BREACHED := ENV.read("BREACHED_PASSWORDS", env.file, ""):
    AUTH_PASSWORD_VALIDATORS.append({"NAME": "accounts.validators.NotBreached", "OPTIONS": {"path": BREACHED}})
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/me/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "add_email": "accounts.forms.AddEmailForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Genius: "
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_REAUTHENTICATION_REQUIRED = True  # before changes of email addresses, by which a password can be reset
# Not by a code in a mail: whoever reads somebody's mail would need neither password nor factor.
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]
# Limits for wrong passwords and codes, of one name or account (`key`) and from one IP address. Short, since strangers
# can use up somebody's (docs/running.md). Right ones are not limited.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "20/h/ip,10/15m/key",
    "change_password": "10/15m/user",
    "confirm_email": None,
}
# Somebody who signs up with another person's address gets an account, and the mail goes to that person.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
SOCIALACCOUNT_ADAPTER = "accounts.adapter.SocialAccountAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.SocialSignupForm"}
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, Any]] = {
    "discord": {
        "SCOPE": ["identify", "email"],
        "APPS": [{"client_id": DISCORD_CLIENT_ID, "secret": ENV.text("DISCORD_CLIENT_SECRET")}]
        if DISCORD_CLIENT_ID
        else [],
    }
}
MFA_ADAPTER = "accounts.adapter.MFAAdapter"
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "accounts.second_factor.AddKeyForm",
    "login_webauthn": "accounts.second_factor.LoginKeyForm",
    "reauthenticate_webauthn": "accounts.second_factor.ReauthenticateKeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_RECOVERY_CODE_DIGITS = 12
MFA_TOTP_ISSUER = "Genius"
# accounts/second_factor.py
SECOND_FACTOR = ENV.read(
    "SECOND_FACTOR", env.one_of("optional", "hosts", "everybody"), "optional" if LOCAL else "hosts"
)
# Nobody may be kept from a required factor because a mail does not arrive. An unconfirmed address does not keep its
# real owner from using it here, which is what allauth's rule guards against.
MFA_ALLOW_UNVERIFIED_EMAIL = SECOND_FACTOR != "optional"

_MAIL = ENV.read("EMAIL_URL", env.email, env.email("console://"))
EMAIL_BACKEND, EMAIL_HOST, EMAIL_PORT = _MAIL["EMAIL_BACKEND"], _MAIL["EMAIL_HOST"], _MAIL["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_USER", ""), _MAIL.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL.get("EMAIL_USE_TLS", False), _MAIL.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10
_SENDER = env.like(r"[^@\r\n]+@[^@\r\n]+", "a sender such as Genius <genius@example.org>")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENV.read("DEFAULT_FROM_EMAIL", _SENDER, f"Genius <genius@{SITE_HOST}>")
VAPID_PRIVATE_KEY = ENV.read("VAPID_PRIVATE_KEY", env.vapid_key, "")
LOCAL_RECEIVERS = False  # `make run` lets programs on the same machine receive webhooks by http
# Hosts for addresses that people type or browsers name; empty: all public ones.
OUTGOING_HOSTS: list[str] = ENV.read("OUTGOING_HOSTS", env.hosts, [])

# --- Slash commands; off without both (chat_commands) -----------------------------------------------------------------

ENV.together("DISCORD_APPLICATION_ID", "DISCORD_PUBLIC_KEY")
CHAT_APPLICATION_ID = ENV.read("DISCORD_APPLICATION_ID", env.like("[0-9]{1,20}", "the number of an application"), "")
CHAT_PUBLIC_KEY = ENV.read("DISCORD_PUBLIC_KEY", env.like("[0-9a-fA-F]{64}", "64 hexadecimal digits"), "").lower()
CHAT_BOT_TOKEN = ENV.text("DISCORD_BOT_TOKEN")

# --- How long what is never needed again is kept, in days (genius_site/cleanup, notices) ------------------------------

KEPT_DAYS = {"sessions_ended": 7, "outbox": 30, "notices_read": 30, "notices_unread": 180, "demo": 30}

# --- How much one person or address may ask for (matches/api, matches/live) ------------------------------------------

ACTION_RATE = ENV.read("ACTION_RATE", env.number(0, 999_999), 30)
SOCKETS_PER_ADDRESS = ENV.read("SOCKETS_PER_ADDRESS", env.number(1, 999_999), 200)

# Deadlines within a time without sweeps longer than this are extended (matches/services/outages.py), those of a day or
# more to at least OUTAGE_LEAST after it. Zero: never.
OUTAGE_AFTER = timedelta(minutes=ENV.read("OUTAGE_MINUTES", env.number(0, 999_999), 10))
OUTAGE_LEAST = timedelta(hours=ENV.read("OUTAGE_HOURS", env.number(0, 999_999), 12))

# --- Tasks: they carry ids only and may run twice; the database says what is due -------------------------------------

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
# In memory a task that another one has queued (notices do) begins up to this many seconds later.
CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": "genius:"} if REDIS_URL else {"polling_interval": 0.02}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = TIME_ZONE
# On SQLite the tasks' threads keep their connections: a new one first reads the whole schema, which took longer than
# most tasks. PostgreSQL has a pool.
CELERY_DB_REUSE_MAX = None if "pool" in DATABASES["default"].get("OPTIONS", {}) else 1_000_000
CELERY_BEAT_SCHEDULER = "genius_site.celery:InFile"
# A tick expires when the next one comes, so that they do not pile up behind a stalled worker.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "matches.tasks.sweep", "schedule": 1.0, "options": {"expires": 2}},
    "move-bots": {"task": "matches.tasks.move_bots", "schedule": 2.0, "options": {"expires": 4}},
    "play-rehearsals": {"task": "matches.tasks.play_rehearsals", "schedule": 1.0, "options": {"expires": 2}},
    "pass-on-notices": {"task": "notices.tasks.pass_on", "schedule": 1.0, "options": {"expires": 2}},
    "remind": {"task": "notices.tasks.remind", "schedule": 2.0, "options": {"expires": 4}},
    "tell-hosts": {"task": "notices.tasks.tell_hosts", "schedule": 2.0, "options": {"expires": 4}},
    "tidy-notices": {"task": "notices.tasks.tidy", "schedule": 3600.0, "options": {"expires": 1800}},
    "tell-of-mentions": {"task": "talk.tasks.tell_of_mentions", "schedule": 3.0, "options": {"expires": 5}},
    "tell-of-messages": {"task": "talk.tasks.tell_of_messages", "schedule": 60.0, "options": {"expires": 50}},
    "send-notices": {"task": "notices.tasks.send", "schedule": 1.0, "options": {"expires": 2}},
    "tell-of-seasons": {"task": "seasons.tasks.tell", "schedule": 2.0, "options": {"expires": 4}},
    "sweep-seasons": {"task": "seasons.tasks.sweep", "schedule": 2.0, "options": {"expires": 4}},
    "clear": {"task": "matches.tasks.clear", "schedule": 3600.0, "options": {"expires": 1800}},
    "clear-practice": {"task": "practice.tasks.clear", "schedule": 3600.0, "options": {"expires": 1800}},
    "send-mail": {"task": "accounts.tasks.send_mail", "schedule": 1.0, "options": {"expires": 2}},
    "tend-demo": {"task": "matches.tasks.tend_demo", "schedule": 10.0, "options": {"expires": 9}},
    "grow-blood-garnets": {
        "task": "matches.tasks.grow_blood_garnets",
        "schedule": 60.0,
        "options": {"expires": 50},
    },
}

LOG_FORMAT = ENV.read("LOG_FORMAT", env.one_of("console", "json"), "console" if LOCAL else "json")
LOG_LEVEL = ENV.read("LOG_LEVEL", env.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
LOGGING = logs.configure(LOG_FORMAT, LOG_LEVEL)

ENV.refuse()
SECRET_KEY = SECRET_KEY or env.local_secret(DATA_DIR)
