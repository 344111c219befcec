// The page: one conversation, its questions and answers.
import { Problem, asProblem, ask, attach, cancel, decide, getJSON, goOn } from "./stream.js";
import { answer, duration, el } from "./render.js";
import { chats } from "./chats.js";

const $ = (id) => document.getElementById(id);
const maxFiles = 25 * 1024 * 1024;
const examples = [
  "Show me the top 5 USA clients and analyze their revenue trends",
  "Revenue by region this year, with each region's share",
  "How many open tickets are there per priority?",
  "Which clients have the lowest gross margin?",
];

const state = { session: "", run: "", busy: false, stopping: false, files: [] };

/** say puts a sentence where screen readers hear it. */
function say(text) {
  $("status").textContent = text;
}

function setBusy(busy) {
  state.busy = busy;
  state.stopping = false;
  $("send").hidden = busy;
  $("cancel").hidden = !busy;
}

/** setSession puts the session into the address, so that a reload finds it. */
function setSession(id) {
  state.session = id;
  history.replaceState(null, "", "#" + encodeURIComponent(id));
}

/** addTurn shows a question and returns where its steps, its answer, and what can be done about it go. */
function addTurn(question) {
  $("welcome").hidden = true;
  for (const old of document.querySelectorAll("#turns .choices")) old.remove(); // a reply goes to the newest question
  const steps = el("ol", { class: "steps", "aria-label": "Steps", hidden: true });
  const body = el("div", {});
  const asked = el("p", { class: "question" }, question);
  const acts = el("p", { class: "acts", role: "group", "aria-label": "This question", hidden: true });
  const item = el("li", { class: "turn" }, asked, steps, body, acts);
  $("turns").append(item);
  item.scrollIntoView({ block: "start" });
  return { item, asked, acts, question, steps, body, byID: new Map(), args: new Map(), text: "", run: "", quiet: false };
}

/** offer shows what can be done about a question that was answered: both make a branch, and the answer from before is kept. */
function offer(turn, run) {
  turn.acts.replaceChildren(
    el("button", { type: "button", class: "plain", "aria-label": `Edit: ${turn.question}`, onclick: () => edit(turn, run) }, "Edit"),
    el("button", { type: "button", class: "plain", "aria-label": `Ask again: ${turn.question}`, onclick: () => send(turn.question, { turn, run }) }, "Ask again"),
  );
  turn.acts.hidden = false;
}

/** edit puts a field in the place of a question. */
function edit(turn, run) {
  if (state.busy) return;
  const field = el("textarea", { rows: 2, maxLength: 65536, "aria-label": "Your question, edited" });
  field.value = turn.question;
  const keep = el("button", { type: "button", class: "plain", onclick: () => done() }, "Leave as it is");
  const form = el("form", { class: "edit" }, field, el("p", { class: "decide" }, el("button", { type: "submit" }, "Ask"), keep));
  const done = () => {
    form.replaceWith(turn.asked);
    turn.acts.hidden = false;
    turn.acts.firstElementChild.focus();
  };
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    if (field.value.trim() === "" || state.busy) return;
    done();
    send(field.value, { turn, run });
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

const symbols = { started: "○", done: "●", partial: "◐", failed: "✕", skipped: "–", cancelled: "–", pending: "?" };
const words = { started: "running", done: "done", partial: "partly done", failed: "failed", skipped: "skipped", cancelled: "cancelled", pending: "waits for a decision" };

/** showStep draws a step, or draws it anew. */
function showStep(turn, meta, name, ended) {
  const id = meta.stepId || name;
  let row = turn.byID.get(id);
  if (!row) {
    row = el("li");
    turn.byID.set(id, row);
    turn.steps.append(row);
    turn.steps.hidden = false;
  }
  const status = symbols[meta.status] ? meta.status : ended ? "done" : "started";
  const detail = meta.error || meta.detail || turn.args.get(id) || "";
  const numbers = [meta.rows === undefined || meta.rows === null ? "" : `${meta.rows} rows`, ended && meta.durMs !== undefined ? duration(meta.durMs) : ""];
  row.className = status;
  row.replaceChildren(
    el("span", { class: "mark", role: "img", "aria-label": words[status] }, symbols[status]),
    el("span", { class: "tool" }, meta.tool || meta.kind || name || id),
    el("span", { class: "args", title: detail }, detail),
    el("span", { class: "took" }, numbers.filter(Boolean).join("  ")),
  );
  if (!ended && !turn.quiet) say(`Running ${meta.tool || meta.kind || name} …`);
}

/** shortArgs writes a tool's arguments in one line. */
function shortArgs(json) {
  try {
    const args = JSON.parse(json);
    return Object.entries(args).map(([k, v]) => `${k}=${typeof v === "string" ? v : JSON.stringify(v)}`).join(" ").slice(0, 200);
  } catch {
    return "";
  }
}

/** onEvent draws one event of a run. */
function onEvent(turn, event) {
  const meta = event.metadata?.catena ?? {};
  switch (event.type) {
    case "RUN_STARTED":
      if (event.threadId && !turn.quiet) setSession(event.threadId);
      break;
    case "STEP_STARTED":
      showStep(turn, meta, event.stepName, false);
      break;
    case "STEP_FINISHED":
      showStep(turn, meta, event.stepName, true);
      break;
    case "TOOL_CALL_ARGS": {
      const id = event.toolCallId?.startsWith(turn.run + "-") ? event.toolCallId.slice(turn.run.length + 1) : event.toolCallId;
      turn.args.set(id, shortArgs(event.delta));
      const cell = turn.byID.get(id)?.querySelector(".args");
      if (cell && !cell.textContent) cell.textContent = turn.args.get(id);
      break;
    }
    case "TEXT_MESSAGE_CONTENT":
      turn.text += event.delta ?? "";
      if (!turn.quiet) turn.body.replaceChildren(...answer({ response: turn.text }));
      break;
    case "RUN_FINISHED":
      finish(turn, event.result);
      break;
    case "RUN_ERROR":
      finish(turn, event.result ?? { outcome: "error", error: { detail: event.message } });
      break;
  }
}

function finish(turn, resp) {
  if (!resp) return;
  turn.result = resp;
  if (turn.quiet) return;
  if (resp.session_id) setSession(resp.session_id);
  show(turn, resp);
  say({ answer: "Answered.", clarify: "A question back.", refuse: "Not answered.", approval: "Waits for approval.", error: "Failed." }[resp.outcome] ?? "");
}

/** show draws an answer, and what can be done about it. */
function show(turn, resp) {
  turn.body.replaceChildren(...answer(resp, decisions(turn, resp)));
  if (resp.run_id) offer(turn, resp.run_id);
}

/** decisions are what a person can do about an answer that asks, waits, or was interrupted. */
function decisions(turn, resp) {
  if (!resp.run_id) return {};
  const newest = turn.item === $("turns").lastElementChild;
  return {
    reply: newest ? (text) => send(text) : undefined,
    again: () => send(turn.question, { turn, run: resp.run_id }),
    decide: (step, decision) => follow(turn, (...on) => decide(resp.run_id, step, decision, ...on), (error) => fail(turn, resp, error)),
    goOn: () => follow(turn, (...on) => goOn(resp.run_id, ...on), (error) => fail(turn, resp, error)),
  };
}

/** fail says why a decision was not taken, above the answer that it was about. */
function fail(turn, resp, error) {
  finish(turn, resp);
  turn.body.prepend(el("p", { class: "notice bad", role: "alert" }, [error.message, error.hint].filter(Boolean).join(" ")));
}

/** follow draws the events of a run that start begins; what goes wrong before is for failed. */
async function follow(turn, start, failed) {
  if (state.busy) return;
  setBusy(true);
  turn.text = "";
  try {
    await start((event) => onEvent(turn, event), (run) => {
      const first = state.run === "";
      state.run = turn.run = run;
      if (first && state.stopping) cancelRun();
    });
  } catch (error) {
    failed(asProblem(error));
  } finally {
    state.run = "";
    setBusy(false);
    $("message").focus();
  }
}

/** base64 encodes a file for JSON. */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Problem(`${file.name} cannot be read.`, "", ""));
    reader.readAsDataURL(file);
  });
}

/**
 * send asks a question: the next one, or, where before names a turn, in that one's place; what came after it is another branch then. Files alone
 * are a question, too. What could not be sent is left where it was.
 */
async function send(message, before) {
  const files = before ? [] : state.files;
  if (state.busy || (message.trim() === "" && files.length === 0)) return;
  const shown = [...$("turns").children];
  if (before) for (const item of shown.slice(shown.indexOf(before.turn.item))) item.remove();
  const turn = addTurn(message.trim() === "" ? files.map((f) => f.name).join(", ") : message);
  say("Planning …");
  const start = async (onEvent, onRun) => {
    const request = { message, session_id: state.session || undefined, edit_run: before?.run };
    if (!before) {
      $("message").value = "";
      state.files = [];
      showFiles();
    }
    if (files.length > 0) {
      request.attachments = await Promise.all(files.map(async (f) => ({ name: f.name, media_type: f.type, data: await base64(f) })));
    }
    await ask(request, onEvent, onRun);
  };
  await follow(turn, start, (error) => {
    if (before && state.run === "") { // nothing was begun: what was there is shown again
      $("turns").replaceChildren(...shown);
      before.turn.body.prepend(el("p", { class: "notice bad", role: "alert" }, [error.message, error.hint].filter(Boolean).join(" ")));
      return;
    }
    finish(turn, { outcome: "error", error: { detail: error.message, hint: error.hint } });
    if (!$("message").value) $("message").value = message;
    if (state.run === "" && files.length > 0) {
      state.files = [...files, ...state.files];
      showFiles();
    }
  });
}

/** stop cancels the run that is under way, or as soon as it is known which one that is. */
async function stop() {
  if (!state.busy || state.stopping) return;
  state.stopping = true;
  say("Cancelling …");
  if (state.run !== "") await cancelRun();
}

async function cancelRun() {
  try {
    await cancel(state.run);
  } catch (error) {
    state.stopping = false;
    say(error.message);
  }
}

function showFiles() {
  $("files").replaceChildren(...state.files.map((f) => el("li", {}, f.name, el("button", { type: "button", "aria-label": `Remove ${f.name}`, onclick: () => { state.files = state.files.filter((x) => x !== f); showFiles(); } }, "×"))));
}

function addFiles(list) {
  const files = [...state.files, ...list];
  if (files.reduce((sum, f) => sum + f.size, 0) > maxFiles) {
    say("Not added: files may have 25 MiB together. Larger ones are named with --data when the program starts.");
    return;
  }
  state.files = files;
  showFiles();
}

function fresh() {
  if (state.busy) return;
  state.session = "";
  history.replaceState(null, "", location.pathname);
  $("turns").replaceChildren();
  $("welcome").hidden = false;
  say("");
  $("message").focus();
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
  const draft = { ...turn, steps: turn.steps.cloneNode(false), byID: new Map(), args: new Map(), quiet: true };
  try {
    await attach(stored.run_id, (event) => onEvent(draft, event), (run) => { draft.run = run; });
  } catch {
    return;
  }
  if (turn.run !== "" || !draft.result) return; // it has gone on since
  turn.steps.replaceWith(draft.steps);
  turn.steps = draft.steps;
  turn.byID = draft.byID;
  show(turn, { ...draft.result, response: stored.response, notes: stored.notes });
}

/** resume shows the session that the address names: the branch that was gone on with last, and what of it is under way. */
async function resume() {
  const session = location.hash.slice(1);
  if (!session) return;
  let running = [];
  const drawn = new Map(); // turns by their runs
  try {
    const name = decodeURIComponent(session); // a client may have chosen it: any printable text
    const got = await getJSON(`/api/v1/sessions/${encodeURIComponent(name)}`);
    state.session = name;
    running = got.running;
    const at = running.at(-1)?.after_run;
    const path = at === "start" ? [] : at ? got.path.slice(0, got.path.indexOf(at) + 1) : got.path;
    for (const t of got.turns.filter((x) => path.includes(x.run_id))) {
      const turn = addTurn(t.message);
      show(turn, t);
      drawn.set(t.run_id, turn);
      if (!t.run_id || running.some((r) => r.run_id === t.run_id)) continue;
      turn.item.restore = () => restore(turn, t);
      later.observe(turn.item);
    }
  } catch {
    history.replaceState(null, "", location.pathname);
    return;
  }
  const now = running.at(-1); // others were sent from elsewhere; they are turns when they have ended
  if (!now) return;
  const turn = drawn.get(now.run_id) ?? addTurn(now.message);
  await follow(turn, (...on) => attach(now.run_id, ...on), (error) => finish(turn, { outcome: "error", error: { detail: error.message, hint: error.hint } }));
}

/** openChat shows another chat. */
async function openChat(id) {
  if (state.busy || id === state.session) return;
  fresh();
  history.replaceState(null, "", "#" + encodeURIComponent(id));
  await resume();
}

/** showServers lists the configured MCP servers; it is open where one of them needs a person. */
function showServers(servers) {
  const lines = servers.map((s) => {
    const held = s.quarantined?.length ?? 0;
    const well = (s.state === "ready" || s.state === "idle") && held === 0;
    const said = [s.state.replaceAll("_", " "), `${s.tools} tools`, s.detail, held && `${held} quarantined (${s.quarantined.join(", ")}): see catena tools review`, ...(s.notes ?? [])];
    return { well, node: el("li", {}, el("strong", {}, s.name), " ", el("span", { class: well ? "" : "bad" }, said.filter(Boolean).join(" · "))) };
  });
  $("servers").replaceChildren(...lines.map((l) => l.node));
  $("attached").hidden = lines.length === 0;
  $("attached").open = lines.some((l) => !l.well);
}

/** about shows who plans and which tables there are. */
async function about() {
  try {
    const info = await getJSON("/");
    $("about").textContent = [info.planner && `planner: ${info.planner}`, `${info.tools.length} tools`, info.version].filter(Boolean).join(" · ");
    showServers(info.servers ?? []);
    const { tables } = await getJSON("/api/v1/tables");
    $("tables").replaceChildren(...tables.slice(0, 50).map((t) => el("li", {}, el("strong", {}, t.name), ` ${t.rows.toLocaleString()} rows: ${t.columns?.map((c) => c.name).join(", ") ?? ""}`)));
    $("known").hidden = tables.length === 0;
  } catch (error) {
    say(error.message);
  }
}

$("examples").append(...examples.map((text) => el("li", {}, el("button", { type: "button", onclick: () => send(text) }, text))));
$("ask").addEventListener("submit", (e) => { e.preventDefault(); send($("message").value); });
$("message").addEventListener("keydown", (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
    e.preventDefault();
    send($("message").value);
  }
});
document.addEventListener("keydown", (e) => { if (e.key === "Escape" && !$("chats").open) stop(); });
$("cancel").addEventListener("click", stop);
$("fresh").addEventListener("click", fresh);
$("file").addEventListener("change", (e) => { addFiles(e.target.files); e.target.value = ""; });
document.addEventListener("dragover", (e) => e.preventDefault());
document.addEventListener("drop", (e) => { e.preventDefault(); addFiles(e.dataTransfer.files); });
chats(openChat, (id) => { if (id === state.session) fresh(); });
about();
resume();
