package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// Each body that is to be dear is JSON, of the length that is told, and has as many members as it should.
func TestManifoldIsJSON(t *testing.T) {
	to := &target{json: []string{"POST /a", "POST /b"}}
	kinds := map[string]func(size int64) io.Reader{
		"an array":    manyValues,
		"an object":   func(size int64) io.Reader { return &members{left: size, key: plainKey} },
		"escaped":     func(size int64) io.Reader { return &members{left: size, key: escapedKey} },
		"one text":    func(size int64) io.Reader { return filled(size, `{"message":"`, "a", `"}`) },
		"many blanks": func(size int64) io.Reader { return filled(size, `[0`, `,"0123456789"`, "]") },
	}
	for name, body := range kinds {
		for _, size := range []int64{largeJSON, smallJSON, smallJSON + 1, smallJSON + 7, 64 << 10, 32<<10 + 1} {
			data, err := io.ReadAll(body(size))
			if err != nil || int64(len(data)) != size {
				t.Fatalf("%s: %d bytes of %d, %v", name, len(data), size, err)
			}
			if !json.Valid(data) {
				t.Errorf("%s of %d bytes is no JSON: %.20s ... %s", name, size, data, data[len(data)-40:])
			}
		}
	}
	if len(manifold(1)) != 3 || to.json == nil {
		t.Fatal("a kind has no test here")
	}
}

// Keys are all different, and more than any server should keep of one object, also in what every route takes.
func TestMembers(t *testing.T) {
	for name, key := range map[string]func(b []byte, n int) []byte{"plain": plainKey, "escaped": escapedKey} {
		data, err := io.ReadAll(&members{left: smallJSON, key: key})
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(data, &got); err != nil || len(got) <= 65_536 || len(got) != strings.Count(string(data), ":") {
			t.Errorf("%s: %d members of %d, %v", name, len(got), strings.Count(string(data), ":"), err)
		}
		if name == "escaped" && (got["\n1f"] == nil || !strings.Contains(string(data), `"\n1f":0`)) {
			t.Error("no key has an escape")
		}
	}
}

func TestMisread(t *testing.T) {
	for _, c := range []struct {
		m       message
		outcome string
		want    bool
	}{
		{message{valid: true, length: largeJSON}, "400 malformed_json", true},
		{message{length: largeJSON}, "400 malformed_json", false},
		{message{valid: true, length: largeJSON}, "413 body_too_large", false},
		{message{valid: true, length: smallJSON}, "413 body_too_large", true},
		{message{valid: true, length: smallJSON}, "400 too_many_values", false},
		{message{valid: true, length: smallJSON}, "200", false},
	} {
		if got := c.m.misread(c.outcome); got != c.want {
			t.Errorf("%+v: %s: %v", c.m, c.outcome, got)
		}
	}
}

// A file is whole: what is closed before its bytes are taken has its end.
func TestBombsAreWhole(t *testing.T) {
	data, err := csvZstd()
	if err != nil || len(data) < 100 {
		t.Fatal(len(data), err)
	}
	whole, err := parquetZstd()
	if err != nil || !strings.HasSuffix(string(whole), "PAR1") {
		t.Errorf("the Parquet file has no end: %v", err)
	}
}
