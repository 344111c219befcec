// A menu that hangs on a button.
import { button, el } from "./dom.js";

let close = () => {};

/** openMenu shows items, each {name, run} or {name, href, run}, below a button. Escape, a choice and a click elsewhere close it, and focus returns. */
export function openMenu(at, items) {
  close();
  const nodes = items.map((i) => (i.href
    ? el("a", { role: "menuitem", tabIndex: -1, href: i.href, download: "", onclick: (e) => { done(); i.run(e); } }, i.name)
    : button({ role: "menuitem", tabIndex: -1, class: i.danger ? "danger" : "", onclick: () => { done(); i.run(); } }, i.name)));
  const menu = el("div", { class: "popmenu", role: "menu", "aria-label": at.getAttribute("aria-label") }, ...nodes);
  const away = (e) => { if (!menu.contains(e.target) && !at.contains(e.target)) done(false); };
  const done = (back = true) => {
    menu.remove();
    at.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", away, true);
    close = () => {};
    if (back) at.focus();
  };
  close = () => done(false);
  menu.addEventListener("keydown", (e) => {
    const i = nodes.indexOf(document.activeElement);
    const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: -1 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      nodes.at(to % nodes.length).focus();
    } else if (e.key === "Escape" || e.key === "Tab") {
      e.preventDefault();
      e.stopPropagation();
      done();
    }
  });
  at.after(menu);
  at.setAttribute("aria-expanded", "true");
  const box = at.getBoundingClientRect();
  menu.style.top = `${Math.max(8, Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 8))}px`;
  menu.style.left = `${Math.max(8, Math.min(box.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
  document.addEventListener("pointerdown", away, true);
  nodes[0].focus();
}
