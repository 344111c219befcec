// The drawing of a chart, and the mark that a person is at.
import { el } from "./render.js";
import { niceTicks, range, tickText, timeTicks } from "./chartdata.js";

const namespace = "http://www.w3.org/2000/svg";
const top = 22, tall = 280;

function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** drawChart draws a view's chart as wide as there is room. */
export function drawChart(view, wide) {
  const { data, kind, chart } = view;
  const [low, high] = range(data, kind);
  const ticks = niceTicks(low, high, 5);
  const ends = [Math.min(low, ticks[0]), Math.max(high, ticks.at(-1))];
  const texts = ticks.map((v) => tickText(data, v));
  const left = 22 + 7 * Math.max(...texts.map((t) => t.length));
  const slanted = kind === "bar" && Math.max(...data.categories.map((c) => c.length)) * 6.6 > (wide - left) / data.categories.length - 6;
  const bottom = slanted ? 84 : 30;
  const plot = { left, right: wide - 14, top: top + 16, bottom: top + 16 + tall };
  plot.y = (v) => plot.top + tall * (ends[1] - v) / (ends[1] - ends[0]);
  const root = svg("svg", { width: wide, height: plot.bottom + bottom, viewBox: `0 0 ${wide} ${plot.bottom + bottom}`, role: "img", "aria-label": chart.alt, tabindex: 0, class: "drawing" });
  root.append(svg("text", { x: 12, y: 20, class: "axis-name" }, data.yTitle));
  ticks.forEach((v, i) => {
    if (v < ends[0] || v > ends[1]) return;
    const y = plot.y(v);
    root.append(svg("line", { x1: left, x2: plot.right, y1: y, y2: y, class: v === 0 ? "axis" : "grid-line" }), svg("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, texts[i]));
  });
  const marks = kind === "bar" ? bars(root, plot, data, slanted) : lines(root, plot, data, kind);
  const tip = el("div", { class: "tip", role: "status", hidden: true });
  view.place.replaceChildren(root, tip);
  follow(root, marks, tip, data);
}

/** bars draws a bar for each point, groups side by side. */
function bars(root, plot, data, slanted) {
  const slot = (plot.right - plot.left) / data.categories.length;
  const each = slot * 0.8 / data.series.length;
  data.categories.forEach((text, i) => label(root, plot, plot.left + (i + 0.5) * slot, text, slanted, slot));
  const last = data.categories.length - 1;
  return data.series.flatMap((s, i) => s.points.map((p) => {
    const a = plot.y(Math.max(p.y, 0)), b = plot.y(Math.min(p.y, 0));
    const x = plot.left + p.at * slot + slot * 0.1 + i * each;
    const open = data.open && p.at === last;
    const bar = svg("rect", { x, y: a, width: Math.max(each - 1, 0.5), height: Math.max(b - a, 0.5), class: `mark bar-mark series-${i % 8}${open ? " open" : ""}` });
    root.append(bar);
    return { node: bar, x: x + each / 2, y: a, p, name: s.name, open };
  }));
}

/** label writes a category below its bars, slanted where there is little room; where there is none, not each of them. */
function label(root, plot, x, text, slanted, slot) {
  if (slanted && slot < 13 && Math.round((x - plot.left) / slot - 0.5) % Math.ceil(13 / slot) !== 0) return;
  const short = slanted && text.length > 16 ? text.slice(0, 15) + "…" : text;
  const y = plot.bottom + 16;
  root.append(svg("text", slanted ? { transform: `translate(${x + 4} ${y - 4}) rotate(-40)`, "text-anchor": "end" } : { x, y: y + 2, "text-anchor": "middle" }, short));
}

/** lines draws points by their places, with lines between them. */
function lines(root, plot, data, kind) {
  const all = data.series.flatMap((s) => s.points.map((p) => p.x));
  let from = Math.min(...all), to = Math.max(...all);
  if (from === to) [from, to] = [from - 0.5, to + 0.5];
  const inner = { left: plot.left + 8, right: plot.right - 8 };
  const x = (v) => inner.left + (inner.right - inner.left) * (v - from) / (to - from);
  const most = Math.max(2, Math.floor((plot.right - plot.left) / 80));
  const ticks = data.time ? timeTicks(from, to, most) : niceTicks(from, to, most).filter((v) => v >= from && v <= to).map((v) => ({ at: v, text: Number.isInteger(v) && Math.abs(v) < 1e4 ? String(v) : v.toLocaleString() }));
  for (const t of ticks) root.append(svg("line", { x1: x(t.at), x2: x(t.at), y1: plot.bottom, y2: plot.bottom + 5, class: "axis" }), svg("text", { x: x(t.at), y: plot.bottom + 19, "text-anchor": "middle" }, t.text));
  return data.series.flatMap((s, i) => {
    const points = s.points.map((p) => ({ x: x(p.x), y: plot.y(p.y), p, name: s.name, open: data.open && p.x === to }));
    const path = (some, more) => some.length > 1 && root.append(svg("path", { d: some.map((q, k) => `${k ? "L" : "M"}${q.x} ${q.y}`).join(""), class: `line-mark series-${i % 8}${more}` }));
    if (kind === "line") {
      const whole = points.filter((q) => !q.open);
      path(whole, "");
      if (whole.length < points.length) path(points.slice(-2), " open");
    }
    for (const q of points) root.append(q.node = svg("circle", { cx: q.x, cy: q.y, r: kind === "line" && points.length > 60 ? 1.5 : 3, class: `mark dot series-${i % 8}` }));
    return points;
  });
}

/** follow shows the values of the mark nearest to the pointer, or the one that keys have come to. */
function follow(root, marks, tip, data) {
  let now = -1;
  const at = (i) => {
    marks[now]?.node.classList.remove("at");
    now = i;
    const m = marks[i];
    tip.hidden = !m;
    if (!m) return;
    m.node.classList.add("at");
    tip.replaceChildren(...(m.name ? [el("span", {}, m.name), " "] : []), el("span", {}, m.p.label), " ", el("strong", {}, m.p.text), ...(m.open ? [" ", el("span", { class: "quiet" }, "(not complete)")] : []));
    const room = root.clientWidth - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(m.x - tip.offsetWidth / 2, room))}px`;
    tip.style.top = `${m.y - tip.offsetHeight - 10 < 0 ? m.y + 12 : m.y - tip.offsetHeight - 10}px`;
  };
  const nearest = (e) => {
    const box = root.getBoundingClientRect();
    const px = e.clientX - box.left, py = e.clientY - box.top;
    let best = -1, far = Infinity;
    marks.forEach((m, i) => {
      const d = Math.hypot((m.x - px) * (data.series.length > 1 ? 1 : 4), m.y - py);
      if (d < far) [best, far] = [i, d];
    });
    return best;
  };
  root.addEventListener("pointermove", (e) => at(nearest(e)));
  root.addEventListener("pointerdown", (e) => at(nearest(e)));
  root.addEventListener("pointerleave", (e) => { if (e.pointerType === "mouse") at(-1); });
  root.addEventListener("blur", () => at(-1));
  root.addEventListener("keydown", (e) => {
    const to = { ArrowRight: now + 1, ArrowLeft: now < 0 ? marks.length - 1 : now - 1, Home: 0, End: marks.length - 1 }[e.key];
    if (e.key === "Escape" && now >= 0) {
      e.stopPropagation();
      at(-1);
    } else if (to !== undefined) {
      e.preventDefault();
      if (marks[to]) at(to);
    }
  });
}
