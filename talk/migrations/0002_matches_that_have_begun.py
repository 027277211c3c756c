"""Matches that run already: nobody could choose beforehand, so they get public talk alone."""

from django.db import migrations


def choose_public(apps, schema_editor):
    Match = apps.get_model("matches", "Match")
    TalkChoices = apps.get_model("talk", "TalkChoices")
    running = Match.objects.filter(status__in=("open", "paused")).values_list("pk", flat=True)
    TalkChoices.objects.bulk_create(
        [TalkChoices(match_id=pk, team=False, private=False, speeches=False) for pk in running],
        ignore_conflicts=True,
        batch_size=500,
    )


class Migration(migrations.Migration):
    dependencies = [("talk", "0001_initial")]

    operations = [migrations.RunPython(choose_public, migrations.RunPython.noop)]
