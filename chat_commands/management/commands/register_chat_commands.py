"""Registers the slash commands with the chat server. Needed once, and after every release that changes them."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from chat_commands import catalogue
from chat_commands.catalogue import payload


class Command(BaseCommand):
    help = "Register the slash commands with the chat server, replacing all those registered before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only print what would be sent")

    def handle(self, *, dry_run: bool, **options: Any) -> None:
        commands = payload()
        if dry_run:
            self.stdout.write(json.dumps(commands, indent=2, ensure_ascii=False))
            return
        missing = [
            name
            for name, value in (
                ("DISCORD_APPLICATION_ID", settings.CHAT_APPLICATION_ID),
                ("DISCORD_BOT_TOKEN", settings.CHAT_BOT_TOKEN),
            )
            if not value
        ]
        if missing:
            raise CommandError(f"Set {' and '.join(missing)} first.")
        try:
            status, said = catalogue.call("PUT", catalogue.commands_path(), commands, bot_token=settings.CHAT_BOT_TOKEN)
        except catalogue.NotReached as problem:
            raise CommandError(f"Cannot reach the chat server: {problem}.") from None
        if status != 200:
            raise CommandError(f"The chat server refused the commands ({status}): {said[:500]}")
        self.stdout.write(f"Registered: {', '.join('/' + command['name'] for command in commands)}")
