package run

import (
	"errors"

	"catena/query"
	"catena/table"
)

// builder makes the node of a function's call for the types of its arguments.
type builder func(c *compiler, args []*node) (*node, error)

// function is how a function is computed and how many arguments it takes; most below 0 is any number.
type function struct {
	least, most int
	build       builder
}

// functions are those of query.Functions, filled in by the files that hold their kernels.
var functions = map[string]function{}

func register(more map[string]function) {
	for name, f := range more {
		functions[name] = f
	}
}

func (c *compiler) call(x query.Call) (*node, error) {
	f, ok := functions[x.Func]
	if !ok {
		return nil, faultf("there is no function %q", x.Func)
	}
	if len(x.Args) < f.least || f.most >= 0 && len(x.Args) > f.most {
		return nil, faultf("%s does not take %d arguments", x.Func, len(x.Args))
	}
	args, err := c.exprs(x.Args)
	if err != nil {
		return nil, err
	}
	n, err := f.build(c, args)
	if err != nil {
		return nil, faultOf(x.Func, err)
	}
	return folded(n, args)
}

// faultOf names the function that an error is of.
func faultOf(name string, err error) error {
	var e *Error
	if errors.As(err, &e) && e.Path == "" {
		return &Error{Text: name + ": " + e.Text, Err: e.Err}
	}
	return err
}

// folded computes a call of constants once.
func folded(n *node, args []*node) (*node, error) {
	for _, a := range args {
		if a.literal == nil {
			return n, nil
		}
	}
	v, err := n.eval(&block{n: 1})
	if err != nil {
		return nil, err
	}
	if v.typ == table.Null {
		return constant(table.NullValue), nil
	}
	v.one = true
	x := v.value(0)
	return &node{shape: n.shape, literal: &x, column: -1, eval: func(*block) (vec, error) { return v, nil }}, nil
}

// of is a shape without scale or zone.
func of(t table.Type) shape { return shape{typ: t} }

// anyNull reports whether an argument is of the type of null, so that the result is null.
func anyNull(args ...*node) bool {
	return anyOf(args, func(n *node) bool { return n.typ == table.Null })
}

// typedNull is null of a type for every row.
func typedNull(s shape) *node {
	x := table.NullValue
	return &node{shape: s, literal: &x, column: -1, eval: func(*block) (vec, error) { return nullOf(s), nil }}
}

// typed is a function whose arguments are made of the given types, the last of which is that of all further ones, and
// whose kernel is the same whatever they were.
func typed(result table.Type, k kernel, types ...table.Type) builder {
	return func(c *compiler, args []*node) (*node, error) {
		if anyNull(args...) {
			return typedNull(of(result)), nil
		}
		for i := range args {
			var err error
			if args[i], err = c.as(args[i], types[min(i, len(types)-1)]); err != nil {
				return nil, err
			}
		}
		return apply(of(result), k, args...), nil
	}
}

// as makes an argument of a type, where that is done without being asked for: numbers among each other, a date as an
// instant, any value as text, and a constant text as what it is compared or used with.
func (c *compiler) as(a *node, t table.Type) (*node, error) {
	if a.typ == t {
		return a, nil
	}
	isNumber := a.typ.Numeric() || a.typ == table.Bool
	switch {
	case t == table.Text, isNumber && t.Numeric(), a.typ.Temporal() && t == table.DateTime:
		return c.cast(a, t, -1, false)
	case a.literal != nil && a.typ == table.Text:
		return c.cast(a, t, -1, true)
	}
	return nil, faultf("%s is needed and this is %s; cast it", t, a.typ)
}
