// The data of a chart, of its Vega-Lite specification.

/** readChart gives series of points, or nothing where the chart is none of ours. */
export function readChart(chart) {
  const spec = chart.vega_lite, ours = spec?.usermeta?.catena;
  const values = spec?.data?.values;
  if (!ours || !Array.isArray(values) || values.length === 0) return null;
  const x = spec.encoding.x, y = spec.encoding.y, color = spec.encoding.color;
  const time = x.type === "temporal", named = x.type === "nominal";
  const categories = [...new Set(values.map((v) => v.label))];
  const at = new Map(categories.map((label, i) => [label, i]));
  const series = new Map();
  for (const v of values) {
    const name = v.group ?? "";
    if (!series.has(name)) series.set(name, { name, points: [] });
    series.get(name).points.push({ x: time ? Date.parse(v.x) : named ? at.get(v.label) : Number(v.x), y: Number(v.y), label: v.label, text: v.text, at: at.get(v.label) });
  }
  const bars = ours.kind === "bar" || categories.length <= 40;
  const kinds = [...(bars ? ["bar"] : []), ...(named ? [] : ["line", "scatter"]), "table"];
  return {
    kind: ours.kind, kinds, time, named, categories, series: [...series.values()], open: ours.open, percent: ours.percent || 0,
    xTitle: x.title, yTitle: y.title, groupTitle: color?.title ?? "", grouped: color !== undefined,
  };
}

/** niceTicks are round values, 1, 2 or 5 times a power of ten apart, that enclose low and high. */
export function niceTicks(low, high, wanted) {
  let step = 10 ** Math.floor(Math.log10((high - low) / wanted));
  for (const m of [1, 2, 5, 10]) {
    if ((high - low) / (step * m) <= wanted + 1) {
      step *= m;
      break;
    }
  }
  const out = [];
  for (let i = Math.floor(low / step); i * step < high + step && out.length < 20; i++) out.push(i * step);
  return out;
}

/** range is what the vertical axis must hold: bars begin at zero, lines unless all values are far from it. */
export function range(data, kind) {
  const all = data.series.flatMap((s) => s.points.map((p) => p.y));
  let low = Math.min(...all), high = Math.max(...all);
  if (kind === "bar" || (low > 0 && low < 2 * (high - low))) low = Math.min(low, 0);
  if (kind === "bar") high = Math.max(high, 0);
  if (high === low) high = low + Math.max(1, Math.abs(low) * 0.1);
  return [low, high];
}

/** tickText writes a number of the vertical axis in short. */
export function tickText(data, v) {
  const n = data.percent ? v * data.percent : v;
  const text = new Intl.NumberFormat(undefined, Math.abs(n) < 1e4 ? { maximumSignificantDigits: 4 } : { notation: "compact", maximumFractionDigits: 2 }).format(Math.abs(n) < 1e-9 ? 0 : n);
  return data.percent ? `${text}%` : text;
}

const day = 86_400_000;

/** timeTicks are starts of days, months, quarters or years, as many as there is room for. */
export function timeTicks(from, to, most) {
  const a = new Date(from), b = new Date(to);
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth() + 1;
  const out = [];
  if (months <= 3) {
    const step = Math.max(1, Math.ceil((to - from) / day / most)) * day;
    const text = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });
    for (let t = Math.ceil(from / day) * day; t <= to; t += step) out.push({ at: t, text: text.format(t) });
    return out;
  }
  const step = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].find((s) => months / s <= most) ?? 1200;
  const text = new Intl.DateTimeFormat(undefined, { year: "numeric", month: step >= 12 ? undefined : "short", timeZone: "UTC" });
  for (let i = Math.ceil((a.getUTCFullYear() * 12 + a.getUTCMonth()) / step) * step; ; i += step) {
    const t = Date.UTC(Math.floor(i / 12), i % 12, 1);
    if (t > to) return out;
    if (t >= from) out.push({ at: t, text: text.format(t) });
  }
}
