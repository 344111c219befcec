// Elements of the page: making, finding and telling.

export const $ = (id) => document.getElementById(id);

/** el makes an element with properties and children; strings become text. */
export function el(name, props = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (key === "class") node.className = value;
    else if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** say puts a sentence where screen readers hear it, and below the conversation. */
export function say(text) {
  $("status").textContent = text;
}

/** using gives a function what a module exports that the first view does without, and so has not loaded. What cannot be loaded is said. */
export async function using(module, then) {
  let exports;
  try {
    exports = await module;
  } catch {
    return say("A part of this page cannot be loaded. The server is not running, or is another version by now. Reload the page: your text stays.");
  }
  return then(exports);
}

/** short is a title of at most some characters, cut between words. */
export function short(text, most = 120) {
  if (text.length <= most) return text;
  const at = text.lastIndexOf(" ", most - 1);
  return `${text.slice(0, at > most / 2 ? at : most - 1)}…`;
}

/**
 * openDialog shows a dialog; when it closes, focus is where it was, or at back where that is gone. The browser sees to focus itself, and by the
 * time that close is told of, a person may have gone on. But a field that it gives focus has no caret, and what is typed would go nowhere.
 */
export function openDialog(dialog, back = document.activeElement) {
  const field = document.activeElement;
  const typed = (field?.selectionStart ?? null) !== null; // a field of text
  if (typed) field.addEventListener("focus", () => field.setSelectionRange(field.selectionStart, field.selectionEnd), { once: true });
  dialog.addEventListener("close", () => {
    if (document.activeElement === document.body) back?.focus();
  }, { once: true });
  dialog.showModal();
}

/** button makes a button that submits nothing. */
export const button = (props, ...children) => el("button", { type: "button", ...props }, ...children);

const paths = {
  more: "M5 12h.01M12 12h.01M19 12h.01",
  left: "M14 6l-6 6 6 6",
  right: "M10 6l6 6-6 6",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
};

/** icon is one of the page's few pictures, for a control that has its name in words. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon-line");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/** sentence joins what an error says and what can be done about it. */
export const sentence = (error) => [error.message ?? error.detail, error.hint].filter(Boolean).join(" ");
