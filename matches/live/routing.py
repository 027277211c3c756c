"""Where sockets connect."""

from django.urls import path, re_path

from matches.live.socket import match_socket, notices_socket, unknown_socket

websocket_urlpatterns = [
    path("ws/matches/<str:public_id>/", match_socket),
    path("ws/me/", notices_socket),
    re_path("", unknown_socket),
]
