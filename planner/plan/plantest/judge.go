package plantest

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
)

// Outcome is what became of a text.
type Outcome struct {
	Refused bool
	Told    bool            // repairs are listed
	Plan    json.RawMessage // the plan as it was taken, in the form of Case.Want; steps may stand in any order
}

// Judge says whether an outcome is right, and whether it is a silent change: another plan than the one that is meant, or the one that is
// meant made of something else without a word.
func (c Case) Judge(o Outcome) (right, silent bool) {
	if o.Refused {
		return c.Verdict != Meant, false
	}
	want := decoded(c.Want)
	if !samePlan(want, decoded(o.Plan)) || !o.Told && !samePlan(want, decoded([]byte(c.Text))) {
		return false, true
	}
	return c.Verdict != Refused, c.Verdict == Refused
}

type (
	steps struct {
		Steps  []step `json:"steps"`
		Answer answer `json:"answer"`
	}
	// answer is a list; one element may stand without it
	answer []any
	step   struct {
		ID   string         `json:"id"`
		Tool string         `json:"tool"`
		Args map[string]any `json:"args"`
		Each any            `json:"each"`
		When any            `json:"when"`
	}
)

// UnmarshalJSON reads a list, or one element.
func (a *answer) UnmarshalJSON(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return err
	}
	if list, ok := v.([]any); ok {
		*a = list
	} else if v != nil {
		*a = answer{v}
	}
	return nil
}

// decoded reads a plan; nil when it is none.
func decoded(raw []byte) *steps {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var s steps
	if dec.Decode(&s) != nil || dec.More() {
		return nil
	}
	return &s
}

func samePlan(a, b *steps) bool {
	if a == nil || b == nil || len(a.Steps) != len(b.Steps) || len(a.Answer) != len(b.Answer) {
		return false
	}
	for _, s := range a.Steps {
		i := slices.IndexFunc(b.Steps, func(t step) bool { return t.ID == s.ID })
		if i < 0 {
			return false
		}
		t := b.Steps[i]
		if t.Tool != s.Tool || !same(s.Args, t.Args) || !same(s.Each, t.Each) || !same(s.When, t.When) {
			return false
		}
	}
	return same([]any(a.Answer), []any(b.Answer))
}

// same compares JSON values, numbers by value.
func same(a, b any) bool {
	switch x := a.(type) {
	case json.Number:
		y, ok := b.(json.Number)
		p, ok1 := new(big.Rat).SetString(x.String())
		q, ok2 := new(big.Rat).SetString(y.String())
		return ok && ok1 && ok2 && p.Cmp(q) == 0
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, ok := y[k]; !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
	}
	return reflect.DeepEqual(a, b)
}
