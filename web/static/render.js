// From data to DOM. No text ever becomes HTML: all of it goes through textContent, so that what a table or a model says
// cannot act. Links and images in Markdown stay text.

import { choices, pending, reading, withoutChoices, withoutPending } from "./approval.js";
import { mountChart } from "./chart.js";
import { button, el } from "./dom.js";
import { duration } from "./prefs.js";
import { mountTable } from "./table.js";

export { duration, el };

const strong = /\*\*(?=\S)(?<stars>.+?)(?<=\S)\*\*|(?<![\p{L}\p{N}_])__(?=\S)(?<lines>.+?)(?<=\S)__(?![\p{L}\p{N}_])/.source; // no __ inside a word
const marks = new RegExp(strong + /|(?<![\w*])[*](?=\S)(?<em>[^*]+?)(?<=\S)[*](?!\w)|`(?<code>[^`]+)`|\\(?<mark>[\\`*_{}[\]()#+\-.!|<>~])|&(?<entity>lt|gt|amp);/.source, "su");

const entities = { lt: "<", gt: ">", amp: "&" };

/** inline appends Markdown's bold, emphasis and code; everything else is text. */
function inline(node, text) {
  for (let rest = text; rest !== ""; ) {
    const m = marks.exec(rest);
    if (!m) {
      node.append(rest);
      return node;
    }
    if (m.index > 0) node.append(rest.slice(0, m.index));
    const { stars, lines, em, code, mark, entity } = m.groups;
    const bold = stars ?? lines;
    if (bold !== undefined) node.append(inline(el("strong"), bold));
    else if (em !== undefined) node.append(inline(el("em"), em));
    else if (code !== undefined) node.append(el("code", {}, code));
    else node.append(mark ?? entities[entity]);
    rest = rest.slice(m.index + m[0].length);
  }
  return node;
}

/** cells splits a row of a Markdown table at the bars that are not escaped. */
function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|").replaceAll(/<br\s*\/?>/g, "\n"));
}

const isRule = (line) => /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line ?? "") && line.includes("-");

const shortest = 20; // characters of a cell that stays on one line: dates, numbers, ids

/** table makes a table of Markdown lines: the header, the rule that aligns, the rows. */
function table(lines, title) {
  const sides = cells(lines[1]).map((c) => (c.endsWith(":") ? (c.startsWith(":") ? "center" : "right") : ""));
  const row = (line, tag) => {
    const tr = el("tr");
    cells(line).forEach((c, i) => {
      const look = [sides[i], c.length <= shortest && "short"].filter(Boolean).join(" ");
      tr.append(inline(el(tag, tag === "th" ? { class: look, scope: "col" } : { class: look }), c));
    });
    return tr;
  };
  const body = el("tbody", {}, ...lines.slice(2).map((line) => row(line, "td")));
  return el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": title || "Table" }, el("table", {}, el("thead", {}, row(lines[0], "th")), body));
}

const item = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** markdown makes nodes of a text: headings, paragraphs, lists, tables, code blocks. made may put another node in a table's place; it is given the table's lines and the node before. */
export function markdown(text, made = (node) => node) {
  const out = [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let title = "";
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const take = (more) => {
      const from = i;
      while (i < lines.length && more(lines[i])) i++;
      return lines.slice(from, i);
    };
    if (line.trim() === "") {
      i++;
    } else if (line.startsWith("```")) {
      i++;
      out.push(el("pre", { tabIndex: 0 }, el("code", {}, take((l) => !l.startsWith("```")).join("\n"))));
      i++;
    } else if (/^#{1,6}\s/.test(line)) {
      title = line.replace(/^#+\s+/, "");
      out.push(inline(el(line.startsWith("###") ? "h4" : "h3"), title));
      i++;
    } else if (line.includes("|") && isRule(lines[i + 1])) {
      const rows = take((l) => l.includes("|"));
      const node = made(table(rows, title), rows, out.at(-1));
      if (node.contains(out.at(-1) ?? null)) out.pop(); // its title
      out.push(node);
    } else if (item.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const items = take((l) => item.test(l) || /^\s{2,}\S/.test(l));
      const list = el(ordered ? "ol" : "ul");
      for (const l of items) {
        if (item.test(l)) list.append(inline(el("li"), l.replace(item, "")));
        else inline(list.lastElementChild, " " + l.trim());
      }
      out.push(list);
    } else {
      const start = i;
      const part = take((l) => l.trim() !== "" && !l.startsWith("```") && !/^#{1,6}\s/.test(l) && (i === start || (!item.test(l) && !(l.includes("|") && isRule(lines[i + 1])))));
      title = part.join(" ").replaceAll("*", "");
      out.push(inline(el("p"), part.join("\n")));
    }
  }
  return out;
}

/** worked puts tables that can be worked with in the place of those of an answer's text, each below its title. rest() are those that the text has not. */
function worked(tables, on) {
  const waiting = tables.filter((t) => t.handle);
  const mount = (t, ...nodes) => mountTable(el("section", { "aria-label": t.title || "Table" }, ...nodes), t, { again: on.again, locale: on.locale });
  const made = (node, lines, before) => {
    const at = waiting.findIndex((t) => t.markdown?.includes(lines.slice(0, 3).join("\n")));
    if (at < 0) return node;
    const [t] = waiting.splice(at, 1);
    const titled = before?.tagName === "P" && before.firstElementChild?.tagName === "STRONG" && before.textContent.startsWith(t.title);
    return titled ? mount(t, before, node) : mount(t, node);
  };
  return { made, rest: () => waiting.map((t) => mount(t)) };
}

/**
 * answer makes the nodes of a ChatResponse. To a question with choices, and to an answer with other readings, on.reply(text) replies. Where it
 * waits, on.decide(step, decision) takes a decision; on.goOn() goes on after an interruption, and on.again() asks anew, on.repeat() runs the same plan again.
 */
export function answer(resp, on = {}) {
  if (resp.error?.code === "cancelled") return [el("p", { class: "stopped quiet" }, "Stopped: the question was cancelled.")];
  const out = [...reading(resp, on.reply)];
  const tables = worked(resp.tables ?? [], on);
  if (resp.outcome === "error") {
    const e = resp.error ?? {};
    out.push(el("p", { class: "notice bad" }, [e.detail, e.hint].filter(Boolean).join(" ") || resp.response || "The message could not be answered."));
    const goOn = e.code === "interrupted" && resp.plan && on.goOn;
    if (goOn) out.push(el("p", { class: "decide" }, button({ class: "plain", onclick: on.goOn }, "Go on")));
    else if (on.again) out.push(el("p", { class: "decide" }, button({ class: "plain", onclick: on.again }, "Try again")));
  }
  const told = resp.outcome === "error" && resp.response === (resp.error?.detail ?? resp.response);
  if (resp.response && !told) {
    let text = resp.pending?.length && on.decide ? withoutPending(resp.response) : resp.response;
    if (resp.choices?.length && on.reply) text = withoutChoices(text, resp.choices);
    out.push(el("div", { class: "answer" }, ...markdown(text, tables.made)));
  }
  for (const c of resp.charts ?? []) {
    const figure = mountChart(el("figure"), c);
    // The text tells of a chart who cannot see it; here it stands in that place, and has those words itself.
    const told = c.title && [...(out.at(-1)?.querySelectorAll?.(":scope > p") ?? [])].find((p) => p.textContent.startsWith(`${c.title} (chart): `));
    if (told) told.replaceWith(figure);
    else out.push(figure);
  }
  if (resp.choices?.length && on.reply) out.push(choices(resp.choices, on.reply));
  if (resp.pending?.length) out.push(pending(resp.pending, on.decide));
  const c = resp.completeness;
  if (c && c.state !== "complete" && c.detail && !evident(c, resp) && !resp.pending?.length) out.push(el("p", { class: "notice" }, `${c.state === "unknown" ? "" : c.state[0].toUpperCase() + c.state.slice(1).replaceAll("_", " ") + ": "}${c.detail}`));
  if (on.repeat && resp.steps?.some((s) => s.status === "failed")) out.push(el("p", { class: "decide" }, button({ class: "plain", onclick: on.repeat }, "Run the same steps again")));
  out.push(...tables.rest().map((node) => folded(node, resp)));
  const said = resp.response ?? "";
  const notes = (resp.notes ?? []).filter((n) => !said.includes(n));
  const by = notes.findIndex((n) => /^planned/i.test(n));
  notes.push([...notes.splice(by, by < 0 ? 0 : 1), footer(resp, by >= 0)].filter(Boolean).join(" "));
  out.push(el("ul", { class: "notes" }, ...notes.filter(Boolean).map((n) => el("li", {}, n))));
  return out;
}

/** evident tells whether what an answer lacks needs no words of its own here: its date stands in its text, or its tables have all rows when their pages are turned. */
function evident(c, resp) {
  if (c.state === "truncated") return c.detail.endsWith("; the links have all.") && resp.tables?.every((t) => t.handle);
  return c.state === "stale" && c.detail.startsWith("The data are as of ") && /\bas of \d{4}-\d\d-\d\d/.test(resp.response ?? "");
}

/** folded has a table of one value, which the text says already, behind a line: it is there for who asks where the value comes from. */
function folded(node, resp) {
  const t = resp.tables?.find((x) => x.title && node.getAttribute("aria-label") === x.title);
  const told = t?.total_rows === 1 && t.columns?.length === 1 && resp.response?.includes(`**${t.title}**: `);
  return told ? el("details", { class: "single" }, el("summary", {}, "Show as a table"), node) : node;
}

/** footer says who planned, unless that is said already, and how long it took. */
function footer(resp, said) {
  const by = said ? "" : { llm: "Planned by the model", offline: "Planned offline", cache: "Plan from the cache", given: "The plan as you had it" }[resp.planned_by] ?? "";
  const took = resp.processing_time_ms > 0 ? duration(resp.processing_time_ms) : "";
  return [by, took].filter(Boolean).join(", ");
}
