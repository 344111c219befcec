package query

import (
	"encoding/json"

	"catena/table"
	"catena/table/infer"
)

// The JSON of queries is canonical, by the tags of the types: a query has one text, which is a key of caches and a
// form to compare. Expressions and stages are told apart by the member that only one of them has.
//
//	{"from": "orders", "stages": [{"filter": {"call": "gt", "args": [{"col": "paid"}, {"lit": "3", "type": "integer"}]}}, {"take": 5}]}

// wireLiteral is a value as its canonical text, with its type.
type wireLiteral struct {
	Lit   string `json:"lit"`
	Type  string `json:"type"`
	Scale int32  `json:"scale,omitempty"`
	Zone  string `json:"zone,omitempty"`
}

func literalOut(v table.Value) wireLiteral {
	return wireLiteral{Lit: v.Text(), Type: v.Type().String(), Scale: v.Scale(), Zone: v.Zone()}
}

// value reads the literal; a text that is none of its type is an error.
func (w wireLiteral) value() (table.Value, error) {
	t, err := typeOf(w.Type)
	if err != nil || t == table.Null {
		return table.NullValue, err
	}
	return infer.Parse(w.Lit, table.Column{Name: "lit", Type: t, Scale: w.Scale, Zone: w.Zone})
}

// MarshalJSON is the literal's text with its type.
func (l Literal) MarshalJSON() ([]byte, error) { return json.Marshal(literalOut(l.Value)) }

// wireCast is Cast with its type's name.
type wireCast struct {
	Expr   Expr   `json:"cast"`
	Type   string `json:"type"`
	Scale  int32  `json:"scale,omitempty"`
	Strict bool   `json:"strict,omitempty"`
}

// MarshalJSON is the cast with its type's name.
func (c Cast) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireCast{Expr: c.Expr, Type: c.Type.String(), Scale: c.Scale, Strict: c.Strict})
}

// wireBound is Bound as JSON: {"unbounded": true}, {"offset": {"lit": "-3", "type": "integer"}}, or {} for the
// current row.
type wireBound struct {
	Unbounded bool         `json:"unbounded,omitempty"`
	Offset    *wireLiteral `json:"offset,omitempty"`
}

// MarshalJSON leaves out what says nothing.
func (b Bound) MarshalJSON() ([]byte, error) {
	w := wireBound{Unbounded: b.Unbounded}
	if !b.Offset.IsNull() {
		l := literalOut(b.Offset)
		w.Offset = &l
	}
	return json.Marshal(w)
}

// MarshalJSON is {"distinct": true}.
func (Distinct) MarshalJSON() ([]byte, error) { return []byte(`{"distinct":true}`), nil }

// UnmarshalJSON reads what json.Marshal writes of a query. An unknown member, a text of no type or a query beyond
// MaxDepth is an error; whether the query means something is for Check.
func (q *Query) UnmarshalJSON(data []byte) error {
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err
	}
	read, err := reader{}.query(tree)
	if err == nil {
		*q = read
	}
	return err
}
