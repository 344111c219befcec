package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

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

// document compares a YAML document with Config.
type document struct {
	source string
	errs   []error
}

// checkKeys reports every key of a document that Config does not have, and every value that its key cannot take.
func checkKeys(source string, root *yaml.Node) error {
	if root.Kind != yaml.MappingNode && !(root.Kind == yaml.ScalarNode && root.Tag == "!!null") {
		return fmt.Errorf("config: %s:%d: the file must hold keys, as in \"log:\"", source, root.Line)
	}
	d := &document{source: source}
	d.walk(root, reflect.TypeFor[Config](), "")
	return errors.Join(d.errs...)
}

func (d *document) walk(n *yaml.Node, t reflect.Type, path string) {
	switch {
	case n.Kind == yaml.AliasNode:
		d.walk(n.Alias, t, path)
	case t.Kind() == reflect.Interface: // anything
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for i, item := range n.Content {
			d.walk(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		for i := 0; i+1 < len(n.Content); i += 2 {
			d.walk(n.Content[i+1], t.Elem(), join(path, n.Content[i].Value))
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct && t != reflect.TypeFor[Secret]():
		d.keys(n, t, path)
	default:
		if want := unfit(n, t); want != "" {
			d.errs = append(d.errs, fmt.Errorf("config: %s:%d: %s: %s", d.source, n.Line, path, want))
		}
	}
}

// keys compares a mapping with a struct.
func (d *document) keys(n *yaml.Node, t reflect.Type, path string) {
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
			d.walk(n.Content[i+1], ft, join(path, key.Value))
			continue
		}
		d.errs = append(d.errs, &UnknownKeyError{File: d.source, Line: key.Line, Key: join(path, key.Value), Nearest: meant(key.Value, names, path)})
	}
}

// meant is the key that an unknown one of a section stands for: one of the section that is spelled nearly so, else one that
// begins like it (adress, addr), else one of another section with just that name.
func meant(name string, names []string, path string) string {
	if near := nearest(name, names); near != "" {
		return join(path, near)
	}
	best, most := "", 1
	for _, have := range names {
		n := 0
		for n < min(len(have), len(name)) && have[n] == name[n] {
			n++
		}
		if n > most && 2*n >= min(len(have), len(name)) {
			best, most = have, n
		}
	}
	if best != "" {
		return join(path, best)
	}
	for _, k := range Keys() {
		if strings.HasSuffix(k.Path, "."+name) {
			return k.Path
		}
	}
	return ""
}

// unfit says why a value is none for a key of the type and how to write one; "" when it fits.
func unfit(n *yaml.Node, t reflect.Type) string {
	text := n.Kind == yaml.ScalarNode
	secret := t == reflect.TypeFor[Secret]()
	short := t == reflect.TypeFor[Source]() || t == reflect.TypeFor[ToolFile]() // a path in place of its keys
	switch {
	case text && (n.Tag == "!!null" || secret || short):
		return ""
	case t.Kind() == reflect.Slice:
		return "it takes a list, as in [a, b]"
	case t.Kind() == reflect.Map || t.Kind() == reflect.Struct && !secret:
		return "it takes keys, each on a line of its own below it"
	case !text:
		return "it takes one value, not a list or keys"
	case t == reflect.TypeFor[time.Duration]() && n.Tag == "!!int" && n.Value != "0":
		return fmt.Sprintf("%q has no unit; write 30s or 5m", n.Value)
	case t.Kind() == reflect.Int && n.Tag == "!!float":
		return fmt.Sprintf("%q is no whole number; write 1 or 20", n.Value)
	}
	value := reflect.New(t)
	if n.Decode(value.Interface()) == nil {
		return ""
	}
	if err := setText(value.Elem(), n.Value); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q cannot be its value", n.Value)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
