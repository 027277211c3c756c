"""Where each part of the site answers. The parts name their own pages in their own `urls.py`."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

# Sign-in to the admin is the site's own: its rate limits, second factors and sessions page hold there too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("profile/", include("accounts.urls")),
]
