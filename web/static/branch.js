// Which stored turns follow which: a question that was edited or asked again stands beside the one it was made of.

/** parent is the run that a turn follows; "" at the start. */
function parent(turns, i) {
  const after = turns[i].after_run;
  if (after === "start") return "";
  return after || (turns[i - 1]?.run_id ?? "");
}

/** siblings are the turns that follow the same one as a run's turn does, oldest first. */
export function siblings(turns, run) {
  const at = turns.findIndex((t) => t.run_id === run);
  if (at < 0) return [];
  const mine = parent(turns, at);
  return turns.filter((_, i) => parent(turns, i) === mine);
}

/** through is the path of turns through a run's turn, from the start to the newest one after it. */
export function through(turns, run) {
  const up = [];
  for (let i = turns.findIndex((t) => t.run_id === run); i >= 0; ) {
    up.unshift(turns[i]);
    const before = parent(turns, i);
    i = before === "" ? -1 : turns.findIndex((t) => t.run_id === before);
  }
  for (let last = run; ; ) {
    const next = turns.filter((t, i) => t.run_id !== last && parent(turns, i) === last).at(-1);
    if (!next) return up;
    up.push(next);
    last = next.run_id;
  }
}
