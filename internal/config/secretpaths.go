package config

import (
	"reflect"
	"slices"
)

// entryName stands for the name of an entry of a map in SecretPaths.
const entryName = "canary"

// SecretPaths are the keys of all secrets that the settings know, as in access.keys.canary.key: the entry of a map is named canary, that of a list is [0]. They
// come from Config, so that a test over them covers a secret that is added.
func SecretPaths() []string {
	var out []string
	var walk func(t reflect.Type, path string)
	walk = func(t reflect.Type, path string) {
		switch {
		case t == secretType:
			out = append(out, path)
		case t.Kind() == reflect.Slice:
			walk(t.Elem(), path+"[0]")
		case t.Kind() == reflect.Map:
			walk(t.Elem(), join(path, entryName))
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				if name := yamlName(t.Field(i)); name != "" {
					walk(t.Field(i).Type, join(path, name))
				}
			}
		}
	}
	walk(reflect.TypeFor[Config](), "")
	slices.Sort(out)
	return out
}
