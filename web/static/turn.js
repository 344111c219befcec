// One question with its steps and its answer.
import { $, button, el, icon, say } from "./dom.js";
import { count } from "./prefs.js";
import { answer } from "./render.js";
import { change } from "./stream.js";
import { fold, reasons, stepEvent, steps } from "./steps.js";

const outcomes = { answer: "Answered.", clarify: "A question back.", refuse: "Not answered.", approval: "Waits for approval.", error: "Failed." };

/** addTurn shows a question with the names of its files, and gives where its steps, its answer, and what can be done about it go. */
export function addTurn(question, files = []) {
  $("welcome").hidden = true;
  for (const old of document.querySelectorAll("#turns .choices, #turns .others, #turns .next")) old.remove(); // a reply goes to the newest question
  const body = el("div", { class: "body" });
  const alone = files.length > 0 && question === files.join(", ");
  const asked = el("h2", { class: "question" }, alone ? count(files.length, "file") : question);
  const sent = el("ul", { class: "sent", "aria-label": "Files of this question", hidden: files.length === 0 }, ...files.map((name) => el("li", {}, icon("file"), name)));
  const acts = el("div", { class: "acts", role: "group", "aria-label": "This question", hidden: true });
  const turn = { asked, acts, question, files, alone, body, text: "", run: "", quiet: false, result: null };
  turn.steps = steps((id) => why(turn, id));
  turn.item = el("li", { class: "turn" }, asked, sent, turn.steps.node, body, acts);
  $("turns").append(turn.item);
  return turn;
}

/** why asks the server why a turn's plan has a step. */
async function why(turn, id) {
  const plan = turn.result?.plan;
  if (!plan?.steps?.some((s) => s.id === id)) return [];
  turn.explained ??= change("POST", "/api/v1/plan/check", { plan, message: turn.question });
  return reasons((await turn.explained).explanation, id);
}

/** onEvent draws one event of a run. on.session is told the session that it belongs to, on.end the answer. */
export function onEvent(turn, event, on) {
  switch (event.type) {
    case "RUN_STARTED":
      if (event.threadId) on.session?.(event.threadId);
      break;
    case "TEXT_MESSAGE_START":
      turn.text = "";
      break;
    case "TEXT_MESSAGE_CONTENT":
      turn.text += event.delta ?? "";
      if (!turn.quiet) turn.body.replaceChildren(...answer({ response: turn.text }));
      break;
    case "RUN_FINISHED":
      finish(turn, event.result, on);
      break;
    case "RUN_ERROR":
      finish(turn, event.result ?? { outcome: "error", error: { detail: event.message, code: event.code } }, on);
      break;
    case "CUSTOM":
      if (event.name === "catena.closed" && !turn.quiet) say([event.value?.detail, event.value?.hint].filter(Boolean).join(" "));
  }
  const began = stepEvent(turn.steps, event, turn.run);
  if (began && !turn.quiet) say(began);
}

/** finish takes the answer of a run. */
export function finish(turn, resp, on) {
  if (!resp) return;
  turn.result = resp;
  fold(turn.steps);
  if (turn.quiet) return;
  on.end?.(resp);
  say(resp.error?.code === "cancelled" ? "Stopped." : outcomes[resp.outcome] ?? "");
}

/** offer shows what can be done about a question that was answered: both make a branch, and the answer from before is kept. */
export function offer(turn, run, on) {
  const at = turn.acts.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  turn.acts.replaceChildren(
    ...(turn.branches ? [turn.branches] : []),
    button({ class: "plain", "aria-label": `Edit: ${turn.question}`, onclick: () => edit(turn, run, on) }, "Edit"),
    button({ class: "plain", "aria-label": `Ask again: ${turn.question}`, onclick: () => on.again(turn.question, turn, run) }, "Ask again"),
  );
  turn.acts.hidden = false;
  if (at !== null) [...turn.acts.querySelectorAll("button")].find((b) => b.getAttribute("aria-label") === at)?.focus();
}

/** edit puts a field in the place of a question. */
export function edit(turn, run, on) {
  if (on.busy()) return;
  const field = el("textarea", { rows: 2, maxLength: 65536, "aria-label": "Your question, edited" });
  field.value = turn.question;
  const after = on.after(turn);
  const told = after > 0 ? [el("p", { class: "quiet" }, `${count(after, "later question")} will be set aside with this one; the arrows below it bring them back.`)] : [];
  const keep = button({ class: "plain", onclick: () => done() }, "Leave as it is");
  const form = el("form", { class: "edit" }, field, ...told, el("p", { class: "decide" }, el("button", { type: "submit" }, "Ask"), keep));
  const done = () => {
    form.replaceWith(turn.asked);
    turn.acts.hidden = false;
    [...turn.acts.querySelectorAll("button")].find((b) => b.textContent === "Edit")?.focus();
  };
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (field.value.trim() === "" || on.busy()) return;
    done();
    on.again(field.value, turn, run);
  });
  form.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      e.stopPropagation(); // it cancels a run elsewhere
      done();
    } else if (e.target === field && e.key === "Enter" && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      form.requestSubmit();
    }
  });
  turn.acts.hidden = true;
  turn.asked.replaceWith(form);
  field.focus();
}

/** branches shows which of several versions of a question this is; go(index) shows another. */
export function branches(turn, at, of, go) {
  const step = (to, name, picture) => button({ class: "icon", disabled: to < 0 || to >= of, "aria-label": name, onclick: () => go(to) }, icon(picture));
  turn.branches = of < 2 ? null : el("span", { class: "branches", role: "group", "aria-label": "Versions of this question" },
    step(at - 1, "The version before", "left"), el("span", {}, `${at + 1} / ${of}`), step(at + 1, "The version after", "right"));
}
