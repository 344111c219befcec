package tools

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"

	"catena/table"
)

const (
	// deepestCleaned bounds the depth of what is walked; what is deeper is taken out, as nobody looked at it.
	deepestCleaned = 200
	// leastEncoded is from how many characters on a stretch of base 64 is read: the shortest secret that is hidden has six.
	leastEncoded = 8
	// takenOut stands for what holds a secret that cannot be taken out alone.
	takenOut = "***"
)

// cleaner takes secrets out of values. It changes no value: what holds a secret is copied on the way to it.
type cleaner struct {
	hide  func(string) string
	found bool
}

// cleaned is a value without secrets, and whether it had any: every text in it is looked at, names and values, at any depth, of structs,
// maps, lists, raw JSON and bytes, also behind base 64.
func cleaned[T any](hide func(string) string, v T) (T, bool) {
	c := &cleaner{hide: hide}
	in := reflect.ValueOf(&v).Elem()
	out, changed := c.value(in, 0)
	if changed {
		in = reflect.New(in.Type()).Elem()
		in.Set(out)
		v = in.Interface().(T)
	}
	return v, c.found
}

// cleanTarget takes the secrets out of what a pointer, as errors.As fills it, points to.
func cleanTarget(hide func(string) string, target any) {
	v := reflect.ValueOf(target).Elem()
	if out, changed := (&cleaner{hide: hide}).value(v, 0); changed {
		v.Set(out)
	}
}

var (
	rawType   = reflect.TypeFor[json.RawMessage]()
	tableType = reflect.TypeFor[*table.Table]()
	jsonType  = reflect.TypeFor[json.Marshaler]()
)

// value cleans a value of any kind. The result has the type of v.
func (c *cleaner) value(v reflect.Value, depth int) (reflect.Value, bool) {
	if depth > deepestCleaned {
		c.found = true
		return reflect.Zero(v.Type()), true
	}
	if v.Type() == tableType { // looked at cell by cell
		return v, false
	}
	if v.Type() == rawType {
		raw, changed := c.raw(v.Bytes(), depth)
		return reflect.ValueOf(json.RawMessage(raw)), changed
	}
	switch v.Kind() {
	case reflect.String:
		text, changed := c.text(v.String())
		if !changed {
			return v, false
		}
		return reflect.ValueOf(text).Convert(v.Type()), true
	case reflect.Interface:
		return c.boxed(v, depth)
	case reflect.Pointer:
		return c.pointer(v, depth)
	case reflect.Struct:
		return c.fields(v, depth)
	case reflect.Map:
		return c.entries(v, depth)
	case reflect.Slice, reflect.Array:
		return c.elements(v, depth)
	}
	return v, false
}

// boxed cleans what stands in an interface. What no walk sees all of is cleaned as the JSON that it becomes, where any value may stand.
func (c *cleaner) boxed(v reflect.Value, depth int) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	inner := v.Elem()
	if v.NumMethod() == 0 && opaque(inner.Type()) {
		raw, err := json.Marshal(inner.Interface())
		if err != nil {
			return v, false // it reaches nobody
		}
		clean, changed := c.raw(raw, depth)
		if !changed {
			return v, false
		}
		return reflect.ValueOf(decoded(clean)), true
	}
	out, changed := c.value(inner, depth+1)
	if !changed {
		return v, false
	}
	return out, true
}

// opaque reports whether a value writes itself as JSON, or has fields that are not exported.
func opaque(t reflect.Type) bool {
	if t == rawType || t == tableType {
		return false
	}
	if t.Implements(jsonType) || reflect.PointerTo(t).Implements(jsonType) {
		return true
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

func (c *cleaner) pointer(v reflect.Value, depth int) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	out, changed := c.value(v.Elem(), depth+1)
	if !changed {
		return v, false
	}
	p := reflect.New(v.Type().Elem())
	p.Elem().Set(out)
	return p, true
}

func (c *cleaner) fields(v reflect.Value, depth int) (reflect.Value, bool) {
	own := v
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		out, changed := c.value(v.Field(i), depth+1)
		if !changed {
			continue
		}
		if own == v {
			own = reflect.New(v.Type()).Elem()
			own.Set(v)
		}
		own.Field(i).Set(out)
	}
	return own, own != v
}

func (c *cleaner) entries(v reflect.Value, depth int) (reflect.Value, bool) {
	own := v
	for it := v.MapRange(); it.Next(); {
		key, renamed := c.value(it.Key(), depth+1)
		val, changed := c.value(it.Value(), depth+1)
		if !renamed && !changed {
			continue
		}
		if own == v {
			own = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				own.SetMapIndex(all.Key(), all.Value())
			}
		}
		if renamed {
			own.SetMapIndex(it.Key(), reflect.Value{})
		}
		own.SetMapIndex(key, val)
	}
	return own, own != v
}

func (c *cleaner) elements(v reflect.Value, depth int) (reflect.Value, bool) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return c.bytes(v)
	}
	own := v
	for i := range v.Len() {
		out, changed := c.value(v.Index(i), depth+1)
		if !changed {
			continue
		}
		if own == v {
			own = reflect.New(v.Type()).Elem()
			if v.Kind() == reflect.Slice {
				own.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			}
			reflect.Copy(own, v)
		}
		own.Index(i).Set(out)
	}
	return own, own != v
}

// bytes cleans a picture or another content in bytes.
func (c *cleaner) bytes(v reflect.Value) (reflect.Value, bool) {
	if v.Kind() != reflect.Slice {
		return v, false
	}
	text, changed := c.text(string(v.Bytes()))
	if !changed {
		return v, false
	}
	return reflect.ValueOf([]byte(text)).Convert(v.Type()), true
}

// raw cleans JSON as the values that it stands for: an escape hides nothing. JSON without a secret keeps its bytes.
func (c *cleaner) raw(raw []byte, depth int) ([]byte, bool) {
	if len(raw) == 0 {
		return raw, false
	}
	v := decoded(raw)
	if v == nil {
		text, changed := c.text(string(raw))
		if changed {
			return []byte(`"` + takenOut + `"`), true // what is left need not be JSON
		}
		return []byte(text), false
	}
	out, changed := c.value(reflect.ValueOf(&v).Elem(), depth+1)
	if !changed {
		return raw, false
	}
	clean, err := json.Marshal(out.Interface())
	if err != nil {
		clean = []byte(`"` + takenOut + `"`)
	}
	return clean, true
}

// decoded are the values of JSON, nil where it is none.
func decoded(raw []byte) any {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return v
}

// text takes secrets out of a text, and stretches of base 64 behind which one stands.
func (c *cleaner) text(text string) (string, bool) {
	out := c.hide(text)
	for at := 0; at < len(out); {
		n := encodedRun(out[at:])
		if n >= leastEncoded && c.encoded(out[at:at+n]) {
			out = out[:at] + takenOut + out[at+n:]
			n = len(takenOut)
		}
		at += max(n, 1)
	}
	if out == text {
		return text, false
	}
	c.found = true
	return out, true
}

// encodedRun is how many characters of base 64, of either alphabet, a text begins with.
func encodedRun(text string) int {
	for i := range len(text) {
		b := text[i]
		letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
		if !letter && !strings.ContainsRune("+/-_", rune(b)) {
			return i
		}
	}
	return len(text)
}

// encoded reports whether a secret stands behind base 64.
func (c *cleaner) encoded(run string) bool {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
	for start := range min(4, len(run)) { // what stands before it may look like it
		part := run[start:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		data, _ := base64.RawStdEncoding.DecodeString(part) // what could be read of it counts
		if text := string(data); c.hide(text) != text {
			return true
		}
	}
	return false
}
