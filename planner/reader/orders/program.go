package orders

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
	"catena/planner/reader/say"
)

// Senses of questions about the program itself.
const (
	programTools = "tools"
	programAsks  = "asks"
)

// maxListed is how many names are told at most.
const maxListed = 30

// program answers questions about the program itself: which tools there are, what can be asked.
func (o *order) program() (plan.Plan, bool) {
	i := o.words.plainFrom(o.toks, 0)
	if i == len(o.toks) {
		return plan.Plan{}, false
	}
	n, sense := o.words.at(o.toks, i, catProgram)
	if n == 0 || o.words.plainFrom(o.toks, i+n) != len(o.toks) {
		return plan.Plan{}, false
	}
	tools := make([]string, len(o.req.Tools))
	for k, t := range o.req.Tools {
		tools[k] = t.Name
	}
	tables := make([]string, len(o.req.Tables))
	for k, t := range o.req.Tables {
		tables[k] = t.Name
	}
	told := func(key string, names []string) string {
		slices.Sort(names)
		return say.Text(o.req.Locale, key, strconv.Itoa(len(names)), o.listed(names))
	}
	lines := []string{told(sayTools, tools)}
	if sense == programAsks {
		lines = []string{say.Text(o.req.Locale, sayAsk), told(sayTables, tables), told(sayTools, tools)}
	}
	return plan.Plan{Refuse: strings.Join(lines, " "), Confidence: namedSure}, true
}

// listed are names with commas, the first of many.
func (o *order) listed(names []string) string {
	out := strings.Join(names[:min(len(names), maxListed)], ", ")
	if more := len(names) - maxListed; more > 0 {
		out += say.Text(o.req.Locale, sayMore, strconv.Itoa(more))
	}
	return out
}
