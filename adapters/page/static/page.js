// Copies in place. Without this the same link opens the words, to be copied by hand.
"use strict";
for (const link of document.querySelectorAll("a.copy")) {
  link.addEventListener("click", async (event) => {
    if (!navigator.clipboard) return;
    event.preventDefault();
    const said = document.getElementById("said");
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(answer.statusText);
      await navigator.clipboard.writeText(await answer.text());
      said.textContent = "Copied.";
    } catch {
      location.assign(link.href);
    }
  });
}
