package persona_test

import (
	"path/filepath"
	"testing"

	"catena/internal/store"
	"catena/tools/persona"
	"catena/tools/persona/personatest"
)

func TestSuite(t *testing.T) {
	for name, path := range map[string]string{"memory": ":memory:", "file": filepath.Join(t.TempDir(), "s.db")} {
		t.Run(name, func(t *testing.T) {
			docs, err := store.Open(t.Context(), path, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer docs.Close()
			personatest.Run(t, persona.Embedded(docs))
		})
	}
}
