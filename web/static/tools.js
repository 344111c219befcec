// The tools and servers panel: what there is, what is down and why, each tool to try, and what this chat does without.
import { $, button, el, openDialog, say, sentence } from "./dom.js";
import { count } from "./prefs.js";
import { markdown } from "./render.js";
import { schemaForm } from "./schemaform.js";
import { state } from "./state.js";
import { asProblem, change, getJSON } from "./stream.js";
import { markTools, serverLines, switchTools, toolsOff } from "./switches.js";

/** openTools shows the panel. */
export async function openTools() {
  $("tools-body").replaceChildren(el("p", { class: "quiet" }, "Asking the server …"));
  openDialog($("tools"));
  await draw();
}

/** off is what an administrator has switched off for everybody; null where this person may not switch. */
let off = null;

/** draw asks the server what there is. What was open is so again. */
async function draw() {
  const body = $("tools-body");
  const before = new Set([...body.querySelectorAll(":is(.toolset, .tool-list > li):has(> details[open])")].map((node) => node.dataset.name));
  try {
    const { manages } = await getJSON("/");
    off = manages ? await getJSON("/api/v1/settings/tools") : null;
    const { tools: on, off: without, servers, down } = await getJSON("/api/v1/tools");
    const tools = [...on, ...without.map((t) => ({ ...t, off: true }))];
    const lines = serverLines(servers ?? [], down ?? {});
    const sets = new Map((off?.toolsets ?? []).map((name) => [name, []]));
    for (const t of tools) sets.set(t.toolset, [...(sets.get(t.toolset) ?? []), t]);
    const find = el("input", { type: "search", placeholder: `Find one of ${count(tools.length, "tool")}`, "aria-label": "Find a tool", autocomplete: "off" });
    const groups = [...sets].sort(([a], [b]) => a.localeCompare(b)).map(([name, list]) => toolset(name, list, before));
    const none = el("p", { class: "quiet", hidden: true }, "No tool is called so.");
    find.addEventListener("input", () => { none.hidden = groups.map((g) => g.find(find.value.trim().toLowerCase())).some(Boolean); });
    body.replaceChildren(
      ...(lines.length > 0 ? [el("h3", {}, "MCP servers"), el("ul", { class: "servers" }, ...lines.map((l) => l.node))] : []),
      el("p", { class: "quiet" }, off ? "A box switches for this chat alone, a button for everybody." : "What is switched off here is off for this chat alone."), find, ...groups.map((g) => g.node), none);
    if (before.size === 0) find.focus();
    markTools(servers ?? []);
  } catch (error) {
    body.replaceChildren(el("p", { class: "notice bad" }, sentence(asProblem(error))));
  }
}

/** titled is a tool's name for people. */
const titled = (t) => t.title || t.annotations?.title || t.name;

/** everybody is the button by which an administrator switches a tool or a toolset for everybody. It is there again after that, with focus. */
function everybody(kind, name, isOff, more = {}) {
  if (!off) return [];
  const id = `for-all-${kind}-${name}`;
  const press = async () => {
    try {
      await change("POST", "/api/v1/settings/tools", { kind, name, off: !isOff });
    } catch (error) {
      $("tools-said").textContent = sentence(asProblem(error));
      return;
    }
    await draw();
    $("tools-said").textContent = `${name}: ${isOff ? "on" : "off"} for everybody.`;
    $(id)?.focus();
  };
  return [el("p", { class: "decide" }, button({ class: "plain", id, onclick: press, ...more }, isOff ? "Switch on for everybody" : "Switch off for everybody"))];
}

/** toolset is a group of tools with its switch. find(words) hides those that have not the words, and reports whether any has. */
function toolset(name, list, before) {
  const unfolded = before.has(`${name}:`);
  const here = new Set(toolsOff());
  const all = off?.toolsets.includes(name) ?? false;
  const lines = list.sort((a, b) => titled(a).localeCompare(titled(b))).map((t) => tool(t, !here.has(t.name), all, before.has(t.name), () => sum()));
  const box = el("input", { type: "checkbox", "aria-label": `${name}: use in this chat`, disabled: list.every((t) => t.off) });
  const about = el("span", { class: "quiet" });
  const head = el("summary", {}, el("strong", {}, name.replaceAll("_", " ")), " ", about);
  const inner = el("details", { open: unfolded }, head, ...everybody("toolset", name, all, { "aria-label": `${name}: switch ${all ? "on" : "off"} for everybody` }), el("ul", { class: "tool-list" }, ...lines.map((l) => l.node)));
  const sum = () => {
    const on = lines.filter((l) => l.box.checked).length;
    const switched = list.filter((t) => t.off).length;
    box.checked = on > 0;
    box.indeterminate = on > 0 && on < lines.length;
    const without = lines.length - on - switched;
    about.textContent = [count(lines.length, "tool"), without && `${without} off`, (all || switched > 0) && `${switched === lines.length ? "" : `${switched} `}switched off by the administrator`].filter(Boolean).join(", ");
    markTools();
  };
  box.addEventListener("change", () => {
    const on = box.checked;
    switchTools(list.filter((t) => !t.off).map((t) => t.name), on);
    for (const l of lines) l.box.checked = on && !l.box.disabled;
    sum();
    say(`${name}: ${on ? "on" : "off"} in this chat.`);
  });
  sum();
  const node = el("div", { class: "toolset" }, box, inner);
  node.dataset.name = `${name}:`;
  const find = (words) => {
    const hits = lines.map((l) => l.find(words));
    node.hidden = !hits.some(Boolean);
    inner.open = (words !== "" || unfolded) && !node.hidden;
    return !node.hidden;
  };
  return { node, find };
}

/** tool is one tool: its switch, what it does, its form. */
function tool(t, on, setOff, unfolded, changed) {
  const box = el("input", { type: "checkbox", checked: on && !t.off, disabled: Boolean(t.off), "aria-label": `${t.name}: use in this chat` });
  box.addEventListener("change", () => {
    switchTools([t.name], box.checked);
    changed();
    say(`${t.name}: ${box.checked ? "on" : "off"} in this chat.`);
  });
  const inside = el("div", { class: "inside" });
  const details = el("details", {}, el("summary", {}, el("span", { class: "what" }, titled(t)), t.annotations?.destructiveHint && !t.annotations?.readOnlyHint ? el("span", { class: "quiet" }, " changes or deletes things") : "", t.off ? el("span", { class: "quiet" }, " switched off by the administrator") : ""), inside);
  details.addEventListener("toggle", () => { if (details.open && inside.children.length === 0) inside.append(...detail(t, setOff)); });
  if (unfolded) {
    inside.append(...detail(t, setOff));
    details.open = true;
  }
  const node = el("li", {}, box, details);
  node.dataset.name = t.name;
  const text = `${t.name} ${titled(t)} ${t.description ?? ""}`.toLowerCase();
  const find = (words) => {
    node.hidden = !words.split(/\s+/).every((w) => text.includes(w));
    return !node.hidden;
  };
  return { node, box, find };
}

/** detail is what a tool does, a form to try it, and its schema. */
function detail(t, setOff) {
  const mine = setOff ? [] : everybody("tool", t.name, off?.tools.includes(t.name) ?? false, { "aria-label": `${t.name}: switch ${t.off ? "on" : "off"} for everybody` });
  const result = el("div", { class: "result", role: "group", "aria-label": `Result of ${t.name}`, hidden: true });
  const form = schemaForm(t.inputSchema ?? {}, `Try ${t.name}`, async (args) => {
    await call(t, args, result, false);
    result.scrollIntoView({ block: "nearest" });
  });
  return [
    el("p", { class: "quiet" }, el("code", {}, t.name)),
    ...markdown(t.description ?? ""),
    ...mine,
    ...(t.off ? [] : [el("h3", {}, "Try it"), form, result]),
    el("details", { class: "schema" }, el("summary", {}, "Schema"), el("pre", { tabIndex: 0, "aria-label": `Schema of ${t.name}` }, JSON.stringify(t.inputSchema ?? {}, null, 1))),
  ];
}

/** call runs a tool and shows what it gave. What changes something runs when the person says so a second time. */
async function call(t, args, result, approved) {
  result.hidden = false;
  result.replaceChildren(el("p", { class: "quiet" }, "Running …"));
  try {
    const got = await change("POST", `/api/v1/tools/${encodeURIComponent(t.name)}`, { arguments: args, session_id: state.session || undefined, approve: approved || undefined });
    if (got.code === "approval_required") {
      result.replaceChildren(el("p", { class: "notice" }, "This changes or deletes things. Nothing was done yet."),
        el("p", { class: "decide" }, button({ class: "plain danger", onclick: () => call(t, args, result, true) }, "Run it")));
      result.querySelector("button").focus();
      return;
    }
    const untold = (got.notes ?? []).filter((n) => !got.text?.includes(n));
    result.replaceChildren(...(got.is_error ? [el("p", { class: "notice bad" }, got.text)] : markdown(got.text || "It gave nothing.")),
      ...(untold.length > 0 ? [el("ul", { class: "notes" }, ...untold.map((n) => el("li", {}, n)))] : []));
    say(got.is_error ? "The tool failed." : "The tool has run.");
  } catch (error) {
    result.replaceChildren(el("p", { class: "notice bad" }, sentence(asProblem(error))));
  }
}
