package query

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Normal is q in the form that ways to write one computation share: conditions that all must hold are one list in a
// fixed order, comparisons point one way, and stages that change nothing are gone. It gives the same rows in the same
// order.
func Normal(q Query) Query {
	out := Query{From: q.From}
	if q.Of != nil {
		of := Normal(*q.Of)
		out.From, out.Of, out.Stages = of.From, of.Of, of.Stages // a query of a query goes on with its stages
	}
	for _, st := range q.Stages {
		for _, low := range lowerStage(st) {
			out.Stages = merged(out.Stages, normalStage(low))
		}
	}
	return out
}

// Equal reports whether two queries are the same computation, as far as their normal forms tell.
func Equal(a, b Query) bool {
	x, errX := json.Marshal(Normal(a))
	y, errY := json.Marshal(Normal(b))
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// merged adds a stage to others. Filters behind each other are one.
func merged(stages []Stage, st Stage) []Stage {
	switch s := st.(type) {
	case nil:
		return stages
	case Filter:
		if len(stages) == 0 {
			break
		}
		if last, ok := stages[len(stages)-1].(Filter); ok {
			return append(slices.Clip(stages[:len(stages)-1]), Filter{Where: normal(Do("and", last.Where, s.Where))})
		}
	case Distinct:
		if len(stages) > 0 && stages[len(stages)-1] == Stage(Distinct{}) {
			return stages
		}
	}
	return append(slices.Clip(stages), st)
}

// normalStage is a stage in its normal form; nil where it changes nothing.
func normalStage(st Stage) Stage {
	switch s := st.(type) {
	case Filter:
		return Filter{Where: normal(s.Where)}
	case Derive:
		return dropEmpty(len(s.Columns), Derive{Columns: normalNamed(s.Columns)})
	case Project:
		return Project{Columns: normalNamed(s.Columns)}
	case Group:
		return Group{Keys: normalNamed(s.Keys), Aggregates: mapped(s.Aggregates, normalAggregate)}
	case Window:
		return dropEmpty(len(s.Columns), Window{Columns: mapped(s.Columns, normalWindow)})
	case Join:
		s.With, s.On = Normal(s.With), normal(s.On)
		return s
	case Set:
		s.With = Normal(s.With)
		return s
	case Sort:
		return dropEmpty(len(s.Keys), Sort{Keys: mapped(s.Keys, normalKey)})
	case Take:
		s.Ties = mapped(s.Ties, normalKey)
		if s.Rows < 0 && s.Offset == 0 {
			return nil
		}
		return s
	}
	return st
}

// dropEmpty is no stage where it has nothing to do.
func dropEmpty(n int, st Stage) Stage {
	if n == 0 {
		return nil
	}
	return st
}

func mapped[T any](list []T, f func(T) T) []T {
	if len(list) == 0 {
		return nil
	}
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func normalNamed(list []Named) []Named {
	return mapped(list, func(n Named) Named { return Named{As: n.As, Expr: normal(n.Expr)} })
}

func normalKey(k SortKey) SortKey {
	k.Expr = normal(k.Expr)
	return k
}

func normalAggregate(a Aggregate) Aggregate {
	a.Args, a.Where, a.Order = mapped(a.Args, normal), normal(a.Where), mapped(a.Order, normalKey)
	return a
}

func normalWindow(w WindowColumn) WindowColumn {
	w.Args, w.Where, w.Order = mapped(w.Args, normal), normal(w.Where), mapped(w.Order, normalKey)
	w.Partition = mapped(w.Partition, normal)
	return w
}

// normal is an expression in its normal form.
func normal(e Expr) Expr {
	switch x := e.(type) {
	case Call:
		return normalCall(x)
	case Case:
		x.Branches = mapped(x.Branches, func(b Branch) Branch { return Branch{When: normal(b.When), Then: normal(b.Then)} })
		x.Else = normal(x.Else)
		return x
	case Cast:
		x.Expr = normal(x.Expr)
		return x
	case Scalar:
		return Scalar{Query: Normal(x.Query)}
	case Exists:
		return Exists{Query: Normal(x.Query)}
	case In:
		return In{Expr: normal(x.Expr), Query: Normal(x.Query)}
	}
	return e
}

// turned are the comparisons that say the same with their arguments the other way round.
var turned = map[string]string{"gt": "lt", "ge": "le"}

// opposite are the conditions that say the opposite, in all three values of a condition.
var opposite = map[string]string{"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}

// free are the functions whose arguments may stand in any order; flat are those that are lists of conditions.
var (
	free = []string{"eq", "ne", "same", "and", "or", "least", "greatest"}
	flat = []string{"and", "or"}
)

func normalCall(c Call) Expr {
	args := mapped(c.Args, normal)
	if c.Func == "not" && len(args) == 1 {
		return negation(args[0])
	}
	if c.Func == "between" && len(args) == 3 {
		return normalCall(Call{Func: "and", Args: []Expr{Do("le", args[1], args[0]), Do("le", args[0], args[2])}})
	}
	if to, ok := turned[c.Func]; ok && len(args) == 2 {
		return Call{Func: to, Args: []Expr{args[1], args[0]}}
	}
	if slices.Contains(flat, c.Func) {
		args = flattened(c.Func, args)
	}
	if slices.Contains(free, c.Func) {
		args = ordered(args)
	}
	if slices.Contains(flat, c.Func) && len(args) == 1 {
		return args[0]
	}
	return Call{Func: c.Func, Args: args}
}

// negation is the opposite of a condition.
func negation(e Expr) Expr {
	c, ok := e.(Call)
	if !ok {
		return Do("not", e)
	}
	if c.Func == "not" && len(c.Args) == 1 {
		return c.Args[0]
	}
	if to, ok := opposite[c.Func]; ok {
		return normalCall(Call{Func: to, Args: c.Args})
	}
	return Do("not", e)
}

// flattened takes lists of the same conditions into the list that they stand in.
func flattened(name string, args []Expr) []Expr {
	var out []Expr
	for _, a := range args {
		if c, ok := a.(Call); ok && c.Func == name {
			out = append(out, c.Args...)
			continue
		}
		out = append(out, a)
	}
	return out
}

// ordered sorts arguments by their JSON.
func ordered(args []Expr) []Expr {
	texts := make(map[int]string, len(args))
	order := make([]int, len(args))
	for i, a := range args {
		text, err := json.Marshal(a)
		if err != nil {
			return args
		}
		texts[i], order[i] = string(text), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return bytes.Compare([]byte(texts[a]), []byte(texts[b])) })
	out := make([]Expr, len(args))
	for to, from := range order {
		out[to] = args[from]
	}
	return out
}
