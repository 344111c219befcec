package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestSecretNeverShows(t *testing.T) {
	name := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(name, []byte("hunter2\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(t.Context(), defaults(t), file(t, "llm: {api_key: \"file:"+name+"\"}\nmcpServers: {f: {command: x, env: {A: hunter2}}}\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.LLM.APIKey.Reveal() != "hunter2" {
		t.Errorf("the value is %q", c.LLM.APIKey.Reveal())
	}
	y, err := yaml.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "config", c, "key", c.LLM.APIKey)
	for _, text := range []string{string(y), string(j), log.String(), fmt.Sprint(c), fmt.Sprintf("%+v %#v %q %x", c, c, c.LLM.APIKey, c.LLM.APIKey)} {
		if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) {
			t.Error("the secret shows:", text)
		}
	}
}

// TestSecretSources: a secret comes from a variable, a file, a variable that names a file, or a command; errors name no value.
func TestSecretSources(t *testing.T) {
	name := file(t, "the secret\n")
	for what, env := range map[string][]string{
		"value":         {"CATENA_ACCESS_KEY=the secret"},
		"file":          {"CATENA_ACCESS_KEY=file:" + name},
		"file variable": {"CATENA_ACCESS_KEY_FILE=" + name},
		"reference":     {"CATENA_ACCESS_KEY=${X}", "X=the secret"},
		"command":       {"CATENA_ACCESS_KEY=command:cat " + name},
		"command file":  {"CATENA_ACCESS_KEY=command:cat ${F}", "F=" + name},
	} {
		c, err := Load(t.Context(), defaults(t), "", env, nil)
		if err != nil || c.Access.Key.Reveal() != "the secret" || len(c.Warnings) > 0 {
			t.Errorf("%s: %q %v %v", what, c.Access.Key.Reveal(), err, c.Warnings)
		}
	}
	for want, env := range map[string][]string{
		"both set":           {"CATENA_ACCESS_KEY=a", "CATENA_ACCESS_KEY_FILE=" + name},
		"cannot be read":     {"CATENA_ACCESS_KEY_FILE=" + name + "x"},
		"failed":             {"CATENA_ACCESS_KEY=command:cat " + name + "x"},
		"printed nothing":    {"CATENA_ACCESS_KEY=command:true"},
		"is empty":           {"CATENA_ACCESS_KEY=command: "},
		"printed more":       {"CATENA_ACCESS_KEY=command:head -c 100000 /dev/zero"},
		"X is not set":       {"CATENA_ACCESS_KEY=command:cat ${X}"},
		"CATENA_ACCESS_KEYS": {"CATENA_ACCESS_KEYS=x"},
	} {
		c, err := Load(t.Context(), defaults(t), "", env, nil)
		if text := fmt.Sprint(err, c.Warnings); !strings.Contains(text, want) {
			t.Errorf("%v: %s", env, text)
		}
	}
}

func TestAccessKeys(t *testing.T) {
	c, err := Load(t.Context(), defaults(t), file(t, "access:\n  keys:\n    a: {key: \"${K}\", scopes: [chat], expires: 2027-01-31}\n  roles: {analyst: [chat, \"read:data\"]}\n"), []string{"K=canary"}, nil)
	if err != nil || c.Access.Keys["a"].Key.Reveal() != "canary" || c.Access.Roles["analyst"][1] != "read:data" {
		t.Fatalf("%+v %v", c.Access, err)
	}
	if end, err := c.Access.Keys["a"].Expiry(); err != nil || end.Year() != 2027 {
		t.Error(end, err)
	}
	for want, text := range map[string]string{
		"needs one of key and hash": "access: {keys: {a: {scopes: [chat]}}}",
		"write 2027-01-31":          "access: {keys: {a: {key: x, expires: soon}}}",
		"access.require":            "access: {require: never}",
		"access.keys.a.skopes":      "access: {keys: {a: {skopes: [chat]}}}",
	} {
		if _, err := Load(t.Context(), defaults(t), file(t, text), nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestUsualVariables takes what other programs' variables say, as far as it belongs together.
func TestUsualVariables(t *testing.T) {
	load := func(env ...string) (Config, error) { return Load(t.Context(), defaults(t), "", env, nil) }
	c, err := load("NEO4J_URI=neo4j://127.0.0.1:7687", "NEO4J_USERNAME=neo4j", "NEO4J_PASSWORD=secret")
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Persona; p.Neo4jURI != "neo4j://127.0.0.1:7687" || p.Neo4jUser != "neo4j" || p.Neo4jPassword.Reveal() != "secret" {
		t.Errorf("persona: %+v", p)
	}
	c, err = load("NEO4J_PASSWORD=secret", "CATENA_PERSONA_NEO4J_URI=bolt://127.0.0.1:1")
	if err != nil || c.Persona.Neo4jPassword.Reveal() != "" {
		t.Errorf("a password went to an address that it does not belong to: %v", err)
	}
	c, err = load("CATENA_EMBEDDINGS_PROVIDER=openai", "CATENA_EMBEDDINGS_MODEL=m", "OPENAI_API_KEY=sk")
	if err != nil || c.Embeddings.APIKey.Reveal() != "sk" {
		t.Errorf("embeddings: %v", err)
	}
	if _, err := load("NEO4J_URI=http://127.0.0.1"); err == nil {
		t.Error("http is no address of Neo4j")
	}
	if c, err := load("CATENA_CODE_ROOTS="); err != nil || len(c.Code.Roots) != 0 {
		t.Error("code without roots", err)
	}
}

// A server whose secret cannot be had is left out; the start and the others do not wait for it.
func TestServerWithoutItsSecret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte("mcpServers:\n  f: {url: \"http://h\", headers: {A: \"${NOPE}\"}}\n  g: {command: x}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(t.Context(), defaults(t), file, nil, nil)
	const want = "headers.A: the environment variable NOPE is not set"
	if err != nil || !strings.Contains(c.MCPServers["f"].Problem, want) || c.MCPServers["g"].Problem != "" || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "mcpServers.f is left out: "+want) {
		t.Errorf("%+v %q %v", c.MCPServers, c.Warnings, err)
	}
}
