package plan

import (
	"fmt"
	"strings"
	"testing"

	"catena/planner/loosejson"
	"catena/planner/plan/plantest"
)

// costBytes is the length of most texts of which the cost is bounded. See race_test.go.
var costBytes = 1 << 17

// TestTextCost: no text costs the square of its length, nor more than 64 MiB of memory.
func TestTextCost(t *testing.T) {
	for _, piece := range []string{"[", "{", `{"a":`, `"`, "'", "a", `"a" `, "/*", "//", "{a ", `["`, "(", `\`, "`", ",", `{"a":"b"c`, "f(", "1 ", `\"`, "“", "...", `+"a"`, "{{}", "```", `"a,`, "a:", "/", "#", "\u00a0",
		`{"a":"b",,`, "-", "1.", "1e", `"\u12`, "https://", "[],", "{},", `{"a":1},`, `{"tool":1},`, `"a",`, "1,", `{"id":"a","tool":"b"}` + "\n"} {
		for _, open := range []string{"", `{"steps":[{"id":"s1","tool":"a","args":{"x":[`} {
			size := costBytes
			if strings.HasSuffix(piece, ",") { // what grows most
				size *= 8
			}
			text := open + strings.Repeat(piece, size/len(piece)-len(open))
			plantest.Bounded(t, text, func(s string) { _, _ = loosejson.Read(s, loosejson.Limits{}) }) // whatever it is: the cost is what counts
			plantest.Bounded(t, text, func(s string) { _, _ = taken(s) })
		}
	}
}

// BenchmarkManyKeys is an object of a megabyte that is no plan.
func BenchmarkManyKeys(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"message":"x"`)
	for i := 0; text.Len() < 1_000_000; i++ {
		fmt.Fprintf(&text, `,"%d":0`, i)
	}
	text.WriteString("}")
	for b.Loop() {
		if _, err := Parse(text.String(), Limits{}); err == nil {
			b.Fatal("a plan")
		}
	}
}
