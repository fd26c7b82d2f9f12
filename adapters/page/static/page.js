// Copies in place, suggests names while you type, sorts and cuts tables, takes dropped drafts. Everything can be read and asked without it.
"use strict";
const said = document.getElementById("said");

async function copy(event, words) {
  if (!navigator.clipboard || !said) return;
  event.preventDefault();
  said.textContent = "";
  try {
    await navigator.clipboard.writeText(await words());
    said.textContent = "Copied, with its source.";
  } catch {
    location.assign(event.target.closest("a").href);
  }
}
for (const link of document.querySelectorAll("a.copy")) {
  link.addEventListener("click", (event) => copy(event, async () => {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.text();
  }));
}
for (const link of document.querySelectorAll("a.permalink")) {
  link.addEventListener("click", (event) => copy(event, async () => link.href).then(() => {
    if (said.textContent) said.textContent = "Link copied.";
  }));
}

// "/" goes to the field.
addEventListener("keydown", (event) => {
  const field = document.querySelector("input[type=search]");
  if (event.key !== "/" || !field || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  field.focus();
  field.select();
});

function suggest(field, number) {
  const list = document.createElement("ul");
  Object.assign(list, { id: `suggestions-${number}`, className: "suggestions", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  field.after(list);
  let chosen = -1, waiting, latest = 0;
  const show = (open) => {
    list.hidden = !open;
    field.setAttribute("aria-expanded", String(open));
  };
  const choose = (place) => {
    chosen = place;
    [...list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
    if (place < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", list.children[place].id);
  };
  const take = (option) => {
    field.value = option.textContent;
    show(false);
    field.form.requestSubmit();
  };
  const load = async () => {
    const asked = ++latest, url = new URL(field.dataset.suggest, location.href);
    url.searchParams.set("q", field.value);
    if ("asking" in field.dataset) url.searchParams.set("asking", "");
    const answer = await fetch(url).catch(() => null);
    const texts = answer?.ok ? await answer.json() : [];
    if (asked !== latest || document.activeElement !== field) return;
    list.replaceChildren(...texts.map((text, at) => {
      const option = document.createElement("li");
      option.id = `${list.id}-${at}`;
      option.textContent = text;
      option.setAttribute("role", "option");
      option.addEventListener("mousedown", (event) => { event.preventDefault(); take(option); });
      return option;
    }));
    choose(-1);
    show(texts.length > 0);
  };
  field.addEventListener("input", () => {
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-controls", list.id);
    field.setAttribute("aria-autocomplete", "list");
    if (!field.hasAttribute("aria-expanded")) show(false);
    clearTimeout(waiting);
    waiting = setTimeout(load, 120);
  });
  field.addEventListener("blur", () => { clearTimeout(waiting); latest++; show(false); });
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const places = list.children.length + 1;
      choose((chosen + 1 + step + places) % places - 1);
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault();
      take(list.children[chosen]);
    } else if (event.key === "Escape") show(false);
  });
}
document.querySelectorAll("input[data-suggest]").forEach(suggest);

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending" ? -1 : 1;
      for (const each of table.tHead.rows[0].cells) each.ariaSort = null;
      head.ariaSort = down > 0 ? "ascending" : "descending";
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = (one, other) => value(one).localeCompare(value(other), "en", { numeric: true });
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort((one, other) => down * compare(one, other)));
    });
  });
  const rows = table.tBodies[0].rows;
  if (rows.length <= 25) continue;
  const foot = table.createTFoot().insertRow().insertCell(), all = document.createElement("button");
  table.classList.add("short");
  foot.colSpan = table.tHead.rows[0].cells.length;
  foot.append(all);
  Object.assign(all, { type: "button", textContent: `Show all ${rows.length}` });
  all.addEventListener("click", () => {
    table.classList.remove("short");
    table.deleteTFoot();
    rows[25].querySelector("a")?.focus();
  });
}

// A draft that is chosen or dropped anywhere is checked.
const chosen = document.querySelector("input[type=file]");
chosen?.addEventListener("change", () => chosen.form.requestSubmit());
for (const kind of chosen ? ["dragover", "dragleave", "drop"] : []) {
  addEventListener(kind, (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    chosen.form.classList.toggle("dropping", kind === "dragover");
    if (kind !== "drop") return;
    chosen.files = event.dataTransfer.files;
    chosen.form.requestSubmit();
  });
}
