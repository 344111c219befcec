package json

import (
	"encoding/json"
	"slices"
	"testing"

	"catena/table/tabletest"
)

// What walking over a text gives is what encoding/json makes of it, whatever stands between and within the values.
func TestWalk(t *testing.T) {
	for _, text := range []string{
		`[]`, ` [ ] `, `[1]`, "[ 1 ,\n\"a,]\\\"\" , {\"b\":[1,2]}, [ [] , {} ], null,-1.5e3 ]", `{}`, `null`, `1`, `"[1]"`, ``,
	} {
		var want []json.RawMessage
		_ = json.Unmarshal([]byte(text), &want) // none of what is no list
		got := slices.Collect(Elements([]byte(text)))
		if !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		`{}`, `{"a":1}`, ` { "a" : "}" , "b":[{},{"c":","}] ,"a" : {"d" :[]}, "\u0065":"x"} `, `[]`, `null`, ``,
	} {
		var want map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &want)
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			if got := Member([]byte(text), name); string(got) != string(want[name]) {
				t.Errorf("%s of %s: %s, want %s", name, text, got, want[name])
			}
		}
	}
}

// A text that is no JSON ends the walk, wherever it is cut.
func TestWalkEnds(t *testing.T) {
	whole := `{"a":[1,"b\"",{"c":null}],"d":{"e":[]}}`
	for i := range whole {
		for _, text := range []string{whole[:i], whole[i:], "[" + whole[:i], "[" + whole[i:]} {
			for range Elements([]byte(text)) {
			}
			Member([]byte(text), "d")
		}
	}
}

// Walking takes no memory: nothing for each element. What runs beside allocates a little.
func TestWalkAllocates(t *testing.T) {
	text := []byte(`{"a":[`)
	for range 200_000 {
		text = append(text, `{"b":1},`...)
	}
	text = append(text, `0]}`...)
	took := tabletest.Allocated(func() {
		n := 0
		for range Elements(Member(text, "a")) {
			n++
		}
		if n != 200_001 {
			t.Errorf("%d elements", n)
		}
	})
	if took > 1<<20 {
		t.Errorf("%d bytes were allocated", took)
	}
}
