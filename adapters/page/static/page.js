// Copies in place. Without this the same link opens the words, to be copied by hand.
// On a narrow screen the caveats' words are folded below their labels; without this, and on paper, they stand open.
"use strict";
const notes = document.querySelectorAll("details.note");
const narrow = matchMedia("screen and (max-width: 60rem)");
const fold = () => notes.forEach((note) => { note.open = !narrow.matches; });
if (narrow.matches) fold();
narrow.addEventListener("change", fold);
for (const link of document.querySelectorAll("a.copy")) {
  link.addEventListener("click", async (event) => {
    if (!navigator.clipboard) return;
    event.preventDefault();
    const said = document.getElementById("said");
    said.textContent = "";
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(answer.statusText);
      await navigator.clipboard.writeText(await answer.text());
      said.textContent = "Copied, with its source.";
    } catch {
      location.assign(link.href);
    }
  });
}
