// Questions that fit the tables at hand, for who does not know yet what to ask.

const demo = [
  "Show me the top 5 USA clients and analyze their revenue trends",
  "Revenue by region this year, with each region's share",
  "How many open tickets are there per priority?",
  "Which clients have the lowest gross margin?",
];

/** demoQuestions are those for the demo data, told by its tools; null without it. */
export const demoQuestions = (tools) => (tools.includes("get_top_clients") ? demo : null);

/** ofTable makes questions from what a table's columns are. */
function ofTable(table) {
  const named = (role) => (table.columns ?? []).filter((c) => c.role === role);
  const groups = named("dimension").filter((c) => c.distinct > 1 && c.distinct < table.rows).sort((a, b) => a.distinct - b.distinct);
  const [group] = groups;
  const measures = named("measure");
  const sum = measures.find((c) => !c.no_sum);
  const measure = sum ?? measures[0];
  const [time] = named("time");
  const how = sum ? "total" : "average";
  const where = `in ${table.name}`;
  const out = [];
  if (measure && group) out.push(`${how} ${measure.name} by ${group.name} ${where}`);
  if (measure && time) out.push(`${how} ${measure.name} per month ${where}`);
  if (sum && groups.length > 1) out.push(`top 5 ${groups.at(-1).name} by ${sum.name} ${where}`);
  if (!measure && group) out.push(`number of rows by ${group.name} ${where}`);
  out.push(`how many rows does ${table.name} have?`);
  return out;
}

/** questions makes at most n questions, of the tables in turn. */
export function questions(tables, n) {
  const lists = tables.filter((t) => t.rows > 0).map(ofTable);
  const out = [];
  for (let i = 0; out.length < n && lists.some((l) => i < l.length); i++) {
    for (const list of lists) if (i < list.length && out.length < n) out.push(list[i]);
  }
  return out;
}
