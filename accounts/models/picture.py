"""A person's picture, as the site has drawn it again."""

import secrets

from django.db import models


def new_token() -> str:
    """What the address of a picture ends with: nobody finds it by trying, and another picture has another one."""
    return secrets.token_urlsafe(15)


class Picture(models.Model):
    """One a person. `data` is a small PNG of the site's own making, with nothing in it but what one sees."""

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="picture")
    token = models.CharField(max_length=20, unique=True, default=new_token)
    data = models.BinaryField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"picture of {self.user_id}"
