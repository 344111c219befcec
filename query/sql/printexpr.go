package sql

import (
	"fmt"
	"math/big"
	"strings"

	"catena/query"
	"catena/table"
)

// cell is an expression that is written.
type cell struct {
	query.Field
	text    string
	literal *table.Value // of a constant
	// raw is a column as the database has it, which compares as text does where holds is true; "" where only text
	// compares.
	raw     string
	holds   string
	refused string // why it cannot be used
}

// scoped is the columns of a relation that expressions see.
type scoped []output

// scopes are those of a stage: its relation, then those around its query.
func scopes(s *selection, outer []scoped) []scoped { return append([]scoped{s.columns}, outer...) }

// expr writes an expression.
func (p *printer) expr(e query.Expr, in []scoped) (cell, error) {
	if err := p.enter(8); err != nil {
		return cell{}, err
	}
	defer func() { p.depth-- }()
	switch x := e.(type) {
	case query.Column:
		return p.column(x, in)
	case query.Literal:
		return p.constant(x.Value)
	case query.Call:
		return p.call(x, in)
	case query.Case:
		return p.caseOf(x, in)
	case query.Cast:
		return p.castOf(x, in)
	case query.Scalar:
		return p.scalar(x, in)
	case query.Exists:
		s, err := p.query(x.Query, in)
		if err != nil {
			return cell{}, err
		}
		return truthOf("EXISTS (" + p.text(s) + ")"), nil
	case query.In:
		return p.inQuery(x, in)
	}
	return cell{}, refuse("an expression is missing")
}

func truthOf(text string) cell {
	return cell{Field: query.Field{Column: table.Column{Type: table.Bool}}, text: text}
}

func typed(t table.Type, text string) cell {
	return cell{Field: query.Field{Column: table.Column{Type: t}}, text: text}
}

func (p *printer) column(c query.Column, in []scoped) (cell, error) {
	if c.Out < 0 || c.Out >= len(in) {
		return cell{}, refuse("column %q is further out than there are queries", c.Name)
	}
	at := (&selection{columns: in[c.Out]}).schema().Index(c.Name)
	if at < 0 {
		return cell{}, refuse("there is no column %q", c.Name)
	}
	v := in[c.Out][at].cell
	if v.refused != "" {
		return cell{}, refuse("column %q: %s", c.Name, v.refused)
	}
	return v, nil
}

// constant is a bound argument of its type.
func (p *printer) constant(v table.Value) (cell, error) {
	t := v.Type()
	out := typed(t, "")
	out.Scale, out.Zone, out.literal = v.Scale(), v.Zone(), &v
	switch {
	case t == table.Null:
		out.text = "NULL"
	case t == table.Bool:
		out.text = strings.ToUpper(v.Text())
	case p.types[t] == "" || t == table.DateTime && v.Zone() != "":
		return cell{}, refuse("a constant that is %s is not said in this dialect", typeNames[t])
	case t == table.Text && strings.ContainsRune(v.Text(), 0):
		return cell{}, refuse("a text with a NUL")
	default:
		out.text = p.castText(p.mark(v), t, v.Scale())
	}
	return out, nil
}

// castText is a text of SQL as a type.
func (p *printer) castText(text string, t table.Type, scale int32) string {
	return strings.NewReplacer("{0}", text, "{s}", fmt.Sprint(max(scale, 0))).Replace(p.types[t])
}

// condition is an expression that is true, false or null. Where only truth counts, a column with bounds may be
// compared as the database has it, so that an index serves.
func (p *printer) condition(e query.Expr, in []scoped, onlyTruth bool) (string, error) {
	if c, is := e.(query.Call); is && onlyTruth {
		if text, ok, err := p.served(c, in); ok || err != nil {
			return text, err
		}
	}
	v, err := p.expr(e, in)
	switch {
	case err != nil:
		return "", err
	case v.Type == table.Null && v.literal != nil:
		return "(1 = 0)", nil
	case v.Type != table.Bool:
		return "", refuse("a condition is needed, and this is %s", typeNames[v.Type])
	}
	return v.text, nil
}

// served is a comparison of a column that has bounds with constants, which holds for no value beyond them.
func (p *printer) served(c query.Call, in []scoped) (text string, ok bool, err error) {
	if len(c.Args) < 2 || comparisonSigns[c.Func] == "" && c.Func != "between" && c.Func != "in" || c.Func == "ne" {
		return "", false, nil
	}
	col, is := c.Args[0].(query.Column)
	if !is {
		return "", false, nil
	}
	for _, a := range c.Args[1:] {
		if _, is := a.(query.Literal); !is {
			return "", false, nil
		}
	}
	v, err := p.column(col, in)
	if err != nil || v.holds == "" {
		return "", false, err
	}
	plain := v
	plain.text, plain.holds = v.raw, ""
	out, err := p.compared(c.Func, plain, c.Args[1:], in)
	if err != nil {
		return "", false, err
	}
	return out.text + " AND " + v.holds, true, nil
}

// comparisonSigns are the operators of comparisons.
var comparisonSigns = map[string]string{"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}

// compared is a comparison of a value with others.
func (p *printer) compared(name string, a cell, with []query.Expr, in []scoped) (cell, error) {
	others := make([]cell, len(with))
	for i, e := range with {
		b, err := p.expr(e, in)
		if err != nil {
			return cell{}, err
		}
		others[i] = b
	}
	return p.compare(name, a, others)
}

func (p *printer) compare(name string, a cell, others []cell) (cell, error) {
	if a.Type == table.Null && len(others) == 1 && others[0].Type != table.Null {
		a = p.nullAs(others[0])
	}
	left := a.compares()
	texts := make([]string, len(others))
	for i, b := range others {
		if b.Type == table.Null {
			b = p.nullAs(a)
		}
		l, r, err := p.alike(a, b)
		if err != nil {
			return cell{}, err
		}
		if l.text != a.text {
			if len(others) > 1 {
				return cell{}, refuse("values of several types")
			}
			left = l.text
		}
		texts[i] = r.compares()
	}
	if name != "eq" && name != "ne" && name != "in" && name != "same" {
		if err := p.orders(a); err != nil {
			return cell{}, err
		}
		a.text = left
		left = p.collated(a)
	}
	switch name {
	case "same":
		return truthOf(fmt.Sprintf(p.same, left, texts[0])), nil
	case "in":
		return truthOf("(" + left + " IN (" + strings.Join(texts, ", ") + "))"), nil
	case "between":
		return truthOf("(" + left + " BETWEEN " + texts[0] + " AND " + texts[1] + ")"), nil
	}
	return truthOf("(" + left + " " + comparisonSigns[name] + " " + texts[0] + ")"), nil
}

// compares is the text by which a value is compared.
func (c cell) compares() string {
	if c.raw != "" && c.holds == "" {
		return c.raw
	}
	return c.text
}

// nullAs is a null of another value's type.
func (p *printer) nullAs(c cell) cell {
	out := cell{Field: c.Field, text: "NULL"}
	if p.types[c.Type] != "" {
		out.text = p.castText("NULL", c.Type, c.Scale)
	}
	return out
}

// alike makes two values of types that a database compares by their exact values.
func (p *printer) alike(a, b cell) (cell, cell, error) {
	switch {
	case a.Type == b.Type, a.Type == table.Null, b.Type == table.Null:
	case isTextual(a.Type) && isTextual(b.Type):
	case a.Type.Numeric() && b.Type.Numeric():
		return p.numbersAlike(a, b)
	case a.Type == table.Date && b.Type == table.DateTime:
		v, err := p.as(a, b.Field)
		return v, b, err
	case a.Type == table.DateTime && b.Type == table.Date:
		v, err := p.as(b, a.Field)
		return a, v, err
	default:
		return a, b, refuse("%s beside %s", typeNames[a.Type], typeNames[b.Type])
	}
	if a.Type == table.Duration {
		return a, b, refuse("lengths of time are compared otherwise")
	}
	return a, b, nil
}

var typeNames = map[table.Type]string{
	table.Null: "nothing", table.Bool: "a condition", table.Int: "an integer", table.Float: "a float",
	table.Decimal: "a decimal", table.Text: "a text", table.JSON: "JSON", table.Date: "a date",
	table.DateTime: "a date and time", table.Time: "a time of day", table.Duration: "a length of time",
}

func isTextual(t table.Type) bool { return t == table.Text || t == table.JSON }

// numbersAlike makes a constant a number of the other's type. Beyond 2^53 databases compare integers with floats
// otherwise than by value.
func (p *printer) numbersAlike(a, b cell) (cell, cell, error) {
	if (a.Type == table.Float) == (b.Type == table.Float) || p.exactMixed {
		return a, b, nil
	}
	switch {
	case b.literal != nil:
		v, err := p.numberAs(*b.literal, a.Type)
		return a, v, err
	case a.literal != nil:
		v, err := p.numberAs(*a.literal, b.Type)
		return v, b, err
	}
	return a, b, refuse("a float beside a number that is exact: cast one of them")
}

// numberAs is a constant that says the same number in another type.
func (p *printer) numberAs(v table.Value, t table.Type) (cell, error) {
	f, ok := v.Float()
	if !ok {
		return cell{}, refuse("the number %s", v.Text())
	}
	if t == table.Float {
		if v.Type() == table.Int && !sameFloat(v, f) {
			return cell{}, refuse("the number %s is no float", v.Text())
		}
		return p.constant(table.FloatValue(f))
	}
	text := strings.TrimRight(new(big.Float).SetFloat64(f).Text('f', 60), "0")
	d, err := table.ParseDecimal(strings.TrimSuffix(text, "."))
	if err != nil || !sameFloat(d, f) {
		return cell{}, refuse("the number %s has too many digits", v.Text())
	}
	return p.constant(d)
}

// sameFloat reports whether a number is exactly a float.
func sameFloat(d table.Value, f float64) bool {
	x, ok := new(big.Rat).SetString(d.Text())
	return ok && x.Cmp(new(big.Rat).SetFloat64(f)) == 0
}

// orders asks that values of a type have the order that they have here.
func (p *printer) orders(c cell) error {
	if c.Type == table.Duration || c.Type == table.JSON {
		return refuse("the order of %s", typeNames[c.Type])
	}
	return nil
}

// collated is a value in an order: texts go by their bytes.
func (p *printer) collated(c cell) string {
	if isTextual(c.Type) && p.collate != "" {
		return c.text + p.collate
	}
	return c.text
}

// unified makes values one type.
func (p *printer) unified(values []cell) (query.Field, []cell, error) {
	to := values[0].Field
	for _, v := range values[1:] {
		to = p.common(cell{Field: to}, v)
	}
	out := make([]cell, len(values))
	for i, v := range values {
		var err error
		if out[i], err = p.as(v, to); err != nil {
			return to, nil, err
		}
	}
	if to.Type == table.Null {
		return to, nil, refuse("values without a type, or of several types")
	}
	return to, out, nil
}

// common is the field that holds two values; Null where they have none.
func (p *printer) common(a, b cell) query.Field {
	switch {
	case a.Type == table.Null:
		return b.Field
	case b.Type == table.Null:
		return a.Field
	case a.Type == b.Type:
		out := a.Field
		out.Scale = max(a.Scale, b.Scale)
		return out
	case a.Type.Numeric() && b.Type.Numeric():
		out := a.Field
		out.Type, out.Scale = table.Float, 0
		if a.Type != table.Float && b.Type != table.Float {
			out.Type, out.Scale = table.Decimal, max(a.Scale, b.Scale)
		}
		return out
	}
	return query.Field{}
}

// as is a value as another type that holds it.
func (p *printer) as(c cell, to query.Field) (cell, error) {
	if c.Type == to.Type {
		return c, nil
	}
	if c.Type == table.Null {
		return p.nullAs(cell{Field: to}), nil
	}
	return p.cast(c, to.Type, to.Scale)
}
