"""How finished matches ended for each player, also of those that were finished before it was stored."""

import django.db.models.deletion
from django.db import migrations, models

from matches.engine.views import tokens_of_life
from matches.games import registry


def store_those_of_finished_matches(apps, schema_editor):
    Match, Result = apps.get_model("matches", "Match"), apps.get_model("matches", "PlayerResult")
    for match in Match.objects.filter(status="finished").exclude(state="").iterator(chunk_size=100):
        game = registry.rules_of(match.game, match.rules_version)
        if not game.is_known:  # nothing of such a match can be shown
            continue
        core = game.decode_state(match.state).core
        tokens = tokens_of_life(core)
        Result.objects.bulk_create(
            Result(
                player_id=pk,
                won=handle in core.winners,
                tokens=tokens.get(handle, 0),
                candidate=handle in core.candidates,
            )
            for pk, handle in match.players.values_list("pk", "handle")
        )


class Migration(migrations.Migration):
    dependencies = [("matches", "0011_roles")]

    operations = [
        migrations.CreateModel(
            name="PlayerResult",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="result",
                        serialize=False,
                        to="matches.player",
                    ),
                ),
                ("won", models.BooleanField()),
                ("tokens", models.PositiveIntegerField()),
                ("candidate", models.BooleanField()),
            ],
        ),
        migrations.RunPython(store_those_of_finished_matches, migrations.RunPython.noop),
    ]
