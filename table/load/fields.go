package load

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Field is one field of a JSON object.
type Field struct {
	Name  string
	Value json.RawMessage
}

// Fields are those of a JSON object in the order in which they are written, each name once. The zero value has none.
type Fields []Field

// FieldsOf reads the fields of a JSON object; nil for any other value and for an object without fields. Of a name that
// stands twice the last value counts, as in encoding/json.
func FieldsOf(raw json.RawMessage) Fields {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out Fields
	at := map[string]int{}
	for d.More() {
		var f Field
		name, err := d.Token()
		if err == nil {
			err = d.Decode(&f.Value)
		}
		if err != nil {
			return nil
		}
		f.Name, _ = name.(string)
		if i, twice := at[f.Name]; twice {
			out[i] = f
			continue
		}
		at[f.Name] = len(out)
		out = append(out, f)
	}
	return out
}

// Get returns the value of a field, nil where there is none.
func (f Fields) Get(name string) json.RawMessage {
	if i := slices.IndexFunc(f, func(x Field) bool { return x.Name == name }); i >= 0 {
		return f[i].Value
	}
	return nil
}

// MarshalJSON writes the object that the fields are of.
func (f Fields) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, x := range f {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, textJSON(x.Name)...), ':')
		b = append(b, x.Value...)
	}
	return append(b, '}'), nil
}

// without returns the other fields, nil where there are none.
func (f Fields) without(names ...string) (out Fields) {
	for _, x := range f {
		if !slices.Contains(names, x.Name) {
			out = append(out, x)
		}
	}
	return out
}

// with returns the fields and behind them those of an object around theirs, whose value counts where both have a name.
func (f Fields) with(outer Fields) Fields {
	if len(f) == 0 {
		return outer
	}
	around := map[string]bool{}
	for _, x := range outer {
		around[x.Name] = true
	}
	f = slices.DeleteFunc(f, func(x Field) bool { return around[x.Name] })
	return append(f, outer...)
}

// Sole is what the only member of a JSON object holds where that is an object: {"row": {...}} says no more than the
// row. Of a list whose elements all have one and the same member alone it is the list of what they hold. Any other
// value is given back as it is.
func Sole(raw json.RawMessage) json.RawMessage {
	if inner, _ := soleMember(raw); inner != nil {
		return inner
	}
	var list []json.RawMessage
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) || json.Unmarshal(raw, &list) != nil || !soleMembers(list) {
		return raw
	}
	return joinedList(list)
}

// soleMembers puts in the place of each object of a list what its only member holds, where all have the same one alone.
func soleMembers(list []json.RawMessage) bool {
	inner, name := make([]json.RawMessage, len(list)), ""
	for i, e := range list {
		held, of := soleMember(e)
		if held == nil || i > 0 && of != name {
			return false
		}
		inner[i], name = held, of
	}
	copy(list, inner)
	return len(list) > 0
}

// soleMember is the only member of an object where it is an object that is not empty, nil else.
func soleMember(raw json.RawMessage) (inner json.RawMessage, name string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, ""
	}
	key, err := d.Token()
	name, _ = key.(string)
	if err != nil || d.Decode(&inner) != nil {
		return nil, ""
	}
	if end, err := d.Token(); err != nil || end != json.Delim('}') {
		return nil, "" // another member, or no JSON
	}
	if body := bytes.TrimSpace(inner); !isRecord(body) || len(bytes.TrimSpace(body[1:len(body)-1])) == 0 {
		return nil, ""
	}
	return inner, name
}
