// What waits for a person: a question back with its replies, and steps that change or delete something.
import { button, el, short } from "./dom.js";
import { write } from "./exact.js";

/** waits says of each reason why a step waits, and what can be decided. */
const waits = {
  approval_required: ["Not run: this changes or deletes things and needs your approval.", { skip: "Refuse", run: "Approve" }],
  untrusted_value: ["Not run: values of this come from a source that is not trusted.", { skip: "Refuse", run: "Approve" }],
  outcome_unknown: ["This was called, and whether it took effect is not known. Check that first.", { skip: "Skip", done: "It was done", run: "Run again" }],
};

/** seen writes characters that leave no mark of their own as escapes, so that a text cannot look like another. */
const seen = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (c) => (c === "\n" ? c : `\\u{${c.codePointAt(0).toString(16)}}`));

/** effect says in words what a step would change or delete. */
function effect({ what, lines }) {
  const said = ({ name, before, value }) => el("li", {}, `${name}: `, ...(before ? [el("code", {}, seen(before)), " → "] : []), el("code", {}, seen(value)));
  return [el("p", {}, `${seen(what)}:`), el("ul", { "aria-label": "What it would do" }, ...(lines ?? []).map(said))];
}

/** pending says what waits for a decision; decide(step, decision) takes it. */
export function pending(list, decide) {
  const box = el("section", { class: "notice waits", "aria-label": "Waits for your decision" });
  for (const step of list) {
    const [said, choices] = waits[step.reason] ?? waits.approval_required;
    const args = el("pre", { tabIndex: 0, "aria-label": "What waits" }, `${step.tool} ${seen(write(step.args, 1))}`);
    box.append(el("strong", {}, said));
    if (step.effect) box.append(...effect(step.effect), el("details", {}, el("summary", {}, "Arguments"), args));
    else box.append(args);
    if (!decide) continue;
    const buttons = Object.entries(choices).map(([decision, name]) => button({ class: decision === "run" ? "plain danger" : "plain", "aria-label": `${name}: ${step.tool}`, onclick: () => decide(step, decision) }, name));
    box.append(el("p", { class: "decide", role: "group", "aria-label": `Decide about ${step.tool}` }, ...buttons));
  }
  return box;
}

/** choices are buttons for the replies that a question offers. */
export function choices(replies, reply) {
  const buttons = replies.map((text) => button({ class: "chip", onclick: () => reply(text) }, text[0].toUpperCase() + text.slice(1)));
  return el("p", { class: "decide choices", role: "group", "aria-label": "Answer the question" }, ...buttons);
}

/** next are questions that may follow an answer. */
export function next(list, ask) {
  return el("p", { class: "decide next", role: "group", "aria-label": "Questions that may follow" }, el("span", { class: "quiet" }, "Ask next: "),
    ...list.map((text) => button({ class: "chip", onclick: () => ask(text) }, text[0].toUpperCase() + text.slice(1))));
}

/** saysAll tells whether a title has the words of a reading, in their order; of a column's name of several parts it may leave some out, as units. */
function saysAll(title, reading) {
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const said = words(title).flatMap((w) => w.split("_"));
  for (const word of words(reading)) {
    const parts = word.split("_").filter(Boolean);
    const found = parts.filter((p) => p === said[0] && said.shift());
    if (found.length === 0 || (found.length < parts.length && parts.length === 1)) return false;
  }
  return said.length === 0;
}

/** reading says how a question was read, unless the title of its table says all of it in the same words; take(words) takes another reading. */
export function reading(resp, take) {
  const out = [];
  const title = resp.tables?.length === 1 ? resp.tables[0].title ?? "" : "";
  const titled = title === short(title) && saysAll(title, resp.reading ?? ""); // a cut title does not say it all
  if (resp.reading && !titled) out.push(el("p", { class: "reading" }, el("span", { class: "quiet" }, "Read as "), resp.reading));
  const others = resp.outcome === "answer" && take ? resp.alternatives ?? [] : [];
  if (others.length > 0) {
    out.push(el("p", { class: "decide others", role: "group", "aria-label": "Other readings" }, el("span", { class: "quiet" }, "Or: "),
      ...others.slice(0, 4).map((a) => button({ class: "chip", onclick: () => take(a.reading) }, a.reading))));
  }
  return out;
}

/** withoutChoices is a text without the list of replies that stand below it as buttons. */
export const withoutChoices = (text, replies) => text.split("\n").filter((line) => !replies.includes(line.replace(/^\s*(?:[-*]|\d+[.)])\s+/, ""))).join("\n").trim();

/** withoutPending is an answer's text without what the box with the buttons says. */
export const withoutPending = (text) => text.replace(/^`?[\w./-]+`? changes or deletes data and was not run\.\n[^]*?^Reply yes [^\n]*$/gm, "").trim();
