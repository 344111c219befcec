package sql

import (
	"slices"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// writer is what a dialect does in its own way.
type writer struct {
	dialect      Dialect
	quote        string                // around names
	mark1        string                // before the number of an argument; "" is ? without one
	same         string                // of two texts: equal, or both null
	collate      string                // behind a text whose bytes decide
	allRows      string                // LIMIT of all rows
	types        map[table.Type]string // how an argument gets its type; {0} is it, {s} the digits behind the point
	number       string                // a text of digits as an integer
	noFull       bool                  // no FULL JOIN
	noSetAll     bool                  // INTERSECT and EXCEPT have no ALL
	noNullsOrder bool                  // no NULLS FIRST
	noFilter     bool                  // no FILTER of aggregates: what they take is null for the other rows
	noDefault    bool                  // LAG and LEAD have no default
	firstOfMany  bool                  // a scalar subquery of several rows is its first
	exactMixed   bool                  // integers and floats compare by value
	forms        map[string][]form
	casts        map[[2]table.Type]string
	aggregates   map[string][]form
}

// form is how a function is written for arguments of certain types.
type form struct {
	types string // a letter for each argument: see letterOf; * behind one stands for any number of it
	text  string // {0}, {1} ... are the arguments; {*} is all of them with commas between
	// literal says which arguments must be constants, and what they must be: those that the text leaves out are units of
	// time or layouts.
	literal func(args []cell) bool
	// write stands in place of text where that is not one; false where it cannot be said.
	write func(p *printer, args []cell) (string, bool)
}

var letters1 = map[table.Type]byte{
	table.Null: 'n', table.Bool: 'b', table.Int: 'i', table.Float: 'f', table.Decimal: 'd', table.Text: 't', table.JSON: 'j',
	table.Date: 'D', table.DateTime: 'T', table.Time: 'C', table.Duration: 'L',
}

// fits reports whether arguments are of the form's types. '#' is an exact number, '+' any number, '.' anything.
func (f form) fits(args []cell) bool {
	types, rest := strings.CutSuffix(f.types, "*")
	if len(args) < len(types) || len(args) > len(types) && !rest {
		return false
	}
	for i, a := range args {
		want := types[min(i, len(types)-1)]
		have := letters1[a.Type]
		exact := have == 'i' || have == 'd'
		switch {
		case want == have, want == '.' && have != 'n':
		case want == '#' && exact, want == '+' && (exact || have == 'f'):
		default:
			return false
		}
	}
	return f.literal == nil || f.literal(args)
}

// fill writes the arguments into the form.
func (f form) fill(args []cell) string {
	pairs := make([]string, 0, 2*len(args)+2)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text
		pairs = append(pairs, "{"+string(rune('0'+i%10))+"}", a.text)
	}
	return strings.NewReplacer(append(pairs, "{*}", strings.Join(texts, ", "), "{||}", strings.Join(texts, " || "))...).
		Replace(f.text)
}

// call writes a function.
func (p *printer) call(c query.Call, in []scoped) (cell, error) {
	switch c.Func {
	case "and", "or":
		return p.logic(c, in)
	case "not":
		if len(c.Args) == 1 {
			text, err := p.condition(c.Args[0], in, false)
			return truthOf("(NOT " + text + ")"), err
		}
	}
	args := make([]cell, len(c.Args))
	for i, a := range c.Args {
		var err error
		if args[i], err = p.expr(a, in); err != nil {
			return cell{}, inPart(c.Func, err)
		}
	}
	switch c.Func {
	case "eq", "ne", "lt", "le", "gt", "ge", "same", "in", "between":
		if len(args) < 2 {
			return cell{}, refuse("%s of too few values", c.Func)
		}
		return p.compare(c.Func, args[0], args[1:])
	case "is_null":
		return truthOf("(" + args[0].text + " IS NULL)"), nil
	case "coalesce", "least", "greatest":
		return p.oneOf(c.Func, args)
	case "nullif":
		eq, err := p.compare("eq", args[0], args[1:])
		if err != nil {
			return cell{}, err
		}
		return cell{
			Field: args[0].Field,
			text:  "(CASE WHEN " + eq.text + " THEN NULL ELSE " + args[0].text + " END)",
		}, nil
	}
	return p.formed(c, args)
}

// formed writes a function by the table of forms.
func (p *printer) formed(c query.Call, args []cell) (cell, error) {
	field, fault := resultOf(c.Func, args)
	if fault != "" {
		return cell{}, refuse("%s", fault)
	}
	if c.Func != "concat" && slices.ContainsFunc(args, func(a cell) bool { return a.Type == table.Null }) {
		return p.nothing(field), nil
	}
	if err := p.floatsAlike(args); err != nil {
		return cell{}, err
	}
	for _, f := range p.forms[c.Func] {
		if !f.fits(args) {
			continue
		}
		text, ok := f.fill(args), true
		if f.write != nil {
			text, ok = f.write(p, args)
		}
		if ok {
			return cell{Field: field, text: text}, nil
		}
	}
	return cell{}, refuse("%s of %s is not said in this dialect as it is computed here", c.Func, kindsOf(args))
}

// floatsAlike makes constants that are decimals floats where one is beside them, which they become here, too.
func (p *printer) floatsAlike(args []cell) error {
	if !slices.ContainsFunc(args, func(a cell) bool { return a.Type == table.Float }) {
		return nil
	}
	for i, a := range args {
		if a.Type != table.Decimal || a.literal == nil {
			continue
		}
		f, _ := a.literal.Float()
		var err error
		if args[i], err = p.constant(table.FloatValue(f)); err != nil {
			return err
		}
	}
	return nil
}

// nothing is a null.
func (p *printer) nothing(f query.Field) cell {
	if f.Type == table.Null {
		return cell{text: "NULL", literal: &table.NullValue}
	}
	return p.nullAs(cell{Field: f})
}

func kindsOf(args []cell) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = typeNames[a.Type]
	}
	return strings.Join(names, ", ")
}

// resultOf is the field that a function gives, as queries have it.
func resultOf(name string, args []cell) (query.Field, string) {
	schema := make(query.Schema, len(args))
	call := query.Call{Func: name, Args: make([]query.Expr, len(args))}
	for i, a := range args {
		schema[i] = a.Field
		schema[i].Name = string(rune('a' + i))
		call.Args[i] = query.Col(schema[i].Name)
		if a.literal != nil {
			call.Args[i] = query.Lit(*a.literal)
		}
	}
	f, findings := query.TypeOf(call, nil, schema)
	for _, found := range findings {
		if !found.Doubt {
			return f, found.Text
		}
	}
	return f, ""
}

func (p *printer) logic(c query.Call, in []scoped) (cell, error) {
	parts := make([]string, len(c.Args))
	for i, a := range c.Args {
		var err error
		if parts[i], err = p.condition(a, in, false); err != nil {
			return cell{}, err
		}
	}
	return truthOf("(" + strings.Join(parts, " "+strings.ToUpper(c.Func)+" ") + ")"), nil
}

// oneOf is the first, the least or the greatest of values.
func (p *printer) oneOf(name string, args []cell) (cell, error) {
	to, values, err := p.unified(args)
	if err != nil {
		return cell{}, err
	}
	texts := make([]string, len(values))
	for i, v := range values {
		if texts[i] = v.text; name == "coalesce" {
			continue
		}
		if err := p.orders(v); err != nil {
			return cell{}, err
		}
		texts[i] = p.collated(v)
	}
	if len(texts) == 1 {
		return cell{Field: to, text: texts[0]}, nil
	}
	if name != "coalesce" && len(p.forms[name]) == 0 {
		return cell{}, refuse("%s is null there where one of its values is", name)
	}
	return cell{Field: to, text: strings.ToUpper(name) + "(" + strings.Join(texts, ", ") + ")"}, nil
}

func (p *printer) castOf(x query.Cast, in []scoped) (cell, error) {
	a, err := p.expr(x.Expr, in)
	if err != nil {
		return cell{}, err
	}
	if a.Type == table.Null {
		return p.nullAs(typed(x.Type, "")), nil
	}
	if isWhole(x.Expr) && x.Type == table.Int { // CAST(strftime('%Y', d) AS INTEGER)
		return cell{Field: typed(table.Int, "").Field, text: strings.Replace(p.number, "{0}", a.text, 1)}, nil
	}
	if a.Type == x.Type && x.Type != table.Decimal {
		return a, nil
	}
	return p.cast(a, x.Type, x.Scale)
}

// cast is a value as another type.
func (p *printer) cast(a cell, t table.Type, scale int32) (cell, error) {
	text, ok := p.casts[[2]table.Type{a.Type, t}]
	if !ok {
		return cell{}, refuse(
			"%s as %s is not said in this dialect as it is computed here",
			typeNames[a.Type],
			typeNames[t],
		)
	}
	out := typed(t, "")
	if t == table.Decimal {
		switch {
		case scale >= 0:
			out.Scale = min(scale, table.MaxDigits)
		case a.Type == table.Decimal:
			return a, nil
		case a.Type == table.Float:
			out.Scale = castScale
		}
	}
	out.text = strings.NewReplacer("{0}", a.text, "{s}", strconv.Itoa(int(out.Scale))).Replace(text)
	return out, nil
}

// castScale is what package run keeps of a float's digits behind the point.
const castScale = 10

// aggregate writes an aggregate of a group.
func (p *printer) aggregate(a query.Aggregate, in []scoped) (cell, error) {
	args := make([]cell, len(a.Args))
	for i, e := range a.Args {
		var err error
		if args[i], err = p.expr(e, in); err != nil {
			return cell{}, err
		}
	}
	v, err := p.folded(a, args, in)
	v.text = strings.Replace(v.text, windowMark, "", 1)
	return v, err
}

// folded is an aggregate of written arguments.
func (p *printer) folded(a query.Aggregate, args []cell, in []scoped) (cell, error) {
	field, err := aggregateField(a.Func, args)
	if err != nil {
		return cell{}, err
	}
	where := ""
	if a.Where != nil {
		c, err := p.condition(a.Where, in, true)
		if err != nil {
			return cell{}, err
		}
		if where = " FILTER (WHERE " + c + ")"; p.noFilter {
			if where = ""; len(args) == 0 { // rows
				args = []cell{typed(table.Int, "1")}
			}
			args[0].text = "CASE WHEN " + c + " THEN " + args[0].text + " END"
		}
	}
	if a.Func == "list" || len(a.Order) > 0 {
		return cell{}, refuse("the order of rows in %s", a.Func)
	}
	for _, f := range p.aggregates[a.Func] {
		if !f.fits(args) {
			continue
		}
		if a.Func == "min" || a.Func == "max" {
			if err := p.orders(args[0]); err != nil {
				return cell{}, err
			}
			args[0].text = p.collated(args[0])
		}
		if a.Distinct && len(args) > 0 {
			if len(args) > 1 || !strings.Contains(f.text, "({0}){where}") {
				return cell{}, refuse("%s of different values", a.Func)
			}
			args[0].text = "DISTINCT " + args[0].text
		}
		text := strings.Replace(f.fill(args), "{where}", where, 1)
		return cell{Field: field, text: text}, nil
	}
	return cell{}, refuse("%s of %s is not said in this dialect as it is computed here", a.Func, kindsOf(args))
}

// aggregateField is the field that an aggregate gives.
func aggregateField(name string, args []cell) (query.Field, error) {
	schema := make(query.Schema, len(args))
	a := query.Aggregate{As: "x", Func: name}
	for i, c := range args {
		schema[i] = c.Field
		schema[i].Name = string(rune('a' + i))
		e := query.Col(schema[i].Name)
		if c.literal != nil {
			e = query.Lit(*c.literal)
		}
		a.Args = append(a.Args, e)
	}
	out, findings := query.Check(query.From("t").With(query.Group{Aggregates: []query.Aggregate{a}}), oneTable(schema))
	for _, f := range findings {
		if !f.Doubt {
			return query.Field{}, refuse("%s", f.Text)
		}
	}
	if len(out) != 1 {
		return query.Field{}, refuse("there is no aggregate %q", name)
	}
	return out[0], nil
}

// oneTable is a catalog of one table, whatever its name.
type oneTable query.Schema

func (t oneTable) Schema(string) (query.Schema, bool) { return query.Schema(t), true }

func (t oneTable) Tables() []string { return nil }
