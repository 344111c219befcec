package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// maxUnited bounds how many tables are read as one.
const maxUnited = 24

// unite reads tables with the same columns, such as a file for each month, as one, unless the message names one of them. Results,
// live tables and those of the demonstration stay apart.
func (o *Planner) unite(s *session, toks []token) {
	groups := map[string][]*view{}
	var order []string
	for _, v := range s.views {
		if v.info.Live || v.info.Source == "demo" || v.info.Source == "result" || len(v.cols) < 2 {
			continue
		}
		key := v.shape
		if len(groups[key]) == 0 {
			order = append(order, key)
		}
		groups[key] = append(groups[key], v)
	}
	for _, key := range order {
		same := groups[key]
		if len(same) < 2 || len(same) > maxUnited {
			continue
		}
		if named := namedOf(same, toks); len(named) > 0 {
			if len(named) == 1 {
				s.views = slices.DeleteFunc(slices.Clone(s.views), func(v *view) bool { return v != named[0] && slices.Contains(same, v) })
			}
			continue
		}
		whole := o.unitedOf(same)
		at := slices.Index(s.views, same[0])
		s.views = slices.DeleteFunc(slices.Clone(s.views), func(v *view) bool { return slices.Contains(same, v) })
		s.views = slices.Insert(s.views, min(at, len(s.views)), whole)
		s.united = append(s.united, whole)
	}
}

// shapeOf is what tables that can be put below each other have in common: the names and types of their columns.
func (v *view) shapeOf() string {
	var parts []string
	for _, c := range v.cols {
		typ := c.info.Type
		if typ == "integer" || typ == "decimal" || typ == "float" {
			typ = "number"
		}
		parts = append(parts, c.info.Name+"\x00"+typ)
	}
	slices.Sort(parts)
	return strings.Join(parts, "\x01")
}

// namedOf gives the tables of which the message has a word of the name that not all of them have.
func namedOf(same []*view, toks []token) []*view {
	var out []*view
	for _, t := range toks {
		var named []*view
		for _, v := range same {
			if v.source[t.lemma] || v.source[t.low] || t.text == v.info.Name || monthIn(v, t) {
				named = append(named, v)
			}
		}
		for _, v := range named {
			if len(named) < len(same) && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// monthIn reports whether the table's name has the month that the word names: feb in february.
func monthIn(v *view, t token) bool {
	m := monthNames[t.low]
	if m == 0 {
		return false
	}
	for w := range v.source {
		if monthNames[w] == m {
			return true
		}
	}
	return false
}

// unitedOf gives the view of tables below each other, making it when it is new. Views are made once, so that their places in memory
// tell them apart.
func (o *Planner) unitedOf(same []*view) *view {
	const most = 64
	var key [maxUnited]*view
	copy(key[:], same)
	o.mu.Lock()
	defer o.mu.Unlock()
	if v, ok := o.unions[key]; ok {
		return v
	}
	if o.unions == nil || len(o.unions) >= most {
		o.unions = map[[maxUnited]*view]*view{}
	}
	v := unitedView(same)
	o.unions[key] = v
	return v
}

// unitedView is the view of the tables below each other, under the name of the first.
func unitedView(same []*view) *view {
	info := same[0].info
	info.Columns = slices.Clone(info.Columns)
	info.Rows = 0
	var names []string
	for _, v := range same {
		info.Rows += v.info.Rows
		info.Attached = info.Attached || v.info.Attached
		names = append(names, v.info.Name)
	}
	for i := range info.Columns {
		c := &info.Columns[i]
		c.Distinct, c.Nulls, c.NotNumbers = 0, 0, 0
		for _, v := range same {
			o := v.cols[v.column(c.Name)].info
			c.Nulls, c.NotNumbers = c.Nulls+o.Nulls, c.NotNumbers+o.NotNumbers
			if c.Role == "identifier" {
				c.Distinct += o.Distinct
			} else {
				c.Distinct = max(c.Distinct, o.Distinct)
			}
			if lessText(o.Min, c.Min) {
				c.Min = o.Min
			}
			if lessText(c.Max, o.Max) {
				c.Max = o.Max
			}
		}
	}
	whole := newView(info)
	whole.union = names[1:]
	for _, v := range same[1:] { // what the rows are is what all the names say
		for w := range whole.source {
			if !v.source[w] {
				delete(whole.source, w)
				delete(whole.entity, w)
			}
		}
	}
	return whole
}

// lessText compares the least or greatest values of columns: numbers as such, dates as text; what is not known is less than nothing.
func lessText(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err == nil && err2 == nil {
		return x < y
	}
	return a != "" && b != "" && a < b
}

// together puts the tables of each union below each other wherever a plan uses the first of them, and says so.
func (s *session) together(p plan.Plan) plan.Plan {
	for _, v := range s.united {
		used := false
		var before []plan.Step
		for i := range p.Steps {
			step := &p.Steps[i]
			if step.Tool == queryTool && step.Args["table"] == v.info.Name && step.Args["union"] == nil {
				step.Args["union"] = anyList(v.union)
				used = true
			}
			if step.Tool != queryTool && step.Args["data"] == v.info.Name {
				if len(before) == 0 {
					id := fmt.Sprintf("all_%d", len(p.Steps))
					before = append(before, plan.Step{ID: id, Tool: queryTool, Args: plan.Query{Table: v.info.Name, Union: v.union}.Args()})
				}
				step.Args["data"], used = plan.Ref{Step: before[0].ID}, true
			}
		}
		p.Steps = append(before, p.Steps...)
		if used {
			names := append([]string{v.info.Name}, v.union...)
			list := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
			if len(names) > 5 {
				list = fmt.Sprintf("%s and %d more", strings.Join(names[:4], ", "), len(names)-4)
			}
			s.notes = append(s.notes, "Read together, because their columns are the same: "+list+".")
		}
	}
	return p
}
