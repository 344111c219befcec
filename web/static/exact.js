// JSON whose numbers stay as they were written: those of JavaScript hold 53 bits, those of a plan any number of digits.

const mark = [...crypto.getRandomValues(new Uint8Array(16))].join("-"); // begins no text that comes from elsewhere
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const marked = new RegExp(`"${mark} ([^"]+)"`, "g");

/** Numeral is a number that JavaScript would write differently. */
class Numeral {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return `${mark} ${this.text}`;
  }
}

/** parse is JSON.parse, but that numbers which would be written differently are Numerals. */
export function parse(text) {
  const plain = JSON.parse(text); // is it JSON at all?
  let kept = 0;
  const held = text.replace(tokens, (token) => (token[0] === '"' || String(Number(token)) === token ? token : (kept++, `"${mark} ${token}"`)));
  if (kept === 0) return plain;
  return JSON.parse(held, (_, value) => (typeof value === "string" && value.startsWith(mark) ? new Numeral(value.slice(mark.length + 1)) : value));
}

const exact = new Set(["plan", "pending"]);

/** graft puts plans, and what waits for a decision, of one value into another that is read from the same text. */
function graft(into, from) {
  if (into === null || typeof into !== "object") return;
  for (const key of Object.keys(into)) {
    if (exact.has(key)) into[key] = from[key];
    else graft(into[key], from[key]);
  }
}

/** parseAnswer is JSON.parse for what the server sends: numbers that calls of tools are made of stay as they were written. */
export function parseAnswer(text) {
  const value = JSON.parse(text);
  if (/"(?:plan|pending)":\s*[[{]/.test(text)) graft(value, parse(text));
  return value;
}

/** write is JSON.stringify, with Numerals as they were written. */
export const write = (value, indent) => JSON.stringify(value, null, indent).replace(marked, "$1");

/** isNumeral reports whether a value is a number that JavaScript would write differently. */
export const isNumeral = (value) => value instanceof Numeral;
