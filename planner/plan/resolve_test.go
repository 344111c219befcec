package plan

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRef(t *testing.T) {
	for _, s := range []string{"s1", "s1.rows[*].client_id", "s1.rows[-1]", "s1[0][1]", `s1["odd name"].x`, `s1["a.b"]["ü\"\n"]`, "step-2_b.columns", `s1["0"]`} {
		r, err := ParseRef(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if r.String() != s {
			t.Errorf("%s became %s", s, r)
		}
	}
	for s, want := range map[string]string{"s1.Client Name": `s1["Client Name"]`, `s1['it\'s']`: `s1["it's"]`, "s1.größe": `s1["größe"]`} {
		if r, err := ParseRef(s); err != nil || r.String() != want {
			t.Errorf("%s became %s, error %v; want %s", s, r, err, want)
		}
	}
	for _, s := range []string{"", ".a", "s1.", "s1..a", "s1[", "s1[x]", "s1[+1]", "s1[1", "s1]", `s1["`, `s1["a"`, `s1[""]`, "s1 .a", "s1.a\x00", "s1[99999999999999999999]", strings.Repeat("a", 2000)} {
		if r, err := ParseRef(s); err == nil {
			t.Errorf("%q became %v", s, r)
		}
	}
}

// records stands for a table that is read lazily.
type records struct{ asked []string }

func (r *records) Ref(path []Seg) (any, error) {
	r.asked = append(r.asked, Ref{Step: "t", Path: path}.String())
	if len(path) == 0 {
		return "tbl_9", nil
	}
	return []any{"a", "b"}, nil
}

func TestResolve(t *testing.T) {
	table := &records{}
	all := map[string]any{
		"t": table,
		"s1": map[string]any{"n": json.Number("7"), "text": `{"$ref":"s2"} and {{s2}}`, "odd name": true, "none": nil,
			"rows": []any{map[string]any{"id": "a", "tags": []any{"x", "y"}}, map[string]any{"id": "b", "tags": []any{"z"}, "extra": 1.5}}},
		"s2": []any{"secret"},
	}
	results := func(id string) (any, bool) { v, ok := all[id]; return v, ok }
	tests := map[string]struct {
		in   string // JSON of args
		want any
	}{
		"scalar":            {`{"$ref":"s1.n"}`, json.Number("7")},
		"text is no ref":    {`{"$ref":"s1.text"}`, `{"$ref":"s2"} and {{s2}}`},
		"quoted":            {`{"$ref":"s1[\"odd name\"]"}`, true},
		"null":              {`{"$ref":"s1.none"}`, nil},
		"column":            {`{"$ref":"s1.rows[*].id"}`, []any{"a", "b"}},
		"sparse column":     {`{"$ref":"s1.rows[*].extra"}`, []any{nil, 1.5}},
		"flat":              {`{"$ref":"s1.rows[*].tags[*]"}`, []any{"x", "y", "z"}},
		"nested":            {`{"$ref":"s1.rows[*].tags"}`, []any{[]any{"x", "y"}, []any{"z"}}},
		"last":              {`{"$ref":"s1.rows[-1].id"}`, "b"},
		"deep in arguments": {`{"a":[1,{"b":{"$ref":"s1.n"}}]}`, map[string]any{"a": []any{json.Number("1"), map[string]any{"b": json.Number("7")}}}},
		"concat":            {`{"$concat":["n=",{"$ref":"s1.n"}," ",{"$ref":"s2"},"!"]}`, `n=7 ["secret"]!`},
		"concat is text":    {`{"$concat":[{"$ref":"s1.text"}]}`, `{"$ref":"s2"} and {{s2}}`},
		"handle":            {`{"$ref":"t"}`, "tbl_9"},
		"lazy column":       {`{"$ref":"t.rows[*].id"}`, []any{"a", "b"}},
		"element":           {`{"$ref":"each.id"}`, "e"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v, f := decodeValue([]byte(tt.in))
			if len(f) > 0 {
				t.Fatal(f)
			}
			got, err := Resolve(v, results, map[string]any{"id": "e"})
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
	if got := strings.Join(table.asked, " "); !strings.Contains(got, "t.rows[*].id") {
		t.Errorf("the table was asked for %s", got)
	}
	for ref, want := range map[string]error{"s9": ErrNoResult, "s1.m": ErrNoSuchPart, "s1.rows[2]": ErrNoSuchPart, "s1.rows[-3]": ErrNoSuchPart,
		"s1.n.x": ErrNoSuchPart, "s1.rows.id": ErrNoSuchPart, "s1[0]": ErrNoSuchPart, "s1.rows[*].no": ErrNoSuchPart, "s1.n[*]": ErrNoSuchPart} {
		r, err := ParseRef(ref)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Resolve(r, results, nil); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", ref, err, want)
		}
	}
	if _, err := Resolve(Ref{Step: "s1", Path: []Seg{{Field: "rows"}, {Index: 0}, {Field: "di"}}}, results, nil); err == nil || !strings.Contains(err.Error(), "did you mean id?") {
		t.Errorf("error %v", err)
	}
	big := strings.Repeat("x", 1<<19)
	if _, err := Resolve(Concat{Parts: []any{big, big, big}}, results, nil); err == nil {
		t.Error("a concatenation without end was made")
	}
}

func TestRefs(t *testing.T) {
	v := map[string]any{"b": []any{Ref{Step: "s2"}, Concat{Parts: []any{"x", Ref{Step: "s3"}}}}, "a": &Ref{Step: "s1"}, "c": "s4"}
	var got []string
	for _, r := range Refs(v) {
		got = append(got, r.String())
	}
	if diff := cmp.Diff([]string{"s1", "s2", "s3"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestGraph(t *testing.T) {
	p := parsed(t, step("c", "x", `{"a":{"$ref":"a"},"b":[{"$ref":"b.rows"},{"$ref":"a"}]}`)+","+step("a", "x", `{}`)+
		`,{"id":"b","tool":"x","args":{},"each":{"$ref":"a.rows"}},{"id":"d","tool":"x","args":{},"when":{"$ref":"a.n","op":"eq","value":1}},`+step("e", "x", `{"a":{"$ref":"gone"}}`))
	waves, err := GraphOf(p).Waves()
	if diff := cmp.Diff([][]int{{1, 4}, {2, 3}, {0}}, waves); err != nil || diff != "" {
		t.Error(err, diff)
	}
	g := GraphOf(p)
	if diff := cmp.Diff([]int{0, 3, 4}, g.Sinks()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]int{{1, 2}, nil, {1}, {1}, nil}, g.Needs); diff != "" {
		t.Error(diff)
	}
	if got := len(p.Answers()); got != 3 {
		t.Errorf("%d answers", got)
	}
	p.Answer = []any{Ref{Step: "a"}}
	if diff := cmp.Diff(p.Answer, p.Answers()); diff != "" {
		t.Error(diff)
	}
	loop := parsed(t, step("a", "x", `{"a":{"$ref":"b"}}`)+","+step("b", "x", `{"a":{"$ref":"a"}}`))
	if _, err := GraphOf(loop).Waves(); !FindingsOf(err).Has(Cycle) {
		t.Errorf("error %v", err)
	}
}

func TestWhen(t *testing.T) {
	all := map[string]any{"s": map[string]any{"n": json.Number("10"), "f": 10.0, "t": "2026-03-05", "l": []any{json.Number("1"), "a"}, "z": nil}}
	results := func(id string) (any, bool) { v, ok := all[id]; return v, ok }
	tests := []struct {
		field, op string
		value     any
		want      bool
		fails     bool
	}{
		{"n", "eq", 10.0, true, false}, {"n", "eq", json.Number("10.00"), true, false}, {"n", "eq", "10", false, false}, {"n", "ne", 9, true, false},
		{"n", "gt", json.Number("9"), true, false}, {"n", "ge", Ref{Step: "s", Path: []Seg{{Field: "f"}}}, true, false}, {"n", "lt", 10, false, false},
		{"n", "le", 10, true, false}, {"t", "gt", "2026-02-28", true, false}, {"t", "gt", 5, false, true}, {"z", "gt", 5, false, false},
		{"n", "in", []any{1, 10}, true, false}, {"n", "in", 10, false, true}, {"l", "contains", 1, true, false}, {"t", "contains", "03", true, false},
		{"z", "contains", "a", false, false}, {"n", "contains", 1, false, true}, {"z", "is_null", nil, true, false}, {"n", "is_null", nil, false, false},
		{"n", "not_null", nil, true, false}, {"z", "eq", nil, true, false}, {"gone", "eq", 1, false, true}, {"n", "like", 1, false, true},
		{"n", "gt", json.Number("1e999999999"), false, true},
	}
	for _, tt := range tests {
		w := When{Ref: Ref{Step: "s", Path: []Seg{{Field: tt.field}}}, Op: tt.op, Value: tt.value}
		got, err := w.Holds(results)
		if got != tt.want || (err != nil) != tt.fails {
			t.Errorf("%s %s %v: got %v, error %v", tt.field, tt.op, tt.value, got, err)
		}
	}
}

// FuzzResolve: a reference into one result never gives what another holds, whatever texts there are.
func FuzzResolve(f *testing.F) {
	f.Add("s1.rows[*].id", `{"rows":[{"id":"{\"$ref\":\"s2\"}"}]}`)
	f.Add("s1[0].a", `[{"a":{"$ref":"s2"}}]`)
	f.Add("s1", `{"$concat":[{"$ref":"s2"}]}`)
	f.Fuzz(func(t *testing.T, ref, result string) {
		r, err := ParseRef(ref)
		if err != nil || r.Step != "s1" {
			return
		}
		if again, err := ParseRef(r.String()); err != nil || cmp.Diff(r, again) != "" {
			t.Fatalf("%q is written as %q: %v", ref, r.String(), err)
		}
		var v any
		if json.Unmarshal([]byte(result), &v) != nil {
			return
		}
		got, err := Resolve(map[string]any{"x": r}, func(id string) (any, bool) {
			if id != "s1" {
				t.Fatalf("step %s was asked for", id)
			}
			return v, true
		}, nil)
		if err != nil {
			return
		}
		raw, err := json.Marshal(got.(map[string]any)["x"])
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := json.Marshal(v)
		if inner := strings.Trim(string(raw), "[]"); !r.HasAll() && !strings.Contains(string(whole), inner) {
			t.Fatalf("%s is not in %s", raw, whole)
		}
	})
}

// TestOnly: [only] is the one element of a list, and an error of its own where there are more.
func TestOnly(t *testing.T) {
	ref, err := ParseRef("s1.rows[only].id")
	if err != nil || ref.String() != "s1.rows[only].id" {
		t.Fatalf("%v, %v", ref, err)
	}
	for n, want := range map[int]error{0: ErrNoSuchPart, 1: nil, 2: ErrNotOnly} {
		rows := []any{}
		for range n {
			rows = append(rows, map[string]any{"id": "a"})
		}
		got, err := Resolve(ref, func(string) (any, bool) { return map[string]any{"rows": rows}, true }, nil)
		if !errors.Is(err, want) || want == nil && got != "a" {
			t.Errorf("%d rows: %v, %v", n, got, err)
		}
	}
}
