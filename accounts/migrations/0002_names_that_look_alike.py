import re

import django.core.validators
import django.db.models.functions.text
from django.db import migrations, models

import accounts.validators
from accounts.names import skeleton

TAKEN = "This username is taken, or looks like one that is. Please choose another one."


def fill(apps, schema_editor):
    """The first account with a look has it; later ones that look the same keep their names, without a skeleton."""
    User = apps.get_model("accounts", "User")
    taken = set()
    changed = []
    for user in User.objects.order_by("pk").only("username").iterator():
        look = skeleton(user.username)
        if look not in taken:
            taken.add(look)
            user.skeleton = look
            changed.append(user)
    User.objects.bulk_update(changed, ["skeleton"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField("user", "skeleton", models.CharField(editable=False, max_length=120, null=True, unique=True)),
        migrations.AlterField(
            "user",
            "username",
            models.CharField(
                error_messages={"unique": TAKEN},
                help_text="2 to 30 characters: letters, digits and _ . -",
                max_length=30,
                unique=True,
                validators=[
                    django.core.validators.RegexValidator(
                        code="invalid_username",
                        message="Please use 2 to 30 characters: the letters a–z, digits, and _ . - (no spaces, no accents; your display name may have those).",
                        regex=re.compile("\\A[A-Za-z0-9_.-]{2,30}\\Z"),
                    )
                ],
                verbose_name="username",
            ),
        ),
        migrations.AlterField(
            "user",
            "display_name",
            models.CharField(
                blank=True,
                help_text="What other people see. Left empty, they see your username.",
                max_length=50,
                validators=[accounts.validators.validate_visible],
                verbose_name="display name",
            ),
        ),
        migrations.AlterConstraint(
            "user",
            "accounts_username_unique_ignoring_case",
            models.UniqueConstraint(
                django.db.models.functions.text.Lower("username"),
                name="accounts_username_unique_ignoring_case",
                violation_error_message=TAKEN,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
