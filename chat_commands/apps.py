"""The app `chat_commands`: connects it to account deletion and the account pages."""

from django.apps import AppConfig


class ChatCommandsConfig(AppConfig):
    name = "chat_commands"
    verbose_name = "Slash commands"

    def ready(self) -> None:
        from accounts import deletion
        from accounts.extensions import add_tab
        from accounts.signals import access_changed
        from chat_commands.linking import export, is_on, on_access_changed
        from chat_commands.models import ChatAccount

        deletion.register(deletion.Part("chat", own=[ChatAccount], export=export))
        add_tab("chat_commands:account", "Chat", "Programs", shown_to=lambda user: is_on())
        access_changed.connect(on_access_changed)
