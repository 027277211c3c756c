"""The app `talk`: connects it to the pages, signals and account deletion of the apps below it."""

from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "talk"
    verbose_name = "Talk"

    def ready(self) -> None:
        from accounts import deletion
        from matches.pages import desk, extensions
        from matches.services.signals import match_duplicated, place_changed_hands, place_played_by_others
        from notices import inbox
        from seasons.services.drafts import more_facts
        from seasons.services.writer import season_changed, season_duplicated
        from seasons.web.extensions import needs_of_seasons, of_seasons
        from talk.models import Mention, Seen
        from talk.notices import by_channel, on_channel_read, on_message, on_season
        from talk.queries.messages import given_words
        from talk.services import channels, posting
        from talk.services.channels import channel_read, copy_choices, copy_choices_in, message_hidden, message_posted
        from talk.web.page import additions_of, lines_in, needs_in, needs_in_seasons, tabs_of

        deletion.register(deletion.Part("talk", leave=channels.leave, own=[Mention, Seen], export=channels.export))
        extensions.of_matches.register(additions_of)
        season_duplicated.connect(copy_choices_in)
        season_changed.connect(on_season)
        of_seasons.register(tabs_of)
        needs_of_seasons.register(needs_in_seasons)
        more_facts.append(channels.facts_of)
        desk.of_needs.register(needs_in)
        extensions.of_lines.register(lines_in)
        extensions.offer_gift_words(extensions.GiftWords(posting.speeches_offered, posting.take_speech, given_words))
        match_duplicated.connect(copy_choices)
        message_posted.connect(on_message)
        message_hidden.connect(on_message)
        place_changed_hands.connect(posting.forget_speech)
        place_played_by_others.connect(posting.forget_speech)
        channel_read.connect(on_channel_read)
        inbox.of_unread_talk.register(by_channel)
