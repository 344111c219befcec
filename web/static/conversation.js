// The chat that is open: asking, following, stopping, and showing what is stored.
import { siblings, through } from "./branch.js";
import { base64, giveBack, keepDraft, take, tellRefused } from "./composer.js";
import { $, button, el, say, sentence } from "./dom.js";
import { planCard } from "./plan.js";
import { locale, prefs, zone } from "./prefs.js";
import { answer } from "./render.js";
import { leave, run } from "./run.js";
import { state } from "./state.js";
import { asProblem, ask, attach, change, decide, getJSON, goOn } from "./stream.js";
import { addTurn, branches, edit, finish, offer, onEvent } from "./turn.js";

let page; // what the page does: session(id, title), listChanged(), told(message)
const shown = new Map(); // the turns of the chat that is open, by their items
const unsent = { key: "", of: "" }; // a message that may have been taken, though it was not heard of: sent again, it has the same key

/** onTurn is what a turn asks of the page. */
const acts = {
  busy: () => state.busy,
  after: (turn) => [...$("turns").children].length - 1 - [...$("turns").children].indexOf(turn.item),
  again: (text, turn, run) => send(text, [], { turn, run }),
};

/** newTurn shows a question. */
function newTurn(question, files) {
  const turn = addTurn(question, files);
  shown.set(turn.item, turn);
  return turn;
}

/** show draws an answer, and what can be done about it. */
function show(turn, resp) {
  turn.result ??= resp;
  const newest = turn.item === $("turns").lastElementChild;
  turn.body.replaceChildren(...answer(resp, {
    reply: newest ? (text) => send(text, []) : undefined,
    locale: locale(),
    again: resp.run_id ? () => send(turn.question, [], { turn, run: resp.run_id }) : undefined,
    decide: resp.run_id ? (step, decision) => follow(turn, (on) => decide(resp.run_id, step, decision, on), (error) => refused(turn, resp, error)) : undefined,
    goOn: resp.run_id ? () => follow(turn, (on) => goOn(resp.run_id, on), (error) => refused(turn, resp, error)) : undefined,
  }));
  if (resp.run_id) offer(turn, resp.run_id, acts);
}

/** complain shows above an answer what could not be done about it. */
function complain(turn, error) {
  turn.body.prepend(el("p", { class: "notice bad" }, sentence(error)));
  say(sentence(error));
}

/** refused says why a decision was not taken, above the answer that it was about. */
function refused(turn, resp, error) {
  show(turn, resp);
  complain(turn, error);
}

/** failed shows why a turn has no answer. */
function failed(turn, error) {
  finish(turn, { outcome: "error", error: { detail: error.message, hint: error.hint, code: error.code } }, { end: (resp) => show(turn, resp) });
}

/** follow draws the events of a run that start begins; what goes wrong before is for fail. */
const follow = (turn, start, fail) => run(turn, start, fail, { session: (id) => began(id, turn), end: (resp) => ended(turn, resp) });

/** began puts the session of a run into the address, so that a reload finds it. */
function began(id, turn) {
  if (id !== state.session) {
    state.session = id;
    page.session(id, turn.question, true);
  }
  page.told("began");
}

function ended(turn, resp) {
  if (resp.session_id && resp.session_id !== state.session) began(resp.session_id, turn);
  show(turn, resp);
  turn.body.querySelector(".waits")?.scrollIntoView({ block: "nearest" });
  page.listChanged();
  page.told("ended");
  if (state.branch || turn.edited || state.turns.some((t) => t.after_run)) reloadBranches();
}

/** reloadBranches reads anew which versions of questions there are. */
async function reloadBranches() {
  const session = state.session;
  try {
    const got = await getJSON(sessionPath(session));
    if (session !== state.session) return;
    state.turns = got.turns;
    state.branch = false;
    for (const turn of shown.values()) versions(turn, turn.result?.run_id);
  } catch (error) {
    say(sentence(asProblem(error)));
  }
}

/** versions offers the other versions of a question. */
function versions(turn, run) {
  if (!run) return;
  const all = siblings(state.turns, run);
  const at = all.findIndex((t) => t.run_id === run);
  branches(turn, at, all.length, (to) => showBranch(all[to].run_id));
  if (at >= 0) offer(turn, run, acts);
}

/** showBranch shows the turns through a run's; the next question follows the last of them. */
function showBranch(run) {
  if (state.busy) return say("A question is being answered. Esc stops it.");
  const path = through(state.turns, run);
  state.branch = path.at(-1) !== state.turns.at(-1);
  drawStored(path, []);
  const turn = [...shown.values()].find((t) => t.result?.run_id === run);
  turn?.item.scrollIntoView({ block: "nearest" });
  turn?.acts.querySelector("button:not(:disabled)")?.focus();
  say(`Version ${siblings(state.turns, run).findIndex((t) => t.run_id === run) + 1} of this question is shown.`);
}

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
  const goAhead = () => {
    turn.item.remove();
    keepDraft($("message").value);
    send(message, []);
  };
  try {
    const found = await change("POST", "/api/v1/plan", { message, session_id: state.session || undefined, locale: locale(), time_zone: zone() || undefined });
    if (!turn.item.isConnected) return;
    if (!found.plan.steps?.length) return goAhead(); // there is nothing to look at
    const card = planCard(found, goAhead, back);
    turn.body.replaceChildren(card);
    card.querySelector("button").focus();
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
 * are a question, too. What could not be sent is given back.
 */
export async function send(message, files, before) {
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
  turn.item.scrollIntoView({ block: "start" });
  say(aside.length > 1 ? `Planning … ${aside.length - 1} later questions are set aside; the arrows below the question bring them back.` : "Planning …");
  const last = [...shown.values()].filter((t) => t !== turn && t.item.isConnected).at(-1)?.result?.run_id;
  const request = {
    message, session_id: state.session || undefined, edit_run: before?.run, locale: locale(), time_zone: zone() || undefined,
    after_run: state.branch && !before ? last : undefined,
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

const sessionPath = (id) => `/api/v1/sessions/${encodeURIComponent(id)}?limit=1000`;

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

/** drawStored shows stored turns in the place of those that are shown. */
function drawStored(turns, running) {
  shown.clear();
  $("turns").replaceChildren();
  for (const t of turns) {
    const turn = newTurn(t.message, t.files ?? []);
    turn.result = t;
    versions(turn, t.run_id);
    show(turn, t);
    if (!t.run_id || running.some((r) => r.run_id === t.run_id)) continue;
    turn.item.restore = () => restore(turn, t);
    later.observe(turn.item);
  }
}

/** later draws the whole of answers when they come near to what is seen: a session's turns have their texts alone. */
const later = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    later.unobserve(target);
    target.restore?.();
  }
}, { rootMargin: "600px" });

/** restore draws steps, tables and charts of a turn from its run's log. Where that is kept no longer its text stays. */
async function restore(turn, stored) {
  turn.quiet = true;
  try {
    await attach(stored.run_id, { event: (event) => onEvent(turn, event, {}), run: (run) => { turn.run = run; } });
  } catch {
    return;
  } finally {
    turn.quiet = false;
  }
  if (state.busy && state.run === stored.run_id) return; // it has gone on since
  if (!turn.item.isConnected || turn.result === stored) return;
  show(turn, { ...turn.result, response: stored.response, notes: stored.notes });
}

/** catchUp shows what another tab, or another client, has done in this chat. */
export async function catchUp() {
  const id = state.session;
  if (!id || state.busy) return;
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

/** conversation gives the chat its page. */
export function conversation(of) {
  page = of;
}
