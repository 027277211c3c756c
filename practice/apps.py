"""The Django app `practice`."""

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    name = "practice"
    verbose_name = "Practice"

    def ready(self) -> None:
        from accounts import leaving
        from practice.models import PracticeTable

        leaving.register(leaving.Part("practice", own=[PracticeTable]))
