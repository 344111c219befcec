// Checks of accessibility that a script can make: names, labels, landmarks, headings, tables, contrast, size of targets.
(() => {
  const found = [];
  const where = (node) => `${node.localName}${node.id ? "#" + node.id : ""}${node.className && typeof node.className === "string" ? "." + node.className.trim().replace(/\s+/g, ".") : ""}`.slice(0, 70);
  const report = (rule, node) => found.push(`${rule}: ${where(node)} "${(node.textContent ?? "").trim().slice(0, 30)}"`);
  const modal = document.querySelector("dialog[open]");
  const scope = modal ?? document.body;
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && node.getClientRects().length > 0;
  const all = (selector) => [...scope.querySelectorAll(selector)].filter(seen);
  const named = (node) => {
    const by = node.getAttribute("aria-labelledby")?.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join("");
    const inner = [...node.childNodes].map(function text(n) { return n.nodeType === 3 ? n.data : n.nodeType !== 1 || n.getAttribute("aria-hidden") === "true" ? "" : n.getAttribute("aria-label") ?? n.alt ?? [...n.childNodes].map(text).join(""); }).join("");
    return (by || node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.alt || node.title || inner || "").trim();
  };
  for (const node of all("button, a[href], summary, [role=button], [role=menuitem], [role=dialog], dialog[open], input:not([type=hidden]), select, textarea, [role=region], nav")) if (!named(node)) report("no name", node);
  for (const node of all("img, svg[role=img]")) if (!node.hasAttribute("alt") && !node.getAttribute("aria-label") && !node.hasAttribute("aria-labelledby")) report("picture without a text", node);
  const ids = new Map();
  for (const node of document.querySelectorAll("[id]")) ids.set(node.id, (ids.get(node.id) ?? 0) + 1);
  for (const [id, n] of ids) if (n > 1) found.push(`${n} elements with the id ${id}`);
  for (const node of all("[aria-labelledby], [aria-describedby], [aria-controls]")) for (const name of ["aria-labelledby", "aria-describedby", "aria-controls"]) for (const id of node.getAttribute(name)?.split(/\s+/).filter(Boolean) ?? []) if (!document.getElementById(id)) report(`${name} names nothing`, node);
  for (const node of all("[tabindex]")) if (Number(node.getAttribute("tabindex")) > 0) report("a place of its own in the order of Tab", node);
  for (const node of all("[aria-hidden=true] :is(button, a[href], input, [tabindex='0'])")) report("hidden and focusable", node);
  if (!document.documentElement.lang) found.push("the page has no language");
  if (!document.title) found.push("the page has no title");
  if (document.querySelectorAll("main").length !== 1) found.push("not one main landmark");
  const marks = new Map();
  for (const node of all("nav, aside, [role=region], section[aria-label], form[aria-label]")) {
    const key = `${node.getAttribute("role") ?? node.localName} ${named(node)}`;
    if (marks.has(key) && !node.closest("#turns")) report("two landmarks of one name", node);
    marks.set(key, node);
  }
  let level = 0;
  for (const node of all("h1, h2, h3, h4, h5, h6")) {
    const now = Number(node.localName[1]);
    if (level > 0 && now > level + 1) report(`a heading of level ${now} below level ${level}`, node);
    level = now;
  }
  for (const node of all("table")) {
    if (!node.caption && !node.getAttribute("aria-label")) report("table without caption", node);
    if (!node.querySelector("th")) report("table without headers", node);
  }
  for (const node of all("ul, ol")) for (const child of node.children) if (!/^(li|script|template)$/.test(child.localName)) report("a list with more than items", node);
  for (const node of all("[role=menu]")) if (!node.querySelector("[role^=menuitem]")) report("a menu without items", node);
  for (const node of all("*")) {
    const style = getComputedStyle(node);
    const scrolls = node.scrollHeight > node.clientHeight + 2 && /auto|scroll/.test(style.overflowY) || node.scrollWidth > node.clientWidth + 2 && /auto|scroll/.test(style.overflowX);
    if (scrolls && node !== document.documentElement && node !== document.body && node.tabIndex < 0 && !node.querySelector("button, a[href], input, select, textarea, summary, [tabindex='0']")) report("scrolls, and keys do not come to it", node);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push(`the page is ${document.documentElement.scrollWidth - innerWidth} px too wide`);
  for (const node of all("button, [role=menuitem], input:not([type=checkbox]), select, summary")) {
    const box = node.getBoundingClientRect();
    if (box.width < 23.5 || box.height < 23.5) report(`a target of ${Math.round(box.width)} x ${Math.round(box.height)}`, node);
  }

  // Contrast of texts against the paper behind them.
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data].map((v, i) => (i === 3 ? v / 255 : v));
  };
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3])).concat(1);
  const behind = (node) => {
    const layers = [];
    for (let n = node; n; n = n.parentElement) {
      const color = rgba(getComputedStyle(n).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff"));
  };
  const light = (c) => c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const tell = new Set();
  for (const node of all("*")) {
    if (![...node.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || node.matches(":disabled, [aria-disabled=true]") || node.closest("svg, .hidden, option")) continue;
    const style = getComputedStyle(node), paper = behind(node);
    let opacity = 1;
    for (let n = node; n; n = n.parentElement) opacity *= Number(getComputedStyle(n).opacity);
    const ink = rgba(style.color);
    const [a, b] = [light(over([...ink.slice(0, 3), ink[3] * opacity], paper)), light(paper)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    const ratio = (a + 0.05) / (b + 0.05);
    const key = `${where(node)} ${style.color}`;
    if (ratio < (large ? 3 : 4.5) && !tell.has(key)) {
      tell.add(key);
      report(`contrast ${ratio.toFixed(2)}`, node);
    }
  }
  return JSON.stringify(found);
})()
