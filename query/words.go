package query

import (
	"slices"
	"strconv"
	"strings"

	"catena/table"
)

// Words says a query in one sentence part, without a capital or a full stop: "sum of paid for each client, of orders
// where paid is more than 3, by sum of paid from the highest, the first 5". lang is a BCP 47 tag; what is not in
// Languages is English. It is the reading that an answer shows and the title of its table, so that a title says what
// ran. Columns are called by their titles where the catalog has them. Words says something of a query with findings
// too.
func Words(q Query, c Catalog, lang string) string {
	t := &teller{wording: wordingOf(lang), check: &checker{catalog: c}}
	return t.query(q, nil).text(t)
}

// maxPhrase is how long the words of a column's expression may be to stand in place of its name, in bytes. Without a
// bound columns made of columns would double it each time.
const maxPhrase = 120

// teller makes words. The checker beside it knows the columns that each stage sees.
type teller struct {
	wording
	check *checker
}

// view is a relation in words.
type view struct {
	base    string   // its rows
	shown   []string // the columns that are shown; nil is the rows themselves
	keys    []string // what it was grouped by
	grouped bool
	renamed bool              // shown are columns as they were, under other names or not
	added   []string          // columns that were added and are not in shown
	after   []said            // what was done with what stands before
	phrases map[string]string // what columns stand for, by name
	schema  Schema
}

// said is a part around a sentence, which is its first argument.
type said struct {
	key  string
	args []string
}

// text is the whole sentence part.
func (v *view) text(t *teller) string {
	s := v.base
	switch {
	case v.grouped && len(v.keys) == 0:
		s = t.say([]string{s, t.list(v.shown)}, "group.all")
	case v.grouped && len(v.shown) == 0:
		s = t.say([]string{s, "", t.list(v.keys)}, "group.keys")
	case v.grouped:
		s = t.say([]string{s, t.list(v.shown), t.list(v.keys)}, "group")
	case v.shown != nil:
		s = t.say([]string{s, t.list(v.shown)}, "project")
	case len(v.added) > 0:
		s = t.say([]string{s, t.list(v.added)}, "derive")
	}
	for _, a := range v.after {
		s = t.say(append([]string{s}, a.args...), a.key)
	}
	return s
}

// plain reports whether a view is rows of which nothing else has been said.
func (v *view) plain() bool { return !v.grouped && v.shown == nil && len(v.after) == 0 }

// closed is a view in which all that was said so far is the base: in brackets where more was said than which rows.
// Which of its columns go on under which names is not said.
func (v *view) closed(t *teller) *view {
	if v.renamed && len(v.after) == 0 {
		return &view{base: v.base, phrases: v.phrases, schema: v.schema}
	}
	s := v.text(t)
	if !v.plain() || len(v.added) > 0 {
		s = "(" + s + ")"
	}
	return &view{base: s, phrases: v.phrases, schema: v.schema}
}

func (t *teller) query(q Query, outer []*view) *view {
	if !t.check.enter("") {
		return &view{base: "…", phrases: map[string]string{}}
	}
	defer t.check.leave()
	v := t.source(q, outer)
	for _, st := range q.Stages {
		schema := t.check.stage(st, v.schema, schemas(outer), "")
		v = t.stage(st, v, outer)
		v.schema = schema
	}
	return v
}

func schemas(views []*view) []Schema {
	list := make([]Schema, len(views))
	for i, v := range views {
		list[i] = v.schema
	}
	return list
}

func (t *teller) source(q Query, outer []*view) *view {
	switch {
	case q.Of != nil:
		return t.query(*q.Of, outer)
	case q.From == "":
		return &view{base: t.say(nil, "nothing"), phrases: map[string]string{}}
	}
	schema, _ := t.check.catalog.Schema(q.From)
	v := &view{base: t.say([]string{q.From}, "rows"), phrases: map[string]string{}, schema: schema}
	for _, f := range schema {
		if f.Title != "" {
			v.phrases[f.Name] = f.Title
		}
	}
	return v
}

func (t *teller) stage(stage Stage, v *view, outer []*view) *view {
	scopes := append([]*view{v}, outer...)
	switch st := stage.(type) {
	case Filter:
		return t.filter(v, t.expr(st.Where, scopes))
	case Derive:
		return t.derive(v, st.Columns, scopes)
	case Project:
		return t.project(v, st.Columns, scopes)
	case Group:
		return t.group(v, st, scopes)
	case Pivot:
		return t.group(v, Group{Keys: st.Keys}, scopes).pivoted(t, st, scopes)
	case Unpivot:
		return t.unpivot(v, st, scopes)
	case Window:
		return t.window(v, st, scopes)
	case Join:
		return t.join(v, st, scopes)
	case Set:
		with := t.query(st.With, outer)
		return t.then(v, string(st.Op), with.text(t))
	case Distinct:
		return t.then(v, "distinct.rows")
	case Sort:
		if len(st.Keys) == 0 {
			return v
		}
		return t.then(v, "sort", t.keys(st.Keys, scopes))
	case Take:
		return t.take(v, st, scopes)
	}
	return v
}

// then is a view of which one thing more is said.
func (t *teller) then(v *view, key string, args ...string) *view {
	out := *v
	out.after = append(slices.Clip(v.after), said{key: key, args: args})
	return &out
}

func (t *teller) filter(v *view, condition string) *view {
	if !v.plain() {
		return t.then(v, "filter", condition)
	}
	out := *v
	out.base = t.say([]string{v.base, condition}, "filter")
	return &out
}

// defined gives columns the words of their expressions, and those words.
func (t *teller) defined(v *view, columns []Named, scopes []*view) []string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = t.expr(c.Expr, scopes)
		if len(parts[i]) > maxPhrase {
			parts[i] = c.As
		}
	}
	for i, c := range columns {
		v.phrases[c.As] = parts[i]
	}
	return parts
}

// derived is a copy whose columns may be given other words.
func (v *view) derived() *view {
	out := *v
	out.phrases = make(map[string]string, len(v.phrases))
	for name, phrase := range v.phrases {
		out.phrases[name] = phrase
	}
	return &out
}

func (t *teller) derive(v *view, columns []Named, scopes []*view) *view {
	out := v.derived()
	out.added = append(slices.Clip(v.added), t.defined(out, columns, scopes)...)
	return out
}

// project says which columns are shown. Behind a group the keys are said already.
func (t *teller) project(v *view, columns []Named, scopes []*view) *view {
	out := v.derived()
	parts := t.defined(out, columns, scopes)
	if v.whole(columns) {
		return out
	}
	if v.grouped {
		parts = slices.DeleteFunc(parts, func(p string) bool { return slices.Contains(v.keys, p) })
	}
	out.shown, out.added = parts, nil
	out.renamed = !v.grouped && !slices.ContainsFunc(columns, func(c Named) bool { return !isColumn(c.Expr) })
	return out
}

// whole reports whether columns are all that rows have, of which nothing was said but which they are: to show them is
// to show the rows.
func (v *view) whole(columns []Named) bool {
	if v.grouped || v.shown != nil || len(v.added) > 0 {
		return false
	}
	shown := map[string]bool{}
	for _, c := range columns {
		if col, ok := c.Expr.(Column); ok && col.Out == 0 {
			shown[col.Name] = true
		}
	}
	return len(columns) == len(v.schema) && len(shown) == len(v.schema)
}

func isColumn(e Expr) bool {
	_, ok := e.(Column)
	return ok
}

func (t *teller) group(v *view, st Group, scopes []*view) *view {
	out := v.derived()
	if !v.plain() {
		out = v.closed(t).derived()
	}
	keys := t.defined(out, st.Keys, scopes)
	values := make([]string, len(st.Aggregates))
	for i, a := range st.Aggregates {
		if values[i] = t.aggregate(a, scopes); len(values[i]) > maxPhrase {
			values[i] = a.As
		}
		out.phrases[a.As] = values[i]
	}
	out.grouped, out.renamed, out.keys, out.shown, out.added = true, false, keys, values, nil
	return out
}

// pivoted is a group whose values stand in columns.
func (v *view) pivoted(t *teller, st Pivot, scopes []*view) *view {
	values := make([]string, len(st.Values))
	for i, n := range st.Values {
		values[i] = t.expr(n.Expr, scopes)
	}
	s := t.say([]string{t.aggregate(st.Cell, scopes), t.expr(st.On, scopes), t.list(values)}, "pivot")
	if st.Total != "" {
		s = t.say([]string{s}, "pivot.total")
	}
	v.shown = []string{s}
	return v
}

func (t *teller) unpivot(v *view, st Unpivot, scopes []*view) *view {
	var parts []string
	for _, row := range st.Rows {
		for _, e := range row {
			if _, constant := e.(Literal); !constant {
				parts = append(parts, t.expr(e, scopes))
			}
		}
	}
	out := v.closed(t).derived()
	t.defined(out, st.Keep, scopes)
	for _, as := range st.As {
		out.phrases[as] = as
	}
	out.base = t.say([]string{out.base, t.list(parts)}, "unpivot")
	return out
}

func (t *teller) aggregate(a Aggregate, scopes []*view) string {
	args := t.all(a.Args, scopes)
	if a.Distinct && a.Func != "count" && len(args) > 0 {
		args[0] = t.say(args[:1], "distinct")
	}
	s := t.say(args, t.variants(a.Func, a.Args, a.Distinct, scopes)...)
	if a.Where != nil {
		s = t.say([]string{s, t.expr(a.Where, scopes)}, "counted")
	}
	return s
}

func (t *teller) window(v *view, st Window, scopes []*view) *view {
	out := v.derived()
	for _, w := range st.Columns {
		s := t.aggregate(Aggregate{Func: w.Func, Args: w.Args, Where: w.Where}, scopes)
		if len(w.Partition) > 0 {
			s = t.say([]string{s, t.list(t.all(w.Partition, scopes))}, "within")
		}
		if len(w.Order) > 0 {
			s = t.say([]string{s, t.keys(w.Order, scopes)}, "along")
		}
		out.phrases[w.As] = s
		out.added = append(slices.Clip(out.added), s)
		if out.shown != nil {
			out.shown = append(slices.Clip(out.shown), s)
		}
	}
	return out
}

func (t *teller) join(v *view, st Join, scopes []*view) *view {
	left, right := v, t.query(st.With, scopes[1:])
	if !left.plain() {
		left = left.closed(t)
	}
	right = right.closed(t)
	if strings.Contains(right.base, " ") && !strings.HasPrefix(right.base, "(") {
		right.base = "(" + right.base + ")" // rows with a condition
	}
	out := left.derived()
	for name, phrase := range right.phrases {
		out.phrases[name] = phrase
	}
	if st.On == nil {
		out.base = t.say([]string{left.base, right.base}, "join.cross")
		return out
	}
	both := *out
	both.schema = append(slices.Clip(left.schema), right.schema...)
	on := t.expr(st.On, append([]*view{&both}, scopes[1:]...))
	out.base = t.say([]string{left.base, right.base, on}, "join."+string(st.Kind), "join")
	return out
}

// keys say an order.
func (t *teller) keys(keys []SortKey, scopes []*view) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		way := "up"
		if k.Desc {
			way = "down"
		}
		parts[i] = t.say([]string{t.expr(k.Expr, scopes)}, way+t.kind(k.Expr, scopes), way)
	}
	return t.list(parts)
}

func (t *teller) take(v *view, st Take, scopes []*view) *view {
	rows, offset := strconv.FormatInt(st.Rows, 10), strconv.FormatInt(st.Offset, 10)
	switch {
	case st.Rows < 0 && st.Offset == 0:
	case st.Rows < 0:
		v = t.then(v, "take.skip", offset)
	case st.Offset > 0:
		v = t.then(v, "take.offset", rows, offset)
	case st.Rows == 1:
		v = t.then(v, "take.one")
	default:
		v = t.then(v, "take", rows)
	}
	if len(st.Per) > 0 {
		per := make([]string, len(st.Per))
		for i, name := range st.Per {
			per[i] = t.expr(Column{Name: name}, scopes)
		}
		v = t.then(v, "take.per", t.list(per))
	}
	if len(st.Ties) > 0 {
		v = t.then(v, "take.ties")
	}
	return v
}

// kind is the ending of keys that are said otherwise of times and texts.
func (t *teller) kind(e Expr, scopes []*view) string {
	f := t.check.expr(e, schemas(scopes), "")
	switch classOf(f.Type) {
	case classMoment, classClock:
		return ".moment"
	case classText:
		return ".text"
	}
	return ""
}

// valueText is a constant in words.
func (t *teller) valueText(v table.Value) string {
	switch v.Type() {
	case table.Null:
		return t.say(nil, "null")
	case table.Bool:
		return t.say(nil, v.Text())
	case table.Text, table.JSON:
		return t.say([]string{short(v.Text())}, "text")
	}
	return v.Text()
}

// short is a text that is cut where it is long.
func short(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return strings.TrimSpace(string(runes[:most])) + "…"
	}
	return s
}
