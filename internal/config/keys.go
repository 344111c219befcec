package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Key is one setting that an environment variable or a flag can set.
type Key struct {
	Path string // listen.addr
	Env  string // CATENA_LISTEN_ADDR
	List bool   // takes several values; an environment variable separates them by commas
	at   []int  // where it is in Config
}

// Keys lists the settings in the order of Config. mcpServers is not among them: only a file can name servers.
func Keys() []Key {
	var keys []Key
	var walk func(t reflect.Type, path []string, at []int)
	walk = func(t reflect.Type, path []string, at []int) {
		for i := range t.NumField() {
			f := t.Field(i)
			name := yamlName(f)
			if name == "" || f.Type.Kind() == reflect.Map {
				continue
			}
			path, at := append(slices.Clone(path), name), append(slices.Clone(at), i)
			if f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[Secret]() {
				walk(f.Type, path, at)
				continue
			}
			keys = append(keys, Key{
				Path: strings.Join(path, "."), Env: "CATENA_" + strings.ToUpper(strings.Join(path, "_")),
				List: f.Type.Kind() == reflect.Slice, at: at,
			})
		}
	}
	walk(reflect.TypeFor[Config](), nil, nil)
	return keys
}

func yamlName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return strings.TrimPrefix(name, "-")
}

// set gives a key its value from text.
func (c *Config) set(k Key, values []string) error {
	field := reflect.ValueOf(c).Elem().FieldByIndex(k.at)
	if k.List {
		list := reflect.MakeSlice(field.Type(), len(values), len(values))
		for i, v := range values {
			if err := setText(list.Index(i), strings.TrimSpace(v)); err != nil {
				return err
			}
		}
		field.Set(list)
		return nil
	}
	if len(values) == 0 {
		return nil
	}
	return setText(field, values[len(values)-1])
}

func setText(field reflect.Value, text string) error {
	switch p := field.Addr().Interface().(type) {
	case *Secret:
		p.value = text
	case *Source:
		p.Path = text
	case *string:
		*p = text
	case *time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is no duration; write 30s or 5m", text)
		}
		*p = d
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no whole number", text)
		}
		*p = n
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", text)
		}
		*p = x
	case *bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", text)
		}
		*p = b
	default:
		return fmt.Errorf("a %s cannot be set from text", field.Type())
	}
	return nil
}

// UnknownKeyError says that a file has a key that means nothing. Use errors.As; several are joined.
type UnknownKeyError struct {
	File    string
	Line    int    // 1-based
	Key     string // with its parents: listen.adr
	Nearest string // the known key that looks most like it; may be ""
}

func (e *UnknownKeyError) Error() string {
	text := fmt.Sprintf("config: %s:%d: there is no key %s", e.File, e.Line, e.Key)
	if e.Nearest != "" {
		text += "; did you mean " + e.Nearest + "?"
	}
	return text
}

// checkKeys compares a document with Config and reports every key that it does not have, and keys given twice.
func checkKeys(source string, root *yaml.Node) error {
	var errs []error
	var walk func(n *yaml.Node, t reflect.Type, path string)
	walk = func(n *yaml.Node, t reflect.Type, path string) {
		switch {
		case n.Kind == yaml.AliasNode:
			walk(n.Alias, t, path)
		case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
			for i, item := range n.Content {
				walk(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
			}
		case n.Kind != yaml.MappingNode:
		case t.Kind() == reflect.Map:
			for i := 0; i+1 < len(n.Content); i += 2 {
				walk(n.Content[i+1], t.Elem(), join(path, n.Content[i].Value))
			}
		case t.Kind() == reflect.Struct:
			fields := map[string]reflect.Type{}
			var names []string
			for i := range t.NumField() {
				if name := yamlName(t.Field(i)); name != "" {
					fields[name] = t.Field(i).Type
					names = append(names, name)
				}
			}
			for i := 0; i+1 < len(n.Content); i += 2 {
				key := n.Content[i]
				if ft, ok := fields[key.Value]; ok {
					walk(n.Content[i+1], ft, join(path, key.Value))
					continue
				}
				e := &UnknownKeyError{File: source, Line: key.Line, Key: join(path, key.Value)}
				if near := nearest(key.Value, names); near != "" {
					e.Nearest = join(path, near)
				}
				errs = append(errs, e)
			}
		}
	}
	if root.Kind != yaml.MappingNode && !(root.Kind == yaml.ScalarNode && root.Tag == "!!null") {
		return fmt.Errorf("config: %s:%d: the file must hold keys, as in \"log:\"", source, root.Line)
	}
	walk(root, reflect.TypeFor[Config](), "")
	return errors.Join(errs...)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func didYouMean(name string, have []string) string {
	if near := nearest(name, have); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// nearest returns the name with the fewest edits, when they are at most a third of its length and one.
func nearest(name string, have []string) string {
	best, least := "", len(name)/3+2
	for _, h := range have {
		if d := distance(strings.ToLower(name), strings.ToLower(h)); d < least {
			best, least = h, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
