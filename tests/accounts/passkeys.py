"""What forms that need a security key send. Browsers are those of somebody who has just shown who they are."""

import json
import re
from typing import Any

from django.test import Client
from django.urls import reverse

from tests.fixtures.security_key import SecurityKey

ADD, SIGN_IN = reverse("mfa_add_webauthn"), reverse("mfa_login_webauthn")


def to_add(browser: Client, key: SecurityKey) -> dict[str, str]:
    """As a passkey."""
    return {"name": "Blue key", "passwordless": "on", "credential": key.registered(_options(browser.get(ADD)))}


def added(browser: Client) -> SecurityKey:
    """A passkey that this browser has just added."""
    key = SecurityKey()
    assert browser.post(ADD, to_add(browser, key)).status_code == 302
    return key


def to_sign_in(browser: Client, key: SecurityKey) -> dict[str, str]:
    asked = browser.get(SIGN_IN, headers={"X-Requested-With": "XMLHttpRequest"}).json()
    return {"credential": key.signed(asked["request_options"])}


def _options(page: Any) -> dict[str, Any]:
    (said,) = re.findall(r'<script id="js_data" type="application/json">(.*?)</script>', page.content.decode())
    options: dict[str, Any]
    (options,) = json.loads(said).values()
    return options
