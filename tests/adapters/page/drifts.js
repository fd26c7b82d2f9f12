() => {
  // who speaks and what caveats say, as far as it is not beside its sentence; a label may be below the one before it
  const drifts = [], first = element => element.getClientRects()[0];
  const measure = (label, words, off, most) => {
    if (off < -15 || off > most) drifts.push(`${words.parentElement.id}: “${label.textContent.trim()}” is ${off} off`);
  };
  let above = -Infinity;
  for (const label of document.querySelectorAll(".who")) {
    const words = label.parentElement.querySelector(".words"), there = first(words), box = first(label);
    const isBeside = getComputedStyle(label).float === "left", isPushed = above > there.top - 6;
    const off = isBeside ? box.top - (isPushed ? above : there.top) : there.bottom - box.bottom;
    measure(label, words, off, isBeside && !isPushed ? 15 : 45);
    above = box.bottom;
  }
  let row;
  for (const notes of document.querySelectorAll(".notes")) {
    const words = document.querySelector(`[aria-describedby~="${notes.firstElementChild.id}"]`), top = first(words).top;
    const isBeside = getComputedStyle(notes).float === "right", box = notes.getBoundingClientRect();
    const due = notes.closest(".row") === row ? Math.max(top, above) : top;
    measure(notes, words, isBeside ? box.top - due : top - box.bottom, isBeside ? 15 : 80);
    [row, above] = [notes.closest(".row"), box.bottom];
  }
  return drifts;
}
