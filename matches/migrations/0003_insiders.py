"""Whoever has ever hosted a match is remembered as one who can never play in it; of matches from before, whoever the
log names as a host."""

import json

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def remember(apps, schema_editor):
    """Note hosts of now, everybody who has given a command, and everybody whom a change of hosts names."""
    Match, Submission = apps.get_model("matches", "Match"), apps.get_model("matches", "Submission")
    Insider, User = apps.get_model("matches", "Insider"), apps.get_model(*settings.AUTH_USER_MODEL.split("."))
    found = {(match.pk, host.pk): match.created_at for match in Match.objects.prefetch_related("hosts") for host in match.hosts.all()}
    rows = Submission.objects.filter(actor__startswith="host:").order_by("-number")
    users = dict(User.objects.values_list("username", "pk"))
    for row in rows.values("match_id", "user_id", "kind", "payload", "received_at").iterator():
        people = [row["user_id"]]
        if row["kind"] == "command" and (payload := json.loads(row["payload"]))["command"] == "hosts":
            people += [users.get(name) for names in payload["hosts"] for name in names]
        # Rows come latest first: the earliest time is what stays.
        found |= {(row["match_id"], pk): row["received_at"] for pk in people if pk is not None}
    Insider.objects.bulk_create(
        [Insider(match_id=match, user_id=user, since=since) for (match, user), since in found.items()],
        ignore_conflicts=True,
    )


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0002_submission_inner_salt"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Insider",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="insiders", to="matches.match"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("match", "user"), name="insider_once_a_match")],
            },
        ),
        migrations.RunPython(remember, migrations.RunPython.noop),
    ]
