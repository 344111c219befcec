package plan

import (
	"catena/planner/loosejson"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// outcome is what is known of a part of a result before the step has run.
type outcome struct {
	schemas []*jsonschema.Schema // any of them may hold; none: nothing is known
	kinds   kinds
	table   bool // a table passed by handle
	list    bool // a [*] on the way: the value is a list of what schemas describe
}

func unknown() outcome { return outcome{kinds: kindAny} }

// isTable reports whether a result's schema is that of a table on the wire: columns and rows. In references a table is
// a list of records, whatever the wire form says.
func isTable(s *jsonschema.Schema) bool {
	columns, rows := false, false
	var few [4]*jsonschema.Schema
	for _, p := range parts(s, 0, few[:0]) {
		_, c := p.Properties["columns"]
		_, r := p.Properties["rows"]
		columns, rows = columns || c, rows || r
	}
	return columns && rows
}

func whole(s *jsonschema.Schema) outcome {
	switch {
	case s == nil:
		return unknown()
	case isTable(s):
		return outcome{schemas: []*jsonschema.Schema{s}, kinds: kindText | kindObject | kindList, table: true}
	}
	return outcome{schemas: []*jsonschema.Schema{s}, kinds: allowed(s, 0)}
}

// some makes the outcome of alternatives. Of too many nothing is known: each may have as many again.
func some(list []*jsonschema.Schema) outcome {
	list = distinct(list)
	if len(list) == 0 || len(list) > maxParts {
		return unknown()
	}
	o := outcome{schemas: list}
	for _, s := range list {
		o.kinds |= allowed(s, 0)
	}
	return o
}

// distinct leaves out schemas that stand there already, and those behind maxParts and one.
func distinct(list []*jsonschema.Schema) []*jsonschema.Schema {
	if len(list) < 2 {
		return list
	}
	seen := make(map[*jsonschema.Schema]bool, min(len(list), maxParts+1))
	out := make([]*jsonschema.Schema, 0, min(len(list), maxParts+1))
	for _, s := range list {
		if !seen[s] && len(out) <= maxParts {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// follow says what a path finds in a result. The problem is a Code and a message when the path cannot be there.
func follow(o outcome, path []Seg) (outcome, Code, string) {
	for _, seg := range path {
		next, code, why := o.step(seg)
		if code != "" {
			return o, code, why
		}
		next.list = o.list || seg.All && seg.Field == ""
		o = next
	}
	if o.list {
		o.kinds = kindList
	}
	return o, "", ""
}

func (o outcome) step(seg Seg) (outcome, Code, string) {
	if seg.Field != "" {
		return o.field(seg.Field)
	}
	if o.table {
		return o, UnknownOutputField, "a table has no [n] or [*] of its own; write .rows[*] before it"
	}
	if o.kinds&kindList == 0 {
		return o, UnknownOutputField, "[*] and [n] need a list; there is " + o.kinds.String()
	}
	var in []*jsonschema.Schema
	for _, s := range o.schemas {
		in = append(in, element(s, seg.element())...)
	}
	return some(in), "", ""
}

func (s Seg) element() int {
	if s.All || s.Only || s.Index < 0 {
		return -1
	}
	return s.Index
}

func (o outcome) field(name string) (outcome, Code, string) {
	if o.table && name == "rows" {
		return o.rows(), "", ""
	}
	if o.table && name == "columns" {
		return outcome{kinds: kindList}, "", ""
	}
	if o.kinds&kindObject == 0 {
		return o, UnknownOutputField, "there is no field " + loosejson.Shown(name) + " in " + o.kinds.String()
	}
	if len(o.schemas) == 0 {
		return unknown(), "", ""
	}
	var in []*jsonschema.Schema
	free := false
	for _, s := range o.schemas {
		found, open := property(s, name)
		in, free = append(in, found...), free || open
	}
	if len(in) == 0 && !free {
		var names []string
		for _, s := range o.schemas {
			names = append(names, fieldNames(s)...)
		}
		return o, UnknownOutputField, "there is no field " + loosejson.Shown(name) + suggestion(name, thereAre, names)
	}
	return some(in), "", ""
}

// rows are the records of a table: with declared fields where the schema has them, else with columns that are not known yet.
func (o outcome) rows() outcome {
	for _, s := range o.schemas {
		lists, _ := property(s, "rows")
		for _, l := range lists {
			for _, e := range element(l, -1) {
				if len(fieldNames(e)) > 0 {
					return outcome{schemas: []*jsonschema.Schema{l}, kinds: kindList}
				}
			}
		}
	}
	return outcome{kinds: kindList}
}

// thereAre leads the names that there are.
const thereAre = "there are"

// suggestion ends a message about a name that is not there: with the nearest one, else with all, behind the words that lead them.
func suggestion(name, lead string, names []string) string {
	const most = 20
	if near := nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	switch n := len(names); {
	case n == 0:
		return ""
	case n == 1 && lead == thereAre:
		return "; there is only " + names[0]
	case n == 1:
		return "; " + lead + " only " + names[0]
	case n > most:
		return "; " + lead + " " + strings.Join(names[:most], ", ") + " and more"
	}
	return "; " + lead + " " + strings.Join(names, ", ")
}
