"""URLs of the pages of notices, calendars and feeds, in the namespaces `notices`, `reach`, `reminders`,
`match_webhooks` and `feeds`."""

from django.urls import include, path

from notices import feeds, pushes, views, webhook_pages

_NOTICES = [
    path("notices/", views.listed, name="list"),
    path("notices/here/", views.here, name="here"),
    path("notices/sound/", views.sound, name="sound"),
    path("notices/read/", views.read, name="read"),
    path("matches/<slug:public_id>/notices/", views.mute, name="mute"),
    path("profile/notices/", views.choose, name="choose"),
    path("profile/notices/mail/try/", views.try_mail, name="try_mail"),
    path("profile/notices/<str:token>/try/", views.try_out, name="try"),
    path("profile/notices/<str:token>/remove/", views.remove, name="remove"),
]
_REACH = [
    path("push.js", pushes.worker, name="push_worker"),
    path("notices/push/on/", pushes.on, name="push_on"),
    path("notices/push/off/", pushes.off, name="push_off"),
    path("notices/push/renew/", pushes.renew, name="push_renew"),
    path("notices/unsubscribe/<str:signed>/", views.unsubscribe, name="unsubscribe"),
]
_REMINDERS = [
    path("profile/notices/reminders/", views.spacing, name="spacing"),
    path("matches/<slug:public_id>/again/", views.again, name="again"),
    path("notices/again/<str:signed>/", views.again_by_link, name="again_by_link"),
]
_WEBHOOKS = [
    path("matches/<slug:public_id>/webhooks/", webhook_pages.of_match, name="list"),
    path("matches/<slug:public_id>/webhooks/<str:token>/<slug:act>/", webhook_pages.act_of_match, name="act"),
]

_FEEDS = [
    path("profile/calendar/", feeds.calendars, name="calendars"),
    path("profile/calendar/new/", feeds.make, name="make_calendar"),
    path("profile/calendar/revoke/", feeds.revoke, name="revoke_calendar"),
    path("calendar/<str:secret>.ics", feeds.calendar, name="calendar"),
    path("results.atom", feeds.results, name="results"),
    path("matches/<slug:public_id>/feed.atom", feeds.match_feed, name="match"),
]

urlpatterns = [
    path("", include((_FEEDS, "feeds"))),
    path("", include((_REACH, "reach"))),
    path("", include((_REMINDERS, "reminders"))),
    path("", include((_NOTICES, "notices"))),
    path("", include((_WEBHOOKS, "match_webhooks"))),
]
