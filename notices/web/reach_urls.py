"""The addresses by which browsers are added and mail is switched off."""

from django.urls import path

from notices.web import pushes, unsubscribing

app_name = "reach"
urlpatterns = [
    path("push.js", pushes.worker, name="push_worker"),
    path("notices/push/on/", pushes.on, name="push_on"),
    path("notices/push/off/", pushes.off, name="push_off"),
    path("notices/push/renew/", pushes.renew, name="push_renew"),
    path("notices/unsubscribe/<str:signed>/", unsubscribing.unsubscribe, name="unsubscribe"),
]
