"""`manage.py verify`: plays everything again from its log and reports where the stored data differs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from matches.proof import check_export
from matches.services import kinds
from matches.services.kinds import SHORTEST_HEAD

UNREADABLE = check_export.UNREADABLE
_PLAYED = "Played again by the rules: state, ledger, cast and results agree. Not proved: names and times."


class Command(BaseCommand):
    help = (
        "Play matches and seasons again from their logs and compare the chain of hashes, state, clock, ledger, auction "
        "book, players and results. Prints a line for each; exit status 1 if something differs. With --head, also say "
        "whether the log still contains a fingerprint that was published. With --file, prove an exported file instead, "
        "without the database: exit status 1 if something is wrong, 2 if it cannot be read, 3 if it is not proved to "
        "its end, which takes the --head of its last row."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID", help="public ids, as in addresses (default: all)")
        parser.add_argument("--file", metavar="FILE", help="an exported file (JSON)")
        parser.add_argument(
            "--head",
            metavar="HASH",
            action="append",
            default=[],
            help=f"a published fingerprint, or its first {SHORTEST_HEAD} digits or more; may be given several times",
        )

    def handle(self, *, ids: list[str], file: str | None, head: list[str], **options: Any) -> None:
        if any(len(each) < SHORTEST_HEAD for each in head):
            raise CommandError(f"A fingerprint has 64 digits. Give at least {SHORTEST_HEAD}.", returncode=UNREADABLE)
        if file is not None:
            self._prove(file, head)
            return
        if head and len(ids) != 1:
            raise CommandError("A fingerprint is one log's. Give the id of one match or season.", returncode=UNREADABLE)
        unknown, count, wrong = set(ids), 0, 0
        for owner, differing in kinds.verified(ids):
            unknown.discard(owner.public_id)
            count += 1
            found = [*differing, *kinds.lost(owner, head)]
            wrong += bool(found)
            self.stdout.write(f"{owner.public_id}  {' '.join(found) or 'ok'}  ({owner.title})")
        if unknown:
            raise CommandError(f"There is no match or season {', '.join(sorted(unknown))}.", returncode=UNREADABLE)
        if wrong:
            raise CommandError(f"Differs from its log: {wrong} of {count}.")

    def _prove(self, file: str, heads: list[str]) -> None:
        heads = [head.lower() for head in heads]
        try:
            raw = check_export.read(Path(file).read_bytes())
            status, said = check_export.prove(raw, heads)
            if status != check_export.WRONG:
                played = kinds.prove(raw)
                wrong = [*check_export.lost(heads, [raw]), *(played or [])]
                said.append(check_export.NOT_PROVED if played is None else _PLAYED)
                status, said = (check_export.WRONG, wrong) if wrong else (status, said)
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error.strerror}.", returncode=UNREADABLE) from None
        except (ValueError, check_export.Unreadable) as error:
            raise CommandError(f"The file cannot be read: {error}", returncode=UNREADABLE) from None
        self.stdout.write(f"{check_export.WORDS[status]}  {' '.join(said)}  ({raw.get('title')})")
        if status:
            raise CommandError("The file is not proved to its end.", returncode=status)
