"""The addresses of sockets. Channels uses Django's `path` for them, whose type hints only know views."""

from django.urls import path, re_path

from matches.live.socket import desk_socket, match_socket, notices_socket, unknown_socket

websocket_urlpatterns = [
    path("ws/matches/<slug:public_id>/", match_socket),  # type: ignore[arg-type]
    path("ws/me/", notices_socket),  # type: ignore[arg-type]
    path("ws/desk/", desk_socket),  # type: ignore[arg-type]
    re_path("", unknown_socket),  # type: ignore[arg-type]
]
