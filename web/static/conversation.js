// The chat that is open: asking, and showing what is stored.
import { base64, giveBack, keepDraft, take, tellRefused } from "./composer.js";
import { $, button, el, say, sentence } from "./dom.js";
import { locale, prefs, zone } from "./prefs.js";
import { leave } from "./run.js";
import { state } from "./state.js";
import { asProblem, ask, attach, change, getJSON } from "./stream.js";
import { acts, complain, drawStored, failed, follow, newTurn, sessionPath, shown, thread } from "./thread.js";
import { toolsOff } from "./switches.js";
import { edit } from "./turn.js";

export { stop } from "./run.js";

let page;
const unsent = { key: "", of: "" }; // a message that may have been taken, though it was not heard of: sent again, it has the same key

/** keyOf is the key that a message is sent under: the same as the last time, where that one was not heard of. */
function keyOf(request, files) {
  const of = JSON.stringify([request, files.map((f) => [f.name, f.size, f.lastModified])]);
  if (unsent.of !== of) {
    unsent.of = of;
    unsent.key = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
  }
  return unsent.key;
}

/** askNow sends what is in the field; planned has its plan shown first. */
export function askNow(planned = prefs.plans === "shown") {
  if (state.busy) {
    say("A question is being answered. Esc stops it; your text stays here.");
    return;
  }
  if ($("message").value.trim() === "" && state.files.length === 0) {
    say("Write a question, or attach a table.");
    return;
  }
  const { text, files } = take();
  if (planned && files.length === 0) showPlan(text);
  else send(text, files);
}

/** showPlan shows what a question would run, and runs it when the person says so. */
async function showPlan(message) {
  dropUnsent();
  const turn = newTurn(message, []);
  turn.unsent = true;
  turn.item.scrollIntoView({ block: "start" });
  say("Planning …");
  keepDraft(message); // a plan is no run: a reload finds its question in the field
  const back = () => {
    turn.item.remove();
    $("welcome").hidden = $("turns").children.length > 0 || state.session !== "";
    giveBack(message, []);
    $("message").focus();
  };
  const goAhead = (plan) => {
    turn.item.remove();
    keepDraft($("message").value);
    send(message, [], undefined, plan);
  };
  const run = async (plan) => { // what cannot be run is told while it can still be changed
    const { valid, findings } = await change("POST", "/api/v1/plan/check", { plan });
    if (valid) goAhead(plan);
    return valid ? "" : findings.map((f) => f.message).join(" ") || "This cannot be run.";
  };
  try {
    const drawing = import("./plan.js");
    const found = await change("POST", "/api/v1/plan", { message, session_id: state.session || undefined, locale: locale(), time_zone: zone() || undefined, tools_off: toolsOff() });
    if (!turn.item.isConnected) return;
    if (!found.plan.steps?.length) return goAhead(); // there is nothing to look at
    const { planCard } = await drawing;
    const card = planCard(found, (plan) => run(plan).catch((error) => sentence(asProblem(error))), back);
    turn.body.replaceChildren(card);
    card.querySelector(".primary").focus();
    say("This would be run. Nothing has run yet.");
  } catch (error) {
    back();
    say(sentence(asProblem(error)));
  }
}

/** dropUnsent takes away questions that were not sent. */
function dropUnsent() {
  for (const item of [...$("turns").children]) if (shown.get(item)?.unsent) item.remove();
}

/**
 * send asks a question: the next one, or, where before names a turn, in that one's place; what came after it is another branch then. Files alone
 * are a question, too. What could not be sent is given back. A plan is run in the place of one that the server would make.
 */
export async function send(message, files, before, plan) {
  if (state.busy) {
    say("A question is being answered. Esc stops it.");
    return;
  }
  $("gone").hidden = true;
  dropUnsent();
  const old = [...$("turns").children];
  const aside = before ? old.slice(old.indexOf(before.turn.item)) : [];
  for (const item of aside) item.remove();
  const names = files.length > 0 ? files.map((f) => f.name) : before?.turn.files ?? [];
  const turn = newTurn(message.trim() === "" ? names.join(", ") : message, names);
  turn.edited = Boolean(before);
  requestAnimationFrame(() => turn.item.scrollIntoView({ block: "start" })); // once the question is under way: it lays out the page
  say(aside.length > 1 ? `Planning … ${aside.length - 1} later questions are set aside; the arrows below the question bring them back.` : "Planning …");
  const last = [...shown.values()].filter((t) => t !== turn && t.item.isConnected).at(-1)?.result?.run_id;
  const request = {
    message, session_id: state.session || undefined, edit_run: before?.run, locale: locale(), time_zone: zone() || undefined,
    after_run: state.branch && !before ? last : undefined, plan, tools_off: toolsOff().length > 0 ? toolsOff() : undefined,
  };
  const key = keyOf(request, files);
  await follow(turn, async (on) => {
    const attachments = await Promise.all(files.map(async (f) => ({ name: f.name, media_type: f.type, data: await base64(f) })));
    await ask(files.length > 0 ? { ...request, attachments } : request, key, on);
  }, (error) => {
    if (state.run !== "") return failed(turn, error);
    if (before) { // nothing was begun: what was there is shown again
      $("turns").replaceChildren(...old);
      return complain(before.turn, error);
    }
    failed(turn, error);
    turn.unsent = true;
    giveBack(message, files);
    if (error.code) unsent.of = ""; // the server has refused it: it is not under way
  });
  if (turn.run) unsent.of = "";
}

/** editLast opens the newest question for editing. */
export function editLast() {
  const turn = [...shown.values()].filter((t) => t.item.isConnected && t.result?.run_id).at(-1);
  if (!turn || state.busy) return false;
  edit(turn, turn.result.run_id, acts);
  return true;
}

/** clear shows no chat. */
function clear() {
  state.session = "";
  state.turns = [];
  state.branch = false;
  shown.clear();
  $("turns").replaceChildren();
  $("gone").hidden = true;
}

/** fresh shows an empty chat. It reports whether it did. */
export function fresh() {
  if (!leave()) return false;
  clear();
  $("welcome").hidden = false;
  tellRefused([]);
  return true;
}

/** openSession shows a session: the branch that was gone on with last, and what of it is under way. It reports whether it did. */
export async function openSession(id) {
  if (!leave()) return false;
  clear();
  $("welcome").hidden = true;
  state.session = id;
  await load(id);
  return true;
}

async function load(id) {
  let got;
  try {
    got = await getJSON(sessionPath(id));
  } catch (error) {
    if (state.session === id) missing(asProblem(error), id);
    return;
  }
  if (state.session !== id) return;
  state.turns = got.turns;
  page.session(id, got.title, false);
  const now = got.running.at(-1); // others were sent from elsewhere; they are turns when they have ended
  const at = now?.after_run;
  const path = at === "start" ? [] : at ? got.path.slice(0, got.path.indexOf(at) + 1) : got.path;
  drawStored(got.turns.filter((t) => path.includes(t.run_id)), got.running);
  $("turns").lastElementChild?.scrollIntoView({ block: "start" });
  if (!now) return;
  const turn = [...shown.values()].find((t) => t.result?.run_id === now.run_id) ?? newTurn(now.message, now.files ?? []);
  turn.item.scrollIntoView({ block: "start" });
  await follow(turn, (on) => attach(now.run_id, on), (error) => failed(turn, error));
}

/** missing says why a session cannot be shown. */
function missing(error, id) {
  const gone = error.code === "session_not_found";
  const text = gone ? "There is no such chat. It was deleted, or belongs to another key." : sentence(error);
  const next = gone ? button({ class: "plain", onclick: () => page.fresh() }, "New chat") : button({ class: "plain", onclick: () => openSession(id) }, "Try again");
  if (gone) state.session = "";
  $("gone").replaceChildren(el("p", {}, text), next);
  $("gone").hidden = false;
  say(text);
}

/** catchUp shows what another tab, or another client, has done in this chat. */
export async function catchUp() {
  const id = state.session;
  if (!id || state.busy || document.querySelector("#turns .edit, #turns .plan")) return; // what is being written stays
  let got;
  try {
    got = await getJSON(sessionPath(id));
  } catch {
    return; // what is shown stays
  }
  if (state.session !== id || state.busy) return;
  const known = new Set(state.turns.map((t) => t.run_id).concat([...shown.values()].map((t) => t.result?.run_id)));
  if (got.running.length > 0 || got.turns.some((t) => !known.has(t.run_id))) await load(id);
}

/** conversation gives the chat its page: session(id, title, begun), listChanged(), told(what), fresh(). */
export function conversation(of) {
  page = of;
  thread(of, send);
}
