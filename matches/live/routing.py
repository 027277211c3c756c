"""Where sockets connect. Channels routes ASGI applications with Django's `path`, whose types know views only."""

from django.urls import path, re_path

from matches.live.socket import match_socket, notices_socket, unknown_socket

websocket_urlpatterns = [
    path("ws/matches/<slug:public_id>/", match_socket),  # type: ignore[arg-type]
    path("ws/me/", notices_socket),  # type: ignore[arg-type]
    re_path("", unknown_socket),  # type: ignore[arg-type]
]
