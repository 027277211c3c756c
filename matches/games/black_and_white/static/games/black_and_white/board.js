// The number to place: a slider beside its field, and in words at once what it would show and leave.
//
// Reads   input[type=range][data-slides="id"]                      the slider of that field; hidden without this script
//         [data-points][data-white-from][data-lamp] around it      what one has, where white begins, points for each lamp
// Writes  #forecast-place                                          until the server says the same

import { counted, fire, watch } from "../../js/site.js";

const lampsOf = (points, lamp) => Math.floor(points / lamp) + 1;

function say(form, value) {
  const shown = document.querySelector("#forecast-place > *");
  const [points, whiteFrom, lamp] = ["points", "whiteFrom", "lamp"].map((name) => Number(form.dataset[name]));
  if (!shown || value === "" || !Number.isInteger(Number(value)) || value < 0 || value > points) return;
  const left = points - value;
  const [before, after] = [lampsOf(points, lamp), lampsOf(left, lamp)];
  const words = `${value} is ${value < whiteFrom ? "black" : "white"}; you keep ${counted(left, "point")}, ${counted(after, "lamp")}`;
  (shown.querySelector("span, div") ?? shown).textContent = `${words}${after === before ? "" : ` instead of ${before}`}.`;
}

function follow({ target }) {
  const form = target.closest?.("[data-white-from]");
  if (!form) return;
  const slider = form.querySelector("[data-slides]");
  const field = document.getElementById(slider.dataset.slides);
  if (target === slider) {
    field.value = slider.value;
    fire(field, "input");
    return;
  }
  slider.value = field.value || 0;
  say(form, field.value);
}

function show() {
  for (const slider of document.querySelectorAll("[data-slides][hidden]")) {
    slider.hidden = false;
    slider.value = document.getElementById(slider.dataset.slides)?.value || 0;
  }
}

document.addEventListener("input", follow);
watch(document.getElementById("part-act") ?? document.body, show, "hidden");
show();
