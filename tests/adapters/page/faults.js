() => {
  const root = document.documentElement, faults = [];
  if (root.scrollWidth > root.clientWidth) faults.push(`${root.scrollWidth} pixels wide`);
  for (const heading of document.querySelectorAll("h1, h2, h3")) {
    const words = heading.textContent.trim();
    if (!words || /[0-9a-f]{8}[.]\d/.test(words)) faults.push(`heading “${words}”`);
  }
  for (const link of document.querySelectorAll("a[href*='#']")) {
    const there = new URL(link.href);
    if (there.pathname + there.search !== location.pathname + location.search) continue;
    if (!document.getElementById(decodeURIComponent(there.hash.slice(1)))) faults.push(`no ${there.hash}`);
  }
  for (const item of document.querySelectorAll("nav a, nav summary")) {
    const box = item.getBoundingClientRect();
    if (box.left < 0 || box.right > root.clientWidth) faults.push(`“${item.textContent}” is off the screen`);
  }
  return faults;
}
