// The page: its side bar, its address, its keys.
import { chats, mark, refresh } from "./chats.js";
import { composer } from "./composer.js";
import { dialogs } from "./dialogs.js";
import { $, button, el, openDialog, say, sentence, using } from "./dom.js";
import { apply, count, prefs, set } from "./prefs.js";
import { demoQuestions, questions } from "./questions.js";
import { state } from "./state.js";
import { asProblem, getJSON } from "./stream.js";
import { beganChat, markTools, serverLines } from "./switches.js";

const narrow = matchMedia("(max-width: 56rem)");
const tabs = new BroadcastChannel("catena");

/** chat has a function work with the conversation, which comes after the first view. */
const chat = (then) => using(conversation(), then);
const stop = () => chat((talk) => talk.stop());

/** title names the chat that is shown. */
function title(text) {
  $("title").textContent = $("title").title = text || "New chat"; // a long one is cut to one line
  document.title = text ? `${text} · Catena` : "Catena";
}

/** named gives the session of the address; "" is none. */
function named() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return location.hash.slice(1);
  }
}

/** showNamed shows what the address names. */
async function showNamed() {
  const id = named();
  if (id === state.session && id !== "") return;
  if (id) $("welcome").hidden = true; // before there is anything to show in its place
  const done = await chat((talk) => (id ? talk.openSession(id) : talk.fresh()));
  if (done === undefined) return; // it cannot be loaded, which is said
  if (!done) return history.pushState(null, "", "#" + encodeURIComponent(state.session));
  if (!id) title("");
  else if (!state.session) title("Not found");
  mark();
}

async function openChat(id) {
  side(false);
  if (id === state.session) return;
  history.pushState(null, "", "#" + encodeURIComponent(id));
  await showNamed();
  $("main").focus({ preventScroll: true });
}

async function newChat() {
  if (!await chat((talk) => talk.fresh())) return;
  if (location.hash) history.pushState(null, "", location.pathname);
  title("");
  mark();
  markTools();
  side(false);
  $("message").focus();
}

/** side opens or closes the side bar; a narrow page has it as a drawer over the rest. */
function side(shown) {
  if (!narrow.matches) return;
  const was = document.body.classList.contains("drawer");
  document.body.classList.toggle("drawer", shown);
  $("page").inert = shown;
  $("side").inert = !shown;
  $("list").setAttribute("aria-expanded", String(shown));
  if (shown) $("close-side").focus();
  else if (was) $("list").focus();
}

function toggleSide() {
  if (narrow.matches) return side(!document.body.classList.contains("drawer"));
  set("side", prefs.side === "open" ? "closed" : "open");
  layout();
}

/** layout fits the side bar to the width of the page. */
function layout() {
  document.body.classList.remove("drawer");
  $("page").inert = false;
  const closed = narrow.matches || prefs.side === "closed";
  document.body.classList.toggle("alone", closed);
  $("side").inert = closed;
  $("list").setAttribute("aria-expanded", String(!closed));
}

function findChats() {
  if (narrow.matches) side(true);
  else if (prefs.side === "closed") toggleSide();
  $("find").focus();
  $("find").select();
}

/** keys are the page's shortcuts; in a field only those that no text needs. */
function keys(e) {
  const typing = e.target.matches("input, textarea, select, [contenteditable]");
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
    e.preventDefault();
    findChats();
  } else if (document.querySelector("dialog[open]")) {
    return;
  } else if (e.key === "Escape") {
    if (document.body.classList.contains("drawer")) side(false);
    else stop();
  } else if (e.key === "ArrowUp" && e.target === $("message") && $("message").value === "") {
    e.preventDefault();
    chat((talk) => talk.editLast());
  } else if (!typing && e.key === "/" && !e.ctrlKey && !e.metaKey) {
    e.preventDefault();
    $("message").focus();
  } else if (!typing && e.key === "?") {
    openDialog($("keys"));
  }
}

/** showTables lists the tables when they are asked for. */
async function showTables() {
  if (!$("known").open) return;
  try {
    const { tables } = await getJSON("/api/v1/tables");
    $("tables").replaceChildren(...tables.slice(0, 50).map((t) => el("li", {}, el("strong", {}, t.name), ` ${count(t.rows, "row")}: ${t.columns?.map((c) => c.name).join(", ") ?? ""}`)));
  } catch (error) {
    say(sentence(asProblem(error)));
  }
}

/** exampleQuestions are about the tables that somebody brought, else about the demo data. */
async function exampleQuestions(info) {
  const demo = demoQuestions(info.tools);
  if (!(info.tables > 0)) return demo ?? [];
  const own = questions((await getJSON("/api/v1/tables")).tables.filter((t) => t.source !== "demo" && !t.live), 4);
  return own.length > 0 || !demo ? own : demo;
}

/** showExamples offers questions, or says what to do where there is nothing to ask about. */
function showExamples(list) {
  $("examples").replaceChildren(...list.map((text) => el("li", {}, button({ onclick: () => chat((talk) => talk.send(text, [])) }, text))));
  $("nothing").hidden = list.length > 0;
}

/** about says whether there are tables, and which servers need a person. */
async function about() {
  try {
    const info = await getJSON("/");
    const lines = serverLines(info.servers ?? []);
    markTools(info.servers ?? []);
    $("servers").replaceChildren(...lines.map((l) => l.node));
    $("attached").hidden = lines.length === 0;
    $("attached").open = lines.some((l) => !l.well);
    $("known").hidden = !(info.tables > 0);
    showExamples(await exampleQuestions(info));
  } catch (error) {
    say(sentence(asProblem(error)));
  }
}

let talking; // the module of the conversation, with its page

/** conversation begins to load what asks and answers, once. */
function conversation() {
  talking ??= import("./conversation.js").then((talk) => {
    talk.conversation(page);
    return talk;
  });
  talking.catch(() => { talking = undefined; }); // the next wish for it tries again
  return talking;
}

const page = {
  session: (id, text, begun) => {
    if (begun) { // the first question of a new chat: back leads to the empty page
      history.pushState(null, "", "#" + encodeURIComponent(id));
      title(text);
      beganChat(id);
      refresh();
    } else {
      title(text);
    }
    mark();
    markTools();
  },
  listChanged: () => refresh(),
  told: (what) => tabs.postMessage({ session: state.session, what }),
  fresh: newChat,
};

apply();
chats({
  open: openChat,
  gone: (id) => { if (id === state.session) newChat(); },
  renamed: (id, text) => { if (id === state.session) title(text); },
  current: () => state.session,
  changed: () => tabs.postMessage({ session: "", what: "list" }),
});
tabs.onmessage = ({ data }) => {
  refresh();
  if (data.session === state.session) chat((talk) => talk.catchUp());
};
document.addEventListener("visibilitychange", () => { if (!document.hidden) chat((talk) => talk.catchUp()); });
addEventListener("popstate", showNamed);
addEventListener("hashchange", showNamed);

$("cancel").addEventListener("click", stop);
$("fresh").addEventListener("click", newChat);
$("list").addEventListener("click", toggleSide);
$("close-side").addEventListener("click", () => side(false));
$("shade").addEventListener("click", () => side(false));
$("known").addEventListener("toggle", showTables);
$("open-tools").addEventListener("click", () => using(import("./tools.js"), (m) => m.openTools()));
$("open-settings").addEventListener("click", () => using(import("./settings.js"), (m) => m.openSettings()));
$("open-keys").addEventListener("click", () => openDialog($("keys")));
document.querySelector(".skip").addEventListener("click", (e) => { // the address is a chat's
  e.preventDefault();
  $("message").focus();
});
document.addEventListener("keydown", keys);
narrow.addEventListener("change", layout);
new ResizeObserver(() => { // what gets focus by keys is never below the field
  document.documentElement.style.setProperty("--foot", `${document.querySelector("footer").offsetHeight}px`);
}).observe(document.querySelector("footer"));
composer((planned) => chat((talk) => talk.askNow(planned || undefined)));
dialogs();
layout();
title("");
about();
refresh();
if (named()) showNamed();
else conversation().catch(() => {}); // said when it is needed
