package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEnvironment takes Neo4j's variables out of a .env file, and nothing else.
func TestEnvironment(t *testing.T) {
	for _, name := range []string{"NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD"} {
		t.Setenv(name, "")
	}
	path := filepath.Join(t.TempDir(), ".env")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("NEO4J_URI=neo4j://127.0.0.1:7687\nNEO4J_PASSWORD=\"a b\"\nCATENA_LLM_BASE_URL=http://127.0.0.1:9\n")
	env, warning := environment(path)
	if !slices.Contains(env, "NEO4J_URI=neo4j://127.0.0.1:7687") || !slices.Contains(env, "NEO4J_PASSWORD=a b") || warning != "" {
		t.Errorf("the file's variables are missing: %s", warning)
	}
	if slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "CATENA_LLM_BASE_URL=http") }) {
		t.Error("a setting came out of the file")
	}
	write("{ this is no such file")
	if _, warning = environment(path); !strings.Contains(warning, "not used") {
		t.Errorf("a broken file: %q", warning)
	}
	t.Setenv("NEO4J_URI", "bolt://127.0.0.1:1")
	write("NEO4J_PASSWORD=other\n")
	if env, _ = environment(path); slices.Contains(env, "NEO4J_PASSWORD=other") {
		t.Error("a password came from elsewhere than its address")
	}
}
