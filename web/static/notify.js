// Notifications of long questions that were answered while nobody looked. They are off until somebody switches them on.
import { el } from "./dom.js";
import { prefs, set } from "./prefs.js";

const long = 5000; // milliseconds that a question takes at least to be told of

const outcomes = { answer: "Your question is answered", clarify: "There is a question back", refuse: "Your question was not answered", approval: "A step waits for your approval", error: "Your question failed" };

/** ended tells that a question was answered after so many milliseconds, where the page is hidden. */
export function ended(turn, took) {
  const may = prefs.notify === "on" && globalThis.Notification?.permission === "granted";
  if (!may || !document.hidden || Math.max(took, turn.result?.processing_time_ms ?? 0) < long) return;
  try {
    const note = new Notification(outcomes[turn.result?.outcome] ?? "Your question is over", { body: turn.question.slice(0, 120), tag: turn.run });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch { /* some phones show none to pages */ }
}

/** notifySetting is the setting. Switched on it asks for the browser's permission, and stays off without. */
export function notifySetting() {
  const there = "Notification" in globalThis;
  const about = el("span", { id: "notify-about", class: "quiet", role: "status" }, there ? "" : "This browser shows none to this page: that needs HTTPS, or the server's own machine.");
  const select = el("select", { id: "set-notify", disabled: !there, onchange: async () => {
    const on = select.value === "on" && await Notification.requestPermission() === "granted";
    about.textContent = select.value === "on" && !on ? "The browser does not allow it. Allow notifications of this page in the browser's own settings first." : "";
    select.value = on ? "on" : "off";
    set("notify", select.value);
  } });
  select.setAttribute("aria-describedby", about.id);
  const on = there && prefs.notify === "on" && Notification.permission === "granted";
  for (const [value, text] of [["off", "Off"], ["on", "When a long question is answered and the page is hidden"]]) select.append(el("option", { value, selected: (value === "on") === on }, text));
  return el("p", { class: "setting" }, el("label", { htmlFor: select.id }, "Notifications"), select, about);
}
