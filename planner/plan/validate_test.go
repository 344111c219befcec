package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/cputime"
)

const tableOut = `{"type":"object","properties":{"columns":{"type":"array"},"rows":{"type":"array","items":{"type":"array"}},"row_count":{"type":"integer"},"handle":{"type":"string"}}}`

// testTools are a small catalogue with what schemas have in practice.
var testTools = []Tool{
	{Name: "top_clients", Toolset: "crm", ReadOnly: true, OutputSchema: json.RawMessage(tableOut),
		InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":100},"sort_by":{"type":"string","enum":["revenue","name"]},"since":{"type":"string","format":"date"}},"additionalProperties":false}`)},
	{Name: "client_revenue", Toolset: "crm", ReadOnly: true, OutputSchema: json.RawMessage(tableOut),
		InputSchema: json.RawMessage(`{"type":"object","properties":{"client_ids":{"type":"array","items":{"type":"string"},"minItems":1},"exact":{"type":"boolean"}},"required":["client_ids"]}`)},
	{Name: "weather", Toolset: "web", ReadOnly: true,
		InputSchema:  json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"summary":{"type":"string"},"temperature":{"type":"number"},"hours":{"type":"array","items":{"type":"object","properties":{"t":{"type":"number"}}}}}}`)},
	{Name: "draw", Toolset: "data", InputSchema: json.RawMessage(`{"type":"object","properties":{"data":{"anyOf":[{"type":"string"},{"type":"object"},{"type":"array"}]},"opts":{"type":"object","properties":{"wide":{"type":"boolean"}},"additionalProperties":false}},"required":["data"],"additionalProperties":false}`)},
	{Name: "query", Toolset: "data", InputSchema: json.RawMessage(`{"type":"object","properties":{"table":{"type":"string","format":"table-name"},"filter":{"type":"array","items":{"type":"object"}}},"required":["table"],"additionalProperties":false}`)},
	{Name: "export", Toolset: "data", InputSchema: json.RawMessage(`{"type":"object","properties":{"table":{"type":"string","format":"table-ref"}},"required":["table"]}`)},
	{Name: "format", Toolset: "data", InputSchema: json.RawMessage(`{"type":"object","properties":{"data":{"anyOf":[{"type":"string","format":"table-ref","minLength":1},{"type":"object"},{"type":"array"}]}},"required":["data"]}`)},
	{Name: "delete_client", Toolset: "crm", Destructive: true, InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)},
	{Name: "files__read", Toolset: "files", InputSchema: json.RawMessage(`{"type":"object"}`)},
	{Name: "ask", Toolset: "data", InputSchema: json.RawMessage(`{"type":"object","properties":{"sql":{"type":"string"},"tables":{"type":"object"}}}`)},
	{Name: "broken", InputSchema: json.RawMessage(`{"type":12`)},
}

func parsed(t testing.TB, steps string) Plan {
	t.Helper()
	var p Plan
	if err := json.Unmarshal([]byte(`{"steps":[`+steps+`]}`), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func step(id, tool, args string) string {
	return fmt.Sprintf(`{"id":%q,"tool":%q,"args":%s}`, id, tool, args)
}

func TestValidate(t *testing.T) {
	top := step("s1", "top_clients", `{"limit":5}`)
	tables := []TableInfo{{Name: "clients", Handle: "tbl_1"}}
	tests := map[string]struct {
		steps string
		want  string // "code path" of each finding, sorted as found
	}{
		"fine":                {top + "," + step("s2", "client_revenue", `{"client_ids":{"$ref":"s1.rows[*].client_id"}}`) + "," + step("s3", "draw", `{"data":{"$ref":"s2"}}`), ""},
		"any order":           {step("s3", "draw", `{"data":{"$ref":"s1"}}`) + "," + top, ""},
		"alias":               {step("s1", "crm:top_clients", `{}`) + "," + step("s2", "files:read", `{"a":1}`), ""},
		"unknown tool":        {step("s1", "top_client", `{}`), "unknown_tool /steps/0/tool"},
		"no tool":             {step("s1", "", `{}`), "missing_tool /steps/0/tool"},
		"chat":                {step("s1", "chat", `{}`), "forbidden_tool /steps/0/tool"},
		"missing":             {step("s1", "weather", `{}`), "missing_required /steps/0/args/city"},
		"null for required":   {step("s1", "weather", `{"city":null}`), "missing_required /steps/0/args/city"},
		"closed schema":       {step("s1", "top_clients", `{"country":"x"}`), "unknown_argument /steps/0/args/country"},
		"silent schema":       {step("s1", "weather", `{"city":"Oslo","town":"x"}`), "unknown_argument /steps/0/args/town"},
		"nested unknown":      {top + "," + step("s2", "draw", `{"data":{"$ref":"s1"},"opts":{"tall":true}}`), "unknown_argument /steps/1/args/opts/tall"},
		"type":                {step("s1", "top_clients", `{"limit":"five"}`), "type_mismatch /steps/0/args/limit"},
		"none of the forms":   {step("s1", "draw", `{"data":7}`), "type_mismatch /steps/0/args/data"},
		"fraction":            {step("s1", "top_clients", `{"limit":1.5}`), "type_mismatch /steps/0/args/limit"},
		"whole fraction":      {step("s1", "top_clients", `{"limit":3.0}`), ""},
		"format":              {step("s1", "top_clients", `{"since":"2026-02-30"}`), "format /steps/0/args/since"},
		"enum":                {step("s1", "top_clients", `{"sort_by":"size"}`), "enum /steps/0/args/sort_by"},
		"range":               {step("s1", "top_clients", `{"limit":0}`), "out_of_range /steps/0/args/limit"},
		"empty list":          {step("s1", "client_revenue", `{"client_ids":[]}`), "out_of_range /steps/0/args/client_ids"},
		"placeholder":         {step("s1", "weather", `{"city":"<city name>"}`), "placeholder_value /steps/0/args/city"},
		"placeholder in list": {step("s1", "client_revenue", `{"client_ids":["TODO"]}`), "placeholder_value /steps/0/args/client_ids/0"},
		"unknown as a value":  {step("s1", "query", `{"table":"clients","filter":[{"column":"region","op":"eq","value":"unknown"}]}`), ""},
		"list for one":        {top + "," + step("s2", "weather", `{"city":{"$ref":"s1.rows[*].city"}}`), "reference_type /steps/1/args/city"},
		"list by each":        {top + `,{"id":"s2","tool":"weather","args":{"city":{"$ref":"each.city"}},"each":{"$ref":"s1.rows"}}`, ""},
		"number for text":     {step("s1", "weather", `{"city":"Oslo"}`) + "," + step("s2", "weather", `{"city":{"$ref":"s1.temperature"}}`), "reference_type /steps/1/args/city"},
		"element's type":      {step("s1", "weather", `{"city":"Oslo"}`) + `,{"id":"s2","tool":"weather","args":{"city":{"$ref":"each.t"}},"each":{"$ref":"s1.hours"}}`, "reference_type /steps/1/args/city"},
		"each without each":   {step("s1", "weather", `{"city":{"$ref":"each"}}`), "bad_reference /steps/0/args/city"},
		"each of a table":     {top + `,{"id":"s2","tool":"weather","args":{"city":"a"},"each":{"$ref":"s1"}}`, "reference_type /steps/1/each"},
		"each of a text":      {step("s1", "weather", `{"city":"Oslo"}`) + `,{"id":"s2","tool":"weather","args":{"city":"a"},"each":{"$ref":"s1.summary"}}`, "reference_type /steps/1/each"},
		"dangling":            {step("s1", "draw", `{"data":{"$ref":"s7"}}`), "dangling_reference /steps/0/args/data"},
		"dangling in concat":  {step("s1", "weather", `{"city":{"$concat":["x",{"$ref":"s7.a"}]}}`), "dangling_reference /steps/0/args/city/$concat/1"},
		"unknown field":       {step("s1", "weather", `{"city":"Oslo"}`) + "," + step("s2", "draw", `{"data":{"$ref":"s1.sumary"}}`), "unknown_output_field /steps/1/args/data"},
		"field of rows":       {top + "," + step("s2", "draw", `{"data":{"$ref":"s1.rows.name"}}`), "unknown_output_field /steps/1/args/data"},
		"index of a table":    {top + "," + step("s2", "draw", `{"data":{"$ref":"s1[0]"}}`), "unknown_output_field /steps/1/args/data"},
		"when":                {top + `,{"id":"s2","tool":"weather","args":{"city":"a"},"when":{"$ref":"s1.row_count","op":"over","value":1}}`, "enum /steps/1/when/op"},
		"self":                {step("s1", "draw", `{"data":{"$ref":"s1"}}`), "cycle /steps/0"},
		"cycle": {step("s1", "draw", `{"data":{"$ref":"s2"}}`) + "," + step("s2", "draw", `{"data":{"$ref":"s3"}}`) + "," +
			step("s3", "draw", `{"data":{"$ref":"s2"}}`), "cycle /steps/1"},
		"same id":           {top + "," + top, "duplicate_id /steps/1/id"},
		"odd id":            {step("step one", "top_clients", `{}`), "syntax /steps/0/id"},
		"unknown table":     {step("s1", "query", `{"table":"client"}`), "enum /steps/0/args/table"},
		"known handle":      {step("s1", "query", `{"table":"tbl_1"}`), ""},
		"forged handle":     {step("s1", "export", `{"table":"tbl_2"}`), "reference_type /steps/0/args/table"},
		"table by name":     {step("s1", "format", `{"data":"clients"}`), ""},
		"csv":               {step("s1", "format", `{"data":"a,b\n1,2"}`), ""},
		"no such name":      {step("s1", "format", `{"data":"client"}`), "enum /steps/0/args/data"},
		"text as csv":       {step("s1", "weather", `{"city":"Oslo"}`) + "," + step("s2", "format", `{"data":{"$ref":"s1.summary"}}`), ""},
		"table by ref":      {top + "," + step("s2", "export", `{"table":{"$ref":"s1"}}`), ""},
		"text for table":    {step("s1", "weather", `{"city":"Oslo"}`) + "," + step("s2", "export", `{"table":{"$ref":"s1.summary"}}`), "reference_type /steps/1/args/table"},
		"unreadable schema": {step("s1", "broken", `{"x":1}`), ""},
		"all at once": {step("s1", "top_clients", `{"limit":"x","sort_by":"y","z":1}`) + "," + step("s2", "nope", `{"a":{"$ref":"s9"}}`),
			"unknown_tool /steps/1/tool unknown_argument /steps/0/args/z type_mismatch /steps/0/args/limit enum /steps/0/args/sort_by dangling_reference /steps/1/args/a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found := Validate(parsed(t, tt.steps), testTools, tables, Limits{})
			var got []string
			for _, f := range found {
				got = append(got, string(f.Code)+" "+f.Path)
				if f.Message == "" || f.Step == "" {
					t.Errorf("no message or step in %+v", f)
				}
			}
			if name == "all at once" { // the library reports in the order of a map
				if len(got) != 5 {
					t.Errorf("got %v", got)
				}
				return
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%v\n%s", found, diff)
			}
		})
	}
}

func TestValidateForm(t *testing.T) {
	one := Step{ID: "s1", Tool: "weather", Args: map[string]any{"city": "Oslo"}}
	tests := map[string]struct {
		plan Plan
		want Code
	}{
		"nothing":           {Plan{}, NoPlan},
		"question":          {Plan{Clarify: "Which?"}, ""},
		"refusal":           {Plan{Refuse: "No."}, ""},
		"steps, question":   {Plan{Clarify: "Which?", Steps: []Step{one}}, AmbiguousMultiplePlans},
		"confidence":        {Plan{Refuse: "No.", Confidence: math.NaN()}, OutOfRange},
		"dangling answer":   {Plan{Steps: []Step{one}, Answer: []any{Ref{Step: "s2"}}}, DanglingReference},
		"answer's field":    {Plan{Steps: []Step{one}, Answer: []any{Ref{Step: "s1", Path: []Seg{{Field: "nope"}}}}}, UnknownOutputField},
		"infinity":          {Plan{Steps: []Step{{ID: "s1", Tool: "weather", Args: map[string]any{"city": "a", "days": math.Inf(1)}}}}, TypeMismatch},
		"costly number":     {Plan{Steps: []Step{{ID: "s1", Tool: "weather", Args: map[string]any{"city": "a", "days": json.Number("1e999999999")}}}}, OutOfRange},
		"not a number":      {Plan{Steps: []Step{{ID: "s1", Tool: "weather", Args: map[string]any{"city": "a", "days": json.Number("ten")}}}}, TypeMismatch},
		"go type":           {Plan{Steps: []Step{{ID: "s1", Tool: "weather", Args: map[string]any{"city": struct{}{}}}}}, TypeMismatch},
		"control character": {Plan{Steps: []Step{{ID: "s1", Tool: "weather", Args: map[string]any{"city": "a\x1b[0m"}}}}, ControlChar},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			found := Validate(tt.plan, testTools, nil, Limits{})
			if tt.want == "" && len(found) > 0 || tt.want != "" && !found.Has(tt.want) {
				t.Errorf("found %v, want %s", found, tt.want)
			}
		})
	}
	if f := Validate(Plan{Steps: []Step{one, one, one}}, testTools, nil, Limits{Steps: 2}); !f.Has(TooManySteps) {
		t.Errorf("found %v", f)
	}
	deep := any("x")
	for range 70 {
		deep = []any{deep}
	}
	if f := Validate(Plan{Steps: []Step{{ID: "s1", Tool: "files__read", Args: map[string]any{"a": deep}}}}, testTools, nil, Limits{}); !f.Has(TooDeep) {
		t.Errorf("found %v", f)
	}
}

func TestPlaceholderThatTheUserWrote(t *testing.T) {
	p := Plan{Steps: []Step{{ID: "s1", Tool: "weather", Args: map[string]any{"city": "unknown"}}}}
	var c Checker
	if f := c.Validate(p, testTools, nil, Limits{}, ""); !f.Has(PlaceholderValue) {
		t.Errorf("found %v", f)
	}
	if f := c.Validate(p, testTools, nil, Limits{}, "weather in Unknown, Oregon"); len(f) > 0 {
		t.Errorf("found %v", f)
	}
}

func TestMessagesSuggest(t *testing.T) {
	tests := map[string]string{
		step("s1", "top_client", `{}`):                "did you mean top_clients?",
		step("s1", "weather", `{"city":"a","day":1}`): "did you mean days?",
		step("s1", "weather", `{"city":"a"}`) + "," + step("s2", "draw", `{"data":{"$ref":"s1.sumary"}}`): "did you mean summary?",
		step("s1", "query", `{"table":"client"}`):                                                         "did you mean clients?",
		step("s1", "top_clients", `{"sort_by":"size"}`):                                                   `"revenue", "name"`,
	}
	for steps, want := range tests {
		if f := Validate(parsed(t, steps), testTools, []TableInfo{{Name: "clients"}}, Limits{}); !strings.Contains(f.Error(), want) {
			t.Errorf("%s: %v", want, f)
		}
	}
}

// wide makes a plan of n steps: a third are sources, the others use two earlier ones.
func wide(n int) string {
	var b strings.Builder
	b.WriteString(`{"title":"wide","confidence":0.9,"steps":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		if i%3 == 0 {
			fmt.Fprintf(&b, `{"id":"s%d","tool":"top_clients","args":{"region":"USA","limit":5,"sort_by":"revenue"}}`, i)
		} else {
			fmt.Fprintf(&b, `{"id":"s%d","tool":"client_revenue","args":{"client_ids":{"$ref":"s%d.rows[*].client_id"}},"when":{"$ref":"s%d.row_count","op":"gt","value":0}}`, i, i-1, i/3*3)
		}
	}
	b.WriteString(`],"answer":[{"$ref":"s0"}]}`)
	return b.String()
}

func TestWidePlan(t *testing.T) {
	p, err := Parse(wide(512), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if f := Validate(p, testTools, nil, Limits{}); len(f) > 0 {
		t.Error(f)
	}
}

func BenchmarkParseValidate(b *testing.B) {
	for _, n := range []int{3, 20, 512} {
		text := wide(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			cputime.Each(b, func(int) {
				p, err := Parse(text, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				if f := Validate(p, testTools, nil, Limits{}); len(f) > 0 {
					b.Fatal(f)
				}
			})
		})
	}
}
