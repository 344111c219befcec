// The run that is under way: following it, stopping it, leaving it.
import { $, say, sentence } from "./dom.js";
import { ended } from "./notify.js";
import { state } from "./state.js";
import { asProblem, cancel } from "./stream.js";
import { onEvent } from "./turn.js";

function setBusy(busy) {
  state.busy = busy;
  state.stopping = false;
  $("send").hidden = busy;
  $("cancel").hidden = !busy;
}

/** run draws the events of a run that start begins; what goes wrong before is for fail. on is told what onEvent tells. */
export async function run(turn, start, fail, on) {
  if (state.busy) return;
  const leaving = new AbortController();
  const here = () => !leaving.signal.aborted;
  state.leave = leaving;
  setBusy(true);
  turn.text = "";
  const begun = performance.now();
  try {
    await start({
      signal: leaving.signal,
      run: (id) => {
        const first = state.run === "";
        if (!here()) return;
        state.run = turn.run = id;
        if (first && state.stopping) cancelRun();
      },
      wait: (seconds) => say(seconds > 0 ? `The connection broke off. Reconnecting, ${seconds} s` : "Connected again."),
      event: (event) => { if (here()) onEvent(turn, event, on); },
    });
    if (here()) ended(turn, performance.now() - begun);
  } catch (error) {
    if (here()) fail(asProblem(error));
  } finally {
    if (here()) {
      state.run = "";
      state.leave = null;
      setBusy(false);
      if (document.activeElement === document.body && !matchMedia("(pointer: coarse)").matches) $("message").focus();
    }
  }
}

/** stop cancels the run that is under way, or as soon as it is known which one that is. */
export async function stop() {
  if (!state.busy || state.stopping) return;
  state.stopping = true;
  say("Stopping …");
  if (state.run !== "") await cancelRun();
}

async function cancelRun() {
  try {
    await cancel(state.run);
  } catch (error) {
    state.stopping = false;
    say(sentence(asProblem(error)));
  }
}

/** leave ends the reading of what is under way; the run goes on. It reports whether the page may show something else. */
export function leave() {
  if (!state.busy) return true;
  if (state.run === "") {
    say("Your question is being sent. One moment.");
    return false;
  }
  state.leave.abort();
  state.run = "";
  setBusy(false);
  return true;
}
