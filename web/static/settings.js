// The settings, and what answers here.
import { $, el, openDialog, sentence } from "./dom.js";
import { modelSettings } from "./modelform.js";
import { notifySetting } from "./notify.js";
import { count, locale, prefs, set, zone } from "./prefs.js";
import { getJSON } from "./stream.js";

const locales = ["en-US", "en-GB", "de-DE", "de-CH", "fr-FR", "es-ES", "it-IT", "pt-BR", "nl-NL", "pl-PL", "sv-SE", "da-DK", "ja-JP"];

/** choice is a setting with a few values. */
function choice(name, label, options) {
  const select = el("select", { id: `set-${name}`, onchange: () => set(name, select.value) });
  for (const [value, text] of options) select.append(el("option", { value, selected: prefs[name] === value }, text));
  return el("p", { class: "setting" }, el("label", { htmlFor: select.id }, label), select);
}

const languageName = (tag) => new Intl.DisplayNames([locale()], { type: "language" }).of(tag);

/** model is a model with its state: one that fails again and again is asked only now and then. */
function model({ name, status, detail }) {
  const well = status === "healthy";
  return el("p", { class: "setting" }, el("span", {}, name[0].toUpperCase() + name.slice(1)), el("span", { class: well ? "" : "bad" }, well ? `${detail}: in use` : detail));
}

/** openSettings shows the settings, and what answers here. */
export async function openSettings() {
  const about = el("div", { id: "about" }, el("p", { class: "quiet" }, "Asking the server …"));
  $("settings-body").replaceChildren(
    choice("locale", "Numbers and dates", [["", `As the browser: ${languageName(navigator.language)}`], ...locales.map((tag) => [tag, languageName(tag)])]),
    el("p", { class: "setting" }, el("span", {}, "Time zone"), el("span", {}, zone() || "not known")),
    choice("theme", "Colours", [["system", "As the system"], ["light", "Light"], ["dark", "Dark"]]),
    choice("steps", "Steps of an answer", [["folded", "Folded when it is there"], ["open", "Open"]]),
    choice("plans", "A question", [["run", "Is run at once"], ["shown", "Shows its plan first"]]),
    notifySetting(),
    el("h3", {}, "This server"), about,
  );
  openDialog($("settings"));
  await drawAbout();
}

/** drawAbout shows what answers here. */
async function drawAbout() {
  const about = $("about");
  try {
    const info = await getJSON("/");
    const choose = info.manages ? await modelSettings(drawAbout) : [];
    about.replaceChildren(
      el("p", { class: "setting" }, el("span", {}, "Planned by"), el("span", {}, info.planner ?? "not told")),
      ...(info.models ?? []).map(model),
      el("p", { class: "setting" }, el("span", {}, "Tools"), el("span", {}, count(info.tools.length, "tool"))),
      el("p", { class: "setting" }, el("span", {}, "Version"), el("span", {}, info.version)),
      el("p", { class: "quiet" }, "Which model plans is set where the server is started, or by an administrator here: see docs/models.md."),
      ...choose,
    );
  } catch (error) {
    about.replaceChildren(el("p", { class: "bad" }, sentence(error)));
  }
}
