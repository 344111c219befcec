package csv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/tabletest"
)

// TestMarks checks the vector instructions against one byte after the other.
func TestMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		text := tabletest.DirtyText(r, 64*r.IntN(50))
		comma := ",;\t|"[r.IntN(4)]
		got, want := make([]marks, len(text)/64), make([]marks, len(text)/64)
		markText(text, comma, got)
		markBytes(text, comma, want)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(marks{})); diff != "" {
			t.Fatalf("%q\n%s", text, diff)
		}
	}
}

// recordsText is some records of three cells, of which few, one or none is not plain.
func recordsText(r *rand.Rand) string {
	cells := []string{"", "1", "12.50", "a word", `"in quotes"`, `"a, b"`, `""`, "\"two\nlines\"", "x" + strings.Repeat("y", r.IntN(150)), "né", `"é"`}
	odd := []string{" a", "é", "a ", "a\u00a0", `"a""b"`, `a"b`, `"a"b`, "a,b", "a\nb", "\r", "#", `"`, "\t", "---"}
	var b strings.Builder
	ends := []string{"\n", "\r\n", "\r"}
	end, dirt := ends[r.IntN(3)], []int{1 << 30, 1 << 30, 400, 40}[r.IntN(4)]
	for range r.IntN(300) {
		for c := range 3 {
			if r.IntN(dirt) == 0 {
				b.WriteString(odd[r.IntN(len(odd))])
			} else {
				b.WriteString(cells[r.IntN(len(cells))])
			}
			if c < 2 {
				b.WriteByte(',')
			}
		}
		if r.IntN(dirt) == 0 {
			end = ends[r.IntN(3)]
		}
		b.WriteString(end)
	}
	return b.String()
}

// cutAlike cuts a text in both ways and compares what comes out: what marks cannot cut the other way may.
func cutAlike(t testing.TB, text string, width int) (marked bool) {
	t.Helper()
	marker := cutter{comma: ',', width: width, lim: table.DefaultLimits, headed: true, first: "name"}
	slow := marker
	marked, want := marker.cutMarked(text), slow.cutRecords(text)
	if marked && !want {
		t.Fatalf("%q is not plain", text)
	}
	if !marked {
		if want && len(slow.undone) == 0 {
			t.Fatalf("%q was not cut by marks", text)
		}
		return false
	}
	if !slices.Equal(slow.spans, marker.spans) {
		t.Fatalf("%q\n%s", text, cmp.Diff(slow.spans, marker.spans, cmp.AllowUnexported(span{})))
	}
	return true
}

func TestCutMarked(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	marked := 0
	for range 2000 {
		if cutAlike(t, recordsText(r), 3) {
			marked++
		}
	}
	if marked < 500 {
		t.Errorf("only %d texts were cut by marks", marked)
	}
}

func FuzzCutMarked(f *testing.F) {
	for _, text := range []string{"1,2,3\n4,5,6\n", "1,\"a, b\",\r\n\"\",,x\r\n", "1,2,\"3\n\"\r4,5,\u00e9\r", "a\"b,2,3\n", "\"a\"\"b\",2,3\n", strings.Repeat("12.5,word,\"in quotes\"\n", 4)} {
		f.Add(text) // short ones: making long ones shorter takes a fuzzer's time
	}
	f.Fuzz(func(t *testing.T, text string) { cutAlike(t, text, 3) })
}
