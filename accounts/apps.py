"""Sets up accounts: what listens, and allauth's forms in the site's words."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "People"  # in the console; allauth's addresses are "Accounts" there
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.form_words import speak_plainly
        from accounts.sign_in import events, lasting, required

        events.listen()
        lasting.listen()
        required.listen()
        speak_plainly()
