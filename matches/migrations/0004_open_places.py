"""Hosts say what becomes of open places at the start; so far bots played in them, or the match began without them."""

from django.db import migrations, models


def carry_over(apps, schema_editor):
    """What matches have said so far; only where anyone could join could a match begin with open places."""
    matches = apps.get_model("matches", "Match").objects
    matches.filter(joining="open").update(open_places="without")
    matches.filter(fill_with_bots=True).update(open_places="bots")


def carry_back(apps, schema_editor):
    """Bots or no bots is all that was known before."""
    apps.get_model("matches", "Match").objects.filter(open_places="bots").update(fill_with_bots=True)


class Migration(migrations.Migration):
    dependencies = [("matches", "0003_insiders")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="open_places",
            field=models.CharField(
                choices=[
                    ("wait", "The match waits: its start is postponed by a day, up to a week"),
                    ("bots", "Bots play in them"),
                    ("without", "The match begins without them"),
                ],
                default="wait",
                help_text="What becomes of places that nobody has taken when the match is to begin.",
                max_length=7,
                verbose_name="open places at the start",
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="start_problem",
            field=models.TextField(blank=True, editable=False),
        ),
        migrations.RunPython(carry_over, carry_back),
        migrations.RemoveField(model_name="match", name="fill_with_bots"),
    ]
