// The grid of a table: headers that sort, cells that are gone through by keys, numbers that tell where they come from.
import { el } from "./render.js";

/** drawGrid draws the page that a view has. focus is the cell to go to, as {row, column}. A page is written into the cells of the one before, so that a browser works out anew what differs and no more. */
export function drawGrid(view, focus) {
  const { page, body } = view;
  const shown = page.text.columns.map((c, i) => ({ ...c, at: i, kind: page.columns[i].type })).filter((c) => !view.hidden.has(c.name));
  const ranked = rankedAs(view);
  const kept = { left: body.scrollLeft, at: document.activeElement?.closest?.(".table") === view.element ? document.activeElement.dataset.key : undefined };
  if (focus !== "keep") body.scrollTop = 0; // before there is anything to lay out
  const card = view.keepCard();
  const shape = JSON.stringify([Boolean(ranked), shown.map((c) => c.name)]);
  const isNew = view.grid?.shape !== shape;
  if (isNew) view.grid = newGrid(view, shape, shown, ranked);
  const { table } = view.grid;
  table.tHead.replaceChildren(el("tr", {}, ...(ranked ? [el("th", { scope: "col", class: "right rank" }, "#")] : []), ...shown.map((c) => headCell(view, c))));
  table.setAttribute("aria-rowcount", view.total + 1);
  fill(view, shown, ranked);
  if (isNew) {
    body.removeAttribute("role");
    body.removeAttribute("tabindex");
    body.removeAttribute("aria-label");
    body.replaceChildren(table);
    view.sized(table);
    if (kept.left > 0) body.scrollLeft = kept.left;
  }
  view.grid.go(focus === "keep" ? undefined : focus);
  if (kept.at) table.querySelector(`[data-key="${CSS.escape(kept.at)}"]`)?.focus();
  card(table);
}

/** newGrid is a grid without rows. */
function newGrid(view, shape, shown, ranked) {
  const facts = new Map(view.table.columns.map((c) => [c.original_name, c]));
  const titled = shown.find((c) => !c.right); // the column that heads the rows
  const body = el("tbody");
  const table = el("table", { role: "grid", "aria-colcount": view.columns.length }, el("caption", { class: "hidden" }, view.table.title || view.table.name || "Table"), el("thead"), body);
  const line = (r) => el("tr", {}, ...(ranked ? [el("td", { class: "right rank" })] : []), ...shown.map((c) => cell(view, c, c === titled, facts.get(c.name), r)));
  return { table, shape, body, line, go: keys(view, body) };
}

/** fill writes a page into a grid. */
function fill(view, shown, ranked) {
  const { table, body, line } = view.grid;
  const { cells } = view.page.text;
  while (body.rows.length > cells.length) body.lastElementChild.remove();
  const more = Array.from({ length: cells.length - body.rows.length }, (_, i) => line(body.rows.length + i));
  [...body.rows, ...more].forEach((tr, r) => {
    tr.setAttribute("aria-rowindex", view.offset + r + 2);
    let node = tr.firstElementChild;
    if (ranked) {
      write(node, String(view.offset + r + 1));
      node = node.nextElementSibling;
    }
    for (const c of shown) {
      write(node, cells[r][c.at]);
      if (c.right) traced(node, cells[r][c.at] !== "");
      node = node.nextElementSibling;
    }
  });
  body.append(...more);
  for (const old of [...table.tBodies].slice(1)) old.remove();
  table.tFoot?.remove();
  const foot = sums(view, shown, ranked);
  if (foot) table.append(foot);
  if (cells.length === 0) table.append(el("tbody", {}, el("tr", {}, el("td", { colSpan: shown.length + (ranked ? 1 : 0), class: "quiet" }, "No row meets the filters."))));
}

/** write has a cell hold a text. One that does so already is left alone. */
function write(node, text) {
  if (!node.firstChild) node.append(text);
  else if (node.firstChild.data !== text) node.firstChild.data = text;
}

/** traced marks a cell as one that can be asked where it comes from. */
function traced(node, is) {
  if (node.classList.contains("traced") === is) return;
  node.classList.toggle("traced", is);
  if (is) node.title = "Where does this come from?";
  else node.removeAttribute("title");
}

/** rankedAs says whether the answer numbered its rows, and they are still in that order. */
const rankedAs = (view) => view.sort.length === 0 && view.filters.size === 0 && view.static?.tHead?.rows[0]?.cells[0]?.textContent === "#";

const arrows = { asc: "▲", desc: "▼" };

/** headCell is a column's header: its name sorts, the mark beside it tells about the column. */
function headCell(view, c) {
  const at = view.sort.findIndex((s) => s.column === c.name);
  const order = at < 0 ? "" : view.sort[at].desc ? "desc" : "asc";
  const mark = order && arrows[order] + (view.sort.length > 1 ? at + 1 : "");
  const sort = el("button", { type: "button", class: "sort", title: "Sorts; with Shift as a further column" }, c.heading, el("span", { class: "order", "aria-hidden": "true" }, mark));
  sort.dataset.key = `sort ${c.name}`;
  sort.addEventListener("click", (e) => view.show({ sort: nextSort(view.sort, c, e.shiftKey) }));
  const more = el("button", { type: "button", class: "about", "aria-label": `About ${c.heading}`, "aria-haspopup": "dialog" }, "⋮");
  more.dataset.key = `about ${c.name}`;
  const th = el("th", { scope: "col", class: [c.right && "right", view.filters.has(c.name) && "filtered"].filter(Boolean).join(" ") }, el("div", { class: "head" }, sort, more));
  if (order) th.setAttribute("aria-sort", order === "desc" ? "descending" : "ascending");
  let waiting = 0;
  more.addEventListener("click", () => { clearTimeout(waiting); view.card(c, more, true); });
  more.addEventListener("focus", () => { if (more.matches(":focus-visible")) view.card(c, more, false); });
  th.addEventListener("pointerenter", (e) => { if (e.pointerType === "mouse") waiting = setTimeout(() => view.card(c, more, false), 500); });
  th.addEventListener("pointerleave", () => clearTimeout(waiting));
  return th;
}

/** nextSort is the order after a click: numbers begin with the largest, texts with the first; the third click takes it away. */
export function nextSort(sort, column, more) {
  const was = sort.find((s) => s.column === column.name);
  const first = { column: column.name, desc: column.right };
  const next = !was ? first : was.desc === column.right ? { ...was, desc: !was.desc } : null;
  if (!more) return next ? [next] : [];
  if (!was) return [...sort, next].slice(-8);
  return sort.map((s) => (s === was ? next : s)).filter(Boolean);
}

/** cell is one cell, of a line of the page. A number can be asked where it comes from. */
function cell(view, c, heads, facts, r) {
  const node = el(heads ? "th" : "td", { class: look(c, facts, heads), tabIndex: -1 });
  if (heads) node.scope = "row";
  node.trace = () => { if (node.classList.contains("traced")) view.trace(view.page.text.places[r], c, node.textContent); };
  return node;
}

/** look is the class of a column's cells: numbers right, long texts may wrap, shorter ones where the table would be cut, all else stays on one line. */
function look(c, facts, heads) {
  if (c.right) return "right";
  const most = c.kind === "text" ? facts?.lengths?.max ?? 0 : 0;
  if (most > 40) return "long";
  return most > 20 && !heads ? "wrap" : "";
}

/** sums is the row of totals that the answer's text has. It stands as long as all rows do. */
function sums(view, shown, ranked) {
  const last = view.static?.tBodies[0]?.rows[view.static.tBodies[0].rows.length - 1];
  const summary = [...(last?.cells ?? [])].some((td) => td.firstElementChild?.tagName === "STRONG" && /^total|^mean|^summe|^gesamt/i.test(td.textContent));
  if (!summary || view.filters.size > 0) return null;
  const lead = view.static.tHead.rows[0].cells[0].textContent === "#" ? 1 : 0;
  const texts = new Map(view.table.columns.map((m, i) => [m.original_name, last.cells[i + lead]]));
  if (last.cells.length !== view.table.columns.length + lead) return null;
  const line = el("tr", {}, ...(ranked ? [el("td")] : []));
  shown.forEach((c, i) => {
    const from = texts.get(c.name)?.cloneNode(true);
    line.append(i === 0 ? el("th", { scope: "row" }, el("span", {}, ...(from?.childNodes ?? []))) : el("td", { class: c.right ? "right" : "" }, ...(from?.childNodes ?? [])));
  });
  return el("tfoot", {}, line);
}

const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** keys has the cells gone through by arrows: one of them is where Tab comes to. Page Up and Page Down turn pages. What it gives back makes a cell of a new page that one, and goes there if one is named. */
function keys(view, body) {
  let now;
  const cellsOf = (line) => [...line?.cells ?? []].filter((c) => c.hasAttribute("tabindex"));
  const reach = (to) => {
    if (now) now.tabIndex = -1;
    now = to;
    if (now) now.tabIndex = 0;
  };
  const go = (to) => {
    if (!to) return;
    reach(to);
    to.focus();
  };
  body.addEventListener("click", (e) => {
    const to = e.target.closest("td, th");
    if (!to?.hasAttribute("tabindex") || String(getSelection()) !== "") return; // a text that is marked is to be copied
    go(to);
    to.trace();
  });
  body.addEventListener("keydown", (e) => {
    if (!now) return;
    const line = now.parentElement;
    const cells = cellsOf(line);
    const [row, column] = [line.sectionRowIndex, cells.indexOf(now)];
    const turn = { PageDown: 1, PageUp: -1 }[e.key];
    const end = (at) => (e.ctrlKey ? cellsOf(body.rows[at < 0 ? body.rows.length - 1 : 0]) : cells).at(at);
    if (moves[e.key]) go(cellsOf(body.rows[row + moves[e.key][0]])[column + moves[e.key][1]]);
    else if (e.key === "Home") go(end(0));
    else if (e.key === "End") go(end(-1));
    else if (turn) turnPage(view, turn, { row, column });
    else if ((e.key === "Enter" || e.key === " ") && now.classList.contains("traced")) now.trace();
    else return;
    e.preventDefault();
  });
  return (focus) => {
    reach(cellsOf(body.rows[Math.min(focus?.row ?? 0, body.rows.length - 1)])[focus?.column ?? 0]);
    if (focus) now?.focus();
  };
}

function turnPage(view, turn, focus) {
  const offset = view.offset + turn * 50;
  if (offset < 0 || offset >= view.total) return;
  view.show({ offset, focus });
}
