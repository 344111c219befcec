package persona_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools/persona"
	"catena/tools/persona/personatest"
)

func TestSuite(t *testing.T) {
	for name, path := range map[string]string{"memory": ":memory:", "file": filepath.Join(t.TempDir(), "s.db")} {
		t.Run(name, func(t *testing.T) {
			docs, err := sqlite.Open(t.Context(), path, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer docs.Close()
			personatest.Run(t, persona.Embedded(docs))
		})
	}
}

// TestTwoStores writes through one store and reads through another over the same file, as two processes do.
func TestTwoStores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	var stores [2]persona.Store
	for i := range stores {
		docs, err := sqlite.Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer docs.Close()
		stores[i] = persona.Embedded(docs)
	}
	trust := 7.5
	for i := range 6 {
		r, err := stores[i%2].Relationship(t.Context(), "ann", "don", "lila")
		if err != nil || r.Trust != trust {
			t.Fatalf("%d: %+v, %v", i, r, err)
		}
		if r, err = stores[(i+1)%2].Adjust(t.Context(), "ann", "lila", "don", persona.Delta{Trust: -0.5}, time.Now()); err != nil {
			t.Fatal(err)
		}
		trust = r.Trust
		if i == 3 {
			if err := stores[0].Reset(t.Context(), "ann"); err != nil {
				t.Fatal(err)
			}
			trust = 7.5
		}
	}
}

// TestMirrored reads for more owners than there is room for.
func TestMirrored(t *testing.T) {
	docs, err := sqlite.Open(t.Context(), ":memory:", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer docs.Close()
	s := persona.Embedded(docs)
	held := persona.Mirrored(s, 50)
	for round := range 3 {
		for i := range 10 {
			owner := fmt.Sprint("owner", i)
			r, err := s.Adjust(t.Context(), owner, "don", "lila", persona.Delta{Trust: -1}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Relationship(t.Context(), owner, "don", "lila")
			if err != nil || got.Trust != r.Trust || got.Trust != 6.5-float64(round) {
				t.Errorf("%s: %+v, %v", owner, got, err)
			}
		}
	}
	if n := held(); n < 1 || n > 5 {
		t.Errorf("%d owners are held", n)
	}
}
