package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHider(t *testing.T) {
	c := Config{Access: Access{Key: Secret{value: "canary\"one+two/three"}, Keys: map[string]AccessKey{"a": {Key: Secret{value: "canary-of-a-key"}}}, StdioKey: Secret{value: "short"}},
		MCPServers: map[string]MCPServer{"x": {Headers: map[string]Secret{"Authorization": {value: "Bearer canary-of-a-header"}}, OAuth: OAuth{PrivateKey: Secret{value: "-----BEGIN PRIVATE KEY-----\ncanaryline1canaryline1\ncanaryline2canaryline2\n-----END PRIVATE KEY-----\n"}}}}}
	h := &Hider{}
	if h.Hide("canary-of-a-key") != "canary-of-a-key" {
		t.Error("the zero value hides")
	}
	h.Set(c)
	for _, text := range []string{`canary"one+two/three`, `{"x":"canary\"one+two/three"}`, "a=canary%22one%2Btwo%2Fthree", "Y2FuYXJ5Im9uZSt0d28vdGhyZWU=", "canary-of-a-key", "canary-of-a-header", "    canaryline2canaryline2"} {
		if got := h.Hide("x " + text + " y"); strings.Contains(got, "canary") || strings.Contains(got, "Y2FuYXJ5") || !strings.Contains(got, "***") || !strings.HasPrefix(got, "x ") || !strings.HasSuffix(got, " y") {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := h.Hide("short and ----- BEGIN"); got != "short and ----- BEGIN" {
		t.Error(got)
	}
	h.Set(Config{Access: Access{Key: Secret{value: "another-secret"}}})
	if got := h.Hide("another-secret canary-of-a-key"); got != "*** ***" {
		t.Error(got)
	}
	var b strings.Builder
	if n, err := fmt.Fprint(h.Writer(&b), "a another-secret b\n"); n != len("a another-secret b\n") || err != nil || b.String() != "a *** b\n" {
		t.Errorf("%d %v %q", n, err, b.String())
	}
}

// What a server is given hides only where it is a secret: its user, its region and its host may be the words of any table.
func TestHiderOfServers(t *testing.T) {
	h := &Hider{}
	h.Set(Config{MCPServers: map[string]MCPServer{"x.y": {
		Env: map[string]Secret{
			"PGUSER": {value: "postgres"}, "PGHOST": {value: "127.0.0.1"}, "REGION": {value: "Northumberland"},
			"PGPASSWORD": {value: "hunter2-canary"}, "APP_PASSWORD": {value: "lettersofcanary"}, "DB_PASS": {value: "postgres"},
			"URL": {value: "postgres://ann:canary-word@host/db"}, "OTHER": {value: "sk-canary-0123456789"}, "FILED": {value: "canary words", apart: true},
		},
		Headers: map[string]Secret{"X-Region": {value: "Northumberland"}, "X-Who": {value: "Bearer canary0123456789abc"}},
	}}})
	if plain := "postgres at 127.0.0.1 in Northumberland"; h.Hide(plain) != plain {
		t.Error(h.Hide(plain))
	}
	for _, text := range []string{"hunter2-canary", "lettersofcanary", "postgres://ann:canary-word@host/db", "sk-canary-0123456789", "canary words", "canary0123456789abc"} {
		if got := h.Hide(text); strings.Contains(got, "canary") {
			t.Error(got)
		}
	}
}

// What a server is given from where secrets are kept is one under any name.
func TestSecretsKeptApart(t *testing.T) {
	settings := `mcpServers: {f: {command: x, env: {A: "${APP_TOKEN}", B: "${REGION}", C: "command:echo canaryofcommand"}}}`
	c, err := Load(t.Context(), defaults(t), file(t, settings), []string{"APP_TOKEN=canaryofvariable", "REGION=Northumberland"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &Hider{}
	h.Set(c)
	for text, want := range map[string]string{
		"canaryofvariable": "***", "canaryofcommand": "***", "Northumberland": "Northumberland",
	} {
		if got := h.Hide(text); got != want {
			t.Errorf("%s is shown as %s", text, got)
		}
	}
}

// TestHolds: settings are known by what they hold, each kind of secret that Config knows, and texts without one are none.
func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{
		"access: {key: 0123456789abcdef}":                          true,
		`{"llm": {"provider": "openai", "api_key": "sk-1234567"}}`: true,
		"access:\n  keys:\n    a:\n      key: 0123456789abcdef\n":  true,
		"mcpServers: {x: {env: {TOKEN: 12345678}}}":                true,
		"access: {key: ${KEY}}":                                    false,
		"access: {key: file:/run/secrets/key}":                     false,
		"access: {key: \"\"}":                                      false,
		"key: 0123456789abcdef":                                    false,
		"access: [":                                                false,
		"":                                                         false,
		"package main":                                             false,
	} {
		if got := Holds([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "config.yaml"))
	if err != nil || Holds(text) {
		t.Errorf("the built-in settings hold a secret: %v", err)
	}
	secrets := 0
	for _, path := range SecretPaths() {
		if secrets++; !Holds([]byte(document1(path))) {
			t.Errorf("%s is not known", path)
		}
	}
	if secrets < 12 {
		t.Errorf("only %d secrets", secrets)
	}
}

// document1 is YAML with one value, by the path of its key.
func document1(path string) string {
	out := ""
	parts := strings.Split(path, ".")
	mark, deeper := "", ""
	for i, name := range parts {
		key, list := strings.CutSuffix(name, "[0]")
		out += strings.Repeat("  ", i) + deeper + mark + key + ":"
		if mark != "" {
			deeper = "  " // what is in an element stands below its first key
		}
		if mark = ""; list {
			mark = "- "
		}
		if i < len(parts)-1 {
			out += "\n"
		}
	}
	return out + " 0123456789abcdef\n"
}
