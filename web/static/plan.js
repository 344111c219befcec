// What a question would run, before it does: steps can be left out, and their arguments changed.
import { button, el } from "./dom.js";
import { isNumeral, parse, write } from "./exact.js";
import { count, duration } from "./prefs.js";
import { describe, reasons } from "./steps.js";

/** facts are what a step's line says beside what it does. */
function facts(explained, numbers) {
  const needs = explained.needs?.map((id) => numbers.get(id)).filter(Boolean) ?? [];
  return [
    needs.length > 0 ? `with the result of step ${needs.join(" and ")}` : "",
    explained.estimated_ms === null || explained.estimated_ms === undefined ? "" : `about ${duration(explained.estimated_ms)}`,
    explained.destructive ? "changes or deletes something" : "",
    explained.waits ? "asks before it does" : "",
  ].filter(Boolean).join(", ");
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !isNumeral(value);

/** stepLine is one step of a plan: whether it runs, what it does, and behind it its arguments and why. changed() is told of changes. */
function stepLine(step, number, explained, explanation, numbers, changed) {
  const why = reasons(explanation, step.id);
  const box = el("input", { type: "checkbox", checked: true, "aria-label": `Run step ${number}`, onchange: () => changed() });
  const written = write(step.args ?? {}, 1);
  const args = el("textarea", { class: "code", value: written, rows: Math.min(14, written.split("\n").length), spellcheck: false, "aria-label": `Arguments of step ${number}` });
  const bad = el("p", { class: "bad", hidden: true }, "This is no JSON object.");
  const what = el("span", { class: "what" }, describe(step.tool, written));
  const line = { id: step.id, step, box, args, bad, needs: explained.needs ?? [] };
  line.value = () => {
    if (args.value === written) return step.args ?? {};
    try {
      const value = parse(args.value);
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  };
  args.addEventListener("input", () => {
    const value = line.value();
    bad.hidden = value !== undefined;
    args.setAttribute("aria-invalid", String(value === undefined));
    if (value !== undefined) what.textContent = describe(step.tool, args.value);
    changed();
  });
  const about = facts(explained, numbers);
  line.node = el("li", {}, box,
    el("details", {},
      el("summary", {}, what, el("span", { class: "quiet" }, about && ` ${about}`)),
      el("div", { class: "inside" },
        el("p", { class: "quiet" }, "Tool ", el("code", {}, step.tool)),
        el("h3", {}, "Arguments"), args, bad,
        ...(explained.effect ? [el("h3", {}, "What it would change"), el("pre", { tabIndex: 0, "aria-label": "What it would change" }, explained.effect)] : []),
        ...(why.length > 0 ? [el("h3", {}, "Why"), el("ul", {}, ...why.map((w) => el("li", {}, w)))] : []))));
  return line;
}

/** mentions reports whether a value has a reference to a step. */
const mentions = (value, id) => value !== null && typeof value === "object" && Object.entries(value).some(([key, v]) => (key === "$ref" && typeof v === "string" ? v === id || v.startsWith(id + ".") || v.startsWith(id + "[") : mentions(v, id)));

/** chosen is the plan of the steps that are to run, with the arguments as they stand. */
function chosen(plan, lines) {
  const gone = lines.filter((l) => !l.box.checked).map((l) => l.id);
  const answer = plan.answer?.filter((a) => !gone.some((id) => mentions(a, id)));
  const steps = lines.filter((l) => l.box.checked).map((l) => ({ ...l.step, args: l.value() }));
  return { ...plan, steps, answer: answer?.length ? answer : undefined, alternatives: undefined, repairs: undefined };
}

/**
 * planCard shows a plan in waves: the steps of one run at the same time. run(plan) runs what is chosen of it and resolves to why it cannot, or "";
 * back() leaves it.
 */
export function planCard(found, run, back) {
  const { plan, explanation } = found;
  const numbers = new Map(plan.steps.map((s, i) => [s.id, i + 1]));
  const about = (id) => explanation?.steps.find((s) => s.id === id) ?? {};
  const said = el("p", { class: "notice bad", role: "alert", hidden: true });
  const head = el("strong", {});
  const go = button({ class: "primary" }, "Run it");
  const lines = plan.steps.map((s, i) => stepLine(s, i + 1, about(s.id), explanation, numbers, () => draw()));
  const total = explanation?.estimated_ms > 0 ? `, about ${duration(explanation.estimated_ms)}` : "";
  const draw = () => {
    for (const l of lines) { // what needs a step that is left out is left out, too
      const lacks = l.needs.some((id) => !lines.find((x) => x.id === id)?.box.checked);
      l.box.disabled = lacks;
      if (lacks) l.box.checked = false;
      l.node.classList.toggle("out", !l.box.checked);
    }
    const on = lines.filter((l) => l.box.checked);
    go.disabled = on.length === 0 || on.some((l) => l.value() === undefined);
    head.textContent = on.length === lines.length ? `This would be run: ${count(lines.length, "step")}${total}` : `This would be run: ${on.length} of ${count(lines.length, "step")}`;
    said.hidden = true;
  };
  draw();
  go.onclick = async () => {
    go.disabled = true;
    const why = await run(chosen(plan, lines));
    go.disabled = false;
    said.textContent = why;
    said.hidden = why === "";
  };
  const together = (explanation?.waves ?? []).filter((w) => w.length > 1).map((w) => `Steps ${w.map((id) => numbers.get(id)).join(", ")} run at the same time.`);
  return el("section", { class: "plan", "aria-label": "Plan" },
    el("p", {}, head),
    el("ol", { class: "steps numbered choose" }, ...lines.map((l) => l.node)),
    ...together.map((text) => el("p", { class: "quiet" }, text)),
    ...(plan.reading ? [el("p", { class: "reading" }, el("span", { class: "quiet" }, "Read as "), plan.reading)] : []),
    said,
    el("p", { class: "decide" }, go, button({ class: "plain", onclick: back }, "Change the question")));
}
