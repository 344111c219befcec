// The language model as an administrator chooses it. The key goes to the server and never comes back.
import { $, button, el, sentence } from "./dom.js";
import { asProblem, change, getJSON } from "./stream.js";

const path = "/api/v1/settings/model";

/** field is a labelled control. What is set elsewhere is shown with where, and cannot be changed here. */
function field(control, label, set, hint = "") {
  const said = [set && `Set by ${set}.`, hint].filter(Boolean).join(" ");
  const about = el("span", { class: "quiet", id: `${control.id}-about`, hidden: !said }, said);
  control.disabled ||= Boolean(set);
  if (said) control.setAttribute("aria-describedby", about.id);
  return el("div", { class: "field" }, el("label", { htmlFor: control.id }, label), control, about);
}

/** modelSettings is the form, as nodes. changed draws anew what depends on the model. */
export async function modelSettings(changed) {
  const now = await getJSON(path);
  const set = now.fixed ? Object.fromEntries(["provider", "base_url", "model", "api_key"].map((name) => [name, ""])) : now.set;
  const off = Boolean(now.fixed);
  const provider = el("select", { id: "model-provider", disabled: off }, ...[["", "none"], ["openai", "OpenAI, or a server with its API"], ["anthropic", "Anthropic"]].map(([value, text]) => el("option", { value, selected: now.provider === value }, text)));
  const text = (id, props) => el("input", { id, type: "text", autocomplete: "off", spellcheck: false, disabled: off, ...props });
  const address = text("model-address", { value: now.base_url, placeholder: "the provider's own", inputMode: "url", maxLength: 2048 });
  const name = text("model-name", { value: now.model, maxLength: 256 });
  const key = text("model-key", { type: "password", autocomplete: "new-password", maxLength: 16384 });
  const said = el("p", { id: "model-said", role: "status" });
  const wrong = el("p", { class: "notice", role: "alert", hidden: true });
  const send = async (method, body, done) => {
    wrong.hidden = true;
    try {
      await change(method, path, body);
    } catch (error) {
      wrong.textContent = sentence(asProblem(error));
      wrong.classList.add("bad");
      wrong.hidden = false;
      return;
    }
    await changed();
    $("model-said").textContent = done;
    $("model-use").focus();
  };
  const own = (control) => (control.disabled ? "" : control.value.trim());
  const form = el("form", { id: "model-form", autocomplete: "off", "aria-label": "Language model", onsubmit: (e) => {
    e.preventDefault();
    send("POST", { provider: own(provider), base_url: own(address), model: own(name), api_key: own(key) }, "The next question is planned by this model.");
  } },
    field(provider, "Provider", set.provider), field(address, "Address", set.base_url, off || set.base_url ? "" : "With http or https, and the version at its end, as in /v1."),
    field(name, "Model", set.model),
    field(key, "Key", set.api_key, off || set.api_key ? "" : now.has_key ? "There is one. It stays, unless you enter another or change provider or address." : "It is kept in a file of the server that only the server can read, and shown to nobody."),
    wrong,
    el("p", { class: "decide" }, el("button", { type: "submit", id: "model-use", class: "go", disabled: off }, "Use this model"),
      ...(now.chosen && !off ? [button({ class: "plain danger", id: "model-forget", onclick: () => send("DELETE", undefined, "The model and its key are forgotten.") }, "Forget model and key")] : [])),
    said);
  return [el("h3", {}, "Language model"), ...[now.fixed, ...now.notes].filter(Boolean).map((note) => el("p", { class: "quiet" }, note)), form];
}
