// The page's dialogs, and the access key of a server that wants one.
import { $, openDialog, say } from "./dom.js";
import { onKey } from "./stream.js";

/** dialogs gives each dialog its button to close, and the server's wish for a key a field. */
export function dialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (e) => { if (e.target === dialog && dialog.id !== "key") dialog.close(); });
  }
  let asking = null; // one dialog for all requests that want a key at the same time
  onKey((again) => {
    asking ??= new Promise((resolve) => {
      $("key-said").textContent = again ? "This key is not good any more. Another key:" : "This server asks for a key:";
      $("key-field").value = "";
      $("key").addEventListener("close", () => {
        asking = null;
        const given = $("key").returnValue === "ok" ? $("key-field").value : "";
        if (!given) say("Without a key this server answers nothing. Reload to be asked again.");
        resolve(given);
      }, { once: true });
      $("key").returnValue = "";
      openDialog($("key"));
    });
    return asking;
  });
  $("key-form").addEventListener("submit", (e) => {
    e.preventDefault();
    $("key").close("ok");
  });
}
