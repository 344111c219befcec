package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/internal/text"
)

// Key is one setting that an environment variable or a flag can set.
type Key struct {
	Path string // listen.addr
	Env  string // CATENA_LISTEN_ADDR
	List bool   // takes several values; an environment variable separates them by commas

	secret bool
	at     []int // where it is in Config
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
				List: f.Type.Kind() == reflect.Slice, at: at, secret: f.Type == reflect.TypeFor[Secret](),
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
	case *ToolFile:
		p.File = text
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
		if d := text.Distance(strings.ToLower(name), strings.ToLower(h), least-1); d < least {
			best, least = h, d
		}
	}
	return best
}
