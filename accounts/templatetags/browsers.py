"""A browser's name for people, from what it says of itself."""

from django import template

from accounts.cookies import browser_name as name_of

register = template.Library()
register.filter("browser_name", name_of)
