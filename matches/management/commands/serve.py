"""`manage.py serve`: the whole site in one process; nothing else needs to be installed or started."""

import socket
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from accounts.models import User
from genius_site import database
from matches.infra import db_waits


class Command(BaseCommand):
    help = (
        "Serve the site from one process: web pages, sockets, and the Celery worker and beat inside it. Migrates "
        "the database first. For one machine and small groups. Refuses to run with REDIS_URL set: then web, worker and "
        "beat are processes of their own (docker-compose.yml), and a second beat would do everything twice."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
        parser.add_argument("--port", type=int, default=settings.PORT, help="0 takes a free one (default: PORT)")
        parser.add_argument("--demo", action="store_true", help="fill an empty database with demo matches")

    def handle(self, *, host: str, port: int, demo: bool, **options: Any) -> None:
        if settings.REDIS_URL:
            raise CommandError("REDIS_URL is set: unset it, or start the processes of docker-compose.yml instead")
        port = _free_port(host, port)
        if settings.LOCAL and _local_url(settings.PORT) == settings.SITE_URL:
            settings.SITE_URL = _local_url(port)  # for full addresses, as in mails and feeds
        # So that webhooks can be tried with a program on the same machine.
        settings.LOCAL_RECEIVERS = settings.LOCAL and host in _THIS_MACHINE
        _prepare_database()
        if not settings.LOCAL:
            call_command("collectstatic", interactive=False, verbosity=0)
        if demo and settings.LOCAL:  # a real site must not have accounts with a known password
            call_command("demo", stdout=self.stdout)
        elif settings.LOCAL and not User.objects.filter(is_staff=True, is_active=True).exists():
            self.stdout.write(_FIRST_HOST)
        connection.close()
        died = self._serve(host, port)
        self.stdout.write("Stopped.")
        if died:
            raise CommandError("the embedded worker or beat stopped unexpectedly: see the log")

    def _serve(self, host: str, port: int) -> bool:
        """Run until SIGINT or SIGTERM; True if it ended because the worker or beat died."""
        # Imported here, because only this command needs a server.
        from channels.routing import get_default_application
        from daphne.endpoints import build_endpoint_description_strings
        from daphne.server import Server

        from genius_site.celery import app
        from genius_site.embedded import EmbeddedCelery

        deaths: list[bool] = []

        def stop_server() -> None:
            from twisted.internet import reactor

            deaths.append(True)
            reactor.callFromThread(server.stop)

        celery = EmbeddedCelery(app, on_death=stop_server)

        def ready() -> None:
            celery.start()
            shown = f"[{host}]" if ":" in host else host
            self.stdout.write(f"\nGenius is at http://{shown}:{port}/  (Ctrl-C stops it)")
            self.stdout.flush()

        server = Server(
            application=get_default_application(),
            endpoints=build_endpoint_description_strings(host=host, port=port),
            ready_callable=ready,
            verbosity=0,
            server_name="genius",
        )
        try:
            server.run()
        finally:
            with suppress(KeyboardInterrupt):
                celery.stop()
        return bool(deaths)


_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
_FIRST_HOST = (
    "Nobody can host matches yet. Make the first administrator with\n"
    "    .venv/bin/python manage.py createsuperuser\n"
    "and sign in at /admin/. Others sign up on the site; “Make host” beside a person there lets them host."
)


def _local_url(port: int) -> str:
    """The default of `SITE_URL` in local mode."""
    return f"http://127.0.0.1:{port}"


def _free_port(host: str, port: int) -> int:
    """The port, or a free one for 0. Raises `CommandError` if another program uses it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not 0 <= port <= 65535:
        raise CommandError(f"--port: expected a number from 0 to 65535, got {port}")
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"cannot listen on {host}:{port} ({error.strerror}); try another: PORT=8123") from None
        return int(probe.getsockname()[1])


def _prepare_database() -> None:
    """Migrate if there are unapplied migrations; the check makes a second start faster."""
    if database.is_ready():
        return
    with db_waits.unhurried():
        call_command("migrate", interactive=False, verbosity=0)
