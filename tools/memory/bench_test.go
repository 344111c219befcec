package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools/memory"
)

// filled is a rig over a file with n memories of one owner, of words with the frequencies of a natural language.
func filled(b *testing.B, n int) (*rig, func(words int) string) {
	b.Helper()
	s, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "s.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	r := rigOn(b, s, memory.Options{})
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.1, 5, 20_000)
	text := func(words int) string {
		list := make([]string, words)
		for i := range list {
			list[i] = word(zipf.Uint64())
		}
		return strings.Join(list, " ")
	}
	for i := range n {
		m := memory.Memory{ID: fmt.Sprintf("mem_%d", i), Namespace: "default", Content: fmt.Sprintf("%s no%d", text(12), i)}
		if _, _, err := s.AddMemory(context.Background(), "ann", m, memory.IndexOf(m.Content, nil), 1e9); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	return r, text
}

// word makes a word of a number.
func word(n uint64) string {
	var b strings.Builder
	for n += 30; n > 0; n /= 60 {
		b.WriteByte("bdfgklmnprst"[n%12])
		b.WriteByte("aeiou"[n/12%5])
	}
	return b.String()
}

func BenchmarkSearch(b *testing.B) {
	r, text := filled(b, 20_000)
	for b.Loop() {
		r.call("ann", "search_memory", object{"query": text(3)})
	}
}

func BenchmarkStore(b *testing.B) {
	r, text := filled(b, 1000)
	for i := 0; b.Loop(); i++ {
		r.call("ann", "store_memory", object{"content": fmt.Sprintf("%s new%d", text(12), i)})
	}
}

// BenchmarkVectors compares a query with 5,000 vectors of 384 numbers beside the search by words.
func BenchmarkVectors(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	s, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "s.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	r := rigOn(b, s, memory.Options{Model: "random", Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i := range out {
			out[i] = make([]float32, 384)
			for j := range out[i] {
				out[i][j] = random.Float32() - .5
			}
		}
		return out, nil
	}})
	for i := range 5000 {
		r.keep("ann", fmt.Sprintf("%s %s no%d", word(uint64(i)), word(uint64(3*i)), i))
	}
	for b.Loop() {
		r.call("ann", "search_memory", object{"query": "something"})
	}
}
