package content

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"catena/internal/text"
	"catena/table/tabletest"
)

func TestTally(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	texts := []string{"", strings.Repeat("\n", 100_000), strings.Repeat("\x00", 64*127), strings.Repeat(`"`, 20_000) + "é"}
	for range 200 {
		texts = append(texts, tabletest.DirtyText(r, r.IntN(70_000)), strings.Repeat("a", r.IntN(1000)))
	}
	for _, given := range texts {
		got, want := tallyText(given), tally{}
		for i := range len(given) {
			switch b := given[i]; {
			case b == '"':
				want.quotes++
			case b == '\n':
				want.feeds++
			case b == '\r':
				want.returns++
			case b == 0:
				want.nuls++
			case b >= 0x80:
				want.wide = 1
			}
		}
		if got.wide = min(got.wide, 1); got != want {
			t.Fatalf("%q: %+v instead of %+v", text.Clip(given, 200), got, want)
		}
		if got.quotes != int64(bytes.Count([]byte(given), []byte(`"`))) {
			t.Fatal(got.quotes)
		}
	}
}
