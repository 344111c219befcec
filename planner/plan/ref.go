package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxRef bounds the text of one reference.
const maxRef = 1024

// errNoID is the error for a reference that names no step.
var errNoID = errors.New("a reference starts with a step's id, as in s1.rows[0].name")

// ParseRef reads a reference as plans write it: "s1", "s1.rows[*].client_id", "s1.rows[only].id", "s1.rows[-1]", `s1["odd name"]`, "each.id".
// A field after a dot is any run of characters without . [ ] " and controls. Errors say which character is wrong.
func ParseRef(s string) (Ref, error) {
	if len(s) > maxRef {
		return Ref{}, fmt.Errorf("a reference may have %d characters at most", maxRef)
	}
	if !utf8.ValidString(s) {
		return Ref{}, errors.New("a reference is valid UTF-8")
	}
	n := 0
	for n < len(s) && idByte(s[n]) {
		n++
	}
	if n == 0 {
		return Ref{}, errNoID
	}
	r := Ref{Step: s[:n]}
	if more := strings.Count(s[n:], ".") + strings.Count(s[n:], "["); more > 0 {
		r.Path = make([]Seg, 0, more)
	}
	for rest := s[n:]; rest != ""; {
		seg, tail, err := parseSeg(rest)
		if err != nil {
			return Ref{}, fmt.Errorf("reference %s: %w", strconv.Quote(s), err)
		}
		r.Path, rest = append(r.Path, seg), tail
	}
	return r, nil
}

// parseSeg reads one part of a path and returns what follows it.
func parseSeg(s string) (Seg, string, error) {
	switch s[0] {
	case '.':
		n := 1
		for n < len(s) && fieldByte(s[n]) {
			n++
		}
		if n == 1 {
			return Seg{}, "", errors.New("a field's name is missing after the dot")
		}
		return Seg{Field: s[1:n]}, s[n:], nil
	case '[':
		return parseBracket(s)
	}
	return Seg{}, "", fmt.Errorf("unexpected %q; write .field, [n], [*], [only] or [\"odd name\"]", s[:1])
}

func parseBracket(s string) (Seg, string, error) {
	if len(s) > 1 && (s[1] == '"' || s[1] == '\'') {
		return parseQuoted(s)
	}
	in, tail, ok := strings.Cut(s[1:], "]")
	if !ok {
		return Seg{}, "", errors.New("a ] is missing")
	}
	switch in {
	case "*":
		return Seg{All: true}, tail, nil
	case "only":
		return Seg{Only: true}, tail, nil
	}
	i, err := strconv.Atoi(in)
	if err != nil || in[0] == '+' {
		return Seg{}, "", fmt.Errorf("[%s] is no index; write [0], [-1], [*], [only] or [\"name\"]", in)
	}
	return Seg{Index: i}, tail, nil
}

// parseQuoted reads ["name"] with JSON's escapes, or ['name'].
func parseQuoted(s string) (Seg, string, error) {
	quote := s[1]
	end := 2
	for end < len(s) && s[end] != quote {
		if s[end] == '\\' {
			end++
		}
		end++
	}
	if end+1 >= len(s) || s[end+1] != ']' {
		return Seg{}, "", errors.New("a quoted field must end with the quote and ]")
	}
	text := s[2:end]
	if quote == '\'' {
		text = strings.ReplaceAll(strings.ReplaceAll(text, `\'`, `'`), `"`, `\"`)
	}
	var name string
	if err := json.Unmarshal([]byte(`"`+text+`"`), &name); err != nil {
		return Seg{}, "", fmt.Errorf("the quoted field is no JSON string: %w", err)
	}
	if name == "" {
		return Seg{}, "", errors.New("a field's name may not be empty")
	}
	return Seg{Field: name}, s[end+2:], nil
}

// idByte reports whether c may stand in a step's id: [A-Za-z0-9_-]. The longest prefix of such bytes is the id.
func idByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func fieldByte(c byte) bool {
	return c >= ' ' && c != '.' && c != '[' && c != ']' && c != '"' && c != 0x7f
}

// ValidID reports whether s can be a step's id: 1 to 64 of [A-Za-z0-9_-], and not "each", which means the element.
func ValidID(s string) bool {
	if s == "" || len(s) > 64 || s == Each {
		return false
	}
	for i := range len(s) {
		if !idByte(s[i]) {
			return false
		}
	}
	return true
}

// Each is the step name of a Ref to the element of the step's own each.
const Each = "each"

// String writes the reference so that ParseRef reads the same Ref back. Names that are not plain words are quoted.
func (r Ref) String() string {
	var b strings.Builder
	b.WriteString(r.Step)
	for _, s := range r.Path {
		s.write(&b)
	}
	return b.String()
}

func (s Seg) write(b *strings.Builder) {
	switch {
	case s.Field != "" && plainField(s.Field):
		b.WriteByte('.')
		b.WriteString(s.Field)
	case s.Field != "":
		b.WriteByte('[')
		b.Write(jsonString(s.Field))
		b.WriteByte(']')
	case s.All:
		b.WriteString("[*]")
	case s.Only:
		b.WriteString("[only]")
	default:
		b.WriteByte('[')
		b.WriteString(strconv.Itoa(s.Index))
		b.WriteByte(']')
	}
}

func plainField(s string) bool {
	if s[0] >= '0' && s[0] <= '9' || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if !idByte(s[i]) {
			return false
		}
	}
	return true
}

// jsonString is s as a JSON string without HTML escapes; invalid UTF-8 becomes U+FFFD.
func jsonString(s string) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // strings always encode
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// HasAll reports whether the path has a [*], so that the reference stands for a list.
func (r Ref) HasAll() bool {
	for _, s := range r.Path {
		if s.All && s.Field == "" {
			return true
		}
	}
	return false
}

// MarshalJSON writes {"$ref":"..."}.
func (r Ref) MarshalJSON() ([]byte, error) {
	return append(append([]byte(`{"$ref":`), jsonString(r.String())...), '}'), nil
}

// UnmarshalJSON reads {"$ref":"..."} with exactly that key.
func (r *Ref) UnmarshalJSON(data []byte) error {
	v, f := decodeValue(data)
	if len(f) > 0 {
		return f
	}
	x, ok := v.(Ref)
	if !ok {
		return Findings{{Code: BadReference, Message: `a reference is an object with the one key $ref`}}
	}
	*r = x
	return nil
}

// MarshalJSON writes {"$concat":[...]}.
func (c Concat) MarshalJSON() ([]byte, error) {
	parts := c.Parts
	if parts == nil {
		parts = []any{}
	}
	return json.Marshal(map[string]any{"$concat": parts})
}

// UnmarshalJSON reads {"$concat":[...]} with exactly that key.
func (c *Concat) UnmarshalJSON(data []byte) error {
	v, f := decodeValue(data)
	if len(f) > 0 {
		return f
	}
	x, ok := v.(Concat)
	if !ok {
		return Findings{{Code: BadReference, Message: `a concatenation is an object with the one key $concat`}}
	}
	*c = x
	return nil
}

// decodeValue reads one strict JSON value in which references are Refs.
func decodeValue(data []byte) (any, Findings) {
	v, f := strictTree(string(data), DefaultLimits)
	if len(f) > 0 {
		return nil, f
	}
	d := decoder{lim: DefaultLimits}
	v = d.value(v, top, 0)
	return v, d.found
}

// Refs returns the references in a tree in the order of a walk, maps by sorted key, repeats included.
func Refs(v any) []Ref {
	var out []Ref
	walkRefs(v, func(r Ref) { out = append(out, r) })
	return out
}

func walkRefs(v any, f func(Ref)) {
	switch x := v.(type) {
	case Ref:
		f(x)
	case *Ref:
		if x != nil {
			f(*x)
		}
	case Concat:
		for _, p := range x.Parts {
			walkRefs(p, f)
		}
	case []any:
		for _, e := range x {
			walkRefs(e, f)
		}
	case map[string]any:
		if len(x) == 1 {
			for _, e := range x {
				walkRefs(e, f)
			}
			return
		}
		for _, k := range sortedKeys(x) {
			walkRefs(x[k], f)
		}
	}
}

// Rewritten is a copy of the step with leaf applied to everything that its arguments, its condition and its each hold:
// texts, numbers, booleans, nil and references (Ref). What leaf makes of a reference that stands alone, in each or
// when, must be one, else it stays. key, where it is not nil, is applied to the keys of the arguments, at every depth.
// The step is not changed.
func (s Step) Rewritten(leaf func(any) any, key func(string) string) Step {
	s.Args, _ = Rewrite(s.Args, leaf, key).(map[string]any)
	if s.Each != nil {
		each := rewrittenRef(*s.Each, leaf)
		s.Each = &each
	}
	if s.When != nil {
		s.When = &When{Ref: rewrittenRef(s.When.Ref, leaf), Op: s.When.Op, Value: Rewrite(s.When.Value, leaf, key)}
	}
	return s
}

func rewrittenRef(r Ref, leaf func(any) any) Ref {
	if out, ok := leaf(r).(Ref); ok {
		return out
	}
	return r
}

// Rewrite is a copy of a tree of arguments with leaf applied to all that is no list, no object and no Concat, and key,
// where it is not nil, to the keys of objects. The tree is not changed; a nil object becomes an empty one.
func Rewrite(v any, leaf func(any) any, key func(string) string) any {
	switch x := v.(type) {
	case Concat:
		return Concat{Parts: rewriteAll(x.Parts, leaf, key)}
	case []any:
		return rewriteAll(x, leaf, key)
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			if key != nil {
				k = key(k)
			}
			out[k] = Rewrite(e, leaf, key)
		}
		return out
	}
	return leaf(v)
}

func rewriteAll(list []any, leaf func(any) any, key func(string) string) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = Rewrite(e, leaf, key)
	}
	return out
}
