// The list of chats in the side bar: found, opened, renamed, saved, deleted.
import { $, button, el, icon, say, sentence, short, using } from "./dom.js";
import { locale } from "./prefs.js";
import { change, download, getJSON } from "./stream.js";

const path = (id) => `/api/v1/sessions/${encodeURIComponent(id)}`;
const undoTime = 8000;
let newest = 0; // the newest request; answers to older ones come too late
let on; // what the page does: open(id), gone(id), renamed(id, title), current()
let deleted = null; // a chat that is about to be deleted: {id, timer}
let listed = []; // the chats of the list
const pledge = "catena-deleted"; // it is deleted by the next page of this tab, where this one ends before

/** day is the heading that a chat stands under. */
export function day(updated, now = new Date()) {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const at = new Date(updated);
  const days = Math.ceil((midnight - at) / 86_400_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= 7) return "The last 7 days";
  if (days <= 30) return "The last 30 days";
  return at.toLocaleDateString(locale(), { month: "long", year: "numeric" });
}

const part = 40; // chats that are read at a time

/** refresh fills the list with the chats that what is searched for stands in, from a cursor on. */
export async function refresh(cursor = "") {
  const asked = ++newest;
  const again = cursor ? part : Math.min(1000, Math.max(part, listed.length)); // what was shown stays
  const query = new URLSearchParams({ limit: again, q: $("find").value, cursor });
  try {
    const { sessions, next } = await getJSON(`/api/v1/sessions?${query}`);
    if (asked !== newest) return;
    const left = deleted ? "" : sessionStorage.getItem(pledge); // the page before had no time for it
    listed = (cursor ? listed : []).concat(sessions.filter((s) => s.id !== deleted?.id && s.id !== left));
    fill();
    if (left) finish(left, sessions);
    const none = listed.length === 0;
    $("no-chats").hidden = !none;
    $("no-chats").textContent = $("find").value ? (next ? "Nothing found so far." : "Nothing found.") : "No chats yet. Ask something.";
    $("more").hidden = !next;
    $("more").onclick = () => refresh(next);
    const here = sessions.find((s) => s.id === on.current());
    if (here) on.renamed(here.id, here.title);
  } catch (error) {
    complain(error);
  }
}

function complain(error) {
  $("no-chats").hidden = false;
  $("no-chats").textContent = sentence(error);
}

/** fill shows the chats of the list below their days. What is there already stays the same element, so that a menu, a field and focus outlast it. */
function fill() {
  const days = new Map();
  for (const s of listed) days.set(day(s.updated), [...(days.get(day(s.updated)) ?? []), s]);
  const sections = [...days].map(([name, chats]) => {
    const section = [...$("chat-list").children].find((x) => x.dataset.day === name) ?? under(name);
    return { section, chats };
  });
  const rows = new Map([...document.querySelectorAll("#chat-list li")].map((x) => [x.dataset.id, x]));
  arrange($("chat-list"), sections.map((x) => x.section));
  for (const { section, chats } of sections) {
    arrange(section.lastElementChild, chats.map((s) => (rows.get(s.id)?.shows === shows(s) ? rows.get(s.id) : row(s))));
  }
  const wanted = new Set(sections.map((x) => x.section));
  for (const section of [...$("chat-list").children]) if (!wanted.has(section)) section.remove();
  mark();
}

/** under is an empty list of the chats of a day. */
function under(name) {
  const section = el("section", { "aria-label": name }, el("h2", { class: "day" }, name), el("ul", {}));
  section.dataset.day = name;
  return section;
}

/** arrange has a list's elements stand first in this order; those that are there are moved without losing focus. */
function arrange(list, nodes) {
  nodes.forEach((node, i) => {
    const at = list.children[i] ?? null;
    if (node === at) return;
    if (node.isConnected && list.moveBefore) list.moveBefore(node, at);
    else list.insertBefore(node, at);
  });
  if (list.localName !== "ul") return;
  while (list.children.length > nodes.length) list.lastElementChild.remove();
}

/** shows is what a chat's row shows: as long as it stays, so does the row. */
const shows = (s) => JSON.stringify([s.title, s.snippet ?? "", $("find").value]);

/** marked is a text with the words that were searched for marked. */
function marked(text, words) {
  const low = text.toLowerCase();
  const spans = low.length === text.length ? words.map((w) => [low.indexOf(w), w.length]).filter(([i]) => i >= 0).sort((a, b) => a[0] - b[0]) : [];
  const out = [];
  let at = 0;
  for (const [i, n] of spans) {
    if (i < at) continue;
    out.push(text.slice(at, i), el("mark", {}, text.slice(i, i + n)));
    at = i + n;
  }
  return [...out, text.slice(at)];
}

/** row is one chat. */
function row(s) {
  const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const open = el("a", { class: "title", href: "#" + encodeURIComponent(s.id), title: s.title, onclick: (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return; // another tab
    e.preventDefault();
    on.open(s.id);
  } }, ...marked(s.title, words));
  const more = button({ class: "icon more", "aria-label": `More about ${s.title}`, "aria-haspopup": "menu", "aria-expanded": "false" }, icon("more"));
  const item = el("li", {}, open, more);
  item.dataset.id = s.id;
  item.shows = shows(s);
  if (s.snippet) item.append(el("p", { class: "snippet" }, ...marked(s.snippet, words)));
  if (s.id === on.current()) open.setAttribute("aria-current", "page");
  const save = (e) => download(e).catch((error) => say(sentence(error)));
  more.onclick = () => using(import("./menu.js"), ({ openMenu }) => openMenu(more, [
    { name: "Rename", run: () => rename(s, item, open) },
    { name: "Save as Markdown", href: `${path(s.id)}.md`, run: save },
    { name: "Save as JSON", href: `${path(s.id)}.json`, run: save },
    { name: "Save as a report (HTML)", href: `${path(s.id)}/report`, run: save },
    { name: "Share …", run: () => using(import("./share.js"), ({ openShare }) => openShare(s, more)) },
    { name: "Delete", danger: true, run: () => remove(s) },
  ]));
  return item;
}

/** rename puts a field in the place of a title. */
function rename(s, item, title) {
  const field = el("input", { value: s.title, maxLength: 200, "aria-label": "New title" });
  let over = false;
  const done = async (keep) => {
    if (over) return;
    over = true;
    field.replaceWith(title);
    item.querySelector(".more").focus();
    const given = field.value.trim();
    if (!keep || given === "" || given === s.title) return;
    try {
      await change("PATCH", path(s.id), { title: given });
      s.title = given;
      item.replaceWith(row(s));
      on.renamed(s.id, given);
      say("Renamed.");
    } catch (error) {
      complain(error);
    }
  };
  field.onblur = () => done(true);
  field.onkeydown = (e) => {
    if (e.key !== "Enter" && e.key !== "Escape") return;
    e.preventDefault();
    e.stopPropagation();
    done(e.key === "Enter");
  };
  title.replaceWith(field);
  field.select();
  field.focus();
}

/** remove takes a chat off the list; for a few seconds it can be brought back, then it is deleted. */
function remove(s) {
  commit();
  listed = listed.filter((x) => x.id !== s.id);
  fill();
  on.gone(s.id);
  sessionStorage.setItem(pledge, s.id);
  deleted = { id: s.id, timer: setTimeout(() => commit(), undoTime) };
  const undo = button({ class: "plain", onclick: () => {
    clearTimeout(deleted?.timer);
    deleted = null;
    sessionStorage.removeItem(pledge);
    $("toast").hidden = true;
    say("It is back.");
    refresh();
    $("find").focus();
  } }, "Undo");
  $("toast").replaceChildren(el("span", {}, `Deleted: ${short(s.title, 60)}`), undo);
  $("toast").hidden = false;
  say(`Deleted: ${short(s.title, 60)}. It can be brought back for 8 seconds.`);
  undo.focus();
}

/** commit deletes what was taken off the list. leaving says that the page goes. */
async function commit(leaving = false) {
  if (!deleted) return;
  const { id, timer } = deleted;
  clearTimeout(timer);
  deleted = null;
  if ($("toast").contains(document.activeElement)) $("find").focus();
  $("toast").hidden = true;
  try {
    await change("DELETE", path(id), undefined, leaving);
    sessionStorage.removeItem(pledge);
    on.changed?.();
  } catch (error) {
    if (error.code === "session_not_found") return sessionStorage.removeItem(pledge);
    say(sentence(error));
    refresh();
  }
}

/** finish deletes a chat that the page before was about to delete, where that is not done yet. */
function finish(id, sessions) {
  sessionStorage.removeItem(pledge);
  if (!sessions.some((s) => s.id === id)) return;
  deleted = { id, timer: 0 };
  commit();
}

/** mark marks the chat that is shown. */
export function mark() {
  for (const item of document.querySelectorAll("#chat-list li")) {
    const title = item.querySelector(".title");
    if (item.dataset.id === on.current()) title?.setAttribute("aria-current", "page");
    else title?.removeAttribute("aria-current");
  }
}

/** chats gives the page its list. */
export function chats(page) {
  on = page;
  let later = 0;
  $("find").addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(() => refresh(), 200);
  });
  addEventListener("pagehide", () => commit(true));
}
