from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_pages_kept_empty")]

    operations = [
        migrations.AddField(
            "user",
            "hides_results",
            models.BooleanField(
                default=False,
                help_text="Pages then ask before they show how a match or a season ended, except for your own matches.",
                verbose_name="hide results until I click",
            ),
        ),
    ]
