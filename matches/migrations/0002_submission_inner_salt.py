"""What the log keeps to itself (the account's number, a player's own count) is hashed under a salt of its own, which is
never published. Rows from before have none: their hash covers both openly."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="inner_salt",
            field=models.CharField(blank=True, default="", max_length=32),
        ),
    ]
