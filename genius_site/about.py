"""Views that are the same for everybody: privacy, accessibility, robots.txt, sitemap, security.txt, manifest, icon."""

from datetime import timedelta
from email.utils import parseaddr

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import path, reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from matches.games.registry import all_games
from matches.models import clock

_day = cache_control(public=True, max_age=24 * 3600)
_ICONS = settings.BASE_DIR / "static" / "img"
_EXPIRES = timedelta(days=180)
_OWN = ("/calendar/", "/join/", "/me/", "/notices/", "/profile/", "/results/")
_PRIVATE = ("/accounts/", "/admin/", "/api/", *_OWN, "/ws/")
"""Paths that search engines should leave out."""


def contact() -> str:
    """Return the email address of whoever runs this site."""
    return settings.CONTACT_EMAIL or parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what this site stores about people, for how long, and who sees it."""
    kept = settings.KEPT_DAYS
    days = {
        # A session's entry is kept until it has ended, and for some days more.
        "sign_in": settings.AWAY_DAYS + kept["sessions_ended"],
        "away": settings.AWAY_DAYS,
        "read": kept["notices_read"],
        "unread": kept["notices_unread"],
    }
    context = {
        "contact": contact(),
        "days": days,
        "has_discord": bool(settings.DISCORD_CLIENT_ID),
        "has_commands": bool(settings.CHAT_PUBLIC_KEY),
        "of_this_host": settings.OF_THIS_HOST,
    }
    return render(request, "about/privacy.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Show the accessibility statement."""
    return render(request, "about/accessibility.html", {"contact": contact()})


@_day
@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Say whom to tell of a vulnerability (RFC 9116)."""
    expires = (clock.now() + _EXPIRES).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = (
        f"Contact: mailto:{contact()}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
    )
    return _plain(lines)


@_day
@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Ask search engines to leave out some paths."""
    lines = ("User-agent: *", *(f"Disallow: {path}" for path in _PRIVATE), f"Sitemap: {settings.SITE_URL}/sitemap.xml")
    return _plain(lines)


@_day
@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the pages that are the same for everybody: no matches, so that search results reveal no outcome."""
    names = ("matches:home", "matches:games", "matches:matches", "seasons:seasons", "privacy", "accessibility")
    paths = [*map(reverse, names), *(reverse("matches:game", args=[slug]) for slug in sorted(all_games()))]
    urls = "".join(f"<url><loc>{settings.SITE_URL}{path}</loc></url>" for path in paths)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">{urls}</urlset>\n'
    return HttpResponse(text, content_type="application/xml; charset=utf-8")


@_day
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest with which phones install the site as an app."""
    icons = [
        {"src": static(f"img/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)
    ]
    manifest = {
        "name": "Genius",
        "short_name": "Genius",
        "description": "Auction games with hidden information, played over several days.",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "background_color": "#10321f",
        "theme_color": "#10321f",
        "icons": [{"src": static("img/favicon.svg"), "sizes": "any", "type": "image/svg+xml"}, *icons],
    }
    return JsonResponse(manifest, content_type="application/manifest+json")


@_day
@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Serve the icon to programs that ask for it without having read a page."""
    return HttpResponse((_ICONS / "favicon.ico").read_bytes(), content_type="image/x-icon")


def _plain(lines: tuple[str, ...]) -> HttpResponse:
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


urlpatterns = [
    path("privacy/", privacy, name="privacy"),
    path("accessibility/", accessibility, name="accessibility"),
    path(".well-known/security.txt", security_txt, name="security_txt"),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", sitemap, name="sitemap"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("favicon.ico", favicon, name="favicon"),
]
