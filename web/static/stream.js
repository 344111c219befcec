// Runs of the server: start one, follow its events to the end, cancel it.
import { parseAnswer, write } from "./exact.js";

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

let askForKey = async () => null;

/** onKey has a function ask the person for a key: it is told whether there was one, and gives one, or null. */
export function onKey(ask) {
  askForKey = ask;
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
    if (sessionStorage.getItem("catena-key") !== key) continue; // another request has asked meanwhile
    const given = await askForKey(Boolean(key));
    if (!given?.trim()) return response;
    sessionStorage.setItem("catena-key", given.trim());
  }
}

/** fileName is what the server calls a file. */
function fileName(response) {
  const said = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(said)?.[1];
  try {
    return encoded ? decodeURIComponent(encoded) : /filename="?([^";]+)/.exec(said)?.[1] ?? "";
  } catch {
    return "";
  }
}

/** download saves the file behind a link. A tab with a key fetches it, as a link alone does not send keys. */
export async function download(event) {
  if (!sessionStorage.getItem("catena-key")) return;
  event.preventDefault();
  const link = event.currentTarget;
  const response = await keyed(link.href);
  if (!response.ok) throw await problemOf(response);
  const url = URL.createObjectURL(await response.blob());
  const file = document.createElement("a");
  file.href = url;
  file.download = fileName(response) || link.download || link.pathname.split("/").pop();
  file.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** change sends a method and perhaps a body to a path, and gives what is answered as JSON, if anything is. leaving says that it must outlast the page. */
export async function change(method, path, body, leaving = false) {
  const init = { method, keepalive: leaving };
  if (body !== undefined) Object.assign(init, { headers: { "Content-Type": "application/json" }, body: write(body) });
  const response = await keyed(path, init);
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? undefined : parseAnswer(await response.text());
}

/** getJSON fetches a path as JSON. */
export async function getJSON(path) {
  const response = await keyed(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await problemOf(response);
  return parseAnswer(await response.text());
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
      if (data.length > 0) yield { id, data: parseAnswer(data.join("\n")) };
    }
  }
}

const terminal = (type) => type === "RUN_FINISHED" || type === "RUN_ERROR";
const runPath = (run, rest) => `/api/v1/runs/${encodeURIComponent(run)}/${rest}`;

/**
 * ask starts a turn and calls on.event for each of its events, each exactly once; on.run is told the run's id, and on.wait how many seconds it
 * is until a broken connection is tried again, or 0 when there is one. on.signal ends the reading, not the run. It resolves when the run has
 * ended. A message sent again under the same key is not run twice.
 */
export const ask = (request, key, on) => follow("/api/v1/chat", request, on, key);

/** decide says what becomes of a step that waits; the run goes on, and its events come as those of ask do. */
export const decide = (run, step, decision, on) => follow(runPath(run, "approve"), { step: step.step, args_hash: step.args_hash, decision }, on);

/** goOn has a run go on that ended with its server. */
export const goOn = (run, on) => follow(runPath(run, "resume"), undefined, on);

/** attach reads the events of a run from its first one on, until the run has ended. A run that went on has more than one end in its log. */
export async function attach(run, on) {
  const response = await keyed(runPath(run, "events?after=0"), { signal: on.signal });
  if (!response.ok) throw await problemOf(response);
  on.run(run);
  await read(run, response, 0, on, true);
}

/** cancel stops a run. */
export const cancel = (run) => change("POST", runPath(run, "cancel"));

/** follow posts a body and reads the events that it is answered with, to the end of the run. */
async function follow(path, body, on, key) {
  const headers = { Accept: "text/event-stream" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const response = await keyed(path, { method: "POST", headers, body: body === undefined ? undefined : write(body), signal: on.signal });
  if (!response.ok) throw await problemOf(response);
  const run = response.headers.get("X-Run-Id");
  on.run(run);
  await read(run, response, Number(response.headers.get("X-Run-After") ?? 0), on, false);
}

const delays = [0, 0, 1, 2, 3, 5]; // seconds before a broken connection is tried again
const attempts = 40; // about three minutes: a server that is started anew is back by then

/** pause waits for some seconds and tells each of them. */
async function pause(seconds, on) {
  for (let left = seconds; left > 0 && !on.signal?.aborted; left--) {
    on.wait?.(left);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  if (seconds === 0) await new Promise((resolve) => setTimeout(resolve, 250));
}

/**
 * read gives on.event the events after a number. It ends with the run's end: the first one in the stream, or, where the log is read anew, the
 * one that is its last event.
 */
async function read(run, response, last, on, anew) {
  let ended = false;
  for (let attempt = 0; ; attempt++) {
    try {
      for await (const { id, data } of events(response)) {
        if (id !== 0 && id <= last) continue;
        if (id !== 0) last = id;
        if (attempt > 0) on.wait?.(0);
        attempt = 0;
        on.event(data);
        ended = terminal(data.type);
        if (ended && !anew) return;
      }
      if (ended) return;
    } catch (error) {
      if (error instanceof SyntaxError || on.signal?.aborted) throw error;
    }
    if (attempt >= attempts) throw new Problem("The connection to the server is lost.", "connection", "The run may go on; reload to see its answer.");
    await pause(delays[Math.min(attempt, delays.length - 1)], on);
    if (on.signal?.aborted) throw new Problem("Left.", "left", "");
    response = await keyed(runPath(run, `events?after=${last}`), { signal: on.signal }).catch(() => new Response(""));
    if (response.status >= 400 && response.status !== 502 && response.status !== 503) throw await problemOf(response);
    if (!response.ok) response = new Response("");
  }
}
