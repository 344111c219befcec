// The field that questions are written in, and the files beside it.
import { $, button, el, say } from "./dom.js";
import { count } from "./prefs.js";
import { state } from "./state.js";
import { Problem } from "./stream.js";

const mostBytes = 25 * 1024 * 1024;
const mostFiles = 32;
const draft = "catena-draft";

/** base64 encodes a file for JSON. */
export function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(new Problem(`${file.name} cannot be read.`, "", "Choose it again."));
    reader.readAsDataURL(file);
  });
}

/** showFiles lists the chosen files, each with a button that takes it away. */
export function showFiles() {
  $("files").replaceChildren(...state.files.map((f) => {
    const remove = button({ class: "icon", "aria-label": `Remove ${f.name}`, onclick: () => {
      state.files = state.files.filter((x) => x !== f);
      showFiles();
      $("message").focus();
    } }, "×");
    return el("li", {}, el("span", {}, f.name), remove);
  }));
}

/** refusal says why a file cannot be sent; "" if it can. */
function refusal(file, files) {
  const ending = /\.[^.]+$/.exec(file.name.toLowerCase())?.[0] ?? "";
  if (!$("file").accept.split(",").includes(ending)) return "this is no table that can be read: CSV, JSON, Excel, Parquet, Arrow, Markdown, HTML or text";
  if (file.size === 0) return "it is empty";
  if (files.some((f) => f.name === file.name && f.size === file.size && f.lastModified === file.lastModified)) return "it is attached already";
  if (files.length >= mostFiles) return `at most ${mostFiles} files can be sent at once`;
  if (files.reduce((sum, f) => sum + f.size, file.size) > mostBytes) return "files may have 25 MiB together; name larger ones with --data when the program starts";
  return "";
}

/** addFiles takes the files that can be sent, and says of each other one why not. */
export function addFiles(list) {
  const refused = [];
  for (const file of list) {
    const why = refusal(file, state.files);
    if (why) refused.push(`${file.name} is not attached: ${why}.`);
    else state.files = [...state.files, file];
  }
  showFiles();
  tellRefused(refused);
  $("message").focus();
}

/** tellRefused lists what could not be attached until it is closed or a question is sent. */
export function tellRefused(lines) {
  const close = button({ class: "icon", "aria-label": "Close", onclick: () => { tellRefused([]); $("message").focus(); } }, "×");
  $("refused").hidden = lines.length === 0;
  $("refused").replaceChildren(el("ul", {}, ...lines.map((line) => el("li", {}, line))), close);
  if (lines.length > 0) say(`${count(lines.length, "file")} not attached.`);
}

/** take empties the field and gives what was in it. */
export function take() {
  const taken = { text: $("message").value, files: state.files };
  write("", []);
  tellRefused([]);
  return taken;
}

/** giveBack puts a text and files back that could not be sent; what was written since stays. */
export function giveBack(text, files) {
  write($("message").value || text, [...files, ...state.files.filter((f) => !files.includes(f))]);
}

function write(text, files) {
  $("message").value = text;
  state.files = files;
  showFiles();
  keepDraft(text);
}

/** keepDraft has a text outlast a reload of this tab. */
export function keepDraft(text) {
  sessionStorage.setItem(draft, text);
}

/** hasFiles says whether something that is dragged over the page has files. */
const hasFiles = (e) => [...(e.dataTransfer?.types ?? [])].includes("Files");

/** composer has the field send by Enter, with Ctrl after its plan was shown, and take files that are chosen, dropped or pasted. */
export function composer(send) {
  const field = $("message");
  field.value = sessionStorage.getItem(draft) ?? "";
  field.addEventListener("input", () => keepDraft(field.value));
  field.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    send(e.ctrlKey || e.metaKey);
  });
  $("ask").addEventListener("submit", (e) => { e.preventDefault(); send(); });
  $("file").addEventListener("change", (e) => { addFiles([...e.target.files]); e.target.value = ""; });
  document.addEventListener("dragover", (e) => {
    e.preventDefault();
    document.body.classList.toggle("dragging", hasFiles(e));
  });
  document.addEventListener("dragleave", (e) => { if (!e.relatedTarget) document.body.classList.remove("dragging"); });
  document.addEventListener("drop", (e) => {
    e.preventDefault();
    document.body.classList.remove("dragging");
    addFiles([...e.dataTransfer.files]);
  });
  field.addEventListener("paste", (e) => {
    if (e.clipboardData.files.length === 0 || e.clipboardData.types.includes("text/plain")) return;
    e.preventDefault();
    addFiles([...e.clipboardData.files]);
  });
}
