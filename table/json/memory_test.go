package json

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"catena/table/tabletest"
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
		said := Memory(text)
		took := int64(tabletest.Allocated(func() {
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
