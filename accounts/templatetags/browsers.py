"""A browser's name for people, from what it says of itself."""

from django import template

from accounts.browsers import name_of

register = template.Library()
register.filter("browser_name", name_of)
