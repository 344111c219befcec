package config

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"catena/internal/text"
)

// leastHidden is how long a secret must be to be hidden by its value, in bytes: a shorter one stands in any text.
const leastHidden = 8

// hiddenText stands where a secret stood.
const hiddenText = "***"

var secretType = reflect.TypeFor[Secret]()

// eachSecret calls f for every secret of the settings, those in maps and lists too, by the paths of their keys.
func (c Config) eachSecret(f func(path string, s Secret)) {
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch {
		case v.Type() == secretType:
			f(path, v.Interface().(Secret)) //nolint:forcetypeassert // it is one
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				if name := yamlName(v.Type().Field(i)); name != "" {
					walk(v.Field(i), join(path, name))
				}
			}
		case v.Kind() == reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key), join(path, key.String()))
			}
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		}
	}
	walk(reflect.ValueOf(c), "")
}

// SecretFiles are the files that secrets were read from (file:PATH), without repetition.
func (c Config) SecretFiles() []string {
	var out []string
	c.eachSecret(func(_ string, s Secret) {
		if s.file != "" && !slices.Contains(out, s.file) {
			out = append(out, s.file)
		}
	})
	slices.Sort(out)
	return out
}

// Hider replaces the values of secrets in texts. The zero value hides nothing. It is safe for concurrent use.
type Hider struct {
	setting sync.Mutex // held by Set
	state   atomic.Pointer[hiding]
}

// hiding is what a Hider looks for.
type hiding struct {
	values   []string // the longest first
	replacer *strings.Replacer
}

// Set has the secrets of settings be hidden from now on, those from before too: what was sent out may come back later.
func (h *Hider) Set(c Config) {
	h.setting.Lock()
	defer h.setting.Unlock()
	var values []string
	if old := h.state.Load(); old != nil {
		values = slices.Clone(old.values)
	}
	open := c.open()
	c.eachSecret(func(path string, s Secret) {
		if told(path, s) && !(given.MatchString(path) && open[s.value]) {
			values = append(values, writings(s.value)...)
		}
	})
	slices.Sort(values)
	values = slices.Compact(values)
	slices.SortStableFunc(values, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(values))
	for _, v := range values {
		pairs = append(pairs, v, hiddenText)
	}
	h.state.Store(&hiding{values: values, replacer: strings.NewReplacer(pairs...)})
}

// given fits the path of a variable or a header of a server, or of what a declared request has, whose name comes last.
var given = regexp.MustCompile(`^(?:mcpServers|tools|tool_files).*\.(?:env|headers|query)\.([^.]+)$`)

// open are the values that servers are given under names of what is no secret.
func (c Config) open() map[string]bool {
	out := map[string]bool{}
	c.eachSecret(func(path string, s Secret) { out[s.value] = out[s.value] || !told(path, s) })
	return out
}

// told reports whether a value is to be hidden. What a server is given is so by its name, or where it is written as
// keys are, holds a password or comes from a file: its user, region or host may stand in any table.
func told(path string, s Secret) bool {
	m := given.FindStringSubmatch(path)
	if m == nil || s.apart || text.SecretName(m[1]) {
		return true
	}
	if slices.ContainsFunc(strings.Fields(s.value), text.LikeSecret) {
		return true
	}
	u, err := url.Parse(s.value)
	if err != nil || u.User == nil {
		return false
	}
	_, password := u.User.Password()
	return password
}

// writings are a secret as texts may have it: as it is, the token behind a scheme, quoted, as a part of an address, in base 64. Of one with
// several lines each line counts, as a text may be indented.
func writings(value string) []string {
	whole := []string{value}
	if scheme, token, ok := strings.Cut(value, " "); ok && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic") || strings.EqualFold(scheme, "token")) {
		whole = append(whole, token)
	}
	if u, err := url.Parse(value); err == nil && u.User != nil { // the password in an address
		if password, ok := u.User.Password(); ok {
			whole = append(whole, password)
		}
	}
	if strings.Contains(value, "\n") {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") {
				whole = append(whole, line)
			}
		}
	}
	var out []string
	for _, w := range whole {
		if len(w) < leastHidden {
			continue
		}
		quoted, err := json.Marshal(w)
		if err == nil {
			out = append(out, strings.Trim(string(quoted), `"`))
		}
		out = append(out, w, url.QueryEscape(w), url.PathEscape(w), base64.StdEncoding.EncodeToString([]byte(w)), base64.RawURLEncoding.EncodeToString([]byte(w)))
	}
	return out
}

// Has reports whether a text holds a secret.
func (h *Hider) Has(text string) bool {
	s := h.state.Load()
	return s != nil && slices.ContainsFunc(s.values, func(v string) bool { return strings.Contains(text, v) })
}

// Hide returns the text with *** in place of each secret.
func (h *Hider) Hide(text string) string {
	if !h.Has(text) {
		return text
	}
	return h.state.Load().replacer.Replace(text)
}

// Writer hides secrets in what is written, each write on its own: what writes lines, as logs do, writes each at once.
func (h *Hider) Writer(w io.Writer) io.Writer { return hidingWriter{h, w} }

type hidingWriter struct {
	hider *Hider
	to    io.Writer
}

// Write implements io.Writer.
func (w hidingWriter) Write(p []byte) (int, error) {
	text := string(p)
	out := w.hider.Hide(text)
	n, err := io.WriteString(w.to, out)
	if err == nil || n > len(p) {
		n = len(p)
	}
	return n, err
}

// Holds reports whether a text is that of settings with a secret in them, whatever its file is named: YAML or JSON that gives a value to a key
// of Config which is a secret. References, as ${NAME} and file:PATH, are none.
func Holds(text []byte) bool {
	if len(text) > maxFile {
		return false
	}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) == 0 {
		return false
	}
	return holds(doc.Content[0], reflect.TypeFor[Config](), 0)
}

func holds(n *yaml.Node, t reflect.Type, depth int) bool {
	switch {
	case depth > 20:
		return false
	case t == secretType:
		return n.Kind == yaml.ScalarNode && isLiteral(n.Value)
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		return slices.ContainsFunc(n.Content, func(item *yaml.Node) bool { return holds(item, t.Elem(), depth+1) })
	case n.Kind != yaml.MappingNode:
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		below := fieldOf(t, n.Content[i].Value)
		if below != nil && holds(n.Content[i+1], below, depth+1) {
			return true
		}
	}
	return false
}

// fieldOf is the type of what stands under a key, nil where the type has none.
func fieldOf(t reflect.Type, key string) reflect.Type {
	switch t.Kind() {
	case reflect.Map:
		return t.Elem()
	case reflect.Struct:
		for i := range t.NumField() {
			if yamlName(t.Field(i)) == key {
				return t.Field(i).Type
			}
		}
	}
	return nil
}

// isLiteral reports whether a secret is written out.
func isLiteral(value string) bool {
	return len(value) >= leastHidden && !strings.HasPrefix(value, "file:") && !strings.HasPrefix(value, "command:") && !strings.Contains(value, "${")
}
