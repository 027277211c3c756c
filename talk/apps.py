"""The Django app `talk`."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "talk"
    verbose_name = "Talk"

    def ready(self) -> None:
        from accounts import leaving
        from matches.pages import additions, desk, own_lines
        from matches.services.signals import match_duplicated, place_changed_hands
        from talk.live import on_message
        from talk.models import Mention, Seen
        from talk.queries.speeches import given_words
        from talk.services import departing, speeches
        from talk.services.choosing import copy_choices
        from talk.services.signals import message_hidden, message_posted
        from talk.web.desk import needs_in
        from talk.web.own_lines import lines_in
        from talk.web.tab import additions_of

        leaving.register(leaving.Part("talk", leave=departing.leave, own=[Mention, Seen], export=departing.export))
        additions.register(additions_of)
        desk.register_needs(needs_in)
        own_lines.register(lines_in)
        additions.offer_gift_words(additions.GiftWords(speeches.offered, speeches.take, given_words))
        match_duplicated.connect(copy_choices)
        message_posted.connect(on_message)
        message_hidden.connect(on_message)
        place_changed_hands.connect(speeches.forget)
