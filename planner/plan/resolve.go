package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Referable is a result that resolves references into itself: a table, whose rows and columns are read only when asked
// for. Ref gets the rest of the path; for an empty path it gives what a bare reference passes on, the handle.
type Referable interface {
	Ref(path []Seg) (any, error)
}

// ErrNoSuchPart is wrapped by the errors of Resolve for a path that the result does not have.
var ErrNoSuchPart = errors.New("the result has no such part")

// ErrNotOnly is wrapped by the errors of Resolve for [only] of a list of two and more: which one is meant is for the user to say.
var ErrNotOnly = errors.New("there is more than one")

// ErrNothing is wrapped by the errors of Resolve for [only] of an empty list: what should have been found was not. It
// is an ErrNoSuchPart, too.
var ErrNothing = fmt.Errorf("%w: nothing was found", ErrNoSuchPart)

// ErrNoResult is wrapped by the errors of Resolve for a step that has no result (yet).
var ErrNoResult = errors.New("the step has no result")

// maxConcat bounds the text that a Concat may grow to, in bytes.
const maxConcat = 1 << 20

// Resolve returns v with each Ref replaced by what it refers to and each Concat by its text. results gives a step's
// result: any JSON value, or a Referable; each is the element that Ref{Step: "each"} means.
//
// What comes out of a result is put in place as it is: it is never searched for references, so that no text of a tool can
// become one. Values are shared with the results, not copied: treat them as read-only. v itself is not changed.
//
// [*] gives a list of what the rest of the path finds in each element; further [*] in the same path lengthen that one
// list. An element without the field gives null when another has it. Errors wrap ErrNoResult or ErrNoSuchPart and name the
// reference, never a value.
func Resolve(v any, results func(step string) (any, bool), each any) (any, error) {
	r := resolver{results: results, each: each}
	return r.value(v)
}

type resolver struct {
	results func(string) (any, bool)
	each    any
}

func (r *resolver) value(v any) (any, error) {
	switch x := v.(type) {
	case Ref:
		return r.ref(x)
	case *Ref:
		if x == nil {
			return nil, nil
		}
		return r.ref(*x)
	case Concat:
		return r.concat(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			y, err := r.value(e)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			y, err := r.value(e)
			if err != nil {
				return nil, err
			}
			out[k] = y
		}
		return out, nil
	}
	return v, nil
}

func (r *resolver) ref(x Ref) (any, error) {
	root := r.each
	if x.Step != Each {
		ok := false
		if r.results != nil {
			root, ok = r.results(x.Step)
		}
		if !ok {
			return nil, fmt.Errorf("%s: %w", x, ErrNoResult)
		}
	}
	v, err := Lookup(root, x.Path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", x, err)
	}
	return v, nil
}

// concat joins the texts of the parts: strings as they are, everything else as compact JSON.
func (r *resolver) concat(c Concat) (any, error) {
	var b strings.Builder
	for _, p := range c.Parts {
		v, err := r.value(p)
		if err != nil {
			return nil, err
		}
		text, ok := v.(string)
		if !ok {
			raw, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("a part of $concat has no text: %w", err)
			}
			text = string(raw)
		}
		if b.Len()+len(text) > maxConcat {
			return nil, fmt.Errorf("$concat makes more than %d bytes; pass the table or the list by reference instead", maxConcat)
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Lookup follows a path into one result by the rules of Resolve.
func Lookup(v any, path []Seg) (any, error) {
	for i, s := range path {
		if t, ok := v.(Referable); ok {
			return t.Ref(path[i:])
		}
		switch {
		case s.Field != "":
			m, ok := v.(map[string]any)
			if _, has := m[s.Field]; !has && s.Field == rowsField && i+1 < len(path) {
				if list, found := Records(v); found {
					v = list
					continue
				}
			}
			if !ok {
				return nil, notA(s, v)
			}
			if v, ok = m[s.Field]; !ok {
				return nil, missing(s.Field, m)
			}
		case s.All:
			return lookupAll(v, path[i+1:])
		default:
			list, ok := v.([]any)
			if !ok {
				return nil, notA(s, v)
			}
			n, err := s.At(len(list))
			if err != nil {
				return nil, err
			}
			v = list[n]
		}
	}
	if t, ok := v.(Referable); ok {
		return t.Ref(nil)
	}
	return v, nil
}

// rowsField is where references find the records of a result.
const rowsField = "rows"

// Records are the records of a result that is no table: an object is one, or what it holds where that is one object or a
// list of them; of a list, each element has its own. False where there are none to be found.
func Records(v any) ([]any, bool) {
	switch x := v.(type) {
	case map[string]any:
		if len(x) != 1 {
			return []any{x}, len(x) > 0
		}
		for _, inner := range x {
			switch y := inner.(type) {
			case map[string]any:
				return []any{y}, true
			case []any:
				return y, !slices.ContainsFunc(y, func(e any) bool { _, ok := e.(map[string]any); return !ok })
			}
		}
		return []any{x}, true
	case []any:
		out := []any{}
		for _, e := range x {
			list, ok := Records(e)
			if !ok {
				return nil, false
			}
			out = append(out, list...)
		}
		return out, true
	}
	return nil, false
}

// At says which element of a list of n elements [n] or [only] means. Errors wrap ErrNoSuchPart, ErrNothing or
// ErrNotOnly.
func (s Seg) At(n int) (int, error) {
	switch i := s.Index; {
	case s.Only && n > 1:
		return 0, fmt.Errorf("%w: [only] of a list of %d", ErrNotOnly, n)
	case s.Only && n == 1:
		return 0, nil
	case s.Only:
		return 0, fmt.Errorf("%w: [only] of an empty list", ErrNothing)
	case i >= 0 && i < n:
		return i, nil
	case i < 0 && i+n >= 0:
		return i + n, nil
	default:
		return 0, fmt.Errorf("%w: [%d] of a list of %d", ErrNoSuchPart, i, n)
	}
}

// lookupAll follows the rest of a path in every element of a list.
func lookupAll(v any, rest []Seg) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, notA(Seg{All: true}, v)
	}
	flat := Ref{Path: rest}.HasAll()
	out := make([]any, 0, len(list))
	var absent error
	found := false
	for _, e := range list {
		x, err := Lookup(e, rest)
		if err != nil {
			if !errors.Is(err, ErrNoSuchPart) {
				return nil, err
			}
			absent, x = err, nil
		} else {
			found = true
		}
		if inner, ok := x.([]any); ok && flat {
			out = append(out, inner...)
		} else if !flat {
			out = append(out, x)
		}
	}
	if !found && absent != nil {
		return nil, absent
	}
	return out, nil
}

func notA(s Seg, v any) error {
	var b strings.Builder
	s.write(&b)
	return fmt.Errorf("%w: %s of %s", ErrNoSuchPart, b.String(), kindOf(v))
}

// missing names the fields that are there, as far as their names are SafeNames.
func missing(field string, m map[string]any) error {
	const most = 12
	keys := slices.DeleteFunc(sortedKeys(m), func(k string) bool { return !SafeName(k) })
	if near := nearest(field, keys); near != "" {
		return fmt.Errorf("%w: no field %s; did you mean %s?", ErrNoSuchPart, strconv.Quote(field), near)
	}
	if len(keys) > most {
		keys = append(keys[:most:most], "...")
	}
	return fmt.Errorf("%w: no field %s; there are %s", ErrNoSuchPart, strconv.Quote(field), strings.Join(keys, ", "))
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	case Ref, *Ref:
		return "a reference"
	case Concat:
		return "a text"
	}
	return "a number"
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
