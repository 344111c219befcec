// What the open chat does without, and which servers are down.
import { $, el } from "./dom.js";
import { count } from "./prefs.js";
import { state } from "./state.js";

const kept = "catena-tools-off";
const mostChats = 100; // that it is kept of

/** all gives what chats do without, by their ids. */
function all() {
  try {
    return JSON.parse(localStorage.getItem(kept) ?? "{}");
  } catch {
    return {};
  }
}

function keep(off) {
  try {
    localStorage.setItem(kept, JSON.stringify(Object.fromEntries(Object.entries(off).filter(([, names]) => names.length > 0).slice(-mostChats))));
  } catch { /* this browser keeps nothing */ }
}

/** toolsOff are the tools that the open chat does without. */
export const toolsOff = () => all()[state.session] ?? [];

/** beganChat gives a chat that has just got its id what was chosen before it had one. */
export function beganChat(id) {
  const { "": chosen, ...rest } = all();
  if (chosen) keep({ ...rest, [id]: chosen });
}

/** switchTools has the open chat do with tools or without. */
export function switchTools(names, on) {
  const off = new Set(toolsOff());
  for (const name of names) on ? off.delete(name) : off.add(name);
  keep({ ...all(), [state.session]: [...off] });
}

/** markTools says on the panel's button what is down, and how much this chat does without. */
export function markTools(servers) {
  if (servers) markTools.down = servers.filter((s) => !s.off && !["ready", "idle"].includes(s.state)).length;
  const off = toolsOff().length;
  const said = [markTools.down ? `${markTools.down} down` : "", off ? `${off} off` : ""].filter(Boolean).join(", ");
  $("open-tools").replaceChildren("Tools", ...(said ? [" ", el("span", { class: markTools.down ? "bad" : "quiet" }, said)] : []));
}

/** serverLines are the configured MCP servers with what is wrong with them. down says why those that are down are, where they do not say so themselves. */
export function serverLines(servers, down = {}) {
  return servers.map((s) => {
    const held = s.quarantined?.length ?? 0;
    const well = s.off || ((s.state === "ready" || s.state === "idle") && held === 0);
    const said = [s.off ? "switched off by the administrator" : s.state.replaceAll("_", " "), count(s.tools, "tool"), s.detail || down[s.name], held && `${held} quarantined (${s.quarantined.join(", ")}): see catena tools review`, ...(s.notes ?? [])];
    return { well, node: el("li", {}, el("strong", {}, s.name), " ", el("span", { class: well ? "" : "bad" }, said.filter(Boolean).join(" · "))) };
  });
}
