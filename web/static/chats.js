// The list of chats: found, opened, renamed, deleted, saved as a file.
import { change, download, getJSON } from "./stream.js";
import { el } from "./render.js";

const $ = (id) => document.getElementById(id);
const path = (id) => `/api/v1/sessions/${encodeURIComponent(id)}`;
let seen = 0; // the newest request; answers to older ones come too late

/** show fills the list with the chats that what is searched for stands in, from a cursor on. */
async function show(open, gone, cursor = "") {
  const asked = ++seen;
  const query = new URLSearchParams({ limit: "30", q: $("find").value, cursor });
  try {
    const { sessions, next } = await getJSON(`/api/v1/sessions?${query}`);
    if (asked !== seen) return;
    const rows = sessions.map((s) => row(s, open, gone));
    if (cursor) $("chat-list").append(...rows);
    else $("chat-list").replaceChildren(...rows);
    $("no-chats").hidden = $("chat-list").children.length > 0;
    $("no-chats").textContent = $("find").value ? "Nothing found." : "No chats yet.";
    $("more").hidden = !next;
    $("more").onclick = () => show(open, gone, next);
  } catch (error) {
    complain(error);
  }
}

function complain(error) {
  $("no-chats").hidden = false;
  $("no-chats").textContent = [error.message, error.hint].filter(Boolean).join(" ");
}

/** row is one chat. */
function row(s, open, gone) {
  const title = el("button", { type: "button", class: "title", onclick: () => { $("chats").close(); open(s.id); } }, s.title);
  const when = el("span", { class: "quiet" }, new Date(s.updated).toLocaleString());
  const rename = el("button", { type: "button", class: "plain", "aria-label": `Rename ${s.title}` }, "Rename");
  const remove = el("button", { type: "button", class: "plain", "aria-label": `Delete ${s.title}` }, "Delete");
  const save = el("a", { class: "plain", href: `${path(s.id)}.md`, download: "", onclick: (e) => download(e).catch(complain), "aria-label": `Save ${s.title} as Markdown` }, "Save");
  const data = el("a", { class: "plain", href: `${path(s.id)}.json`, download: "", onclick: (e) => download(e).catch(complain), "aria-label": `Save ${s.title} as JSON` }, "JSON");
  const item = el("li", {}, title, when, rename, save, data, remove);
  rename.onclick = () => {
    const field = el("input", { value: s.title, maxLength: 200, "aria-label": "New title" });
    let over = false;
    const done = async (keep) => {
      if (over) return;
      over = true;
      field.replaceWith(title);
      const given = field.value.trim();
      if (!keep || given === "" || given === s.title) return;
      try {
        await change("PATCH", path(s.id), { title: given });
        s.title = given;
        item.replaceWith(row(s, open, gone));
      } catch (error) {
        complain(error);
      }
    };
    field.onblur = () => done(true);
    field.onkeydown = (e) => {
      if (e.key !== "Enter" && e.key !== "Escape") return;
      e.preventDefault(); // Escape would close the list
      done(e.key === "Enter");
    };
    title.replaceWith(field);
    field.select();
  };
  remove.onclick = async () => {
    if (remove.textContent === "Delete") { // asked before it is done: nothing brings it back
      remove.textContent = "Really delete?";
      return;
    }
    try {
      await change("DELETE", path(s.id));
      item.remove();
      gone(s.id);
    } catch (error) {
      complain(error);
    }
  };
  remove.onblur = () => { remove.textContent = "Delete"; };
  return item;
}

/** chats gives the page its list: open is told which chat to show, gone which one was deleted. */
export function chats(open, gone) {
  let later = 0;
  $("list").addEventListener("click", () => {
    $("find").value = "";
    $("chats").showModal();
    show(open, gone);
  });
  $("find").addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(() => show(open, gone), 200);
  });
  $("close-chats").addEventListener("click", () => $("chats").close());
}
