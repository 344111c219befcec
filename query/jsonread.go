package query

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"catena/table"
)

// reader builds queries of decoded JSON, by the tags of the types. depth counts what is inside each other.
type reader struct{ depth int }

// Expressions and stages by the member that tells them apart. Literal, Cast, Bound and Distinct have forms of their
// own.
var (
	exprForms = map[string]reflect.Type{
		"col": reflect.TypeFor[Column](), "lit": reflect.TypeFor[wireLiteral](),
		"call": reflect.TypeFor[Call](), "case": reflect.TypeFor[Case](),
		"cast": reflect.TypeFor[wireCast](), "scalar": reflect.TypeFor[Scalar](),
		"exists": reflect.TypeFor[Exists](), "in": reflect.TypeFor[In](),
	}
	stageForms = map[string]reflect.Type{
		"filter": reflect.TypeFor[Filter](), "derive": reflect.TypeFor[Derive](),
		"project": reflect.TypeFor[Project](), "group": reflect.TypeFor[Group](),
		"pivot": reflect.TypeFor[Pivot](), "unpivot": reflect.TypeFor[Unpivot](),
		"window": reflect.TypeFor[Window](), "join": reflect.TypeFor[Join](), "set": reflect.TypeFor[Set](),
		"distinct": reflect.TypeFor[wireDistinct](),
		"sort":     reflect.TypeFor[Sort](), "take": reflect.TypeFor[Take](),
	}
	forms = map[reflect.Type]map[string]reflect.Type{
		reflect.TypeFor[Expr]():  exprForms,
		reflect.TypeFor[Stage](): stageForms,
	}
)

// wireDistinct is Distinct as JSON.
type wireDistinct struct {
	Distinct bool `json:"distinct"`
}

func (r reader) query(tree any) (Query, error) {
	v := reflect.New(reflect.TypeFor[Query]()).Elem()
	err := r.into(v, tree)
	return v.Interface().(Query), err
}

// into fills a value of any type of the algebra with decoded JSON.
func (r reader) into(v reflect.Value, tree any) error {
	if r.depth++; r.depth > 4*MaxDepth { // an expression takes up to four steps: member, list, form, member
		return fmt.Errorf("the query has more than %d parts inside each other", MaxDepth)
	}
	if tree == nil {
		return nil // null says nothing
	}
	switch v.Kind() {
	case reflect.Interface:
		return r.form(v, tree)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.into(v.Elem(), tree)
	case reflect.Struct:
		return r.object(v, tree)
	case reflect.Slice:
		return r.list(v, tree)
	}
	return scalar(v, tree)
}

func (r reader) list(v reflect.Value, tree any) error {
	items, ok := tree.([]any)
	if !ok {
		return fmt.Errorf("a list is needed")
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, it := range items {
		if err := r.into(v.Index(i), it); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// object fills the fields of a struct by the names of their tags.
func (r reader) object(v reflect.Value, tree any) error {
	members, ok := tree.(map[string]any)
	if !ok {
		return fmt.Errorf("an object is needed")
	}
	if b, ok := v.Addr().Interface().(*Bound); ok {
		return r.bound(b, members)
	}
	fields := map[string]int{}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		i, ok := fields[name]
		if !ok {
			return fmt.Errorf("there is no member %q here", name)
		}
		if err := r.into(v.Field(i), members[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// form finds which expression or stage an object is, and reads it.
func (r reader) form(v reflect.Value, tree any) error {
	known := forms[v.Type()]
	members, ok := tree.(map[string]any)
	if !ok {
		return fmt.Errorf("an object is needed")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		t, ok := known[name]
		if !ok {
			continue
		}
		read := reflect.New(t).Elem()
		if err := r.object(read, tree); err != nil {
			return err
		}
		made, err := unwired(read.Interface())
		if err == nil {
			v.Set(reflect.ValueOf(made))
		}
		return err
	}
	return fmt.Errorf("one of these members is needed: %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
}

// unwired is the value of the algebra of a form of JSON's own.
func unwired(read any) (any, error) {
	switch w := read.(type) {
	case wireLiteral:
		v, err := w.value()
		return Literal{Value: v}, err
	case wireCast:
		t, err := typeOf(w.Type)
		return Cast{Expr: w.Expr, Type: t, Scale: w.Scale, Strict: w.Strict}, err
	case wireDistinct:
		return Distinct{}, nil
	}
	return read, nil
}

func (r reader) bound(b *Bound, members map[string]any) error {
	v := reflect.New(reflect.TypeFor[wireBound]()).Elem()
	if err := r.object(v, members); err != nil {
		return err
	}
	w := v.Interface().(wireBound)
	b.Unbounded = w.Unbounded
	if w.Offset == nil {
		return nil
	}
	var err error
	b.Offset, err = w.Offset.value()
	return err
}

// maxExact is the greatest number up to which all integers are doubles.
const maxExact = 1 << 53

// scalar sets a text, a truth value or an integer.
func scalar(v reflect.Value, tree any) error {
	switch x := tree.(type) {
	case string:
		if v.Kind() == reflect.String {
			v.SetString(x)
			return nil
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(x)
			return nil
		}
	case float64:
		whole := x == math.Trunc(x) && math.Abs(x) <= maxExact
		if whole && v.CanInt() && !v.OverflowInt(int64(x)) {
			v.SetInt(int64(x))
			return nil
		}
	}
	return fmt.Errorf("%v is not what stands here", tree)
}

func typeOf(name string) (table.Type, error) {
	if t, ok := table.ParseType(name); ok {
		return t, nil
	}
	return table.Null, fmt.Errorf("there is no type %q", name)
}
