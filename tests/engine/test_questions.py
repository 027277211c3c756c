"""Questions: read like actions, answered from views, and nothing comes of them."""

import pytest

from matches.engine.errors import Rejected
from tests.engine.play import Table
from tests.engine.tiny_game import GAME, Bid, Withdraw, Worth

SPECTATOR = (None, None)


def refusal(raw: object) -> Rejected:
    with pytest.raises(Rejected) as caught:
        GAME.ask(raw, *SPECTATOR)
    return caught.value


@pytest.mark.parametrize(
    ("raw", "code", "field"),
    [
        ("what_if", "malformed", None),
        ({"amount": 4}, "malformed", None),
        ({"type": "bid", "amount": 4}, "unknown_question", "type"),
        ({"type": "what_if", "amount": "4"}, "malformed", "amount"),
        ({"type": "what_if", "amount": 4, "others": [1, "2"]}, "malformed", "others[1]"),
        ({"type": "what_if", "amount": 0}, "not_positive", "amount"),
    ],
)
def test_refusals_come_in_the_order_of_actions(raw: object, code: str, field: str | None) -> None:
    assert (refusal(raw).code, refusal(raw).field) == (code, field)


def test_a_game_without_questions_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "questions", {})
    assert refusal({"type": "what_if"}).message == "This match knows no questions."


def test_a_forecast_is_made_from_the_players_views() -> None:
    table = Table("ann", "bob")
    state = table.state
    public, private = GAME.public_view(state), GAME.private_view(state, "ann")
    assert GAME.forecast(public, private, Bid(3)) == Worth(True, 3, 7)
    assert GAME.forecast(public, private, Withdraw()) is None
