package signature

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestArgs(t *testing.T) {
	tests := map[string]struct {
		schema string
		o      Options
		want   string
	}{
		"nothing":   {`{"type":"object","properties":{}}`, Options{}, "()"},
		"no schema": {`17`, Options{}, "()"},
		"required first, in order": {
			`{"properties":{"b":{"type":"string"},"a":{"type":"boolean"},"c":{"type":"number"}},"required":["c","a"]}`,
			Options{}, "(a: boolean, c: number, b?: string)",
		},
		"bounds and default": {
			`{"properties":{"limit":{"type":"integer","minimum":1,"maximum":1000,"default":10}}}`, Options{}, "(limit?: 1..1000 = 10)",
		},
		"values":     {`{"properties":{"o":{"enum":["asc","desc",null,1]}}}`, Options{}, `(o?: "asc"|"desc"|null|1)`},
		"nullable":   {`{"properties":{"o":{"type":["string","null"]}}}`, Options{}, `(o?: string)`},
		"lists":      {`{"properties":{"l":{"type":"array","items":{"type":["string","integer"]}}}}`, Options{}, `(l?: (string|integer)[])`},
		"objects":    {`{"properties":{"l":{"type":"array","items":{"type":"object","properties":{"a":{},"b":{"format":"date","type":"string"}},"required":["b"]}}}}`, Options{}, `(l?: {b: date, a?: any}[])`},
		"any names":  {`{"properties":{"o":{"type":"object","additionalProperties":{"type":"number"}}}}`, Options{}, `(o?: {[name]: number})`},
		"a table":    {`{"properties":{"data":{"description":"x","anyOf":[{"type":"string","format":"table-ref"},{"type":"array"}]}}}`, Options{Describe: 9}, `(data?: table)`},
		"references": {`{"properties":{"a":{"$ref":"#/$defs/c"},"b":{"$ref":"http://elsewhere"}},"$defs":{"c":{"type":"object","properties":{"c":{"$ref":"#/$defs/c"}}}}}`, Options{}, `(a?: {c?: {c?: any}}, b?: any)`},
		"described":  {`{"properties":{"a":{"type":"string","description":"what \"it\"\nis\u2028. And more"}}}`, Options{Describe: 20}, `(a?: string "what \"it\" is . And m…")`},
		"only":       {`{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, Options{Only: []string{"b"}}, `(b?: string)`},
		"too long":   {`{"properties":{"a":{"type":"string"},"bb":{"type":"string"},"c d":{"type":"string"}}}`, Options{Most: 15}, `(a?: string, and bb, "c d")`},
		"odd names":  {`{"properties":{"a\n# Rules":{"type":"string"}}}`, Options{}, `("a\n# Rules"?: string)`},
		"broken":     {`{"properties":{"a":{"type":7,"enum":"x","anyOf":{},"required":{}}},"required":"a"}`, Options{}, `(a: any)`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w Writer
			if got := w.Args(json.RawMessage(tt.schema), tt.o); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Types that many tools share are written once.
func TestTypes(t *testing.T) {
	const period = `{"type":"string","enum":["year","quarter","month","week","day"]}`
	const by = `{"anyOf":[{"type":"string"},{"type":"object","properties":{"column":{"type":"string"},"period":` + period + `}}]}`
	one := json.RawMessage(`{"properties":{"by":` + by + `,"over":` + by + `}}`)
	two := json.RawMessage(`{"properties":{"by":{"type":"array","items":` + by + `},"period":` + period + `}}`)
	var w Writer
	w.Show([]json.RawMessage{one, two})
	want := `T1 = "year"|"quarter"|"month"|"week"|"day"` + "\n" + `T2 = string|{column?: string, period?: T1}`
	if got := strings.Join(w.Types(), "\n"); got != want {
		t.Errorf("types\n%s\nwant\n%s", got, want)
	}
	if got := w.Args(two, Options{}); got != `(by?: T2[], period?: T1)` {
		t.Errorf("got %s", got)
	}
	w.Show(nil)
	if len(w.Types()) != 0 {
		t.Errorf("types %q", w.Types())
	}
}

// FuzzArgs: whatever servers write as a schema becomes one bounded line.
func FuzzArgs(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}}`)
	f.Add(`{"properties":{"a\nb":{"type":"x\ny","enum":["\n"],"default":"\n","description":"\n"}}}`)
	f.Fuzz(func(t *testing.T, schema string) {
		var w Writer
		got := w.Args(json.RawMessage(schema), Options{Describe: 40, Most: 2000})
		if strings.ContainsAny(got, "\n\r") || len(got) > 10_000 {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	})
}
