// A table of an answer: sorted, filtered and paged over all its rows, which the server has.
import { short } from "./dom.js";
import { el } from "./render.js";
import { Problem, asProblem, getJSON } from "./stream.js";
import { columnCard, keepCard } from "./columncard.js";
import { trace } from "./lineage.js";
import { menu, copyItems, fileItems, viewQuery } from "./tablefiles.js";
import { drawGrid } from "./tablegrid.js";

/** Rows of a page. More are read as a person goes on. */
const pageSize = 50;

/** say puts a sentence where screen readers hear it. */
export const say = (text) => { document.getElementById("status").textContent = text; };

/** number writes a count in the reader's locale. */
export const number = (n) => Number(n).toLocaleString();

/** rows counts rows in words. */
export const rows = (n) => `${number(n)} ${Number(n) === 1 ? "row" : "rows"}`;

/**
 * mountTable makes an answer's table one that can be worked with. element holds what is there until the first rows come: the title, the
 * table as the answer's text has it, or nothing. context.again() asks the question again; context.locale is the reader's.
 */
export function mountTable(element, table, context = {}) {
  const view = {
    table, context, element, sort: [], filters: new Map(), hidden: new Set(), offset: 0, page: null, total: table.total_rows, asked: 0,
    path: `/api/v1/tables/${encodeURIComponent(table.handle)}`,
  };
  view.locale = context.locale ?? navigator.language;
  view.show = (change) => show(view, change);
  view.trace = (place, column, text) => trace(view, place, column, text);
  view.card = (column, at, pinned) => columnCard(view, column, at, pinned);
  view.keepCard = () => keepCard(view);
  view.sized = (node) => sized.observe(node);
  element.classList.add("table");
  frame(view);
  near.observe(element);
  element.begin = () => { view.show({ quiet: true }); };
  return element;
}

/** near begins a table when it comes near to what is seen: a long chat reads no rows that nobody looks at. */
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    target.begin();
  }
}, { rootMargin: "400px" });

/** edges marks where a table goes on beyond what is seen of it. */
function edges(body) {
  body.classList.toggle("sideways", body.scrollLeft > 0);
  body.classList.toggle("further", body.scrollLeft + body.clientWidth < body.scrollWidth - 1);
}

const sized = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target.isConnected) edges(target.closest(".scroll"));
});

/** frame puts the bar, the place of filters, the table and the pager around what was there. */
function frame(view) {
  const { element, table } = view;
  const was = element.querySelector(".scroll");
  const title = element.querySelector("p") ?? el("p");
  const named = title.querySelector("strong") ?? el("strong", {}, table.title || table.name || "Table");
  named.title = named.textContent;
  if (named.title !== short(named.title)) named.textContent = short(named.title);
  view.counted = el("span", {});
  title.replaceChildren(named, view.counted);
  counted(view, table.total_rows);
  view.body = was ?? el("div", { class: "scroll" });
  view.body.addEventListener("scroll", () => edges(view.body), { passive: true });
  sized.observe(view.body);
  view.static = was?.querySelector("table");
  view.chips = el("ul", { class: "chips", "aria-label": "Filters", hidden: true });
  view.notice = el("p", { class: "notice", role: "alert", hidden: true });
  view.pager = el("nav", { class: "pager", "aria-label": `Pages of ${table.title || "the table"}`, hidden: true });
  view.columnsMenu = menu("Columns", () => columnItems(view));
  const tools = el("div", { class: "tools", role: "group", "aria-label": `Work with ${table.title || "the table"}` },
    view.columnsMenu, menu("Copy", () => copyItems(view)), menu("Download", () => fileItems(view)));
  element.replaceChildren(el("div", { class: "bar" }, title, tools), view.chips, view.notice, view.body, view.pager);
}

/** counted says beside the title how many rows can be seen here: all of the table, of which an answer's text may show few. */
function counted(view, n) {
  const of = n < view.table.total_rows ? `${number(n)} of ${rows(view.table.total_rows)}` : rows(n);
  view.counted.textContent = ` (${of})`;
}

/** show reads and draws the page that the view is to have after a change of it. What cannot be had leaves the page as it was. */
async function show(view, { sort = view.sort, filters = view.filters, offset = 0, quiet = false, focus } = {}) {
  const asked = ++view.asked;
  const query = viewQuery({ sort, filters });
  query.set("cells", "text");
  query.set("offset", offset);
  query.set("limit", pageSize);
  query.set("locale", view.locale);
  view.element.setAttribute("aria-busy", "true");
  try {
    const page = await getJSON(`${view.path}?${query}`);
    if (asked !== view.asked) return true; // another change came
    Object.assign(view, { page, sort, filters, offset, total: page.total_rows });
    view.notice.hidden = true;
    draw(view, focus);
    if (!quiet) say(spoken(view));
    return true;
  } catch (error) {
    if (asked === view.asked) fail(view, asProblem(error));
    return false;
  } finally {
    if (asked === view.asked) view.element.removeAttribute("aria-busy");
  }
}

function draw(view, focus) {
  if (!view.columns) {
    const shown = new Set(view.table.columns.map((c) => c.original_name));
    view.columns = view.page.text.columns;
    view.hidden = new Set(shown.size > 0 ? view.columns.map((c) => c.name).filter((name) => !shown.has(name)) : []);
    view.all = view.page.total_rows;
    counted(view, view.all);
  }
  drawGrid(view, focus);
  chips(view);
  pager(view);
}

/** range says which rows are shown: "1–50 of 5,000". */
function range(view) {
  const { offset, page, total } = view;
  if (total === 0) return "No rows";
  return `${number(offset + 1)}–${number(offset + page.row_count)} of ${number(total)}`;
}

function spoken(view) {
  const order = view.sort.map((s) => `${heading(view, s.column)} ${s.desc ? "descending" : "ascending"}`).join(", then ");
  return [`Rows ${range(view)}.`, order && `Sorted by ${order}.`, view.filters.size > 0 && `Of ${rows(view.all)}.`].filter(Boolean).join(" ");
}

export const heading = (view, column) => view.columns.find((c) => c.name === column)?.heading ?? column;

/** fail says what could not be had. Rows that are kept no longer can be asked for again. */
function fail(view, error) {
  const gone = error.code === "not_found";
  if (gone && view.static && view.static.tBodies[0]?.rows.length >= view.table.total_rows) { // all of them stand in the answer's text
    view.element.querySelector(".tools").hidden = true;
    return;
  }
  const text = gone ? "The rows of this table are not kept any more." : [error.message, error.hint].filter(Boolean).join(" ");
  const again = gone && view.context.again ? [" ", el("button", { type: "button", class: "plain", onclick: view.context.again }, "Run the question again")] : [];
  view.notice.replaceChildren(text, ...again);
  view.notice.hidden = false;
  if (gone) view.element.querySelector(".tools").hidden = true;
}

function chips(view) {
  view.chips.hidden = view.filters.size === 0;
  const remove = (column) => {
    const filters = new Map(view.filters);
    filters.delete(column);
    view.show({ filters });
    view.columnsMenu.firstElementChild.focus(); // the chip is gone
  };
  view.chips.replaceChildren(...[...view.filters].map(([column, f]) => el("li", {}, `${heading(view, column)} ${f.words}`,
    el("button", { type: "button", "aria-label": `Remove the filter of ${heading(view, column)}`, onclick: () => remove(column) }, "×"))));
}

function pager(view) {
  const pages = Math.max(1, Math.ceil(view.total / pageSize));
  view.pager.hidden = pages === 1 && view.filters.size === 0;
  const at = Math.floor(view.offset / pageSize) + 1;
  if (!view.pagerParts) {
    const go = (to) => view.show({ offset: (Math.min(Math.max(1, to), view.pagerParts.pages) - 1) * pageSize });
    const button = (name, mark, to) => el("button", { type: "button", class: "plain", "aria-label": name, title: name, onclick: () => go(to()) }, mark);
    const field = el("input", { type: "number", min: 1, "aria-label": "Page" });
    field.addEventListener("change", () => go(Number(field.value) || 1));
    const back = button("Page before", "‹", () => view.pagerParts.at - 1);
    const on = button("Next page", "›", () => view.pagerParts.at + 1);
    view.pagerParts = { field, back, on, range: el("span", { class: "range" }), of: el("span") };
    view.pager.append(view.pagerParts.range, el("span", { class: "turn-pages" }, back, el("label", {}, "Page ", field), view.pagerParts.of, on));
  }
  const parts = Object.assign(view.pagerParts, { at, pages });
  parts.range.textContent = range(view) + (view.filters.size > 0 ? ` (filtered from ${number(view.all)})` : "");
  parts.field.value = at;
  parts.field.max = pages;
  parts.of.textContent = `of ${number(pages)}`;
  parts.back.disabled = at === 1;
  parts.on.disabled = at === pages;
}

/** columnItems are a box for each column: shown or not. The last one shown stays. */
function columnItems(view) {
  if (!view.columns) return [el("p", { class: "quiet" }, "The rows are not there yet.")];
  return view.columns.map((c) => {
    const box = el("input", { type: "checkbox", checked: !view.hidden.has(c.name) });
    box.addEventListener("change", () => {
      if (box.checked) view.hidden.delete(c.name);
      else if (view.hidden.size + 1 < view.columns.length) view.hidden.add(c.name);
      else box.checked = true;
      drawGrid(view);
      say(`${c.heading}: ${box.checked ? "shown" : "hidden"}.`);
    });
    return el("label", {}, box, " ", c.heading);
  });
}

/** A problem of what a person entered. */
export const wrong = (text) => new Problem(text, "wrong", "");
