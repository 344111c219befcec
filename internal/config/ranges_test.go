package config

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// absurd are texts that no setting of a kind takes; those that are numbers of the kind are refused with the range.
var absurd = map[reflect.Type]struct{ outside, none []string }{
	reflect.TypeFor[int]():           {[]string{"-1", "9223372036854775807"}, []string{"1.5", "NaN", "1e99", "99999999999999999999"}},
	reflect.TypeFor[float64]():       {[]string{"-1", "1e300", "NaN", "Inf"}, []string{"x"}},
	reflect.TypeFor[time.Duration](): {[]string{"-1s", "-1ns", "2562047h"}, []string{"1", "NaN", "NaNs", "1.5", "9999999999h"}},
}

// TestRanges: each setting that is a number or a duration refuses what it cannot be, with its name and what it may be. The settings are those of
// the type, so that a new one is covered.
func TestRanges(t *testing.T) {
	seen := 0
	for _, k := range Keys() {
		typ := reflect.TypeFor[Config]().FieldByIndex(k.at).Type
		values, ok := absurd[typ]
		if !ok {
			continue
		}
		seen++
		for i, value := range append(values.outside, values.none...) {
			_, err := Load(t.Context(), defaults(t), "", nil, map[string][]string{k.Path: {value}})
			if err == nil {
				t.Errorf("%s: %q is taken", k.Path, value)
				continue
			}
			if !strings.Contains(err.Error(), k.Path) || i < len(values.outside) && !strings.Contains(err.Error(), "it goes from") {
				t.Errorf("%s: %q is refused with %q, which does not name the setting with its range", k.Path, value, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d settings were tried", seen)
	}
}

// TestServersRanges is TestRanges for MCP servers, which only a file names.
func TestServersRanges(t *testing.T) {
	for _, setting := range []string{"timeout: -1s", "timeout: 2562047h", "timeouts: {x: -1s}", "timeouts: {x: 2562047h}", "parallel: -1", "parallel: 9223372036854775807"} {
		name, _, _ := strings.Cut(setting, ":")
		_, err := Load(t.Context(), defaults(t), file(t, "mcpServers: {a: {command: x, "+setting+"}}"), nil, nil)
		if err == nil || !strings.Contains(err.Error(), "mcpServers.a."+name) || !strings.Contains(err.Error(), "it goes from") {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
