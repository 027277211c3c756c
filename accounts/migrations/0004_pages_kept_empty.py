from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_tokens_that_end")]

    operations = [
        migrations.AddField(
            "user",
            "keeps_private",
            models.BooleanField(
                default=False,
                help_text="It then shows your name and nothing else. What other pages show about you stays there.",
                verbose_name="keep my public page empty",
            ),
        ),
    ]
