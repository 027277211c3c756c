// The number to place: a slider beside its field.
//
// Reads   input[type=range][data-slides="id"]      the slider of that field; hidden without this script

import { fire, watch } from "../../js/site.js";

function follow({ target }) {
  const slider = target.closest?.(".bw-form")?.querySelector("[data-slides]");
  if (!slider) return;
  const field = document.getElementById(slider.dataset.slides);
  if (target === slider) {
    field.value = slider.value;
    fire(field, "input");
  } else {
    slider.value = field.value || 0;
  }
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
