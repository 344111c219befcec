package upstream

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

func TestHidden(t *testing.T) {
	cfg := Config{
		Env: map[string]string{
			"API_TOKEN": `tok-"quoted"-123`, "REPORTS": "/data/reports", "REGION": "us-east-1", "TOKEN_FILE": "/run/secrets/token", "DB": "postgres://me:word-of-mine@db/x",
			"SHORT_KEY": "abc", "MONKEY_NAME": "capuchin-01",
		},
		Headers: map[string]string{"Authorization": "Bearer header-value-9", "Accept-Language": "de-DE,de;q=0.9"},
	}
	h := newHidden(cfg.words())
	for raw, want := range map[string]string{
		`{"a":"tok-\"quoted\"-123"}`:                                   `{"a":"***"}`,
		`{"a":"x tok-\u0022quoted\u0022-123 y","n":1.50}`:              `{"a":"x *** y","n":1.50}`,
		`{"a":"{\"t\":\"tok-\\\"quoted\\\"-123\"}"}`:                   `{"a":"{\"t\":\"***\"}"}`,
		`{"header-value-9":["Bearer header-value-9","\u00e4"]}`:        `{"***":["***","\u00e4"]}`,
		`{"dsn":"postgres://me:word-of-mine@db/x","p":"word-of-mine"}`: `{"dsn":"***","p":"***"}`,
		`{"path":"/data/reports/a.csv","r":"us-east-1","m":"capuchin-01","f":"/run/secrets/token","k":"abc","l":"de-DE,de;q=0.9"}`: `{"path":"/data/reports/a.csv","r":"us-east-1","m":"capuchin-01","f":"/run/secrets/token","k":"abc","l":"de-DE,de;q=0.9"}`,
		`{"open":"header-value-9`: `{"open":"header-value-9`,
	} {
		if got := string(h.in([]byte(raw))); got != want {
			t.Errorf("%s became %s, want %s", raw, got, want)
		}
	}
	if raw := []byte(`{"a":1}`); &newHidden(nil).in(raw)[0] != &raw[0] {
		t.Error("a message was copied for nothing")
	}
}

func TestHiddenParts(t *testing.T) {
	cfg := Config{
		Env:     map[string]string{"GIT_AUTHOR_NAME": "Alexander Hamilton", "SESSION_STORE": "project-alpha", "APP_PASSWORD": "sentence case-is-mine"},
		Headers: map[string]string{"Authorization": "bearer header-value-9"},
	}
	h := newHidden(cfg.words())
	for raw, want := range map[string]string{
		`"commit 1 by Alexander Hamilton; Hamilton county"`: `"commit 1 by Alexander Hamilton; Hamilton county"`,
		`"project-alpha"`:               `"project-alpha"`,
		`"header-value-9"`:              `"***"`,
		`"the word case-is-mine"`:       `"the word case-is-mine"`,
		`"it: sentence case-is-mine ."`: `"it: *** ."`,
	} {
		if got := string(h.in([]byte(raw))); got != want {
			t.Errorf("%s became %s, want %s", raw, got, want)
		}
	}
	said := cfg.hiding().Replace("no county of Hamilton for header-value-9")
	if said != "no county of Hamilton for ***" {
		t.Errorf("an error says %q", said)
	}
}

// A result of which something was hidden says so to all who read it: as a table, as a client's parts, as a failure.
func TestHiddenIsTold(t *testing.T) {
	cfg := tiny("plain", "API_TOKEN", "tok-value-12345")
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, quiet, cfg)
	res := do(t, reg, "tiny__env", nil)
	if text := fmt.Sprint(res.Structured); strings.Contains(text, "tok-value-12345") || !strings.Contains(text, "API_TOKEN=***") {
		t.Errorf("the result is %s", text)
	}
	if !slices.Contains(res.Notes, noteHidden) {
		t.Errorf("the notes are %q", res.Notes)
	}
	if part, ok := res.Content[len(res.Content)-1].(mcp.TextContent); !ok || part.Text != noteHidden {
		t.Errorf("clients get %v", res.Content)
	}
	if res = do(t, reg, "tiny__pid", nil); len(res.Notes) > 0 {
		t.Errorf("a result with all that was written has the notes %q", res.Notes)
	}
	for raw, want := range map[string]string{`{}`: `{"catena/hidden":true}`, ` { "a":1}`: `{"catena/hidden":true,"a":1}`, `[1]`: `[1]`, ``: ``} {
		if got := string(marked(json.RawMessage(raw))); got != want {
			t.Errorf("%s is marked %s", raw, got)
		}
	}
	failed, err := result(t.Context(), remoteTool{}, json.RawMessage(`{"catena/hidden":true,"isError":true,"content":[{"type":"text","text":"no ***"}]}`))
	if err != nil || failed.Text != "no ***\n"+noteHidden {
		t.Errorf("a failure says %q, %v", failed.Text, err)
	}
}

// FuzzHidden: what was JSON stays JSON, and what had no secret stays as it is.
func FuzzHidden(f *testing.F) {
	f.Add(`{"a":"secret-value-1","b":["\\\"secret-value-1"]}`)
	f.Add(`"\u0073ecret-value-1"`)
	h := newHidden([]string{"secret-value-1"})
	f.Fuzz(func(t *testing.T, raw string) {
		got := string(h.in([]byte(raw)))
		if json.Valid([]byte(raw)) && (!json.Valid([]byte(got)) || strings.Contains(got, "secret-value-1")) {
			t.Errorf("%q became %q", raw, got)
		}
	})
}

func BenchmarkHidden(b *testing.B) {
	raw := []byte(`{"content":[{"type":"text","text":"` + strings.Repeat(`a line\n`, 5000) + `"}]}`)
	h := newHidden([]string{"secret-value-1", "another-value-2"})
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		h.in(raw)
	}
}
