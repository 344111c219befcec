// The card of a column: what it holds, how it is sorted and filtered. The facts are the profiler's.
import { el } from "./render.js";
import { asProblem, getJSON } from "./stream.js";
import { number, wrong } from "./table.js";
import { drawGrid } from "./tablegrid.js";

let open; // {box, view, name, pinned, anchor}

/** columnCard opens the card of a column below its mark. Pinned it stays until it is closed; else until the pointer or the focus leaves. */
export async function columnCard(view, column, anchor, pinned) {
  if (open && !pinned && (open.pinned || open.anchor === anchor)) return; // a pointer that rests somewhere closes nothing that was asked for
  if (open?.anchor === anchor && open.pinned) return;
  close();
  const box = el("div", { class: "column-card", popover: "manual", role: "dialog", "aria-label": `About ${column.heading}` });
  const now = open = { box, view, name: column.name, pinned, anchor };
  anchor.after(box);
  const facts = await factsOf(view, column.name);
  if (open !== now) return;
  if (!box.isConnected) return close(); // its table is gone
  box.append(...about(column, facts), actions(view, column), filterForm(view, column, facts));
  box.showPopover();
  place(box, now.anchor); // the grid may have been drawn anew
  if (pinned) box.querySelector("button")?.focus();
  box.addEventListener("pointerdown", () => { now.pinned = true; });
  box.addEventListener("focusin", () => { now.pinned = true; });
}

/** keepCard holds an open card of a view while its grid is drawn anew; what it gives back puts the card to its column in the new grid. */
export function keepCard(view) {
  if (open?.view !== view) return () => {};
  const { box, name } = open;
  const at = box.contains(document.activeElement) ? document.activeElement : null;
  return (grid) => {
    if (open?.box !== box) return;
    const anchor = grid.querySelector(`[data-key="${CSS.escape(`about ${name}`)}"]`);
    if (!anchor) return close();
    open.anchor = anchor;
    anchor.after(box);
    if (!box.hasChildNodes()) return; // its facts are still to come
    box.showPopover();
    place(box, anchor);
    at?.focus();
  };
}

function close(refocus) {
  if (!open) return;
  const { box, anchor } = open;
  if (refocus) anchor.focus(); // as long as it is open this focus does not open it
  open = undefined;
  box.remove();
}

document.addEventListener("pointerdown", (e) => { if (open && !open.box.contains(e.target) && e.target !== open.anchor) close(); });
document.addEventListener("pointerover", (e) => { if (open && !open.pinned && !open.box.contains(e.target) && !open.anchor.closest("th").contains(e.target)) close(); });
document.addEventListener("focusin", (e) => { if (open && e.target !== open.anchor && !open.box.contains(e.target)) close(); });
document.addEventListener("scroll", (e) => { if (open && !open.box.contains(e.target)) follow(); }, true);
document.addEventListener("keydown", (e) => {
  if (e.key !== "Escape" || !open) return;
  e.stopPropagation(); // it cancels a run elsewhere
  close(true);
}, true);

/** follow has the card go with its mark. One that is pinned stays where there is room when its mark is out of sight: what is written in it is not lost. */
function follow() {
  const { anchor, view, box, pinned } = open;
  const at = anchor.getBoundingClientRect(), seen = view.body.getBoundingClientRect();
  const beside = at.right < Math.max(0, seen.left) || at.left > Math.min(innerWidth, seen.right);
  const away = beside || at.bottom < 0 || at.top > innerHeight;
  if (away && !pinned) close();
  else if (box.hasChildNodes()) place(box, anchor);
}

/** place puts the card below its mark, within the window. */
function place(box, anchor) {
  const at = anchor.getBoundingClientRect(), size = box.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - size.width - 8))}px`;
  const below = at.bottom + 6;
  const top = below + size.height < innerHeight || at.top < size.height ? below : at.top - size.height - 6;
  box.style.top = `${Math.max(8, Math.min(top, innerHeight - size.height - 8))}px`;
}

/** factsOf are those of the answer, else of the table's profile. */
async function factsOf(view, name) {
  const own = view.table.columns.find((c) => c.original_name === name);
  if (own) return own;
  view.profile ??= getJSON(`${view.path}/profile`).catch(() => ({ columns: [] }));
  return (await view.profile).columns.find((c) => c.original_name === name) ?? {};
}

/** figure writes a number of a column for people. */
function figure(value) {
  const n = Number(value);
  if (value === "" || value === null || Number.isNaN(n)) return String(value);
  return n.toLocaleString(undefined, { maximumFractionDigits: Math.abs(n) >= 100 ? 2 : 4 });
}

function about(column, f) {
  const out = [el("h3", {}, column.heading)];
  const kind = [f.semantic_type && f.semantic_type !== "Text" ? f.semantic_type.replaceAll("_", " ") : "", f.dtype, f.units && `unit ${f.units}`];
  const counts = [];
  if (f.count !== undefined) counts.push(["Values", number(f.count - f.null_count)], ["Empty", f.null_count ? `${number(f.null_count)} (${(100 * f.null_count / f.count).toFixed(1)} %)` : "none"], ["Different", number(f.distinct_count)]);
  if (f.min !== undefined && f.quantiles) counts.push(["Range", `${figure(f.min)} to ${figure(f.max)}`], ["Mean", figure(f.mean)]);
  else if (f.min !== undefined && !f.lengths) counts.push(["Range", `${f.min} to ${f.max}`]);
  if (f.quantiles) for (const [q, name] of [["p5", "5 %"], ["p25", "25 %"], ["p50", "Median"], ["p75", "75 %"], ["p95", "95 %"]]) counts.push([name, figure(f.quantiles[q])]);
  out.push(el("p", { class: "quiet" }, kind.filter(Boolean).join(", ")));
  out.push(el("dl", {}, ...counts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
  if (f.histogram?.length > 1) out.push(histogram(f));
  else if (f.top_values?.length && f.distinct_count < f.count) out.push(topValues(f));
  return out;
}

const svg = (name, attributes, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

function histogram(f) {
  const most = Math.max(...f.histogram.map((b) => b.count));
  const wide = 240 / f.histogram.length;
  const bars = f.histogram.map((b, i) => {
    const tall = 48 * b.count / most;
    const tip = svg("title", {});
    tip.textContent = `${figure(b.low)} to ${figure(b.high)}: ${number(b.count)}`;
    return svg("rect", { x: i * wide, y: 50 - tall, width: Math.max(1, wide - 1), height: Math.max(tall, b.count ? 1 : 0) }, tip);
  });
  const alt = `Histogram: ${f.histogram.map((b) => `${figure(b.low)} to ${figure(b.high)} ${b.count}`).join("; ")}`;
  return el("div", { class: "histogram" }, svg("svg", { viewBox: "0 0 240 50", preserveAspectRatio: "none", role: "img", "aria-label": alt }, ...bars),
    el("p", { class: "quiet" }, el("span", {}, figure(f.min)), el("span", {}, figure(f.max))));
}

function topValues(f) {
  const items = f.top_values.slice(0, 5).map((v) => el("li", {}, el("span", {}, v.value), el("meter", { min: 0, max: f.count, value: v.count, "aria-label": v.value }), el("span", { class: "right" }, number(v.count))));
  return el("ul", { class: "top-values", "aria-label": "Most frequent values" }, ...items);
}

function actions(view, column) {
  const sort = (name, desc) => el("button", { type: "button", class: "plain", onclick: () => { close(true); view.show({ sort: [{ column: column.name, desc }] }); } }, name);
  const hide = () => {
    if (view.hidden.size + 1 >= view.columns.length) return;
    close();
    view.hidden.add(column.name);
    drawGrid(view, "keep");
    view.columnsMenu.firstElementChild.focus();
  };
  return el("p", { class: "decide" }, sort("Sort ▲", false), sort("Sort ▼", true), el("button", { type: "button", class: "plain", onclick: hide }, "Hide"));
}

const forNumbers = [["ge", "at least"], ["le", "at most"], ["eq", "is"], ["ne", "is not"], ["is_null", "is empty"], ["not_null", "is not empty"]];
const forTexts = [["contains", "contains"], ["eq", "is"], ["ne", "is not"], ["starts_with", "begins with"], ["is_null", "is empty"], ["not_null", "is not empty"]];
const forTruths = [["eq", "is"], ["is_null", "is empty"], ["not_null", "is not empty"]];
const numeric = ["integer", "decimal", "float"];

/** filterForm is one condition on the column; it takes the place of the one before. */
function filterForm(view, column, facts) {
  const kind = view.page.columns.find((c) => c.name === column.name).type;
  const ops = numeric.includes(kind) || ["date", "datetime", "timestamp"].includes(kind) ? forNumbers : kind === "boolean" ? forTruths : forTexts;
  const was = view.filters.get(column.name);
  const op = el("select", { "aria-label": "Condition" }, ...ops.map(([value, name]) => el("option", { value, selected: was?.condition.op === value }, name)));
  const values = el("datalist", { id: `values-${Math.random().toString(36).slice(2)}` }, ...(facts.top_values ?? []).map((v) => el("option", { value: v.value })));
  const field = kind === "boolean"
    ? el("select", { "aria-label": "Value" }, el("option", { value: "true" }, "yes"), el("option", { value: "false" }, "no"))
    : el("input", { type: kind === "date" ? "date" : "text", "aria-label": "Value", autocomplete: "off", value: was?.entered ?? "" });
  if (kind !== "boolean" && kind !== "date") field.setAttribute("list", values.id);
  const said = el("p", { class: "bad", role: "alert", hidden: true });
  const form = el("form", { class: "filter" }, op, field, values, el("button", { type: "submit" }, "Filter"), said);
  const bare = () => { field.hidden = op.value.endsWith("_null"); };
  op.addEventListener("change", bare);
  bare();
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    try {
      const name = ops.find(([value]) => value === op.value)[1];
      const condition = op.value.endsWith("_null") ? { op: op.value } : { op: op.value, value: valueOf(kind, facts, field.value.trim()) };
      const words = op.value.endsWith("_null") ? name : `${name} ${field.selectedOptions?.[0].textContent ?? field.value.trim()}`;
      const filters = new Map(view.filters).set(column.name, { condition, words, entered: field.value });
      if (await view.show({ filters })) close(true);
    } catch (error) {
      said.textContent = asProblem(error).message;
      said.hidden = false;
    }
  });
  return form;
}

/** valueOf reads what was entered. Shares that are shown in percent are entered so, too. */
function valueOf(kind, facts, text) {
  if (text === "") throw wrong("Enter a value.");
  if (kind === "boolean") return text === "true";
  if (!numeric.includes(kind)) return text;
  const plain = text.replace(/[\s_'’$€£%]/g, "").replace(/,(?=\d{3}(\D|$))/g, "");
  const n = Number(plain.replace("−", "-"));
  if (plain === "" || Number.isNaN(n)) throw wrong(`${text} is not a number.`);
  const ratio = /^percent(:|$)/.test(facts.formatting_suggestion ?? "") && !facts.formatting_suggestion.includes("points");
  return ratio ? n / 100 : n;
}
