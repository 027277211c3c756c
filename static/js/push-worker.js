// The service worker, served as /push.js. It shows what is pushed to this browser, and opens its page; nothing else: no
// page is kept or changed by it.

function pathOf(given) {
  // Only pages of this site are opened, whatever was pushed.
  try {
    const url = new URL(String(given || "/"), self.location.origin);
    if (url.origin === self.location.origin) return url.pathname + url.search + url.hash;
  } catch {
    // not an address at all
  }
  return "/";
}

function told(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = told(event.data);
  const shown = { body: body || "", tag: tag || undefined, icon: "/static/img/push.png", data: { path: pathOf(url) } };
  event.waitUntil(self.registration.showNotification(title || "Genius", shown));
});

async function open(path) {
  const url = new URL(path, self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => page.url === url);
  return there ? there.focus() : self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

// A new version of this file holds at once, so that what is pushed is never shown by an old one.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
