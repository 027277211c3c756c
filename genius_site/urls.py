"""The site's addresses. Each app lists its own pages in its own `urls.py`."""

from allauth.account.decorators import secure_admin_login
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialApp, SocialToken
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.defaults import page_not_found

from accounts.admin import AuthenticatorAdmin
from matches.web.health import healthz

# People sign in to the admin as to the site, with its rate limits, second factors and list of sessions.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

# allauth would show people's second factors and tokens there; its apps come from the environment.
admin.site.unregister([Authenticator, SocialApp, SocialToken])
admin.site.register(Authenticator, AuthenticatorAdmin)

urlpatterns = [
    # No "View on site" by number: it would tell any host the address of another host's draft.
    re_path("^admin/r/", page_not_found, {"exception": LookupError()}),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("profile/", include("accounts.urls")),
    path("api/", include("matches.api.urls")),
    path("healthz", healthz),
    path("", include("matches.web.urls")),
]

# Below /api/ errors are JSON.
handler400 = "matches.api.failures.bad_request"
handler403 = "matches.api.failures.permission_denied"
handler404 = "matches.api.failures.page_not_found"
handler500 = "matches.api.failures.server_error"

if settings.DEBUG:
    from matches.web.styleguide import styleguide

    urlpatterns.append(path("styleguide/", styleguide))
