package statement

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// mendGrammar cures what has one reading in the arguments of a query in the tool's own JSON: aggregates by other usual
// names (avg), as calls (sum(x)), the direction of an order in its text (x desc) or by another key. It says what it
// changed; the arguments that were given stay as they are.
func mendGrammar(args map[string]any) (map[string]any, []string) {
	g := grammar{}
	out := maps.Clone(args)
	for _, list := range []struct {
		name string
		mend func(any) any
	}{{"select", g.selected}, {"order_by", g.ordered}} {
		items, ok := out[list.name].([]any)
		if !ok {
			continue
		}
		items = slices.Clone(items)
		for i, item := range items {
			items[i] = list.mend(item)
		}
		out[list.name] = items
	}
	if len(g.why) == 0 {
		return args, nil
	}
	return out, g.why
}

type grammar struct{ why []string }

func (g *grammar) note(format string, args ...any) {
	g.why = append(g.why, fmt.Sprintf(format, args...))
}

// aggregates are other usual names of the aggregates.
var aggregates = map[string]string{
	"avg": "mean", "average": "mean", "total": "sum", "maximum": "max", "minimum": "min", "std": "stddev",
	"stdev": "stddev", "n": "count", "cnt": "count", "countdistinct": "count_distinct",
	"distinct_count": "count_distinct",
	"nunique":        "count_distinct", "count_unique": "count_distinct",
}

// aggregate is an aggregate's own name; "" where the text is none.
func aggregate(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if slices.Contains(plan.Exprs, name) {
		return name
	}
	return aggregates[name]
}

// called matches an aggregate that is written as a call, with a name for its result or without one.
var called = regexp.MustCompile(`(?i)^\s*([a-z_]+)\s*\(\s*(distinct\s+)?([\w. ]+|\*)?\s*\)(?:\s+as\s+(\w+))?\s*$`)

// selected mends what is selected.
func (g *grammar) selected(item any) any {
	switch x := item.(type) {
	case string:
		m := called.FindStringSubmatch(x)
		if m == nil || aggregate(m[1]) == "" {
			return item
		}
		to := map[string]any{"expr": aggregate(m[1])}
		if column := strings.TrimSpace(m[3]); column != "" && column != "*" {
			to["column"] = column
		}
		if m[2] != "" && to["expr"] == "count" {
			to["expr"] = "count_distinct"
		}
		if m[4] != "" {
			to["as"] = m[4]
		}
		g.note("an aggregate written as a call")
		return to
	case map[string]any:
		name, _ := x["expr"].(string)
		if own := aggregate(name); own != "" && own != name {
			g.note("%s is another name of %s", name, own)
			x = maps.Clone(x)
			x["expr"] = own
		}
		return x
	}
	return item
}

// directed matches an order with its direction.
var directed = regexp.MustCompile(`(?i)^\s*(\S.*?)\s+(asc|ascending|desc|descending)\s*$`)

// ordered mends what is ordered by.
func (g *grammar) ordered(item any) any {
	switch x := item.(type) {
	case string:
		if m := directed.FindStringSubmatch(x); m != nil {
			g.note("the direction of an order stood in its text")
			return map[string]any{"column": m[1], "desc": strings.HasPrefix(strings.ToLower(m[2]), "desc")}
		}
		if column, ok := strings.CutPrefix(x, "-"); ok && column != "" {
			g.note("the direction of an order stood in its text")
			return map[string]any{"column": column, "desc": true}
		}
	case map[string]any:
		for _, key := range []string{"direction", "order", "dir", "sort"} {
			way, ok := x[key].(string)
			if _, said := x["desc"]; !ok || said || !directed.MatchString("x "+way) {
				continue
			}
			x = maps.Clone(x)
			delete(x, key)
			x["desc"] = strings.HasPrefix(strings.ToLower(way), "desc")
			g.note("%s is another name of desc", key)
			return x
		}
	}
	return item
}

// checkGrammar finds columns that a query in the tool's JSON names and its table does not have. A query over more than
// one listed table, or with columns of its own making, is for the tool to check.
func checkGrammar(args map[string]any, tables Tables) plan.Findings {
	name, _ := args["table"].(string)
	for _, more := range []string{"join", "derive", "union", "data", "change", "rank_by", "share_of_total"} {
		if args[more] != nil {
			return nil
		}
	}
	info, ok := tables.find(name)
	if !ok || info.Live {
		return nil
	}
	known := map[string]bool{"*": true, "rank": true}
	for _, c := range info.Columns {
		known[folded(c.Name)], known[folded(c.Label)] = true, true
	}
	var found plan.Findings
	for _, list := range []string{"filter", "group_by", "select"} {
		items, _ := args[list].([]any)
		for i, item := range items {
			column, ok := item.(string)
			if m, object := item.(map[string]any); object {
				column, ok = m["column"].(string)
			}
			if ok && !known[folded(column)] && !called.MatchString(column) {
				says := fmt.Sprintf("there is no column %q in %s; its columns are %s", column, info.Name,
					columnNames(info))
				at := fmt.Sprintf("/%s/%d", list, i)
				found = append(found, plan.Finding{Code: plan.UnknownOutputField, Path: at, Message: says})
			}
		}
	}
	return append(found, lackingFilter(info, args["filter"])...)
}

func columnNames(info plan.TableInfo) string {
	const most = 40
	var names []string
	for _, c := range info.Columns[:min(len(info.Columns), most)] {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
