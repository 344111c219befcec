package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// ParseQuery reads the arguments of query_table. Unknown keys, operators and aggregates are errors that name the known ones.
// Refs must have been resolved before.
func ParseQuery(args map[string]any) (Query, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return Query{}, fmt.Errorf("query: %w", err)
	}
	var q Query
	if err := decodeStrict(raw, &q); err != nil {
		return Query{}, fmt.Errorf("query: %w", err)
	}
	return q, q.check()
}

// Args is the query as arguments of query_table. Refs in Data stay Refs.
func (q Query) Args() map[string]any {
	data := q.Data
	q.Data = nil
	raw, err := json.Marshal(q)
	args := map[string]any{}
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		err = dec.Decode(&args)
	}
	if err != nil { // only a caller's value that JSON cannot hold, such as a NaN
		return map[string]any{"table": q.Table}
	}
	if data != nil {
		args["data"] = data
	}
	return args
}

func (q Query) check() error {
	if (q.Table == "") == (q.Data == nil) {
		return fmt.Errorf("query: give either table or data")
	}
	if q.Limit < 0 || q.Offset < 0 {
		return fmt.Errorf("query: limit and offset are not negative")
	}
	for _, s := range q.Select {
		if s.Expr != "" && !slices.Contains(Exprs, s.Expr) {
			return fmt.Errorf("query: there is no aggregate %q; the aggregates are %s", s.Expr, strings.Join(Exprs, ", "))
		}
		if err := checkConditions(s.Filter); err != nil {
			return err
		}
	}
	list := append(slices.Clone(q.Filter), q.Having...)
	if q.Beside != nil {
		list = append(list, q.Beside.Filter...)
	}
	return checkConditions(list)
}

func checkConditions(list []Condition) error {
	for _, c := range list {
		if len(c.Any) > 0 {
			if err := checkConditions(c.Any); err != nil {
				return err
			}
			continue
		}
		if c.Column == "" || !slices.Contains(Ops, c.Op) {
			return fmt.Errorf("query: a condition has a column and an op of %s, not %q", strings.Join(Ops, ", "), c.Op)
		}
	}
	return nil
}

// UnmarshalJSON reads "col" or {"expr", "column", "as", "filter"}.
func (s *Select) UnmarshalJSON(data []byte) error {
	type plain Select
	return textOr(data, func(col string) { *s = Select{Column: col} }, (*plain)(s))
}

// MarshalJSON writes a plain column as its name.
func (s Select) MarshalJSON() ([]byte, error) {
	type plain Select
	if s.Expr == "" && s.As == "" && len(s.Filter) == 0 {
		return json.Marshal(s.Column)
	}
	return json.Marshal(plain(s))
}

// UnmarshalJSON reads "col" or {"column", "period"}.
func (k *GroupKey) UnmarshalJSON(data []byte) error {
	type plain GroupKey
	return textOr(data, func(col string) { *k = GroupKey{Column: col} }, (*plain)(k))
}

// MarshalJSON writes a key without a period as its name.
func (k GroupKey) MarshalJSON() ([]byte, error) {
	type plain GroupKey
	if k.Period == "" && k.As == "" {
		return json.Marshal(k.Column)
	}
	return json.Marshal(plain(k))
}

// UnmarshalJSON reads {"column", "desc"}, "col", or "-col" for descending.
func (o *Order) UnmarshalJSON(data []byte) error {
	type plain Order
	return textOr(data, func(col string) {
		name, desc := strings.CutPrefix(col, "-")
		*o = Order{Column: name, Desc: desc}
	}, (*plain)(o))
}

// textOr reads a JSON string with text, anything else strictly into v.
func textOr(data []byte, text func(string), v any) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		text(s)
		return nil
	}
	return decodeStrict(data, v)
}

func decodeStrict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
