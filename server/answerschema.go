package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"catena/chat"
)

// Bounds of a schema for an answer.
const (
	maxSchema      = 16 << 10 // bytes; it is kept with a stored response (maxAsked)
	maxSchemaRefs  = 16       // references that lead to one another
	schemaRows     = 10_000   // rows that an answer by a schema may have
	schemaNames    = 20       // columns that a refusal names
	schemaExponent = 400      // digits of a number in exponent form
)

// schemaNode is what is read of a JSON schema.
type schemaNode struct {
	Ref        string                 `json:"$ref"`
	Type       schemaTypes            `json:"type"`
	Properties map[string]*schemaNode `json:"properties"`
	Required   []string               `json:"required"`
	Items      *schemaNode            `json:"items"`
	AnyOf      []*schemaNode          `json:"anyOf"`
	Enum       []json.RawMessage      `json:"enum"`
	Const      json.RawMessage        `json:"const"`
	Defs       map[string]*schemaNode `json:"$defs"`
	Old        map[string]*schemaNode `json:"definitions"`
}

// schemaTypes is one type, or a list of them.
type schemaTypes []string

// UnmarshalJSON takes a text or a list of texts.
func (t *schemaTypes) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = schemaTypes{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// answerSchema is a form that a table can be put into: a list of objects, in an object or not, or one object. Its fields are columns.
type answerSchema struct {
	list   string // the property that holds the list, where it is in an object
	single bool   // one object
	fields map[string]schemaField
	needed []string // fields that must be there
}

// schemaField is what a field may be.
type schemaField struct {
	types   []string // none is any
	allowed []json.RawMessage
}

// badSchema is the problem of a schema that no table can be put into.
func badSchema(param, detail string) *problem {
	return unsupported(param, detail, `Ask for a list of objects, or for one object, whose fields are columns of the answer, or use {"type": "json_object"}.`)
}

// schemaOf reads the schema of a format; nil is none. param is where the request has it.
func (f answerFormat) schemaOf(param string) (*answerSchema, error) {
	switch f.Type {
	case "", "text", "json_object":
		return nil, nil
	case "json_schema":
	default:
		return nil, unsupported(param, fmt.Sprintf("%s cannot have the type %.*q.", param, shownKey, f.Type), `Ask for "text", "json_object" or "json_schema".`)
	}
	if len(f.Schema) > maxSchema {
		return nil, badSchema(param, fmt.Sprintf("The schema is larger than %d bytes.", maxSchema))
	}
	var root *schemaNode
	if err := json.Unmarshal(f.Schema, &root); err != nil || root == nil {
		return nil, badSchema(param, "There is no schema that can be read.")
	}
	a, err := root.answer()
	if err != nil {
		return nil, badSchema(param, err.Error())
	}
	return a, nil
}

// answer reads the form of a schema.
func (n *schemaNode) answer() (*answerSchema, error) {
	top, err := n.resolved(n)
	if err != nil {
		return nil, err
	}
	if top.Items != nil {
		return n.object("", top.Items, false)
	}
	list := ""
	for _, name := range slices.Sorted(maps.Keys(top.Properties)) {
		p, err := n.resolved(top.Properties[name])
		if err != nil {
			return nil, err
		}
		if p.Items == nil {
			continue
		}
		if list != "" || len(top.Properties) > 1 {
			return nil, errors.New("the schema has a list beside other fields, and an answer's table is one list")
		}
		list = name
	}
	if list == "" {
		return n.object("", top, true)
	}
	p, err := n.resolved(top.Properties[list])
	if err != nil {
		return nil, err
	}
	return n.object(list, p.Items, false)
}

// object reads the fields of the object that stands for a row.
func (n *schemaNode) object(list string, row *schemaNode, single bool) (*answerSchema, error) {
	row, err := n.resolved(row)
	if err != nil {
		return nil, err
	}
	if len(row.Properties) == 0 {
		return nil, errors.New("the schema names no fields of an object")
	}
	a := &answerSchema{list: list, single: single, fields: map[string]schemaField{}, needed: row.Required}
	for name, p := range row.Properties {
		if a.fields[name], err = n.field(p, 0); err != nil {
			return nil, fmt.Errorf("the field %q: %w", name, err)
		}
	}
	return a, nil
}

// field reads what a field may be.
func (n *schemaNode) field(p *schemaNode, depth int) (schemaField, error) {
	p, err := n.resolved(p)
	if err != nil {
		return schemaField{}, err
	}
	f := schemaField{types: p.Type, allowed: p.Enum}
	if p.Const != nil {
		f.allowed = []json.RawMessage{p.Const}
	}
	if depth > 1 || len(p.Properties) > 0 || p.Items != nil {
		return f, errors.New("it is no text, number or truth value")
	}
	for _, one := range p.AnyOf {
		other, err := n.field(one, depth+1)
		if err != nil {
			return f, err
		}
		f.types = append(f.types, other.types...)
	}
	return f, nil
}

// resolved follows the references of a node of the schema.
func (n *schemaNode) resolved(at *schemaNode) (*schemaNode, error) {
	for range maxSchemaRefs {
		if at == nil {
			return nil, errors.New("a part of the schema is empty")
		}
		if at.Ref == "" {
			return at, nil
		}
		name, ok := strings.CutPrefix(at.Ref, "#/$defs/")
		next := n.Defs[name]
		if !ok {
			name, _ = strings.CutPrefix(at.Ref, "#/definitions/")
			next = n.Old[name]
		}
		if next == nil {
			return nil, fmt.Errorf("the reference %q leads nowhere", at.Ref)
		}
		at = next
	}
	return nil, errors.New("references lead in a circle")
}

// fill puts an answer into the form. refusal says, in sentences, why it does not fit; text is "" then.
func (a *answerSchema) fill(resp chat.Response) (text, refusal string) {
	if resp.Outcome != chat.OutcomeAnswer {
		return "", resp.Response
	}
	var fitting []string
	var why []string
	for _, t := range resp.Tables {
		f, err := a.table(t)
		if err != nil {
			why = append(why, err.Error())
			continue
		}
		fitting = append(fitting, f)
	}
	switch {
	case len(resp.Tables) == 0:
		return "", "The answer has no table that could be put into the schema. It is: " + resp.Response
	case len(fitting) > 1:
		return "", "Several tables of the answer fit the schema, so which one is meant is not known. Ask for one of them."
	case len(fitting) == 0:
		return "", "The answer does not fit the schema: " + strings.Join(why, "; ") + "."
	}
	if state := resp.Completeness.State; state == "partial" || state == "truncated" {
		return "", "The answer is not whole, so it is not put into the schema: " + resp.Completeness.Detail
	}
	return fitting[0], ""
}

// table puts a table into the form.
func (a *answerSchema) table(t chat.AnswerTable) (string, error) {
	columns, err := a.columns(t)
	if err != nil {
		return "", err
	}
	var rows [][]json.RawMessage
	if err := json.Unmarshal(t.Rows, &rows); err != nil {
		return "", fmt.Errorf("the rows of %q cannot be read", t.Title)
	}
	switch {
	case t.Truncated:
		return "", fmt.Errorf("%q has %d rows, of which %d are shown", t.Title, t.TotalRows, t.RowCount)
	case a.single && len(rows) != 1:
		return "", fmt.Errorf("the schema is of one object, and %q has %d rows", t.Title, len(rows))
	}
	objects := make([]map[string]json.RawMessage, len(rows))
	for i, row := range rows {
		objects[i] = map[string]json.RawMessage{}
		for name, column := range columns {
			if column >= len(row) {
				return "", fmt.Errorf("the rows of %q are shorter than its columns", t.Title)
			}
			if objects[i][name], err = a.fields[name].value(row[column]); err != nil {
				return "", fmt.Errorf("%s in row %d: %w", name, i+1, err)
			}
		}
	}
	var whole any = objects
	switch {
	case a.single:
		whole = objects[0]
	case a.list != "":
		whole = map[string]any{a.list: objects}
	}
	data, err := json.Marshal(whole)
	if err != nil {
		return "", fmt.Errorf("the cells of %q cannot be written as JSON", t.Title)
	}
	return string(data), nil
}

// columns finds the column of each field by its name.
func (a *answerSchema) columns(t chat.AnswerTable) (map[string]int, error) {
	found := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(a.fields)) {
		at, names := -1, []string{}
		for i, c := range t.Columns {
			names = append(names, c.OriginalName)
			if folded(name) != folded(c.OriginalName) && folded(name) != folded(c.CleanedName) {
				continue
			}
			if at >= 0 {
				return nil, fmt.Errorf("several columns of %q are called %q", t.Title, name)
			}
			at = i
		}
		switch {
		case at >= 0:
			found[name] = at
		case slices.Contains(a.needed, name):
			return nil, fmt.Errorf("%q has no column %q; it has %s", t.Title, name, strings.Join(names[:min(len(names), schemaNames)], ", "))
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%q has none of the schema's fields", t.Title)
	}
	return found, nil
}

// folded is a name without what its writing adds: clientName and client_name are one.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// value is a cell as the field wants it.
func (f schemaField) value(cell json.RawMessage) (json.RawMessage, error) {
	out, err := f.typed(cell)
	if err != nil {
		return nil, err
	}
	same := func(one json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(one), out) }
	if len(f.allowed) > 0 && !slices.ContainsFunc(f.allowed, same) {
		return nil, errors.New("the schema does not allow its value")
	}
	return out, nil
}

// typed is a cell in one of the field's types, the first that holds it as it is, else as a text or the number that a text is.
func (f schemaField) typed(cell json.RawMessage) (json.RawMessage, error) {
	has := func(kind string) bool { return len(f.types) == 0 || slices.Contains(f.types, kind) }
	plain := string(bytes.TrimSpace(cell))
	var text string
	isText := json.Unmarshal(cell, &text) == nil && plain != "null"
	number := plain
	if isText {
		number = text
	}
	switch {
	case plain == "null" && has("null"), (plain == "true" || plain == "false") && has("boolean"), isText && has("string"):
		return json.RawMessage(plain), nil
	case plain == "null":
		return nil, errors.New("it is empty, and the schema does not allow null")
	case has("integer") && isNumber(number, true), has("number") && isNumber(number, false):
		return json.RawMessage(number), nil
	case has("string") && !strings.HasPrefix(plain, "[") && !strings.HasPrefix(plain, "{"):
		return json.Marshal(plain)
	}
	return nil, fmt.Errorf("it is no %s", strings.Join(f.types, " or "))
}

// isNumber reports whether a text is a number of JSON, and a whole one where that is wanted.
func isNumber(text string, whole bool) bool {
	var n json.Number
	if json.Unmarshal([]byte(text), &n) != nil || strings.HasPrefix(text, `"`) || len(text) > schemaExponent {
		return false
	}
	if strings.ContainsAny(text, "eE") {
		f, err := n.Float64()
		return err == nil && (!whole || f == float64(int64(f)))
	}
	r, ok := new(big.Rat).SetString(text)
	return ok && (!whole || r.IsInt())
}
