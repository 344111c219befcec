package offline

import (
	"encoding/json"
	"slices"

	"catena/planner/plan"
)

// byID carries out what is done to a thing by its id, and shows the thing. Without an id it looks for the thing, shows ids, and says
// that nothing was done.
func (d *doing) byID() bool {
	params := d.idParams()
	if len(params) != 1 {
		return false
	}
	if found := idsIn(d.c.s.req.Message, d.sp.all, params[0]); len(found) > 0 {
		d.stepsFor(params[0], found)
		return true
	}
	if len(d.sp.object) == 0 || pointed(d.sp.object) {
		step, ok := d.shownOne(params[0])
		if ok {
			d.c.answers = append(d.c.answers, step)
			d.deleteOne(params[0], step)
			d.c.answers = append(d.c.answers, len(d.c.steps)-1)
		}
		return ok
	}
	if d.topical() {
		if sure, ok := d.foundOne(params[0], trimmed(d.sp.object, articles)); ok {
			d.deleteOne(params[0], sure)
			d.c.notes = append(d.c.notes, "A memory is deleted by its topic only where exactly one fits; else nothing is: say “forget” with the id of what should go.")
			return true
		}
	}
	other := meanings[d.sp.m.instead]
	if other == nil || d.phrase() == "" || !d.c.mean(spoken{m: other, object: d.sp.object, all: d.sp.all}) {
		d.ask()
		return false
	}
	d.c.notes = append(d.c.notes, "Nothing was deleted: say “forget” with the id of what should go.")
	d.c.showColumn(params[0].name)
	return true
}

// stepsFor adds a step for each id, and before them one that shows what the ids stand for, where a table holds it.
func (d *doing) stepsFor(p param, ids []string) {
	shown := -1
	for _, t := range d.c.s.req.Tables {
		i := slices.IndexFunc(t.Columns, func(c plan.ColumnInfo) bool { return c.Name == p.name })
		if !t.Live || i < 0 || d.c.cat.byName(queryTool) == nil {
			continue
		}
		q := plan.Query{Table: t.Name, Filter: []plan.Condition{{Column: p.name, Op: "in", Value: anyList(ids)}}, Select: []plan.Select{{Column: p.name}}}
		q.Select = append(q.Select, wordColumns(t.Columns, p.name)...)
		shown = d.c.add(queryTool, q.Args())
		d.c.answers = append(d.c.answers, shown)
		break
	}
	for _, id := range ids {
		step := d.c.add(d.f.Name, map[string]any{p.name: id})
		if shown >= 0 { // it is read before it is gone
			d.c.steps[step].When = &plan.When{Ref: d.c.ref(shown, plan.Seg{Field: "row_count"}), Op: "ge", Value: json.Number("0")}
		}
		d.c.answers = append(d.c.answers, step)
	}
	d.c.last, d.c.view, d.c.base = d.f, nil, nil
}

// wordColumns are the first columns of words beside the id.
func wordColumns(columns []plan.ColumnInfo, id string) (out []plan.Select) {
	for _, c := range columns {
		if c.Name != id && c.Type == "text" && len(out) < 2 {
			out = append(out, plan.Select{Column: c.Name})
		}
	}
	return out
}

// showColumn shows the last result with a column that it may hide: an id that the asker needs.
func (c *chain) showColumn(name string) {
	if c.last == nil || c.cat.byName(queryTool) == nil || !slices.ContainsFunc(c.last.columns, func(col plan.ColumnInfo) bool { return col.Name == name }) {
		return
	}
	q := plan.Query{Data: c.ref(len(c.steps) - 1), Select: append([]plan.Select{{Column: name}}, wordColumns(c.last.columns, name)...)}
	c.answers = append(c.answers[:len(c.answers)-1], c.add(queryTool, q.Args()))
}
