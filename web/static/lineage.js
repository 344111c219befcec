// Where a number comes from: what was computed, of which rows.
import { el, openDialog } from "./dom.js";
import { asProblem, getJSON } from "./stream.js";
import { number, rows } from "./table.js";

const pageSize = 20;

/** trace opens a dialog about a cell of a view's table. place is its row in the whole table. */
export async function trace(view, place, column, text) {
  const body = el("div", {}, el("p", { class: "quiet" }, "…"));
  const close = el("button", { type: "button", class: "plain", onclick: () => dialog.close() }, "Close");
  const name = `Where ${text} comes from`;
  const dialog = el("dialog", { class: "lineage", "aria-label": name }, el("div", { class: "top" }, el("h2", {}, name), close), el("p", { class: "quiet" }, column.heading), body);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (e) => { if (e.key === "Escape") e.stopPropagation(); }); // it cancels a run elsewhere
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  document.body.append(dialog);
  openDialog(dialog);
  await turn(view, place, column, body, 0);
}

/** turn draws a page of the rows. */
async function turn(view, place, column, body, offset) {
  const at = view.page.columns.findIndex((c) => c.name === column.name);
  const query = new URLSearchParams({ offset, limit: pageSize, cells: "text", locale: view.locale });
  let origin;
  try {
    origin = await getJSON(`${view.path}/cells/${place}/${at}?${query}`);
  } catch (error) {
    const { message, hint } = asProblem(error);
    body.replaceChildren(el("p", { class: "notice" }, [message, hint].filter(Boolean).join(" ")));
    return;
  }
  const { rows: found } = origin;
  const facts = el("dl", {}, el("dt", {}, "Computed"), el("dd", {}, origin.expression || "The value as it stands in the table."));
  if (origin.filter) facts.append(el("dt", {}, "Of"), el("dd", {}, origin.filter));
  facts.append(el("dt", {}, "Rows"), el("dd", {}, origin.windowed ? `${rows(found.total_rows)} that it may have seen` : rows(found.total_rows)));
  const right = found.text.columns.map((c) => (c.right ? "right" : ""));
  const head = el("tr", {}, ...found.text.columns.map((c, i) => el("th", { scope: "col", class: right[i] }, i === 0 ? "Row" : c.heading)));
  const lines = found.text.cells.map((cells, r) => el("tr", {}, ...cells.map((text, i) => (i === 0 ? el("th", { scope: "row", class: "right" }, number(found.rows[r][0] + 1)) : el("td", { class: right[i] }, text)))));
  const table = el("table", {}, el("caption", { class: "hidden" }, `Rows of ${origin.table || "the subquery"}`), el("thead", {}, head), el("tbody", {}, ...lines));
  const go = (name, mark, to, off) => el("button", { type: "button", class: "plain", "aria-label": name, disabled: off, onclick: () => turn(view, place, column, body, to) }, mark);
  const last = offset + found.row_count;
  const nav = el("p", { class: "pager" }, `${number(Math.min(offset + 1, last))}–${number(last)} of ${number(found.total_rows)}`,
    go("Rows before", "‹", Math.max(0, offset - pageSize), offset === 0), go("Next rows", "›", offset + pageSize, last >= found.total_rows));
  body.replaceChildren(facts, el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "The rows" }, table), ...(found.total_rows > pageSize ? [nav] : []));
}
