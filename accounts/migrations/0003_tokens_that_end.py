from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone


def in_a_while():
    """For tokens in use now: enough time to replace them."""
    return timezone.now() + timedelta(days=90)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_names_that_look_alike")]

    operations = [
        migrations.AddField(
            "apitoken",
            "expires_at",
            models.DateTimeField(default=in_a_while, editable=False, verbose_name="expires"),
            preserve_default=False,
        ),
        # Until now all tokens could do everything.
        migrations.AddField(
            "apitoken",
            "scope",
            models.CharField(
                choices=[("read", "Read"), ("act", "Read and act")], default="act", max_length=4, verbose_name="may"
            ),
            preserve_default=False,
        ),
    ]
