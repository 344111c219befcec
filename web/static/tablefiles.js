// What can be taken out of a table: to the clipboard, or as a file.
import { el } from "./render.js";
import { asProblem, download, getJSON } from "./stream.js";
import { rows, say } from "./table.js";

/** Rows that are copied at most; a file has all. */
const mostCopied = 10_000;

/** viewQuery is how a view is sorted and filtered, as parameters. */
export function viewQuery({ sort, filters }) {
  const query = new URLSearchParams();
  for (const s of sort) query.append("sort", (s.desc || s.column.startsWith("-") ? "-" : "") + s.column);
  const conditions = [...filters].map(([column, f]) => ({ column, ...f.condition }));
  if (conditions.length > 0) query.set("filter", JSON.stringify(conditions));
  return query;
}

/** menu is a button with a list below it; items() makes the list when it opens. */
export function menu(name, items) {
  const list = el("div", { class: "items" });
  const box = el("details", { class: "menu" }, el("summary", { class: "plain" }, name), list);
  box.addEventListener("toggle", () => {
    if (!box.open) return;
    for (const other of document.querySelectorAll("details.menu[open]")) if (other !== box) other.open = false;
    list.replaceChildren(...items(() => { box.open = false; box.firstElementChild.focus(); }));
    const over = list.getBoundingClientRect();
    list.classList.toggle("leftward", over.left < 8);
  });
  box.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !box.open) return;
    e.stopPropagation();
    box.open = false;
    box.firstElementChild.focus();
  });
  return box;
}

document.addEventListener("pointerdown", (e) => {
  for (const box of document.querySelectorAll("details.menu[open]")) if (!box.contains(e.target)) box.open = false;
});

/** copyItems copy the rows of a view with the columns that it shows. */
export function copyItems(view) {
  return [["For a spreadsheet (TSV)", tsv], ["As Markdown", markdown]].map(([name, write]) => el("button", { type: "button", onclick: () => copy(view, write) }, name));
}

async function copy(view, write) {
  try {
    const query = viewQuery(view);
    query.set("cells", "text");
    query.set("limit", mostCopied);
    query.set("locale", view.locale);
    const page = await getJSON(`${view.path}?${query}`);
    const shown = page.text.columns.map((c, i) => ({ ...c, at: i })).filter((c) => !view.hidden.has(c.name));
    await toClipboard(write(page, shown));
    say(`Copied ${rows(page.row_count)}` + (page.row_count < page.total_rows ? ` of ${page.total_rows.toLocaleString()}: a file has all.` : "."));
  } catch (error) {
    say(error instanceof DOMException ? "The browser does not let the page copy." : asProblem(error).message);
  }
  for (const box of view.element.querySelectorAll("details.menu[open]")) {
    box.open = false;
    box.firstElementChild.focus();
  }
}

/** toClipboard copies a text; without TLS browsers have the old way only. */
export async function toClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = el("textarea", { value: text });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** tsv has exact values. A text that a spreadsheet would take for a formula is kept a text. */
export function tsv(page, shown) {
  const field = (v, c) => {
    if (v === null || v === undefined) return "";
    let text = typeof v === "object" ? JSON.stringify(v) : String(v);
    if (!c.right && /^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = page.rows.map((row) => shown.map((c) => field(row[c.at], c)).join("\t"));
  return [shown.map((c) => field(c.heading, { right: false })).join("\t"), ...lines].join("\n") + "\n";
}

/** markdown has the cells as they are read. */
export function markdown(page, shown) {
  const field = (text) => text.replace(/[\\|`*_[\]<>]/g, "\\$&").replaceAll("\n", "<br>");
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(shown.map((c) => field(c.heading))), line(shown.map((c) => (c.right ? "--:" : "---"))),
    ...page.text.cells.map((cells) => line(shown.map((c) => field(cells[c.at]))))].join("\n") + "\n";
}

const kinds = [["csv", "CSV"], ["xlsx", "Excel (XLSX)"], ["json", "JSON"], ["parquet", "Parquet"]];

/** fileItems are links to the files of a view: all its rows and columns, sorted and filtered as it is. */
export function fileItems(view) {
  const query = viewQuery(view).toString();
  const save = async (event) => {
    view.notice.hidden = true;
    view.notice.textContent = "";
    try {
      await download(event);
      say("The file is on its way.");
    } catch (error) {
      const { message, hint } = asProblem(error);
      view.notice.textContent = [message, hint].filter(Boolean).join(" ");
      view.notice.hidden = false;
    }
  };
  return kinds.map(([ending, name]) => el("a", { href: `${view.path}.${ending}${query && "?" + query}`, download: fileName(view.table, ending), onclick: save }, name));
}

/** fileName is a file's name, of the title. */
export const fileName = (table, ending) => `${(table.title || table.name || "table").replace(/[/\\:*?"<>|\p{Cc}]/gu, " ").replace(/\s+/g, " ").trim().slice(0, 100)}.${ending}`;
