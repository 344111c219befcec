// What a reader has set for this browser: language of numbers and dates, colours, steps.

const defaults = { locale: "", theme: "system", steps: "folded", plans: "run", side: "open", notify: "off" };

function load() {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem("catena-settings") ?? "{}") };
  } catch {
    return { ...defaults };
  }
}

/** prefs are the settings; set changes one. */
export const prefs = load();

/** set keeps a setting; where the browser keeps nothing, for this visit. */
export function set(name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem("catena-settings", JSON.stringify(prefs));
  } catch { /* this visit only */ }
  apply();
}

/** apply draws the page in the chosen colours. */
export function apply() {
  if (prefs.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = prefs.theme;
}

/** locale is the BCP 47 tag that answers are written for. */
export function locale() {
  try {
    return Intl.getCanonicalLocales(prefs.locale || navigator.language)[0].replace(/-u-.*$|-x-.*$/, "");
  } catch {
    return "en-US";
  }
}

/** zone is the reader's IANA time zone; "" where the browser does not tell it. */
export const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

/** count writes how many there are of something. */
export function count(n, one, many = one + "s") {
  return `${Number(n).toLocaleString(locale())} ${n === 1 ? one : many}`;
}

/** duration writes milliseconds for people. */
export function duration(ms) {
  const write = (n, digits) => n.toLocaleString(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  if (ms < 10) return `${write(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${write(ms / 1000, 1)} s`;
}
