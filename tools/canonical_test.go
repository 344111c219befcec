package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is written in one go is what the encoder writes: a hash that a person approved must stay what it is.
func FuzzAppendPlain(f *testing.F) {
	for _, s := range []string{`{}`, `{"b":1,"a":[1.0,-0,5e0,1e15,9007199254740993,0.1,null,true,"x","é","<&>"]}`, `{"a\"b":{"c":{}}}`, `[[["deep"]]]`, `"\u2028"`, `{"z":"","":"z"}`, `-0.0`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var numbers, floats any
		if dec.Decode(&numbers) != nil || json.Unmarshal([]byte(text), &floats) != nil {
			return
		}
		for _, v := range []any{numbers, floats} {
			got, ok := appendPlain(nil, v, 0)
			if !ok {
				continue
			}
			want, err := canonical(plainNumbers(v))
			if err != nil || string(got) != string(want) {
				t.Errorf("%s gave %s, not %s, %v", text, got, want, err)
			}
		}
	})
}
