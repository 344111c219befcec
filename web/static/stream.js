// Runs of the server: start one, follow its events to the end, cancel it.

/** An error of the server, with its stable code. */
export class Problem extends Error {
  constructor(detail, code, hint) {
    super(detail);
    this.code = code;
    this.hint = hint;
  }
}

/** asProblem gives what went wrong; what is no Problem yet is a connection that failed. */
export const asProblem = (error) => (error instanceof Problem ? error : new Problem("The server cannot be reached.", "", "Is it still running?"));

/** problemOf reads an answer that is not OK. */
async function problemOf(response) {
  try {
    const p = await response.json();
    return new Problem(p.detail ?? response.statusText, p.code ?? "", p.hint ?? "");
  } catch {
    return new Problem(`The server answered ${response.status}.`, "", "");
  }
}

/**
 * keyed fetches a path with the key that this tab has. A server that wants one is given what the person enters; it stays in the tab
 * and goes nowhere but to the page's own server.
 */
async function keyed(path, init = {}) {
  for (;;) {
    const key = sessionStorage.getItem("catena-key");
    const headers = new Headers(init.headers);
    if (key) headers.set("Authorization", `Bearer ${key}`);
    const response = await fetch(path, { ...init, headers });
    if (response.status !== 401) return response;
    const given = prompt(key ? "This key is not good any more. Another key:" : "This server asks for a key:");
    if (!given?.trim()) return response;
    sessionStorage.setItem("catena-key", given.trim());
  }
}

/** download saves what a link is to, when the tab has a key, which the browser alone would not send. */
export async function download(event) {
  if (!sessionStorage.getItem("catena-key")) return;
  event.preventDefault();
  const link = event.currentTarget;
  const response = await keyed(link.href);
  if (!response.ok) throw await problemOf(response);
  const url = URL.createObjectURL(await response.blob());
  const file = document.createElement("a");
  file.href = url;
  file.download = link.download || link.pathname.split("/").pop();
  file.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** change sends a method and perhaps a body to a path. */
export async function change(method, path, body) {
  const init = body === undefined ? { method } : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await keyed(path, init);
  if (!response.ok) throw await problemOf(response);
}

/** getJSON fetches a path as JSON. */
export async function getJSON(path) {
  const response = await keyed(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** events yields {id, data} for each event of a response's body; comments are skipped. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      let id = 0;
      const data = [];
      for (const line of block.split("\n")) {
        if (line.startsWith("id:")) id = Number(line.slice(3));
        if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      }
      if (data.length > 0) yield { id, data: JSON.parse(data.join("\n")) };
    }
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const terminal = (type) => type === "RUN_FINISHED" || type === "RUN_ERROR";

/**
 * ask starts a turn and calls onEvent for each of its events, each exactly once. A connection that breaks is opened again
 * after the last event that came. It resolves when the run has ended. onRun is told the run's id.
 */
export function ask(request, onEvent, onRun) {
  return follow("/api/v1/chat", request, onEvent, onRun);
}

/** decide says what becomes of a step that waits; the run goes on, and its events come as those of ask do. */
export function decide(run, step, decision, onEvent, onRun) {
  return follow(`/api/v1/runs/${encodeURIComponent(run)}/approve`, { step: step.step, args_hash: step.args_hash, decision }, onEvent, onRun);
}

/** goOn has a run go on that ended with its server. */
export function goOn(run, onEvent, onRun) {
  return follow(`/api/v1/runs/${encodeURIComponent(run)}/resume`, undefined, onEvent, onRun);
}

/** attach reads the events of a run from its first one on, until the run has ended. A run that went on has more than one end in its log. */
export async function attach(run, onEvent, onRun) {
  const response = await keyed(eventsPath(run, 0));
  if (!response.ok) throw await problemOf(response);
  onRun(run);
  await read(run, response, 0, onEvent, true);
}

const eventsPath = (run, after) => `/api/v1/runs/${encodeURIComponent(run)}/events?after=${after}`;

/** follow posts a body and reads the events that it is answered with, to the end of the run. */
async function follow(path, body, onEvent, onRun) {
  const headers = { Accept: "text/event-stream" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await keyed(path, { method: "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!response.ok) throw await problemOf(response);
  const run = response.headers.get("X-Run-Id");
  onRun(run);
  await read(run, response, Number(response.headers.get("X-Run-After") ?? 0), onEvent, false);
}

/**
 * read gives onEvent the events after a number. It ends with the run's end: the first one in the stream, or, where the log is read anew, the one
 * that is its last event.
 */
async function read(run, response, last, onEvent, anew) {
  let ended = false;
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const { id, data } of events(response)) {
        if (id <= last) continue;
        last = id;
        attempt = 0;
        onEvent(data);
        ended = terminal(data.type);
        if (ended && !anew) return;
      }
      if (ended) return;
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
    }
    if (attempt >= 6) throw new Problem("The connection to the server is lost.", "connection", "The run may go on; reload to see its answer.");
    await pause(250 * 2 ** attempt);
    response = await keyed(eventsPath(run, last)).catch(() => new Response(""));
    if (response.status >= 400) throw await problemOf(response);
  }
}

/** cancel stops a run. */
export async function cancel(run) {
  await change("POST", `/api/v1/runs/${encodeURIComponent(run)}/cancel`);
}
