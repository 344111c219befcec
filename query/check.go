package query

import (
	"fmt"
	"strconv"
	"strings"

	"catena/table"
)

// Finding is one thing that is wrong with a query, or doubtful.
type Finding struct {
	Code    string   // of the constants below
	Path    string   // where: "stages[2].where.args[0]"
	Text    string   // what is wrong, a sentence without a full stop
	Nearest []string // names that look like the unknown one, best first, at most three
	Hint    string   // what to write instead; "" where Text says it
	Doubt   bool     // the query runs, and its figures may not mean what was asked for
}

// The codes of findings.
const (
	UnknownTable    = "unknown_table"
	UnknownColumn   = "unknown_column"
	AmbiguousColumn = "ambiguous_column"
	DuplicateColumn = "duplicate_column"
	UnknownFunction = "unknown_function"
	Arguments       = "arguments" // of a number or a type that the function does not take
	TypeMismatch    = "type_mismatch"
	Shape           = "shape" // columns that two relations do not share, a value where there are several
	TooLarge        = "too_large"
	NotAdditive     = "not_additive" // a sum of what does not add up; a doubt
	MayBeZero       = "may_be_zero"  // a divisor; a doubt
)

// String is the finding in one line.
func (f Finding) String() string {
	s := f.Path + ": " + f.Text
	if f.Path == "" {
		s = f.Text
	}
	switch {
	case f.Hint != "":
		s += "; " + f.Hint
	case len(f.Nearest) > 0:
		s += "; did you mean " + strings.Join(f.Nearest, ", ") + "?"
	}
	return s
}

// Limits of a query; what goes over one is a finding.
const (
	MaxDepth = 200    // expressions and queries inside each other
	MaxNodes = 20_000 // expressions and stages in all
)

// Check finds all faults of a query, before anything runs, and the columns that it gives, as far as they are known.
func Check(q Query, c Catalog) (Schema, []Finding) {
	k := &checker{catalog: c}
	s := k.query(q, nil, "")
	return s, k.findings
}

// TypeOf is the field that an expression has where columns are those of scopes: the relation that it stands in first,
// then the ones around its query. Findings are as Check gives them.
func TypeOf(e Expr, c Catalog, scopes ...Schema) (Field, []Finding) {
	k := &checker{catalog: c}
	f := k.expr(e, scopes, "")
	return f, k.findings
}

// checker goes through a query once.
type checker struct {
	catalog  Catalog
	findings []Finding
	depth    int
	nodes    int
	over     bool // a limit was met, which is said once
}

func (k *checker) find(code, path, text string, args ...any) *Finding {
	k.findings = append(k.findings, Finding{Code: code, Path: path, Text: fmt.Sprintf(text, args...)})
	return &k.findings[len(k.findings)-1]
}

// doubt finds what does not stop the query.
func (k *checker) doubt(code, path, text string, args ...any) {
	k.find(code, path, text, args...).Doubt = true
}

// enter counts a node; false says that the query is too large to look at further. leave must follow where it is true.
func (k *checker) enter(path string) bool {
	k.nodes++
	if k.depth < MaxDepth && k.nodes < MaxNodes {
		k.depth++
		return true
	}
	if !k.over {
		k.over = true
		k.find(TooLarge, path, "the query has more than %d parts, or %d inside each other", MaxNodes, MaxDepth)
	}
	return false
}

func (k *checker) leave() { k.depth-- }

// at is the path of a part.
func at(path, part string) string {
	if path == "" {
		return part
	}
	return path + "." + part
}

func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// query is the schema that a query gives. outer are the relations around it.
func (k *checker) query(q Query, outer []Schema, path string) Schema {
	if !k.enter(path) {
		return nil
	}
	defer k.leave()
	s := k.source(q, outer, path)
	for i, stage := range q.Stages {
		here := item(at(path, "stages"), i)
		if !k.enter(here) {
			return s
		}
		s = k.stage(stage, s, outer, here)
		k.leave()
	}
	return s
}

func (k *checker) source(q Query, outer []Schema, path string) Schema {
	switch {
	case q.Of != nil:
		return k.query(*q.Of, outer, at(path, "of"))
	case q.From == "":
		return nil
	}
	s, ok := k.catalog.Schema(q.From)
	if !ok {
		f := k.find(UnknownTable, at(path, "from"), "there is no table %q", q.From)
		f.Nearest = table.Nearest(q.From, k.catalog.Tables())
	}
	return s
}

// stage is the schema behind a stage.
func (k *checker) stage(stage Stage, in Schema, outer []Schema, path string) Schema {
	scopes := append([]Schema{in}, outer...)
	switch st := stage.(type) {
	case Filter:
		k.condition(st.Where, scopes, at(path, "where"))
	case Derive:
		return k.derive(st, scopes, path)
	case Project:
		return k.named(st.Columns, scopes, at(path, "columns"))
	case Group:
		return k.group(st, scopes, path)
	case Pivot:
		return k.pivot(st, scopes, path)
	case Unpivot:
		return k.unpivot(st, scopes, path)
	case Window:
		return k.window(st, scopes, path)
	case Join:
		return k.join(st, scopes, path)
	case Set:
		return k.set(st, scopes, path)
	case Sort:
		k.keys(st.Keys, scopes, at(path, "keys"))
	case Take:
		k.take(st, scopes, path)
	}
	return in
}

func (k *checker) derive(st Derive, scopes []Schema, path string) Schema {
	out := append(Schema{}, scopes[0]...)
	for i, f := range k.named(st.Columns, scopes, at(path, "columns")) {
		if at := out.Index(st.Columns[i].As); at >= 0 && out[at].Name == f.Name {
			out[at] = f
			continue
		}
		out = append(out, f)
	}
	return out
}

// named are columns with their names, which must be distinct.
func (k *checker) named(columns []Named, scopes []Schema, path string) Schema {
	out := make(Schema, 0, len(columns))
	for i, c := range columns {
		f := k.expr(c.Expr, scopes, item(path, i))
		out = k.column(out, c.As, f, item(path, i))
	}
	return out
}

// column adds a field of a name that must be new.
func (k *checker) column(s Schema, name string, f Field, path string) Schema {
	for i := range s {
		if s[i].Name == name {
			k.find(DuplicateColumn, path, "there are two columns %q", name).Hint = "give one another name"
			break
		}
	}
	f.Name = name
	return append(s, f)
}

func (k *checker) group(st Group, scopes []Schema, path string) Schema {
	out := k.named(st.Keys, scopes, at(path, "keys"))
	for i, a := range st.Aggregates {
		here := item(at(path, "aggregates"), i)
		k.optional(a.Where, scopes, at(here, "where"))
		k.keys(a.Order, scopes, at(here, "order"))
		f := k.apply(aggregates, a.Func, a.Args, scopes, here)
		out = k.column(out, a.As, f, here)
	}
	return out
}

func (k *checker) window(st Window, scopes []Schema, path string) Schema {
	out := append(Schema{}, scopes[0]...)
	for i, w := range st.Columns {
		here := item(at(path, "columns"), i)
		k.optional(w.Where, scopes, at(here, "where"))
		for j, p := range w.Partition {
			k.expr(p, scopes, item(at(here, "partition"), j))
		}
		k.keys(w.Order, scopes, at(here, "order"))
		k.frame(w, here)
		known := windows
		if _, ok := windows[w.Func]; !ok {
			known = aggregates
		}
		out = k.column(out, w.As, k.apply(known, w.Func, w.Args, scopes, here), here)
	}
	return out
}

// frame asks for the order that some frames need.
func (k *checker) frame(w WindowColumn, path string) {
	offsets := !w.Frame.Start.Offset.IsNull() || !w.Frame.End.Offset.IsNull()
	if w.Frame.Unit == Range && offsets && len(w.Order) != 1 {
		k.find(Shape, at(path, "frame"), "a frame of a range of values needs an order by one key")
	}
	if w.Frame.Unit == Groups && len(w.Order) == 0 {
		k.find(Shape, at(path, "frame"), "a frame of groups needs an order")
	}
}

func (k *checker) join(st Join, scopes []Schema, path string) Schema {
	left := scopes[0]
	right := k.query(st.With, scopes[1:], at(path, "with"))
	both := append(Schema{}, left...)
	for _, f := range right {
		if left.Index(f.Name) >= 0 && left[left.Index(f.Name)].Name == f.Name {
			k.find(DuplicateColumn, at(path, "with"), "both sides have a column %q", f.Name).Hint = "project one side to other names"
		}
		both = append(both, f)
	}
	k.optional(st.On, append([]Schema{both}, scopes[1:]...), at(path, "on"))
	if st.Kind == Semi || st.Kind == Anti {
		return left
	}
	return both
}

func (k *checker) set(st Set, scopes []Schema, path string) Schema {
	left := scopes[0]
	right := k.query(st.With, scopes[1:], at(path, "with"))
	if len(left) != len(right) {
		k.find(Shape, at(path, "with"), "one side has %d columns, the other %d", len(left), len(right)).Hint = "project both to the same columns"
		return left
	}
	out := make(Schema, len(left))
	for i := range left {
		f, fault := unified([]Field{left[i], right[i]})
		if fault != "" {
			k.find(TypeMismatch, at(path, "with"), "column %q: %s", left[i].Name, fault)
		}
		f.Name, out[i] = left[i].Name, f
		out[i].Name = left[i].Name
	}
	return out
}

func (k *checker) keys(keys []SortKey, scopes []Schema, path string) {
	for i, key := range keys {
		k.expr(key.Expr, scopes, item(path, i))
	}
}

func (k *checker) take(st Take, scopes []Schema, path string) {
	if st.Offset < 0 {
		k.find(Arguments, at(path, "offset"), "the offset is negative")
	}
	for i, name := range st.Per {
		k.expr(Column{Name: name}, scopes, item(at(path, "per"), i))
	}
	k.keys(st.Ties, scopes, at(path, "ties"))
}
