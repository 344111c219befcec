package config

import "reflect"

// Changed names the settings that are not the same in two configurations, by their paths (access.limits.burst), in the order of Config. A map,
// as mcpServers and access.roles are, counts as one setting.
func Changed(a, b Config) []string {
	var names []string
	var walk func(a, b reflect.Value, path string)
	walk = func(a, b reflect.Value, path string) {
		for i := range a.NumField() {
			f := a.Type().Field(i)
			name := yamlName(f)
			if name == "" {
				continue
			}
			if name = path + name; f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[Secret]() {
				walk(a.Field(i), b.Field(i), name+".")
			} else if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
				names = append(names, name)
			}
		}
	}
	walk(reflect.ValueOf(a), reflect.ValueOf(b), "")
	return names
}
