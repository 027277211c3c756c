// Switches pushes to this browser on and off.
//
// Reads   form[data-push="public key"]      posts the subscription to its action; hidden without this script
//         in it: button[data-push-on], button[data-push-off="address"], [data-push-says]
// Keeps   "subscription" in the cache "genius-push": what the site knows of this browser, for push-worker.js

// The same as in push-worker.js, which can import nothing.
function fieldsOf(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  const server_key = new Uint8Array(subscription.options.applicationServerKey).toBase64({ alphabet: "base64url", omitPadding: true });
  return { endpoint, ...keys, server_key };
}

class Refused extends Error {}

async function post(form, address, fields) {
  const body = new FormData(form);
  Object.entries(fields).forEach(([name, value]) => body.set(name, value));
  const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(said.message || "The site did not answer. Please try again.");
  return said;
}

async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

async function switchOn(form) {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Refused("Your browser does not let this site show notifications. Allow them in its settings first.");
  }
  await navigator.serviceWorker.register("/push.js", { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const key = form.dataset.push;
  let made = await registration.pushManager.getSubscription();
  if (made && fieldsOf(made).server_key !== key) {
    await made.unsubscribe(); // made with a key that this site no longer has
    made = null;
  }
  made ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const fields = fieldsOf(made);
  const said = await post(form, form.action, fields);
  await (await caches.open("genius-push")).put("/push/subscription", new Response(JSON.stringify(fields)));
  return said;
}

async function switchOff(form) {
  const made = await subscribed();
  await caches.delete("genius-push");
  if (!made) return { message: "Push notifications are already off in this browser." };
  await made.unsubscribe();
  return post(form, form.querySelector("[data-push-off]").dataset.pushOff, { endpoint: made.endpoint });
}

function show(form, isOn) {
  form.querySelector("[data-push-on]").hidden = isOn;
  form.querySelector("[data-push-off]").hidden = !isOn;
}

async function act(form, button, change, isOn) {
  const says = form.querySelector("[data-push-says]");
  button.disabled = true;
  try {
    says.textContent = (await change(form)).message;
    show(form, isOn);
  } catch (error) {
    says.textContent =
      error instanceof Refused ? error.message : `We could not change that. Your browser says: ${error.message}`;
  } finally {
    button.disabled = false;
  }
}

async function begin(form) {
  const says = form.querySelector("[data-push-says]");
  form.hidden = false;
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    says.textContent = "This browser cannot get push notifications. On an iPhone, add this site to the home screen first.";
    return;
  }
  show(form, Boolean(await subscribed()));
  form.addEventListener("submit", (event) => event.preventDefault());
  const on = form.querySelector("[data-push-on]");
  const off = form.querySelector("[data-push-off]");
  on.addEventListener("click", () => act(form, on, switchOn, true));
  off.addEventListener("click", () => act(form, off, switchOff, false));
}

document.querySelectorAll("form[data-push]").forEach(begin);
