"""Sets up the app: connects its signal receivers, and gives forms the site's error messages."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = "People"  # in the console; allauth's addresses are "Accounts" there
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts import second_factor, sign_in
        from accounts.forms import speak_plainly

        sign_in.listen_for_sign_in()
        sign_in.listen_for_lasting()
        second_factor.listen()
        speak_plainly()
