// A form made of a JSON Schema: a field for each property, with what the schema says of it.
import { button, el } from "./dom.js";
import { parse } from "./exact.js";

let forms = 0;

/** typeOf is the JSON type that a schema wants; "" is any. */
function typeOf(schema) {
  if (schema.type) return [schema.type].flat().find((t) => t !== "null") ?? "";
  const one = (schema.anyOf ?? schema.oneOf ?? []).find((s) => s.type && s.type !== "null");
  return one && !(schema.anyOf ?? schema.oneOf).some((s) => s.type && s.type !== "null" && s.type !== one.type) ? one.type : "";
}

/** read makes the value of a field's text; it throws where the text is none of the type. */
const read = {
  string: (text) => text,
  number: (text) => numeral(text, false),
  integer: (text) => numeral(text, true),
  boolean: (text) => text === "true",
  "": (text) => {
    try {
      return parse(text);
    } catch {
      return text;
    }
  },
};

function numeral(text, whole) {
  const n = Number(text);
  if (!Number.isFinite(n) || (whole && !Number.isInteger(n))) throw new Error(whole ? "A whole number belongs here." : "A number belongs here.");
  try {
    return parse(text);
  } catch {
    return n; // as people write numbers: +5, .5
  }
}

function structure(text) {
  try {
    return parse(text);
  } catch {
    throw new Error("This is no JSON.");
  }
}

/** control is the field of a property's type. */
function control(schema, id, required) {
  const type = typeOf(schema);
  const options = schema.enum ?? (type === "boolean" ? [true, false] : null);
  if (options) {
    const select = el("select", { id }, ...(required ? [] : [el("option", { value: "" }, "not set")]), ...options.map((v) => el("option", { value: String(v) }, String(v))));
    select.value = required ? String(options[0]) : "";
    return select;
  }
  const hint = schema.default === undefined ? "" : `${typeof schema.default === "object" ? JSON.stringify(schema.default) : schema.default} unless set`;
  if (type === "array" || type === "object") return el("textarea", { id, rows: 2, placeholder: hint || (type === "array" ? "[ … ]" : "{ … }"), spellcheck: false, class: "code" });
  return el("input", { id, type: "text", inputMode: type === "integer" ? "numeric" : type === "number" ? "decimal" : "text", placeholder: hint, autocomplete: "off" });
}

/** schemaForm makes a form; run(args) is given what was entered, of fields that are filled. */
export function schemaForm(schema, name, run) {
  const required = new Set(schema.required ?? []);
  const id = `form-${++forms}`;
  const inOrder = Object.entries(schema.properties ?? {}).sort(([a], [b]) => required.has(b) - required.has(a)); // what must be filled comes first
  const fields = inOrder.map(([key, of], i) => {
    const field = control(of, `${id}-${i}`, required.has(key));
    const bad = el("span", { class: "bad", id: `${field.id}-bad`, hidden: true });
    const said = of.description ? [el("span", { class: "quiet", id: `${field.id}-about` }, of.description)] : [];
    field.setAttribute("aria-describedby", [...said.map((x) => x.id), bad.id].join(" "));
    field.required = required.has(key);
    const node = el("div", { class: "field" }, el("label", { htmlFor: field.id }, el("code", {}, key), required.has(key) ? el("span", { class: "quiet" }, " required") : ""), field, bad, ...said);
    return { key, of, field, bad, node };
  });
  const go = button({ class: "primary", type: "submit" }, "Run");
  const form = el("form", { class: "schema-form", noValidate: true, "aria-label": name }, ...fields.map((f) => f.node), el("p", { class: "decide" }, go));
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const args = entered(fields);
    if (!args) return;
    go.disabled = true;
    try {
      await run(args);
    } finally {
      go.disabled = false;
    }
  });
  return form;
}

/** entered are the values of the fields, or null where one is wrong: it says so, and has the focus. */
function entered(fields) {
  const args = {};
  let first = null;
  for (const { key, of, field, bad } of fields) {
    let why = "";
    const text = field.value;
    const type = typeOf(of);
    if (text.trim() === "" && field.required) why = "This is required.";
    if (text.trim() !== "") {
      try {
        args[key] = of.enum ? of.enum.find((v) => String(v) === text) : (read[type] ?? structure)(text);
      } catch (error) {
        why = error.message;
      }
    }
    bad.hidden = why === "";
    bad.textContent = why;
    field.setAttribute("aria-invalid", String(why !== ""));
    if (why) first ??= field;
  }
  first?.focus();
  return first ? null : args;
}
