package names

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// load decodes weights as the embedded ones are decoded.
func load(data []byte) error {
	_, err := decode(data)
	return err
}

func smallWeights(t *testing.T) []byte {
	t.Helper()
	c := NewCounts()
	c.Channel = FirstChannel()
	c.AddExpansion([]string{"order", "number"}, 1)
	c.AddPiece("ord", "order", 2)
	c.AddPiece("on", "order number", 1)
	c.Skips["of"] = 3
	data, err := Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Weights that are cut off anywhere are refused.
func TestCutWeightsAreRefused(t *testing.T) {
	data := smallWeights(t)
	if err := load(data); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		if err := load(data[:n]); !errors.Is(err, errWeights) {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(data), err)
		}
	}
}

// Weights with wrong bytes are refused or read as others; nothing panics.
func TestDamagedWeightsDoNotPanic(t *testing.T) {
	data := smallWeights(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		bad := slices.Clone(data)
		for range 1 + r.IntN(4) {
			bad[r.IntN(len(bad))] = byte(r.Uint32())
		}
		if err := load(bad); err != nil && !errors.Is(err, errWeights) {
			t.Fatal(err)
		}
	}
}

// Damage inside a section, behind the compression, is refused or harmless too: reading a name with what is left does not panic.
func TestDamagedSectionsDoNotPanic(t *testing.T) {
	data := smallWeights(t)
	var raw [2][]byte
	for k := range raw {
		d, err := section(data, k)
		if err != nil {
			t.Fatal(err)
		}
		raw[k] = d.in
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var bad []byte
		for _, s := range raw {
			s = slices.Clone(s)
			s[r.IntN(len(s))] = byte(r.Uint32())
			var err error
			if bad, err = appendSection(bad, s); err != nil {
				t.Fatal(err)
			}
		}
		lex, err := decodeWords(bad)
		if err != nil {
			continue
		}
		if m, err := decodeModel(bad, lex, Usual); err == nil {
			m.Parts("", []string{"ordno", "on_ord"}, []bool{true, true})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode(weights); err != nil {
			b.Fatal(err)
		}
	}
}
