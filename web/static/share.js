// A chat handed on by a link: who has it reads a copy, as the chat was when the link was made.
import { button, el, openDialog, say, sentence, short } from "./dom.js";
import { asProblem, change, getJSON } from "./stream.js";
import { toClipboard } from "./tablefiles.js";

const days = [[1, "1 day"], [7, "7 days"], [30, "30 days"], [90, "90 days"]];

/** openShare opens the dialog of a chat's links. */
export async function openShare(s, back) {
  const close = button({ class: "icon close", "aria-label": "Close", onclick: () => dialog.close() }, "×");
  const lasts = el("select", { id: "share-days" }, ...days.map(([n, name]) => el("option", { value: n, selected: n === 7 }, name)));
  const make = button({ class: "go" }, "Make a link");
  const said = el("p", { class: "notice bad", role: "alert", hidden: true });
  const list = el("ul", { class: "links", "aria-label": "Links to this chat" });
  const dialog = el("dialog", { class: "share", "aria-labelledby": "share-title" },
    el("div", { class: "dialog-head" }, el("h2", { id: "share-title" }, "Share this chat"), close),
    el("p", { class: "quiet" }, `Whoever has the link can read a copy of “${short(s.title, 60)}” as it is now, with its tables. It shows nothing that comes later, and stops working when it expires or you revoke it.`),
    el("p", { class: "decide" }, el("label", {}, "It works for ", lasts), make), said, list);
  const fail = (error) => {
    said.textContent = sentence(asProblem(error));
    said.hidden = false;
  };
  let newest = 0; // an answer that comes after that of a later request is too old
  const show = async () => {
    const asked = ++newest;
    const { shares } = await getJSON("/api/v1/shares");
    if (asked !== newest) return;
    list.replaceChildren(...shares.filter((x) => x.session_id === s.id).map((x) => line(x, show, fail, close)));
  };
  make.onclick = async () => {
    make.disabled = true;
    said.hidden = true;
    try {
      const made = await change("POST", `/api/v1/sessions/${encodeURIComponent(s.id)}/shares`, { days: Number(lasts.value) });
      await show();
      const url = new URL(made.url, location.href).href;
      const field = el("input", { type: "text", readOnly: true, value: url, "aria-label": "The link", onfocus: () => field.select() });
      const copy = button({ class: "plain", onclick: async () => {
        await toClipboard(url).catch(() => field.select());
        say("The link is copied.");
        copy.textContent = "Copied";
      } }, "Copy link");
      list.prepend(el("li", { class: "new" }, field, copy, el("p", { class: "quiet" }, "It is shown this once.")));
      copy.focus();
      say("The link is made.");
    } catch (error) {
      fail(error);
    } finally {
      make.disabled = false;
    }
  };
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (e) => { if (e.key === "Escape") e.stopPropagation(); }); // it cancels a run elsewhere
  document.body.append(dialog);
  openDialog(dialog, back);
  await show().catch(fail);
}

/** line is a link that was made, and how to end it. */
function line(x, show, fail, next) {
  const date = (text) => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const revoke = button({ class: "plain", "aria-label": `Revoke the link of ${date(x.created)}`, onclick: async () => {
    try {
      await change("DELETE", `/api/v1/shares/${x.id}`);
      await show();
      next.focus();
      say("The link is revoked.");
    } catch (error) {
      fail(error);
    }
  } }, "Revoke");
  return el("li", {}, el("span", {}, `Made ${date(x.created)}, works until ${date(x.expires)}`), revoke);
}
