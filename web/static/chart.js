// A chart of an answer: its marks are gone through by pointer or keys; its kind can be another; its values are a table, too.
import { el } from "./render.js";
import { asProblem, download } from "./stream.js";
import { readChart } from "./chartdata.js";
import { drawChart } from "./chartdraw.js";
import { menu, toClipboard } from "./tablefiles.js";
import { say } from "./table.js";

const kinds = { bar: "Bars", line: "Line", scatter: "Points", table: "Table" };

/** mountChart puts a chart into an element. One that another server drew is shown as the picture that it is. */
export function mountChart(element, chart) {
  element.classList.add("chart");
  const data = readChart(chart);
  if (!data) return picture(element, chart);
  const view = { chart, data, kind: data.kind, element };
  view.place = el("div", { class: "plot" });
  const choices = data.kinds.map((kind) => {
    const button = el("button", { type: "button", class: "plain", "aria-pressed": String(kind === view.kind), onclick: () => show(view, kind) }, kinds[kind]);
    button.dataset.kind = kind;
    return button;
  });
  view.choice = el("div", { class: "kinds", role: "group", "aria-label": "Show as" }, ...choices);
  const bar = el("div", { class: "bar" }, el("figcaption", {}, el("strong", {}, chart.title || "Chart")), view.choice, menu("Download", () => files(view)));
  element.replaceChildren(bar, view.place, ...legend(data));
  draw(view);
  let wide = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now !== wide && view.kind !== "table" && now > 0) draw(view);
    wide = now;
  }).observe(view.place);
  return element;
}

/** picture is a chart without data of ours. */
function picture(element, chart) {
  if (!chart.svg && !chart.png) {
    element.append(el("p", { class: "quiet" }, chart.alt));
    return element;
  }
  const src = chart.svg ? "data:image/svg+xml;charset=utf-8," + encodeURIComponent(chart.svg) : `data:${chart.media_type || "image/png"};base64,${chart.png}`;
  element.append(el("img", { src, alt: chart.alt }), el("figcaption", {}, chart.title));
  return element;
}

function show(view, kind) {
  view.kind = kind;
  for (const button of view.choice.children) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
  draw(view);
  say(`Shown as ${kinds[kind].toLowerCase()}.`);
}

function draw(view) {
  if (view.kind === "table") view.place.replaceChildren(values(view));
  else drawChart(view, Math.max(280, view.place.clientWidth || 720));
}

/** values is the chart as a table. */
function values({ chart, data }) {
  const head = el("tr", {}, el("th", { scope: "col" }, data.xTitle), ...(data.grouped ? [el("th", { scope: "col" }, data.groupTitle)] : []), el("th", { scope: "col", class: "right" }, data.yTitle));
  const lines = data.series.flatMap((s) => s.points.map((p) => el("tr", {}, el("th", { scope: "row" }, p.label), ...(data.grouped ? [el("td", {}, s.name)] : []), el("td", { class: "right" }, p.text))));
  const table = el("table", {}, el("caption", { class: "hidden" }, chart.title || "Chart"), el("thead", {}, head), el("tbody", {}, ...lines));
  return el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": `Values of ${chart.title || "the chart"}` }, table);
}

/** legend names the groups. */
function legend(data) {
  if (!data.grouped || data.series.length < 2) return [];
  return [el("ul", { class: "legend", "aria-label": data.groupTitle }, ...data.series.map((s, i) => el("li", {}, el("span", { class: `swatch series-${i % 8}` }), s.name)))];
}

/** files are the pictures: as the server draws them, or, of another kind, as they are seen. */
function files(view) {
  const { chart, kind, data } = view;
  const name = (chart.title || "chart").replace(/[/\\:*?"<>|\p{Cc}]/gu, " ").replace(/\s+/g, " ").trim().slice(0, 100);
  const out = [];
  if (kind === data.kind && chart.links) {
    const save = async (event) => {
      try {
        await download(event);
      } catch (error) {
        say(asProblem(error).message);
      }
    };
    for (const ending of ["png", "svg"]) if (chart.links[ending]) out.push(el("a", { href: chart.links[ending], download: `${name}.${ending}`, onclick: save }, ending.toUpperCase()));
  } else if (kind !== "table") {
    out.push(el("button", { type: "button", onclick: () => savePNG(view, name) }, "PNG"), el("button", { type: "button", onclick: () => save(URL.createObjectURL(new Blob([drawing(view)], { type: "image/svg+xml" })), `${name}.svg`) }, "SVG"));
  }
  out.push(el("button", { type: "button", onclick: async () => { await toClipboard(tsv(data)); say("Copied the values."); } }, "Copy the values"));
  return out;
}

const tsv = (data) => [[data.xTitle, ...(data.grouped ? [data.groupTitle] : []), data.yTitle], ...data.series.flatMap((s) => s.points.map((p) => [p.label, ...(data.grouped ? [s.name] : []), p.y]))]
  .map((line) => line.map((v) => (typeof v === "string" && /^[=+\-@]/.test(v) ? `'${v}` : String(v)).replace(/[\t\n\r]/g, " ")).join("\t")).join("\n") + "\n";

function save(url, name) {
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const inherited = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "opacity"];

/** drawing is what is seen as a picture of its own, with the styles that the page gives it. */
function drawing(view) {
  const seen = view.place.querySelector("svg");
  const copy = seen.cloneNode(true);
  const to = [copy, ...copy.querySelectorAll("*")];
  [seen, ...seen.querySelectorAll("*")].forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of inherited) to[i].setAttribute(name, style.getPropertyValue(name));
  });
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [k, v] of [["width", "100%"], ["height", "100%"], ["fill", getComputedStyle(view.place).backgroundColor]]) back.setAttribute(k, v);
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
}

async function savePNG(view, name) {
  const svg = view.place.querySelector("svg");
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(drawing(view));
  await image.decode();
  const paper = el("canvas", { width: 2 * svg.width.baseVal.value, height: 2 * svg.height.baseVal.value });
  paper.getContext("2d").drawImage(image, 0, 0, paper.width, paper.height);
  paper.toBlob((blob) => save(URL.createObjectURL(blob), `${name}.png`), "image/png");
}
