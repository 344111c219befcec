// The steps of an answer: one sentence each, and behind it what went in and what came out.
import { el } from "./dom.js";
import { isNumeral, parse, write } from "./exact.js";
import { count, duration, prefs } from "./prefs.js";
import { markdown } from "./render.js";

const symbols = { started: "○", done: "●", partial: "◐", failed: "✕", skipped: "–", cancelled: "–", pending: "?" };
const words = { started: "running", done: "done", partial: "partly done", failed: "failed", skipped: "skipped", cancelled: "cancelled", pending: "waits for a decision" };
const kinds = { plan: "Plan", load: "Files read", llm: "Model asked", format: "Answer written" };

/** steps makes an empty list. why(id) is asked for the reasons of a step when it is opened. */
export function steps(why) {
  const list = el("ol", { class: "steps", "aria-label": "Steps" });
  const summary = el("summary", {}, "Steps");
  const node = el("details", { class: "work", hidden: true, open: true }, summary, list);
  const s = { node, list, summary, byID: new Map(), titles: new Map(), chosen: false, took: 0, why };
  summary.addEventListener("click", () => { s.chosen = true; });
  return s;
}

/** entry is what is known of a step, made at its first mention. */
function entry(s, id) {
  let step = s.byID.get(id);
  if (!step) {
    const line = el("summary", {});
    const body = el("div", { class: "inside" });
    const open = el("details", {}, line, body);
    step = { id, line, body, open, item: el("li", {}, open), meta: {}, args: "", result: "", progress: "", ended: false };
    open.addEventListener("toggle", () => { if (open.open) inside(s, step); });
    s.byID.set(id, step);
    s.list.append(step.item);
    s.node.hidden = false;
  }
  return step;
}

/** name is a tool's name as words. */
const name = (tool) => (tool.charAt(0).toUpperCase() + tool.slice(1)).replaceAll("_", " ");

/** about is a step's arguments in a few words. */
function about(json) {
  try {
    const texts = Object.values(parse(json)).flat(2).filter((v) => (typeof v !== "object" || isNumeral(v)) && !/^tbl_/.test(String(v)));
    return texts.slice(0, 4).join(", ") + (texts.length > 4 ? " …" : "");
  } catch {
    return "";
  }
}

/** describe is a call of a tool in words. */
export function describe(tool, json) {
  const what = about(json);
  return name(tool) + (what ? ` (${what})` : "");
}

/** title is the sentence of a step, without its numbers. */
function title(s, step) {
  const { meta } = step;
  if (meta.kind && meta.kind !== "tool") return [kinds[meta.kind] ?? name(meta.kind), meta.detail].filter(Boolean).join(": ");
  const known = s.titles.get(meta.link?.split("/").pop());
  if (known) return known;
  return describe(meta.tool ?? step.id, step.args);
}

function draw(s, step) {
  const { meta, ended } = step;
  const status = symbols[meta.status] ? meta.status : ended ? "done" : "started";
  const numbers = [meta.rows === undefined || meta.rows === null ? "" : count(meta.rows, "row"), ended && meta.durMs !== undefined ? duration(meta.durMs) : step.progress, meta.attempt > 1 ? `attempt ${meta.attempt}` : "", meta.reused ? "from before" : ""];
  step.item.className = status;
  step.line.replaceChildren(
    el("span", { class: "mark", role: "img", "aria-label": words[status] }, symbols[status]),
    el("span", { class: "what" }, title(s, step), ...(meta.error ? [el("span", { class: "why" }, ` ${meta.error}`)] : [])),
    el("span", { class: "took" }, numbers.filter(Boolean).join(", ")),
  );
}

/** inside draws what is behind a step's sentence. */
async function inside(s, step) {
  const pretty = (json) => {
    try {
      return write(parse(json), 1);
    } catch {
      return json;
    }
  };
  const part = (label, ...nodes) => [el("h3", {}, label), ...nodes];
  const out = [];
  if (step.meta.tool) out.push(el("p", { class: "quiet" }, "Tool ", el("code", {}, step.meta.tool), step.meta.attempt > 1 ? `, called ${step.meta.attempt} times` : ""));
  if (step.args && step.args !== "{}") out.push(...part("Arguments", el("pre", { tabIndex: 0, "aria-label": "Arguments" }, pretty(step.args))));
  if (step.result) out.push(...part("Result", ...markdown(step.result.replace(/^done: [\d,]+ rows?\n+|\n+The whole table: \S+$/g, ""))));
  const reasons = el("div", { class: "reasons" });
  out.push(reasons);
  step.body.replaceChildren(...out);
  if (out.length === 1) reasons.append(el("p", { class: "quiet" }, "Nothing more is known of this step."));
  const why = await s.why?.(step.id).catch(() => []);
  if (why?.length) reasons.replaceChildren(...part("Why", el("ul", {}, ...why.map((w) => el("li", {}, w)))));
}

/** stepEvent draws an event of the run, if it is about a step. What begins is given back as a sentence. */
export function stepEvent(s, event, run) {
  const meta = event.metadata?.catena ?? {};
  const own = (id) => (id?.startsWith(run + "-") ? id.slice(run.length + 1) : id);
  switch (event.type) {
    case "STEP_STARTED":
    case "STEP_FINISHED": {
      const step = entry(s, meta.stepId || event.stepName);
      step.meta = meta;
      step.ended = event.type === "STEP_FINISHED";
      draw(s, step);
      if (step.ended) s.took += meta.durMs ?? 0;
      head(s);
      return step.ended ? "" : `${title(s, step)} …`;
    }
    case "TOOL_CALL_ARGS": {
      const step = s.byID.get(own(event.toolCallId));
      if (!step) break;
      step.args = event.delta ?? "";
      draw(s, step);
      break;
    }
    case "TOOL_CALL_RESULT": {
      const step = s.byID.get(own(event.toolCallId));
      if (step) step.result = event.content ?? "";
      break;
    }
    case "ACTIVITY_SNAPSHOT":
      if (event.activityType !== "TABLE" || !event.content?.title) break;
      s.titles.set(event.content.handle, event.content.title);
      for (const step of s.byID.values()) draw(s, step);
      break;
    case "CUSTOM": {
      const step = event.name === "catena.progress" ? s.byID.get(event.value?.stepId) : undefined;
      if (!step) break;
      const { done, total, message } = event.value;
      step.progress = [total > 0 ? `${done} of ${total}` : "", message].filter(Boolean).join(" ");
      draw(s, step);
    }
  }
  return "";
}

/** head says of all steps how many there are, and which did not end well. */
function head(s) {
  const all = [...s.byID.values()];
  const bad = all.filter((x) => x.meta.status === "failed").length;
  s.summary.replaceChildren([count(all.length, "step"), bad > 0 ? `${bad} failed` : "", s.took > 0 ? duration(s.took) : ""].filter(Boolean).join(", "));
}

/** fold closes the list when its answer is there, unless the person opened or closed it, or likes it open. */
export function fold(s) {
  if (!s.chosen) s.node.open = prefs.steps === "open";
}

/** reasons makes sentences of why a plan is as it is, by step. */
export function reasons(explanation, id) {
  return (explanation?.why ?? []).filter((w) => w.step === id).map((w) => {
    const slot = w.slot ? w.slot.replace(/^\//, "").replaceAll("_", " ").replaceAll("/", " ") : "tool";
    return `${slot}: ${w.value}${w.words ? `, because of “${w.words}”` : ""}${w.how && w.how !== "message" ? ` (${w.how})` : ""}`;
  });
}
