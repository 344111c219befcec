package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What a JSON text takes as maps and lists is known before it is decoded: never much less than it takes, and for honest texts not much more.
func TestJSONMemory(t *testing.T) {
	const n = 50_000
	for name, one := range map[string]string{
		"empty objects": `{}`, "empty lists": `[]`, "numbers": `1`, "texts": `"some words of a sentence"`, "nulls": `null`,
		"records": `{"id":12345,"name":"a client","amount":12.5,"open":true}`, "lists in lists": `[[],[1,2]]`,
		"wide records": `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12}`, "quotes": `"\",\",[[{:\\"`,
	} {
		text := []byte("[" + strings.Repeat(one+",", n) + one + "]")
		said := JSONMemory(text)
		took := int64(allocated(func() {
			var v any
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
		}))
		if took > 3*said || said > 3*took {
			t.Errorf("%s: %d bytes of text took %d KiB, and %d KiB were reckoned", name, len(text), took>>10, said>>10)
		}
	}
}

// A dense output of a tool is no listing where the budget has too little for its parts; nothing is made of it then.
func TestReadListingIsBounded(t *testing.T) {
	text := []byte("[" + strings.Repeat("{},", 400_000) + `{"a":1}]`)
	budget := NewMemoryBudget(8 << 20)
	took := allocated(func() {
		if _, ok := ReadListing(text, "dense", Limits{Memory: budget}); ok {
			t.Error("it was read")
		}
	})
	if took > uint64(budget.Size()) || budget.Taken() != 0 {
		t.Errorf("it took %d KiB, %d bytes stay drawn", took>>10, budget.Taken())
	}
}

// Texts that listings are looked for in take time and memory by their length.
func TestListingTextsAreLinear(t *testing.T) {
	lines := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line+"\n", i)
		}
		return b.String()
	}
	for name, line := range map[string]string{"words": "some words %d", "keys": "key %d: value"} {
		took := func(n int) uint64 {
			text := lines(n, line)
			return allocated(func() { listedBlocks(text, "x", Limits{}, 0) })
		}
		if small, large := took(2_000), took(16_000); large > 24*small { // a growing list takes up to half as much again, and what grows by the square 64 times
			t.Errorf("%s: 8 times the lines took %d times the memory: %d and %d bytes", name, large/small, small, large)
		}
	}
	if _, ok := listedBlocks(lines(100_000, "key %d: value"), "x", Limits{}, 0); ok {
		t.Error("a block of 100,000 keys was read")
	}
}
