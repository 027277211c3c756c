"""Base classes of the admin's lists: bounded in cost, and limited to the matches that a person may see."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

from django.contrib import admin
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse

from matches.models import Match
from matches.queries.paging import in_order
from matches.services.roles import with_a_role

_MOST = 10_000
_LATEST = 1000


class BoundedPaginator(Paginator):
    """Counts and shows only the first 10,000 rows. Sorts only keys, and reads a page's rows by them."""

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows."""
        return len(self._keys) > _MOST

    @property
    def _rows(self) -> QuerySet[Any]:
        return cast("QuerySet[Any]", self.object_list)

    @cached_property
    def _keys(self) -> list[Any]:
        return list(self._rows.prefetch_related(None).values_list("pk", flat=True)[: _MOST + 1])

    @property
    def count(self) -> int:
        return min(len(self._keys), _MOST)

    def page(self, number: int | str) -> Page[Any]:
        number = self.validate_number(number)
        keys = self._keys[: self.count][(number - 1) * self.per_page : number * self.per_page]
        return Page(in_order(self._rows, keys), number, self)


class LatestValues(admin.AllValuesFieldListFilter):
    """A filter that offers only the values of the latest rows, as finding all would read every row."""

    def __init__(
        self, field: Any, request: HttpRequest, params: Any, model: Any, model_admin: Any, field_path: str
    ) -> None:
        super().__init__(field, request, params, model, model_admin, field_path)
        latest = model_admin.get_queryset(request).order_by("-pk").values_list(field.name, flat=True)[:_LATEST]
        self.lookup_choices: Any = sorted(set(latest))


# -- matches that a person may manage, and lists of only those -----------------------------------------------


def hosted_matches(user: Any) -> QuerySet[Match]:
    """Return the matches that a person hosts or observes, or all for a superuser; never one in which they play."""
    matches = Match.objects.exclude(players__user=user)
    return matches if user.is_superuser else matches.filter(with_a_role(user))


def opened_matches(user: Any) -> QuerySet[Match]:
    """Return the matches whose log and balances a person may read: of a superuser those that they have opened in the
    console, since they can then never play in them."""
    matches = hosted_matches(user)
    return matches.filter(insiders__user=user, insiders__played=None) if user.is_superuser else matches


def column(title: str, show: Callable[[Any], Any], **more: Any) -> Any:
    """Return a column of a list: its heading, and a function of the row."""

    def shown(row: Any) -> Any:
        return show(row)

    shown.__name__ = title.replace(" ", "_")  # Django makes the class of its cells from it
    return admin.display(description=title, **more)(shown)


class LongList(admin.ModelAdmin):
    """A long list whose rows have no history of their own."""

    actions = None
    list_per_page = list_max_show_all = 50
    show_full_result_count = False
    paginator = BoundedPaginator
    show_facets = admin.ShowFacets.NEVER
    about = ""
    """The heading of the list."""
    note = ""
    """A note above the list."""
    change_list_template = "admin/matches/change_list.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        shown = {"title": self.about, "is_nav_sidebar_enabled": False, "note": self.note}
        return super().changelist_view(request, {**shown, **(extra_context or {})})

    def to_field_allowed(self, request: HttpRequest, to_field: str) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        raise Http404("The log of the match is the history of everything in it.")


class Records(LongList):
    """A read-only list of rows of the hosted matches."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(**{f"{self.match_path}__in": opened_matches(request.user)})

    match_path = "match"
    sortable_by = ()
    # Rows have no page, and their ids are not shown: they count the rows of all matches, so a host of one match who
    # plays in another could see that somebody has just acted there.
    list_display_links = None

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        raise Http404("Rows have no pages of their own: the list shows all that they hold.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MatchFilter(admin.SimpleListFilter):
    """Filters by match, among those that the person may see."""

    title = "match"
    parameter_name = "match"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        self.path = model_admin.match_path
        return [(str(pk), title) for pk, title in opened_matches(request.user).values_list("pk", "title")[:100]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value is None:
            return queryset
        return queryset.filter(**{f"{self.path}__pk": value}) if is_id(value) else queryset.none()

    def has_output(self) -> bool:
        return True


def is_id(value: str) -> bool:
    """Whether a text from a URL or a form can be the id of a row."""
    return value.isascii() and value.isdecimal() and len(value) < 19
