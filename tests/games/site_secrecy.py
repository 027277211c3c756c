"""What the tests of twin matches at the site share: no secret shows on any page or at any socket."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from tests.fixtures.chosen import one_in
from tests.secrecy.site import Twins, unlike_frames, unlike_pages


class SiteSecrecy:
    """Tests that each of the `twins` is the same in both worlds; in each run a part of them, another part for frames.
    `more` and `typed` are what viewers look at and try beyond what every match has."""

    twins: ClassVar[Mapping[str, Twins[Any]]]
    share: ClassVar[int] = 2
    more: ClassVar[Sequence[str]] = ()
    typed: ClassVar[Sequence[dict[str, str]]] = ()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        turn = int("frame" in metafunc.function.__name__)
        metafunc.parametrize("name", one_in(self.share, [*self.twins], turn))

    @pytest.mark.django_db
    def test_a_secret_changes_not_a_byte(self, make: Any, name: str) -> None:
        assert unlike_pages(make, self.twins[name], more=self.more, typed=self.typed) == []

    @pytest.mark.django_db(transaction=True)
    def test_a_secret_changes_no_frame(self, make: Any, name: str) -> None:
        assert unlike_frames(make, self.twins[name]) == []
