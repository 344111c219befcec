// What a question would run, before it does.
import { button, el } from "./dom.js";
import { count, duration } from "./prefs.js";
import { describe, reasons } from "./steps.js";

/** stepLine is one step of a plan: what it does, how long that takes, what it changes, and behind it why. */
function stepLine(step, explained, explanation, numbers) {
  const needs = explained.needs?.map((id) => numbers.get(id)).filter(Boolean) ?? [];
  const facts = [
    needs.length > 0 ? `with the result of step ${needs.join(" and ")}` : "",
    explained.estimated_ms === null || explained.estimated_ms === undefined ? "" : `about ${duration(explained.estimated_ms)}`,
    explained.destructive ? "changes or deletes something" : "",
    explained.waits ? "asks before it does" : "",
  ].filter(Boolean);
  const why = reasons(explanation, step.id);
  return el("li", {},
    el("details", {},
      el("summary", {}, el("span", { class: "what" }, describe(step.tool, JSON.stringify(step.args ?? {}))), el("span", { class: "quiet" }, facts.length > 0 ? ` ${facts.join(", ")}` : "")),
      el("div", { class: "inside" },
        el("p", { class: "quiet" }, "Tool ", el("code", {}, step.tool)),
        el("h3", {}, "Arguments"), el("pre", { tabIndex: 0, "aria-label": "Arguments" }, JSON.stringify(step.args ?? {}, null, 1)),
        ...(explained.effect ? [el("h3", {}, "What it would change"), el("pre", { tabIndex: 0, "aria-label": "What it would change" }, explained.effect)] : []),
        ...(why.length > 0 ? [el("h3", {}, "Why"), el("ul", {}, ...why.map((w) => el("li", {}, w)))] : []))));
}

/** planCard shows a plan in waves: the steps of one run at the same time. run() runs it, back() leaves it. */
export function planCard(found, run, back) {
  const { plan, explanation } = found;
  const numbers = new Map(plan.steps.map((s, i) => [s.id, i + 1]));
  const about = (id) => explanation?.steps.find((s) => s.id === id) ?? {};
  const rows = plan.steps.map((s) => stepLine(s, about(s.id), explanation, numbers));
  const total = explanation?.estimated_ms > 0 ? `, about ${duration(explanation.estimated_ms)}` : "";
  const together = (explanation?.waves ?? []).filter((w) => w.length > 1).map((w) => `Steps ${w.map((id) => numbers.get(id)).join(", ")} run at the same time.`);
  return el("section", { class: "plan", "aria-label": "Plan" },
    el("p", {}, el("strong", {}, `This would be run: ${count(plan.steps.length, "step")}${total}`)),
    el("ol", { class: "steps numbered" }, ...rows),
    ...together.map((text) => el("p", { class: "quiet" }, text)),
    ...(plan.reading ? [el("p", { class: "reading" }, el("span", { class: "quiet" }, "Read as "), plan.reading)] : []),
    el("p", { class: "decide" }, button({ class: "primary", onclick: run }, "Run it"), button({ class: "plain", onclick: back }, "Change the question")));
}
