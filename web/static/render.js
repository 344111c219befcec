// From data to DOM. No text ever becomes HTML: all of it goes through textContent, so that what a table or a model says
// cannot act. Links and images in Markdown stay text.

import { mountChart } from "./chart.js";
import { mountTable } from "./table.js";

/** el makes an element with properties and children; strings become text. */
export function el(name, props = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (key === "class") node.className = value;
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

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

/** table makes a table of Markdown lines: the header, the rule that aligns, the rows. */
function table(lines, title) {
  const sides = cells(lines[1]).map((c) => (c.endsWith(":") ? (c.startsWith(":") ? "center" : "right") : ""));
  const row = (line, tag) => {
    const tr = el("tr");
    cells(line).forEach((c, i) => tr.append(inline(el(tag, tag === "th" ? { class: sides[i] ?? "", scope: "col" } : { class: sides[i] ?? "" }), c)));
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

/** waits says of each reason why a step waits, and what can be decided. */
const waits = {
  approval_required: ["Not run: this changes or deletes things and needs your approval.", { run: "Approve", skip: "Refuse" }],
  untrusted_value: ["Not run: values of this come from a source that is not trusted.", { run: "Approve", skip: "Refuse" }],
  outcome_unknown: ["This was called, and whether it took effect is not known. Check that first.", { run: "Run again", skip: "Skip", done: "It was done" }],
};

/** seen writes characters that leave no mark of their own as escapes, so that a text cannot look like another. */
const seen = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (c) => (c === "\n" ? c : `\\u{${c.codePointAt(0).toString(16)}}`));

/** effect says in words what a step would change or delete. */
function effect({ what, lines }) {
  const said = ({ name, before, value }) => el("li", {}, `${name}: `, ...(before ? [el("code", {}, seen(before)), " → "] : []), el("code", {}, seen(value)));
  return [el("p", {}, `${seen(what)}:`), el("ul", { "aria-label": "What it would do" }, ...(lines ?? []).map(said))];
}

/** pending says what waits for a decision; decide(step, decision) takes it. */
function pending(list, decide) {
  const box = el("div", { class: "notice" });
  for (const step of list) {
    const [said, choices] = waits[step.reason] ?? waits.approval_required;
    const args = el("pre", { tabIndex: 0, "aria-label": "What waits" }, `${step.tool} ${seen(JSON.stringify(step.args, null, 1))}`);
    box.append(el("strong", {}, said));
    if (step.effect) box.append(...effect(step.effect), el("details", {}, el("summary", {}, "Arguments"), args));
    else box.append(args);
    if (!decide) continue;
    const buttons = Object.entries(choices).map(([decision, name]) => el("button", { type: "button", class: decision === "run" ? "" : "plain", "aria-label": `${name}: ${step.tool}`, onclick: () => decide(step, decision) }, name));
    box.append(el("p", { class: "decide", role: "group", "aria-label": `Decide about ${step.tool}` }, ...buttons));
  }
  return box;
}

/** choices are buttons for the replies that a question offers. */
function choices(replies, reply) {
  const buttons = replies.map((text) => el("button", { type: "button", onclick: () => reply(text) }, text[0].toUpperCase() + text.slice(1)));
  return el("p", { class: "decide choices", role: "group", "aria-label": "Answer the question" }, ...buttons);
}

/** answer makes the nodes of a ChatResponse. To a question with choices on.reply(text) replies. Where it waits, on.decide(step, decision) takes a decision, and on.goOn() goes on after an interruption. */
export function answer(resp, on = {}) {
  const out = [];
  const tables = worked(resp.tables ?? [], on);
  if (resp.outcome === "error") {
    const e = resp.error ?? {};
    out.push(el("p", { class: "notice bad" }, [e.detail, e.hint].filter(Boolean).join(" ") || resp.response || "The message could not be answered."));
    if (e.code === "interrupted" && resp.plan && on.goOn) out.push(el("p", { class: "decide" }, el("button", { type: "button", onclick: on.goOn }, "Go on")));
  }
  if (resp.response && !(resp.outcome === "error" && resp.response === resp.error?.detail)) {
    out.push(el("div", { class: "answer" }, ...markdown(resp.response, tables.made)));
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
  if (c && c.state !== "complete" && c.detail) out.push(el("p", { class: "notice" }, `${c.state === "unknown" ? "" : c.state[0].toUpperCase() + c.state.slice(1).replaceAll("_", " ") + ": "}${c.detail}`));
  out.push(...tables.rest());
  const said = resp.response ?? "";
  const notes = (resp.notes ?? []).filter((n) => !said.includes(n));
  if (c?.state === "complete" && c.down?.length) notes.push(`not there: ${c.down.join(", ")}`);
  notes.push(footer(resp, notes.some((n) => /^planned/i.test(n))));
  out.push(el("ul", { class: "notes" }, ...notes.filter(Boolean).map((n) => el("li", {}, n))));
  return out;
}

/** footer says who planned, unless that is said already, and how long it took. */
function footer(resp, said) {
  const by = said ? "" : { llm: "planned by the model", offline: "planned offline", cache: "plan from the cache", saved: "saved plan" }[resp.planned_by] ?? "";
  const took = resp.processing_time_ms > 0 ? duration(resp.processing_time_ms) : "";
  return [by, took].filter(Boolean).join(", ");
}

/** duration writes milliseconds for people. */
export function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1)} s`;
}
