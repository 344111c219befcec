// The turns that are shown: drawn, followed, and gone through by their versions.
import { choices, next } from "./approval.js";
import { siblings, through } from "./branch.js";
import { $, el, say, sentence } from "./dom.js";
import { locale } from "./prefs.js";
import { questions } from "./questions.js";
import { answer } from "./render.js";
import { run } from "./run.js";
import { state } from "./state.js";
import { asProblem, attach, decide, getJSON, goOn } from "./stream.js";
import { addTurn, branches, finish, offer, onEvent } from "./turn.js";

let page; // see conversation
let send; // asks a question

/** shown are the turns of the chat that is open, by their items. */
export const shown = new Map();

/** thread gives the turns their page, and how a question is asked. */
export function thread(of, ask) {
  page = of;
  send = ask;
}

/** sessionPath is where a session's turns are. */
export const sessionPath = (id) => `/api/v1/sessions/${encodeURIComponent(id)}?limit=1000`;

/** acts is what a turn asks of the page. */
export const acts = {
  busy: () => state.busy,
  after: (turn) => [...$("turns").children].length - 1 - [...$("turns").children].indexOf(turn.item),
  again: (text, turn, run) => send(text, [], { turn, run }),
};

/** newTurn shows a question. */
export function newTurn(question, files) {
  const turn = addTurn(question, files);
  shown.set(turn.item, turn);
  return turn;
}

/** show draws an answer, and what can be done about it. */
function show(turn, resp) {
  turn.result ??= resp;
  turn.drawn = true;
  const newest = turn.item === $("turns").lastElementChild;
  turn.body.replaceChildren(...answer(resp, {
    reply: newest ? (text) => send(text, []) : undefined,
    locale: locale(),
    again: resp.run_id ? () => send(turn.question, [], { turn, run: resp.run_id }) : undefined,
    repeat: resp.run_id && resp.plan ? () => send(turn.question, [], { turn, run: resp.run_id }, resp.plan) : undefined,
    decide: resp.run_id ? (step, decision) => follow(turn, (on) => decide(resp.run_id, step, decision, on), (error) => refused(turn, resp, error)) : undefined,
    goOn: resp.run_id ? () => follow(turn, (on) => goOn(resp.run_id, on), (error) => refused(turn, resp, error)) : undefined,
  }));
  if (resp.run_id) offer(turn, resp.run_id, acts);
}

/** complain shows above an answer what could not be done about it. */
export function complain(turn, error) {
  turn.body.prepend(el("p", { class: "notice bad" }, sentence(error)));
  say(sentence(error));
}

/** refused says why a decision was not taken, above the answer that it was about. */
function refused(turn, resp, error) {
  show(turn, resp);
  complain(turn, error);
}

/** failed shows why a turn has no answer. */
export function failed(turn, error) {
  finish(turn, { outcome: "error", error: { detail: error.message, hint: error.hint, code: error.code } }, { end: (resp) => show(turn, resp) });
}

/** follow draws the events of a run that start begins; what goes wrong before is for fail. What was stored of the turn is drawn first: its events are not told twice, nor in between. */
export const follow = (turn, start, fail) => run(turn, async (on) => {
  await turn.restore?.();
  await start(on);
}, fail, { session: (id) => began(id, turn), end: (resp) => ended(turn, resp) });

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
  if (resp.outcome === "answer") suggest(turn, resp);
  if (state.branch || turn.edited || state.turns.some((t) => t.after_run)) reloadBranches();
}

/** suggest offers questions about the tables that an answer is from, or about files that came without one. */
async function suggest(turn, resp) {
  const used = new Set(namesIn(resp.plan?.steps?.map((s) => s.args) ?? []));
  if (!turn.alone && used.size === 0) return;
  try {
    const { tables } = await getJSON(`/api/v1/tables?session_id=${encodeURIComponent(resp.session_id)}`);
    const about = tables.filter((t) => (turn.alone ? resp.response.includes(`**${t.name}**`) : used.has(t.name) || used.has(t.handle)));
    const asked = new Set([...shown.values()].map((t) => t.question.toLowerCase()));
    const list = questions(about, 6).filter((text) => !asked.has(text.toLowerCase())).slice(0, 3);
    if (list.length === 0 || turn.item !== $("turns").lastElementChild || state.busy) return;
    turn.body.append(turn.alone ? choices(list, (text) => send(text, [])) : next(list, (text) => send(text, [])));
  } catch { /* the answer stands without them */ }
}

/** namesIn are the texts of arguments: names of tables are among them. */
const namesIn = (value) => (typeof value === "string" ? [value] : value !== null && typeof value === "object" ? Object.values(value).flatMap(namesIn) : []);

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

/** drawStored shows stored turns in the place of those that are shown. */
export function drawStored(turns, running) {
  shown.clear();
  $("turns").replaceChildren();
  const all = turns.map((t) => {
    const turn = newTurn(t.message, t.files ?? []);
    turn.result = t;
    versions(turn, t.run_id);
    if (!t.run_id || running.some((r) => r.run_id === t.run_id)) return turn;
    let restored;
    turn.restore = () => (restored ??= restore(turn, t));
    return turn;
  });
  drawFrom(all.reverse(), drawnAtOnce);
}

const drawnAtOnce = 8; // answers of a long chat: what is seen first
const drawnNext = 12; // between two of them the page listens

/** drawFrom draws answers, the newest first: some at once, the others piece by piece. */
function drawFrom(turns, n) {
  for (const turn of turns.slice(0, n)) {
    if (!turn.item.isConnected) return; // another chat is shown
    if (!turn.drawn) show(turn, { ...turn.result, tables: [] }); // what is stored of tables has no rows; the text shows them until restore does
    if (turn.restore) later.observe(turn.item);
  }
  if (turns.length > n) setTimeout(() => drawFrom(turns.slice(n), drawnNext), 0);
}

/** later draws the whole of answers when they come near to what is seen: a session's turns have their texts alone. */
const later = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    later.unobserve(target);
    shown.get(target)?.restore();
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
  if (!turn.item.isConnected || turn.result === stored) return;
  show(turn, { ...turn.result, response: stored.response, notes: stored.notes });
}
