// What is still on its way is shown now: scripts look at sizes, and put the focus on fields.
document.documentElement.classList.add("arrived");
