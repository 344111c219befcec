package plan

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// two is the plan that most of the texts below mean.
var two = Plan{Steps: []Step{
	{ID: "s1", Tool: "load", Args: map[string]any{"n": json.Number("5"), "on": true}},
	{ID: "s2", Tool: "draw", Args: map[string]any{"data": Ref{Step: "s1", Path: []Seg{{Field: "rows"}, {All: true}, {Field: "id"}}}}},
}}

const twoText = `{"steps":[{"id":"s1","tool":"load","args":{"n":5,"on":true}},{"id":"s2","tool":"draw","args":{"data":{"$ref":"s1.rows[*].id"}}}]}`

func TestParseReads(t *testing.T) {
	inner := twoText[len(`{"steps":[`) : len(twoText)-len(`]}`)]
	first, second, _ := strings.Cut(inner, `,{"id":"s2"`)
	second = `{"id":"s2"` + second
	tests := map[string]string{
		"strict":             twoText,
		"byte order mark":    "\uFEFF" + twoText,
		"fence":              "```json\n" + twoText + "\n```",
		"fence without name": "Here it is:\n```\n" + twoText + "\n```\nDone.",
		"prose":              "I use {load} and [draw].\n" + twoText + "\nIs that right?",
		"trailing commas":    strings.ReplaceAll(strings.ReplaceAll(twoText, "}}]", "}},]"), "true}", "true,}"),
		"python":             strings.ReplaceAll(strings.ReplaceAll(twoText, `"`, `'`), "true", "True"),
		"bare keys":          strings.NewReplacer(`"steps":`, `steps:`, `"args":`, `args:`).Replace(twoText),
		"comments":           strings.Replace(twoText, `"tool":"load",`, "\"tool\":\"load\", // first\n/* then */", 1),
		"missing comma":      strings.Replace(twoText, `"load","args"`, `"load" "args"`, 1),
		"typographic quotes": strings.Replace(twoText, `"load"`, `“load”`, 1),
		"encoded twice":      string(encoded(twoText)),
		"list of steps":      "[" + inner + "]",
		"json lines":         first + "\n" + second,
		"twice the same":     twoText + "\n" + twoText,
		"extra bracket":      twoText + "}",
		"other names":        strings.NewReplacer(`"tool"`, `"name"`, `"args"`, `"arguments"`).Replace(twoText),
		"arguments as text":  strings.Replace(twoText, `{"n":5,"on":true}`, `"{\"n\":5,\"on\":true}"`, 1),
		"wrapped":            `{"plan":` + twoText + `}`,
		"no ids":             strings.NewReplacer(`"id":"s1",`, ``, `"id":"s2",`, ``).Replace(twoText),
		"thoughts":           strings.Replace(twoText, `"tool":"load"`, `"thought":"hm","tool":"load"`, 1),
		"closed for it":      twoText[:len(twoText)-1] + `,"answer":[]`,
		"openai tool calls": `{"tool_calls":[{"id":"s1","type":"function","function":{"name":"load","arguments":"{\"n\":5,\"on\":true}"}},` +
			`{"id":"s2","type":"function","function":{"name":"draw","arguments":"{\"data\":{\"$ref\":\"s1.rows[*].id\"}}"}}]}`,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Parse(text, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if strict := name == "strict" || name == "byte order mark" || name == "extra bracket" || name == "twice the same"; !strict && len(got.Repairs) == 0 {
				t.Error("nothing is said about the repair")
			}
			got.Repairs = nil
			if diff := cmp.Diff(two, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func encoded(s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return raw
}

func TestParseFinds(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	tests := map[string]struct {
		text string
		code Code
	}{
		"empty":             {"", NoPlan},
		"prose":             {"Sorry, I cannot do that.", NoPlan},
		"html":              {"<html><body>502 Bad Gateway</body></html>", NoPlan},
		"other json":        {`{"weather":"fine"}`, NoPlan},
		"another language":  {"Je ne peux pas répondre à cette question.", NoPlan},
		"empty plan":        {`{"steps":[]}`, NoPlan},
		"steps as text":     {`{"steps":"load"}`, NoPlan},
		"cut in the middle": {twoText[:70], Truncated},
		"cut after a step":  {twoText[:len(twoText)-2], Truncated},
		"cut in a fence":    {"```json\n" + twoText[:70] + "\n```", Truncated},
		"whole, then cut":   {twoText + "\n" + twoText[:70], Truncated},
		"two plans":         {twoText + "\n" + strings.Replace(twoText, "5", "6", 1), AmbiguousMultiplePlans},
		"duplicate key":     {strings.Replace(twoText, `"tool":"load"`, `"tool":"load","tool":"drop"`, 1), DuplicateKey},
		"duplicate arg":     {strings.Replace(twoText, `"n":5`, `"n":5,"n":5`, 1), DuplicateKey},
		"nul":               {strings.Replace(twoText, "load", "lo\x00ad", 1), ControlChar},
		"escaped nul":       {strings.Replace(twoText, "load", `lo\u0000ad`, 1), ControlChar},
		"not utf-8":         {strings.Replace(twoText, "load", "lo\xffad", 1), ControlChar},
		"deep":              {strings.Replace(twoText, "5", deep, 1), TooDeep},
		"brackets":          {strings.Repeat("[", 5000), TooDeep},
		"nan":               {strings.Replace(twoText, "5", "NaN", 1), TypeMismatch},
		"huge number":       {strings.Replace(twoText, "5", "1e999999999", 1), OutOfRange},
		"long number":       {strings.Replace(twoText, "5", strings.Repeat("9", 500), 1), OutOfRange},
		"broken, then cut":  {`{"note":"a","steps":[{"id":"s1","tool":"a","args":{}},{"id":"s2" "x"`, Truncated},
		"broken inside":     {`{"steps":[{"id":"s1","tool":"a","args":{}},{"id":"s2","tool":"b","args":{"x":+}}]}`, Syntax},
		"half a surrogate":  {strings.Replace(twoText, "load", `lo\ud800ad`, 1), Syntax},
		"ref with company":  {strings.Replace(twoText, `"s1.rows[*].id"}`, `"s1.rows[*].id","or":1}`, 1), BadReference},
		"ref to nothing":    {strings.Replace(twoText, `"s1.rows[*].id"`, `7`, 1), BadReference},
		"bad ref":           {strings.Replace(twoText, `s1.rows[*].id`, `s1..id`, 1), BadReference},
		"each as text":      {strings.Replace(twoText, `"tool":"draw"`, `"tool":"draw","each":"s1"`, 1), BadReference},
		"args as list":      {strings.Replace(twoText, `{"n":5,"on":true}`, `[5,true]`, 1), TypeMismatch},
		"step as text":      {`{"steps":["load"]}`, TypeMismatch},
		"too large":         {strings.Repeat(" ", 2<<20), OutOfRange},
		"open text":         {`{"steps":[{"id":"s1","tool":"loa`, Truncated},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := Parse(tt.text, Limits{})
			f := FindingsOf(err)
			if !f.Has(tt.code) {
				t.Errorf("found %v, want %s (plan %+v)", err, tt.code, p)
			}
			for _, x := range f {
				if x.Message == "" {
					t.Errorf("%s says nothing", x.Code)
				}
			}
		})
	}
}

// A tool that is said twice by values that are no texts is a finding.
func TestParseToolTwice(t *testing.T) {
	text := `{"steps":[{"tool":{"name":"x"},"function":{"name":"x"},"args":{}}]}`
	if _, err := Parse(text, Limits{}); len(FindingsOf(err)) == 0 {
		t.Errorf("found %v", err)
	}
}

func TestParseLimits(t *testing.T) {
	if _, err := Parse(twoText, Limits{Steps: 1}); !FindingsOf(err).Has(TooManySteps) {
		t.Errorf("found %v", err)
	}
	if _, err := Parse(twoText, Limits{Bytes: 20}); !FindingsOf(err).Has(OutOfRange) {
		t.Errorf("found %v", err)
	}
}

func TestPlanJSON(t *testing.T) {
	text := `{"title":"t","confidence":0.5,"steps":[{"id":"s1","tool":"a","args":{"x":1.50,"y":["a",null]}},` +
		`{"id":"s2","tool":"b","args":{"t":{"$concat":["n: ",{"$ref":"s1.rows[0][\"odd name\"]"}]}},"each":{"$ref":"s1.rows[*]"},"when":{"$ref":"s1.row_count","op":"gt","value":0}}],` +
		`"answer":[{"$ref":"s2"}],"repairs":[{"path":"/a","code":"enum","from":"A","to":"a","why":"case"}],` +
		`"reading":"All of a","alternatives":[{"reading":"All of b","plan":{"steps":[{"id":"s1","tool":"b","args":{}}],"reading":"All of b"}}]}`
	var p Plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw) != text {
		t.Errorf("got  %s\nwant %s", raw, text)
	}
	if len(p.Repairs) != 1 || p.Steps[1].Each.String() != "s1.rows[*]" || p.Steps[1].When.Op != "gt" {
		t.Errorf("plan %+v", p)
	}
	for _, bad := range []string{`{"steps":[{"id":"s1","tool":"a","args":{},}]}`, `[]`, `{"steps":1}`, `{"confidence":7}`, `{} {}`, `{"alternatives":{}}`, `{"alternatives":[{"reading":"x"}]}`} {
		if err := json.Unmarshal([]byte(bad), &p); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
	var r Ref
	if err := json.Unmarshal([]byte(`{"$ref":"s1.a"}`), &r); err != nil || r.String() != "s1.a" {
		t.Errorf("ref %v %v", r, err)
	}
	if err := json.Unmarshal([]byte(`{"$ref":"s1.a","x":1}`), &r); err == nil {
		t.Error("a reference with another key was read")
	}
	var c Concat
	if err := json.Unmarshal([]byte(`{"$concat":["a"]}`), &c); err != nil || len(c.Parts) != 1 {
		t.Errorf("concat %v %v", c, err)
	}
	var w When
	if err := json.Unmarshal([]byte(`{"ref":{"$ref":"s1"},"op":"eq"}`), &w); err != nil || w.Op != "eq" {
		t.Errorf("when %v %v", w, err)
	}
}

// TestParseCost: texts of brackets that each lead nowhere must not cost the square of their length.
func TestParseCost(t *testing.T) {
	for _, piece := range []string{"{", `{"a":`, `["`, `{"steps":[`, "{a ", `'`, "/*"} {
		text := strings.Repeat(piece, (1<<20)/len(piece))
		if _, err := Parse(text, Limits{}); err == nil {
			t.Errorf("%q: no finding", piece)
		}
	}
}

// TestParseAtOnce: what one reading uses again of another must not show in a plan.
func TestParseAtOnce(t *testing.T) {
	texts := []string{wide(7), twoText, `{"steps":[{"id":"a","tool":"b","args":{"x":{"$ref":"c"},"y":[{"$ref":"c.d"}]},"when":{"$ref":"c","op":"in","value":[1]}}]}`}
	var want []Plan
	for _, text := range texts {
		p, err := Parse(text, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, p)
	}
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 60 {
				k := (i + n) % len(texts)
				if p, err := Parse(texts[k], Limits{}); err != nil || !cmp.Equal(p, want[k]) {
					t.Errorf("%v %s", err, cmp.Diff(want[k], p))
				}
			}
		})
	}
	all.Wait()
}

func FuzzParse(f *testing.F) {
	f.Add(twoText)
	f.Add("```\n{'steps': [{'id': 1, 'name': 'x', 'input': {'a': None}}]}\n```")
	f.Add(`{"steps":[{"id":"a","tool":"b","args":{"t":{"$concat":["x",{"$ref":"c[-1][\"é\"]"}]}},"each":{"$ref":"c"},"when":{"$ref":"c","op":"in","value":[1e3]}}],"answer":[{"$ref":"a"}]}`)
	f.Add(`{"clarify":"which?"}`)
	f.Add(`{"steps":[],"title":"t","answer":["0"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text, Limits{})
		if err != nil {
			if len(FindingsOf(err)) == 0 {
				t.Fatalf("error %v is no Findings", err)
			}
			return
		}
		p.Repairs = nil
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Parse(string(raw), Limits{Bytes: 8 << 20})
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		if diff := cmp.Diff(p, q); diff != "" {
			t.Fatal(diff)
		}
		Validate(q, testTools, nil, Limits{})
		Mend(q, testTools)
	})
}
