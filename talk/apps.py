"""The Django app `talk`."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "talk"
    verbose_name = "Talk"

    def ready(self) -> None:
        from accounts import leaving
        from matches.pages import additions, desk
        from matches.services.signals import match_duplicated, place_changed_hands
        from talk.live import on_message
        from talk.models import Mention, Seen
        from talk.queries.messages import given_words
        from talk.services import channels, speeches
        from talk.services.channels import copy_choices, message_hidden, message_posted
        from talk.web.page import additions_of, lines_in, needs_in

        leaving.register(leaving.Part("talk", leave=channels.leave, own=[Mention, Seen], export=channels.export))
        additions.of_matches.register(additions_of)
        desk.register_needs(needs_in)
        additions.of_lines.register(lines_in)
        additions.offer_gift_words(additions.GiftWords(speeches.offered, speeches.take, given_words))
        match_duplicated.connect(copy_choices)
        message_posted.connect(on_message)
        message_hidden.connect(on_message)
        place_changed_hands.connect(speeches.forget)
