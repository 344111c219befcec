package query

import (
	"fmt"
	"slices"
	"strings"

	"catena/table"
)

// condition asks for an expression that is true or false.
func (k *checker) condition(e Expr, scopes []Schema, path string) {
	if f := k.expr(e, scopes, path); !condition.takes(f.Type) {
		k.find(TypeMismatch, path, "a condition is needed, and this is %s", typeName(f.Type)).Hint = "compare it with something"
	}
}

// optional is condition where there may be none.
func (k *checker) optional(e Expr, scopes []Schema, path string) {
	if e != nil {
		k.condition(e, scopes, path)
	}
}

// expr is the field of an expression. What is wrong gives one of type Null, which fits everything, so that one fault
// is found once.
func (k *checker) expr(e Expr, scopes []Schema, path string) Field {
	if !k.enter(path) {
		return Field{}
	}
	defer k.leave()
	switch x := e.(type) {
	case Column:
		return k.columnOf(x, scopes, path)
	case Literal:
		return Field{Column: literalColumn(x.Value)}
	case Call:
		return k.apply(functions, x.Func, x.Args, scopes, path)
	case Case:
		return k.caseOf(x, scopes, path)
	case Cast:
		return k.cast(x, scopes, path)
	case Scalar:
		return k.single(x.Query, scopes, at(path, "scalar"))
	case Exists:
		k.query(x.Query, scopes, at(path, "exists"))
		return field(table.Bool)
	case In:
		a, b := k.expr(x.Expr, scopes, at(path, "expr")), k.single(x.Query, scopes, at(path, "query"))
		if fault := compareFault(a, b); fault != "" {
			k.find(TypeMismatch, path, "%s", fault)
		}
		return field(table.Bool)
	}
	k.find(Arguments, path, "an expression is missing")
	return Field{}
}

func literalColumn(v table.Value) table.Column { return table.Column{Type: v.Type(), Scale: v.Scale()} }

// columnOf is the field of a column: of the relation that the expression stands in, or of one further out.
func (k *checker) columnOf(c Column, scopes []Schema, path string) Field {
	if c.Out < 0 || c.Out >= len(scopes) {
		k.find(UnknownColumn, path, "column %q is %d queries further out, and there are %d",
			c.Name, c.Out, len(scopes)-1)
		return Field{}
	}
	s := scopes[c.Out]
	i := s.Index(c.Name)
	if i < 0 {
		f := k.find(UnknownColumn, path, "there is no column %q", c.Name)
		f.Nearest = table.Nearest(c.Name, s.Names())
		return Field{}
	}
	if s[i].Name != c.Name && foldedTwins(s, c.Name) {
		k.find(AmbiguousColumn, path, "several columns are called %q but for upper and lower case", c.Name)
	}
	return s[i]
}

// foldedTwins reports whether more than one column has the name without regard to case.
func foldedTwins(s Schema, name string) bool {
	n := 0
	for i := range s {
		if strings.EqualFold(s[i].Name, name) {
			n++
		}
	}
	return n > 1
}

// apply is the field that a function of a table gives for its arguments.
func (k *checker) apply(known map[string]*function, name string, args []Expr, scopes []Schema, path string) Field {
	fields := make([]Field, len(args))
	for i, a := range args {
		fields[i] = unmarked(k.expr(a, scopes, item(at(path, "args"), i)))
	}
	f, ok := known[name]
	if !ok {
		found := k.find(UnknownFunction, path, "there is no function %q", name)
		found.Nearest = table.Nearest(name, names(known))
		return Field{}
	}
	if !f.fits(len(args)) {
		k.find(Arguments, path, "%s takes %s, not %d", name, f.arity(), len(args))
		return Field{}
	}
	for i, a := range fields {
		if kind := f.argument(i); !kind.takes(a.Type) {
			k.find(TypeMismatch, item(at(path, "args"), i), "%s needs %s, and this is %s",
				name, kindNames[kind], typeName(a.Type))
			return Field{}
		}
	}
	unit := k.unit(f, name, args, path)
	out, fault := f.result(fields)
	if fault != "" {
		k.find(TypeMismatch, path, "%s: %s", name, fault)
		return Field{}
	}
	if f.marks != nil {
		out.Unit = f.marks[unit]
	}
	k.divisor(name, args, path)
	if why := notAdditive[out.Adds]; name == "sum" && why != "" {
		k.doubt(NotAdditive, path, "sum: %s", why)
	}
	return out
}

func names(known map[string]*function) []string {
	list := make([]string, 0, len(known))
	for name := range known {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// arity says how many arguments a function takes.
func (f *function) arity() string {
	least, most := len(f.args)-f.optional, len(f.args)
	switch {
	case f.rest:
		return fmt.Sprintf("%d or more arguments", least)
	case least == most && most == 1:
		return "1 argument"
	case least == most:
		return fmt.Sprintf("%d arguments", most)
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

// unit asks that a unit of time is one of those that the function knows.
func (k *checker) unit(f *function, name string, args []Expr, path string) string {
	if len(f.units) == 0 {
		return ""
	}
	said := ""
	if l, ok := args[0].(Literal); ok {
		said = l.Value.Text()
	}
	if !slices.Contains(f.units, said) {
		found := k.find(Arguments, item(at(path, "args"), 0), "%s does not know the unit %q", name, said)
		found.Hint = "one of " + strings.Join(f.units, ", ")
	}
	return said
}

// unmarked is a field as functions compute with it: three months more than March are no month of a year.
func unmarked(f Field) Field {
	switch f.Unit {
	case table.UnitWeekday, table.UnitMonth, table.UnitYear:
		f.Unit = ""
	}
	return f
}

// divisors are the functions whose second argument divides the first.
var divisors = []string{"div", "idiv", "mod"}

// divisor doubts a division by what may be zero: such rows give null.
func (k *checker) divisor(name string, args []Expr, path string) {
	if !slices.Contains(divisors, name) || neverZero(args[1]) {
		return
	}
	k.doubt(MayBeZero, item(at(path, "args"), 1), "rows in which the divisor is zero give nothing")
}

// neverZero reports whether an expression cannot be zero, or says itself what is to be where it is.
func neverZero(e Expr) bool {
	switch x := e.(type) {
	case Literal:
		return x.Value.Sign() != 0
	case Call:
		return x.Func == "nullif"
	case Cast:
		return neverZero(x.Expr)
	}
	return false
}

func (k *checker) caseOf(c Case, scopes []Schema, path string) Field {
	values := make([]Field, 0, len(c.Branches)+1)
	for i, b := range c.Branches {
		here := item(at(path, "case"), i)
		k.condition(b.When, scopes, at(here, "when"))
		values = append(values, k.expr(b.Then, scopes, at(here, "then")))
	}
	if c.Else != nil {
		values = append(values, k.expr(c.Else, scopes, at(path, "else")))
	}
	if len(values) == 0 {
		k.find(Arguments, path, "the case has no branch")
		return Field{}
	}
	out, fault := unified(values)
	if fault != "" {
		k.find(TypeMismatch, path, "the branches of the case: %s", fault)
	}
	return out
}

// castable says which classes a class can be made of, apart from itself and text.
var castable = map[class][]class{
	classBool: {
		classNumber,
	}, classNumber: {classBool, classNumber}, classMoment: {classMoment}, classClock: {classMoment},
	classLength: {classNumber},
}

// becomes reports whether values of a class can be made those of another. Texts are read, and everything can be written.
func becomes(a, b class) bool {
	if a == b || a == classNull {
		return true
	}
	return a == classText || b == classText || slices.Contains(castable[b], a)
}

func (k *checker) cast(c Cast, scopes []Schema, path string) Field {
	from := k.expr(c.Expr, scopes, at(path, "expr"))
	to := field(c.Type)
	to.Scale = max(c.Scale, 0)
	a, b := classOf(from.Type), classOf(c.Type)
	if !becomes(a, b) {
		k.find(TypeMismatch, path, "%s cannot become %s", typeName(from.Type), typeName(c.Type))
	}
	to.Adds = from.Adds
	if a == b {
		to.Unit = from.Unit
	}
	return to
}

// single is the one column of a subquery that is used as a value.
func (k *checker) single(q Query, scopes []Schema, path string) Field {
	s := k.query(q, scopes, path)
	if len(s) == 1 {
		return s[0]
	}
	if len(s) > 1 {
		k.find(Shape, path, "a subquery that is a value has one column, and this has %d", len(s)).Hint = "project it to one column"
	}
	return Field{}
}

func (k *checker) pivot(st Pivot, scopes []Schema, path string) Schema {
	out := k.named(st.Keys, scopes, at(path, "keys"))
	on := k.expr(st.On, scopes, at(path, "on"))
	cell := at(path, "cell")
	k.optional(st.Cell.Where, scopes, at(cell, "where"))
	k.keys(st.Cell.Order, scopes, at(cell, "order"))
	f := k.apply(aggregates, st.Cell.Func, st.Cell.Args, scopes, cell)
	for i, v := range st.Values {
		here := item(at(path, "values"), i)
		if fault := compareFault(on, k.expr(v.Expr, scopes, here)); fault != "" {
			k.find(TypeMismatch, here, "%s", fault)
		}
		out = k.column(out, v.As, f, here)
	}
	if st.Total != "" {
		out = k.column(out, st.Total, f, at(path, "total"))
	}
	if len(st.Values) == 0 {
		k.find(Shape, at(path, "values"), "a pivot needs the values that become columns")
	}
	return out
}

func (k *checker) unpivot(st Unpivot, scopes []Schema, path string) Schema {
	out := k.named(st.Keep, scopes, at(path, "keep"))
	values := make([][]Field, len(st.As))
	for i, row := range st.Rows {
		here := item(at(path, "rows"), i)
		if len(row) != len(st.As) {
			k.find(Shape, here, "there are %d columns, and this row has %d values", len(st.As), len(row))
			continue
		}
		for j, e := range row {
			values[j] = append(values[j], k.expr(e, scopes, item(here, j)))
		}
	}
	for j, as := range st.As {
		if len(values[j]) == 0 {
			k.find(Shape, at(path, "rows"), "an unpivot needs rows of values")
			return out
		}
		f, fault := unified(values[j])
		if fault != "" {
			k.find(TypeMismatch, at(path, "rows"), "column %q: %s", as, fault)
		}
		out = k.column(out, as, f, at(path, "as"))
	}
	return out
}
