"""The addresses of what the site says of itself."""

from django.urls import path

from genius_site.about import views

urlpatterns = [
    path("privacy/", views.privacy, name="privacy"),
    path("accessibility/", views.accessibility, name="accessibility"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", views.sitemap, name="sitemap"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("favicon.ico", views.favicon, name="favicon"),
]
