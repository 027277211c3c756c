"""The site's URLs. Each app lists its own pages in its own `urls.py`."""

from allauth.account.decorators import reauthentication_required, secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import list_usersessions
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.defaults import page_not_found
from django.views.generic import RedirectView

from accounts.admin import AddressAdmin, AuthenticatorAdmin

# People sign in to the admin through the site's form, with its rate limits, second factors and list of sessions.
admin.site.index_title = "Console"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

# allauth's admin pages would show people's second factors, sessions and tokens; its apps come from the environment.
admin.site.unregister([Authenticator, EmailAddress, SocialAccount, SocialApp, SocialToken, UserSession])
admin.site.register(Authenticator, AuthenticatorAdmin)
admin.site.register(EmailAddress, AddressAdmin)

urlpatterns = [
    # No "View on site" by number: it would tell any host the address of another host's draft.
    re_path("^admin/r/", page_not_found, {"exception": LookupError()}),
    # The admin's own form would check passwords without limiting tries.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
    # Asks for the password: somebody at another person's computer must not end that person's other sessions.
    path("accounts/sessions/", reauthentication_required(list_usersessions, allow_get=True)),
    path("accounts/", include("allauth.urls")),
    path("profile/", include("accounts.urls")),
    path("api/v1/", include("talk.api.urls")),
    path("api/v1/seasons/", include("seasons.api.urls")),
    path("api/", include("matches.api.urls")),
    path("", include("genius_site.about")),
    path("", include("chat_commands.urls")),
    path("", include("notices.urls")),
    path("", include("matches.web.urls")),
    path("", include("talk.web.urls")),
    path("", include("notes.urls")),
    path("", include("practice.urls")),
    path("", include("seasons.web.urls")),
]

# Below /api/ errors are JSON.
handler400 = "matches.api.codes.bad_request"
handler403 = "matches.api.codes.permission_denied"
handler404 = "matches.api.codes.page_not_found"
handler500 = "matches.api.codes.server_error"
