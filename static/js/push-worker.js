// The service worker, served as /push.js. It shows what is pushed to this browser, opens its page, and tells the site
// when the browser has renewed its subscription; nothing else: no page is kept or changed by it.
//
// Keeps   "subscription" in the cache "genius-push": what the site knows of this browser, as push.js has put it there
// Hears   the message "look" of a page (site.js): browsers do not always say that they have renewed

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

function messageOf(data) {
  try {
    return data.json();
  } catch {
    return {};
  }
}

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = messageOf(event.data);
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

// -- a subscription that was renewed -------------------------------------------------------------------

const CACHE = "genius-push";
const KEPT = "/push/subscription";

function fieldsOf(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const server_key = new Uint8Array(subscription.options.applicationServerKey).toBase64({ alphabet: "base64url", omitPadding: true });
  return { endpoint, ...keys, server_key };
}

async function known() {
  const found = await (await caches.open(CACHE)).match(KEPT);
  return found ? found.json() : null;
}

async function keep(fields) {
  await (await caches.open(CACHE)).put(KEPT, new Response(JSON.stringify(fields)));
}

async function present(serverKey) {
  const { pushManager } = self.registration;
  const found = await pushManager.getSubscription();
  if (found || Notification.permission !== "granted") return found;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey });
}

// If the site cannot be reached, what it knew stays kept, and the next look tries again.
async function renew(old, made) {
  if (!old) return; // switched off, or never on: nobody could say whose browser this is
  const subscription = made ?? (await present(old.server_key));
  if (!subscription) return;
  const fields = fieldsOf(subscription);
  if (fields.endpoint === old.endpoint && fields.auth === old.auth) return;
  const body = new URLSearchParams({ ...fields, old_endpoint: old.endpoint, old_auth: old.auth });
  const answer = await fetch("/notices/push/renew/", { method: "POST", body, credentials: "omit" });
  if (answer.ok) return keep(fields);
  if (![404, 422].includes(answer.status)) return;
  // The address was removed on the site, or cannot be used any more.
  await subscription.unsubscribe();
  await (await caches.open(CACHE)).delete(KEPT);
}

self.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription, newSubscription } = event;
  event.waitUntil(
    known().then((kept) => renew(kept ?? (oldSubscription ? fieldsOf(oldSubscription) : null), newSubscription)),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "look") event.waitUntil(known().then((kept) => renew(kept)));
});

// A new version of this file holds at once, so that what is pushed is never shown by an old one.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
