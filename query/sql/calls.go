package sql

import (
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// function is what a function of SQL is in the algebra.
type function struct {
	do          string // the algebra's function, which takes the arguments in their order
	kinds       string // what the arguments become, one letter each, the last one for all that follow: see prepared
	least, most int    // how many there are; most -1 is any number
	make        func(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr
	hint        string // of one that is not read: what to write instead
}

// call lowers a function: an aggregate, a window, or one of the table.
func (l *lowerer) call(c *callNode, s *scope) query.Expr {
	if c.over != nil {
		return l.windowCall(c, s)
	}
	if agg, is := aggregates[c.name]; is && !(extremes[c.name] && len(c.args) > 1) {
		return l.aggregateCall(agg, c, s)
	}
	if _, is := windows[c.name]; is {
		return l.refuse(c.start(), "write OVER (ORDER BY ...) behind it", "%s is a window function",
			strings.ToUpper(c.name))
	}
	f, is := functions[c.name]
	if !is {
		found := l.find(query.UnknownFunction, c.start(), "", "there is no function %s", strings.ToUpper(short(c.name)))
		found.Nearest = nearest(c.name, functionNames)
		return query.Literal{}
	}
	if f.hint != "" {
		return l.refuse(c.start(), f.hint, "%s is not read here", strings.ToUpper(c.name))
	}
	if c.distinct || c.filter != nil || len(c.order) > 0 {
		return l.refuse(c.start(), "leave DISTINCT, ORDER BY and FILTER out", "%s is no aggregate", strings.ToUpper(c.name))
	}
	if !l.counts(c, f.least, f.most) {
		return query.Literal{}
	}
	return l.apply(f, c, s)
}

func (l *lowerer) apply(f *function, c *callNode, s *scope) query.Expr {
	args := make([]query.Expr, len(c.args))
	for i, a := range c.args {
		args[i] = l.prepared(f.kinds, i, a, s)
	}
	if f.make != nil {
		return f.make(l, c, args, s)
	}
	return query.Do(f.do, args...)
}

// prepared lowers an argument: n a number, t a text, m a time, c a condition, and - what it is.
func (l *lowerer) prepared(kinds string, i int, a node, s *scope) query.Expr {
	e := l.expr(a, s)
	if kinds == "" {
		return e
	}
	switch kinds[min(i, len(kinds)-1)] {
	case 'n':
		return l.number(e, s)
	case 't':
		return l.textual(e, s)
	case 'm':
		return l.moment(e, a.start(), s)
	case 'c':
		return l.condition(a, s)
	}
	return e
}

// counts says when a function has too few arguments or too many.
func (l *lowerer) counts(c *callNode, least, most int) bool {
	n := len(c.args)
	if n >= least && (n <= most || most < 0) {
		return true
	}
	want := plural(least, "argument")
	switch {
	case most < 0:
		want = "at least " + want
	case most > least:
		want += " to " + plural(most, "argument")
	}
	l.find(query.Arguments, c.start(), "", "%s takes %s, not %d", strings.ToUpper(c.name), want, n)
	return false
}

// moment is a value as a date or a time: a text is read as one.
func (l *lowerer) moment(e query.Expr, at int, s *scope) query.Expr {
	if isText(e) {
		return l.literalAs(e, table.DateTime, at)
	}
	switch l.typ(e, s) {
	case table.Text:
		return query.Cast{Expr: e, Type: table.DateTime}
	case table.Int, table.Float, table.Decimal:
		l.find(query.TypeMismatch, at, "give a date", "a number is no date")
		return query.Literal{}
	}
	return e
}

// aggregate functions of SQL and the algebra's.
type aggregateOf struct {
	do    string
	kinds string
	least int
	most  int
	make  func(l *lowerer, c *callNode, a *query.Aggregate) (after func(query.Expr) query.Expr)
}

// extremes are aggregates of one argument that are functions of several.
var extremes = set("min", "max")

func (l *lowerer) aggregateCall(agg aggregateOf, c *callNode, s *scope) query.Expr {
	if !s.group.allows() {
		return l.refuse(c.start(), "use HAVING, or a subquery", "an aggregate (%s) cannot stand here",
			strings.ToUpper(c.name))
	}
	name := cmpOr(s.group.takeWish(), l.textOf(c))
	a, after, ok := l.aggregateParts(agg, c, s)
	if !ok {
		return query.Literal{}
	}
	e := l.aggregate(a, name, s)
	if after != nil {
		return after(e)
	}
	return e
}

// aggregateParts lowers what stands inside an aggregate.
func (l *lowerer) aggregateParts(agg aggregateOf, c *callNode, s *scope) (a query.Aggregate,
	after func(query.Expr) query.Expr, ok bool) {
	a = query.Aggregate{Func: agg.do, Distinct: c.distinct}
	if _, star := firstArg(c).(starNode); star {
		if agg.do != "count" {
			l.find(query.Arguments, c.start(), "name a column", "%s(*) means nothing", strings.ToUpper(c.name))
			return a, nil, false
		}
		c = &callNode{at: c.at, name: c.name, filter: c.filter}
	}
	if !l.counts(c, agg.least, agg.most) {
		return a, nil, false
	}
	if c.within != nil {
		c = within(c)
	}
	s.group.inside = true
	defer func() { s.group.inside = false }()
	for i, x := range c.args {
		a.Args = append(a.Args, l.prepared(agg.kinds, i, x, s))
	}
	if c.filter != nil {
		a.Where = l.condition(c.filter, s)
	}
	for _, o := range c.order {
		a.Order = append(a.Order, l.sortKey(o, l.expr(o.x, s)))
	}
	if agg.make != nil {
		after = agg.make(l, c, &a)
	}
	return a, after, true
}

// within makes PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) the call of two arguments, x first.
func within(c *callNode) *callNode {
	copied := *c
	copied.args = append([]node{c.within[0].x}, c.args...)
	if c.within[0].desc && len(c.args) == 1 {
		copied.args[1] = binaryNode{c.at, "-", valueNode{c.at, one}, c.args[0]}
	}
	copied.within = nil
	return &copied
}

func firstArg(c *callNode) node {
	if len(c.args) == 0 {
		return nil
	}
	return c.args[0]
}

// textOf is how a call is written, for the name of its column.
func (l *lowerer) textOf(c *callNode) string {
	var b strings.Builder
	b.WriteString(c.name + "(")
	if c.distinct {
		b.WriteString("distinct ")
	}
	for i, a := range c.args {
		if i > 0 {
			b.WriteString(", ")
		}
		switch x := a.(type) {
		case nameNode:
			b.WriteString(x.name)
		case starNode:
			b.WriteString("*")
		case valueNode:
			b.WriteString(short(x.value.String()))
		default:
			b.WriteString("...")
		}
	}
	b.WriteString(")")
	return b.String()
}

// frameUnits are the units of frames by their words.
var frameUnits = map[string]query.FrameUnit{"rows": query.Rows, "range": query.Range, "groups": query.Groups}

// windowCall lowers a function with OVER.
func (l *lowerer) windowCall(c *callNode, s *scope) query.Expr {
	if !s.group.allows() || s.group.inWindow {
		return l.refuse(c.start(), "compute it in a subquery or WITH, and use its column",
			"a window function cannot stand here")
	}
	name := cmpOr(s.group.takeWish(), l.textOf(c)+" over")
	over, ok := l.windowOf(c.over, s, 0)
	if !ok {
		return query.Literal{}
	}
	agg, is := windows[c.name]
	if !is {
		agg, is = aggregates[c.name]
	}
	if !is {
		return l.refuse(c.start(), "", "%s is no window function", strings.ToUpper(c.name))
	}
	if c.distinct || len(c.order) > 0 {
		return l.refuse(c.start(), "group in a subquery first",
			"DISTINCT and ORDER BY inside a window function are not read here")
	}
	plain := *c
	plain.over = nil
	s.group.inWindow = true
	defer func() { s.group.inWindow = false }()
	a, after, ok := l.windowParts(agg, &plain, s)
	if !ok {
		return query.Literal{}
	}
	w := query.WindowColumn{Func: a.Func, Args: a.Args, Where: a.Where}
	for _, p := range over.partition {
		l.misread(p, s)
		w.Partition = append(w.Partition, l.expr(p, s))
	}
	for _, o := range over.order {
		l.misread(o.x, s)
		w.Order = append(w.Order, l.sortKey(o, l.expr(o.x, s)))
	}
	w.Frame = l.frame(over.frame)
	e := l.window(w, name, s)
	if after != nil {
		return after(e)
	}
	return e
}

// windowParts lowers the arguments of a window function: aggregates may stand in them, windows may not.
func (l *lowerer) windowParts(agg aggregateOf, c *callNode, s *scope) (query.Aggregate, func(query.Expr) query.Expr,
	bool) {
	a := query.Aggregate{Func: agg.do}
	if _, star := firstArg(c).(starNode); star {
		c = &callNode{at: c.at, name: c.name, filter: c.filter}
	}
	if !l.counts(c, agg.least, agg.most) {
		return a, nil, false
	}
	for i, x := range c.args {
		a.Args = append(a.Args, l.prepared(agg.kinds, i, x, s))
	}
	if c.filter != nil {
		a.Where = l.condition(c.filter, s)
	}
	if agg.make != nil {
		return a, agg.make(l, c, &a), true
	}
	return a, nil, true
}

// windowOf is a window with what it takes from the one that it names.
func (l *lowerer) windowOf(w *windowNode, s *scope, depth int) (windowNode, bool) {
	out := *w
	if w.base == "" {
		return out, true
	}
	base, is := s.windows[strings.ToLower(w.base)]
	if !is || depth > maxDepth/10 {
		l.find(query.Arguments, w.start(), "name it in WINDOW", "there is no window %q", short(w.base))
		return out, false
	}
	from, ok := l.windowOf(base, s, depth+1)
	if len(out.partition) == 0 {
		out.partition = from.partition
	}
	if len(out.order) == 0 {
		out.order = from.order
	}
	if out.frame == nil {
		out.frame = from.frame
	}
	return out, ok
}

func (l *lowerer) frame(f *frameNode) query.Frame {
	if f == nil {
		return query.Frame{}
	}
	return query.Frame{Unit: frameUnits[f.unit], Start: l.bound(f.start), End: l.bound(f.end)}
}

func (l *lowerer) bound(b boundNode) query.Bound {
	if b.offset == nil {
		return query.Bound{Unbounded: b.unbounded}
	}
	var v table.Value
	switch x := b.offset.(type) {
	case valueNode:
		v = x.value
	case intervalNode:
		if lit, is := l.length(x).(query.Literal); is {
			v = lit.Value
		}
	}
	if !v.Type().Numeric() && v.Type() != table.Duration {
		l.find(query.Arguments, b.start(), "write a number", "the bound of a frame is a number")
		return query.Bound{}
	}
	if b.before {
		v = negative(v)
	}
	return query.Bound{Offset: v}
}

// negative is a number or a length of time with the other sign.
func negative(v table.Value) table.Value {
	if n, ok := v.Int(); ok && v.Type() == table.Int {
		return table.IntValue(-n)
	}
	if us, ok := v.Micros(); ok && v.Type() == table.Duration {
		return table.DurationOfMicros(-us)
	}
	if d := v.Apd(); d != nil {
		d.Negative = !d.Negative
		if n, err := table.DecimalFromApd(d); err == nil {
			return n
		}
	}
	f, _ := v.Float()
	return table.FloatValue(-f)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
