package plan

import (
	"catena/planner/loosejson"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// whenOps are the operators of a When.
var whenOps = []string{"eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "is_null", "not_null"}

// Holds reports whether the condition holds for the results of earlier steps (see Resolve). Numbers compare by exact
// value, whatever their Go type; texts compare by code point, so that ISO dates are in order. null is equal to null only and
// in no order with anything. Comparing a number with a text is an error, and so is an unknown operator.
func (w When) Holds(results func(step string) (any, bool)) (bool, error) {
	left, err := Resolve(w.Ref, results, nil)
	if err != nil {
		return false, err
	}
	right, err := Resolve(w.Value, results, nil)
	if err != nil {
		return false, err
	}
	switch w.Op {
	case "is_null":
		return left == nil, nil
	case "not_null":
		return left != nil, nil
	case "eq":
		return same(left, right), nil
	case "ne":
		return !same(left, right), nil
	case "in":
		list, ok := right.([]any)
		if !ok {
			return false, fmt.Errorf("when: in needs a list as its value, not %s", kindOf(right))
		}
		return slices.ContainsFunc(list, func(x any) bool { return same(left, x) }), nil
	case "contains":
		return contains(left, right)
	case "lt", "le", "gt", "ge":
		return ordered(w.Op, left, right)
	}
	return false, fmt.Errorf("when: unknown operator %s; use one of %s", loosejson.Shown(w.Op), strings.Join(whenOps, ", "))
}

func contains(left, right any) (bool, error) {
	switch x := left.(type) {
	case nil:
		return false, nil
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return same(e, right) }), nil
	case string:
		if s, ok := right.(string); ok {
			return strings.Contains(x, s), nil
		}
	}
	return false, fmt.Errorf("when: %s cannot contain %s", kindOf(left), kindOf(right))
}

func ordered(op string, left, right any) (bool, error) {
	if left == nil || right == nil {
		return false, nil
	}
	var c int
	x, isNum := rational(left)
	y, both := rational(right)
	a, isText := left.(string)
	b, texts := right.(string)
	switch {
	case isNum && both:
		c = x.Cmp(y)
	case isText && texts:
		c = strings.Compare(a, b)
	default:
		return false, fmt.Errorf("when: %s and %s have no order", kindOf(left), kindOf(right))
	}
	switch op {
	case "lt":
		return c < 0, nil
	case "le":
		return c <= 0, nil
	case "gt":
		return c > 0, nil
	}
	return c >= 0, nil
}

// same compares two JSON values, numbers by value.
func same(a, b any) bool {
	x, ok := rational(a)
	if y, both := rational(b); ok || both {
		return ok && both && x.Cmp(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// rational gives a number's exact value. Numbers that loosejson.BadNumber refuses have none: writing them out would cost too much.
func rational(v any) (*big.Rat, bool) {
	switch x := v.(type) {
	case json.Number:
		if loosejson.BadNumber(x.String()) != "" {
			return nil, false
		}
		return new(big.Rat).SetString(x.String())
	case float64:
		r := new(big.Rat).SetFloat64(x)
		return r, r != nil
	case int:
		return new(big.Rat).SetInt64(int64(x)), true
	case int64:
		return new(big.Rat).SetInt64(x), true
	}
	return nil, false
}

// MarshalJSON writes {"$ref": "...", "op": ..., "value": ...}.
func (w When) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Ref   string `json:"$ref"`
		Op    string `json:"op"`
		Value any    `json:"value,omitempty"`
	}{w.Ref.String(), w.Op, w.Value})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (w *When) UnmarshalJSON(data []byte) error {
	v, f := strictTree(string(data), DefaultLimits)
	if len(f) > 0 {
		return f
	}
	d := decoder{lim: DefaultLimits}
	x := d.when(v, top)
	if len(d.found) > 0 {
		return d.found
	}
	*w = *x
	return nil
}
