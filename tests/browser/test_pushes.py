"""Switching pushes on and off in a real browser, and its service worker.

Chromium without a window has no push service to subscribe at and shows no notification, so these answers are made up
here. The keys are real, and what the worker gets comes by its debugger.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.served import Server
from tests.fixtures.chromium import Visitors
from tests.fixtures.processes import ask_until

pytestmark = pytest.mark.browser

MADE_UP = """
  let held = null;
  async function subscribe({ applicationServerKey }) {
    const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const keys = {
      p256dh: await crypto.subtle.exportKey("raw", pair.publicKey),
      auth: crypto.getRandomValues(new Uint8Array(16)).buffer,
    };
    held = {
      endpoint: "https://push.example.org/" + crypto.randomUUID(),
      options: { applicationServerKey: applicationServerKey.buffer },
      getKey: (name) => keys[name],
      unsubscribe: async () => { held = null; return true; },
    };
    return held;
  }
  PushManager.prototype.subscribe = subscribe;
  PushManager.prototype.getSubscription = async () => held;
"""
RENEWED = """async () => {
  %s
  const { server_key: key } = await known();
  const bytes = Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  return (await subscribe({ applicationServerKey: bytes })).endpoint;
}"""
WATCHED = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, { tag, data }) => { self.shown.push([title, tag, data.path]); };
}"""
SHOWN = """async () => {
  for (let looks = 0; looks < 60 && !self.shown.length; looks += 1) await new Promise((go) => setTimeout(go, 50));
  return self.shown;
}"""


def test_a_browser_is_added_and_removed(visit: Visitors, server: Server, person: Callable[..., dict[str, Any]]) -> None:
    page = visit(person("ann"), own=True)
    page.context.grant_permissions(["notifications"])
    page.add_init_script(MADE_UP)
    page.goto("/profile/notices/")
    page.get_by_role("button", name="Switch it on in this browser").click()
    expect(page.get_by_text("This browser gets pushes now.")).to_be_visible()
    off = page.get_by_role("button", name="Switch it off in this browser")
    expect(off).to_be_visible()
    off.click()
    expect(page.get_by_text("This browser gets no more pushes.")).to_be_visible()


def test_the_worker_tells_the_site_of_a_renewed_subscription(
    visit: Visitors, server: Server, person: Callable[..., dict[str, Any]]
) -> None:
    page = visit(person("ann"), own=True)
    page.context.grant_permissions(["notifications"])
    page.add_init_script(MADE_UP)
    page.goto("/profile/notices/")
    page.get_by_role("button", name="Switch it on in this browser").click()
    expect(page.get_by_text("This browser gets pushes now.")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    [worker] = page.context.service_workers
    new = worker.evaluate(RENEWED % MADE_UP)
    with page.context.expect_event("response", lambda answer: answer.url.endswith("/notices/push/renew/")) as answered:
        page.evaluate("navigator.serviceWorker.controller.postMessage('look')")
    assert answered.value.status == 200
    # The site knows the new one: by its endpoint it can be removed.
    page.evaluate(
        """(endpoint) => {
          PushManager.prototype.getSubscription = async () => ({ endpoint, unsubscribe: async () => true });
        }""",
        new,
    )
    page.get_by_role("button", name="Switch it off in this browser").click()
    expect(page.get_by_text("This browser gets no more pushes.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Switch it on in this browser")).to_be_visible()
    expect(page.get_by_text("Chrome on Linux")).to_have_count(0)


@pytest.mark.parametrize(
    ("url", "opened"), [("/matches/?x=1", "/matches/?x=1"), ("https://evil.example/", "/"), ("//evil.example/x", "/")]
)
def test_the_worker_shows_what_is_pushed_and_knows_no_other_site(
    visit: Visitors, server: Server, person: Callable[..., dict[str, Any]], url: str, opened: str
) -> None:
    page = visit(person("ann"), own=True)
    page.context.grant_permissions(["notifications"])
    page.goto("/profile/notices/")
    debugger = page.context.new_cdp_session(page)
    found: list[str] = []
    debugger.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    debugger.send("ServiceWorker.enable")
    page.evaluate(
        "navigator.serviceWorker.register('/push.js', {scope: '/'}).then(() => navigator.serviceWorker.ready)"
    )
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    ask_until(lambda: page.evaluate("true") and bool(found))
    data = json.dumps({"title": "You have been outbid · Cup", "body": "", "url": url, "tag": "n1"})
    origin = re.match(r"https?://[^/]+", page.url)
    assert origin
    shown: list[Any] = []
    for _ in range(5):  # Chromium sometimes loses what its debugger delivers to a worker that has just begun
        pushed = {"origin": origin[0], "registrationId": found[-1], "data": data}
        [worker] = page.context.service_workers
        worker.evaluate(WATCHED)
        debugger.send("ServiceWorker.deliverPushMessage", pushed)
        if shown := worker.evaluate(SHOWN):
            break
    assert shown == [["You have been outbid · Cup", "n1", opened]]
