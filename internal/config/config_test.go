package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

func defaults(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("../../config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDefaults(t *testing.T) {
	c, err := Load(t.Context(), defaults(t), "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen.Addr != "127.0.0.1:8765" || c.LLM.Provider != "" || c.Executor.Timeout != 30*time.Second || !c.Data.DemoOn() || len(c.Warnings) != 0 {
		t.Errorf("%+v", c)
	}
}

// TestDefaultsFileIsWhole keeps config.yaml the place where each key is documented: above every key stands a comment.
func TestDefaultsFileIsWhole(t *testing.T) {
	var doc yaml.Node
	if err := yaml.Unmarshal(defaults(t), &doc); err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	var walk func(path string, values *yaml.Node)
	walk = func(path string, values *yaml.Node) {
		for j := 0; j+1 < len(values.Content); j += 2 {
			key, value := values.Content[j], values.Content[j+1]
			at := path + "." + key.Value
			if key.HeadComment == "" {
				t.Errorf("config.yaml:%d: %s has no comment", key.Line, key.Value)
			}
			if value.Kind == yaml.MappingNode && len(value.Content) > 0 {
				walk(at, value)
				continue
			}
			have[at] = true
		}
	}
	for i := 0; i+1 < len(doc.Content[0].Content); i += 2 {
		name, value := doc.Content[0].Content[i].Value, doc.Content[0].Content[i+1]
		if value.Kind == yaml.SequenceNode {
			have[name] = true
		}
		walk(name, value)
	}
	delete(have, "access.keys") // like mcpServers, they have no variables
	delete(have, "access.roles")
	for _, k := range Keys() {
		if !have[k.Path] {
			t.Errorf("config.yaml lacks %s", k.Path)
		}
		delete(have, k.Path)
	}
	if len(have) > 0 {
		t.Errorf("keys that nothing reads: %v", have)
	}
}

// TestReplicas: what replicas may have.
func TestReplicas(t *testing.T) {
	env := []string{
		"CATENA_STORE_REPLICAS=3", "CATENA_STORE_URL=redis+cluster://ann@a:1,b", "CATENA_STORE_PASSWORD=${PW}", "PW=canary", "CATENA_MEMORY_ENABLED=false",
		"CATENA_ACCESS_SIGNING_KEY=0123456789abcdef0123456789abcdef",
		"CATENA_PERSONA_NEO4J_URI=neo4j://127.0.0.1:7687",
	}
	c, err := Load(t.Context(), defaults(t), "", env, nil)
	if err != nil || c.Store.Replicas != 3 || c.Store.Password.Reveal() != "canary" || strings.Contains(fmt.Sprintf("%+v", c), "canary") {
		t.Errorf("%+v, %v", c.Store, err)
	}
}

// TestFallbackKey: the fallback's key is its own, or its provider's variable; a provider's key never goes to another address.
func TestFallbackKey(t *testing.T) {
	vars := []string{"CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=m", "OPENAI_API_KEY=o-key", "ANTHROPIC_API_KEY=a-key"}
	load := func(more ...string) (Config, error) {
		return Load(t.Context(), defaults(t), "", append(append([]string{}, vars...), more...), nil)
	}
	c, err := load("CATENA_LLM_FALLBACK_PROVIDER=anthropic", "CATENA_LLM_FALLBACK_MODEL=n", "CATENA_LLM_HEDGE_AFTER=2s", "CATENA_LLM_TURN_TOKENS=9000")
	if err != nil || c.LLM.Fallback.APIKey.Reveal() != "a-key" || c.LLM.HedgeAfter != 2*time.Second || c.LLM.TurnTokens != 9000 {
		t.Errorf("%+v %v", c.LLM, err)
	}
	if c, err = load("CATENA_LLM_FALLBACK_PROVIDER=openai", "CATENA_LLM_FALLBACK_MODEL=n", "CATENA_LLM_FALLBACK_BASE_URL=http://127.0.0.1:1/v1"); err != nil || c.LLM.Fallback.APIKey.Reveal() != "" {
		t.Errorf("%+v %v", c.LLM, err)
	}
	for _, wrong := range []string{"CATENA_LLM_FALLBACK_PROVIDER=other", "CATENA_LLM_FALLBACK_PROVIDER=openai", "CATENA_LLM_TURN_TOKENS=-1"} {
		if _, err := load(wrong); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
	if _, err := Load(t.Context(), defaults(t), "", []string{"CATENA_LLM_FALLBACK_PROVIDER=openai", "CATENA_LLM_FALLBACK_MODEL=n", "OPENAI_API_KEY=k"}, nil); err == nil {
		t.Error("a fallback without a model is taken")
	}
}

func TestOrder(t *testing.T) {
	name := file(t, "listen: {addr: \"127.0.0.1:1\", max_runs: 2, allowed_hosts: [a, b]}\ndata:\n  sources: [a.csv, {path: b.csv, trust: trusted}]\nmcpServers:\n  files: {command: npx, args: [\"${HOME}/x\"], env: {TOKEN: \"${T}\"}, timeout: 5s}\n")
	env := []string{"CATENA_LISTEN_ADDR=127.0.0.1:2", "CATENA_LISTEN_ALLOWED_HOSTS=x, y", "CATENA_EXECUTOR_TIMEOUT=1m", "HOME=/home/ann", "T=secret", "CATENA_SERVICE_HOST=10.0.0.1"}
	flags := map[string][]string{"listen.addr": {"127.0.0.1:3", "127.0.0.1:4"}, "data.sources": {"c.csv"}}
	c, err := Load(t.Context(), defaults(t), name, env, flags)
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Listen.Addr, c.Listen.MaxRuns, c.Listen.AllowedHosts, c.Executor.Timeout, c.Data.Sources, c.MCPServers["files"].Args, c.MCPServers["files"].Env["TOKEN"].Reveal(), c.Data.DemoOn(), len(c.Warnings)}
	want := []any{"127.0.0.1:4", 2, []string{"x", "y"}, time.Minute, []Source{{Path: "c.csv"}}, []string{"/home/ann/x"}, "secret", false, 0}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Secret{})); diff != "" {
		t.Error(diff)
	}
}

// Variables of a server's entry are filled in as other hosts do; of one that is switched off they need not be there.
func TestServerVariables(t *testing.T) {
	name := file(t, `mcpServers:
  a: {url: "https://${HOST:-example.com}/mcp", headers: {Authorization: "Bearer ${env:T}", X: "${EMPTY:-x}${NONE:-}"}}
  b: {command: "${BIN}/b", cwd: "${BIN}", args: ["$HOME", "${A:-${B}"], timeouts: {"s*": 2m}, read_only: true, lazy: true}
  c: {command: "${NOPE}", disabled: true}
`)
	c, err := Load(t.Context(), defaults(t), name, []string{"T=secret", "EMPTY=", "BIN=/opt"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b := c.MCPServers["a"], c.MCPServers["b"]
	got := []any{a.URL, a.Headers["Authorization"].Reveal(), a.Headers["X"].Reveal(), b.Command, b.Cwd, b.Args, b.Timeouts["s*"], b.ReadOnly, b.Lazy}
	want := []any{"https://example.com/mcp", "Bearer secret", "x", "/opt/b", "/opt", []string{"$HOME", "${B"}, 2 * time.Minute, true, true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestToolHints: what tools do can be said in the settings file and in another host's, and a key inside it that is none is an error.
func TestToolHints(t *testing.T) {
	yes, no := true, false
	want := map[string]ToolHints{"get_*": {ReadOnly: &yes}, "put": {Destructive: &no, Idempotent: &yes}}
	name := file(t, "mcpServers:\n  a: {command: x, annotations: {\"get_*\": {read_only: true}, put: {destructive: false, idempotent: true}}}\n")
	c, err := Load(t.Context(), defaults(t), name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, c.MCPServers["a"].Annotations); d != "" {
		t.Error(d)
	}
	m, unused, err := foreignServer([]byte(`{"command":"x","annotations":{"get_*":{"read_only":true},"put":{"destructive":false,"idempotent":true}}}`))
	if d := cmp.Diff(want, m.Annotations); d != "" || err != nil || len(unused) > 0 {
		t.Error(d, unused, err)
	}
	for text, want := range map[string]string{
		"{x: {readonly: true}}":                     "did you mean",
		"{x: {read_only: true, destructive: true}}": "mcpServers.a.annotations.x is both read_only and destructive",
		`{"[": {read_only: true}}`:                  "mcpServers.a.annotations",
	} {
		_, err := Load(t.Context(), defaults(t), file(t, "mcpServers:\n  a: {command: x, annotations: "+text+"}\n"), nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name, file string
		env        []string
		flags      map[string][]string
		want       string
	}{
		{name: "unknown key", file: "listen:\n  adr: x\n", want: "my.yaml:2: there is no key listen.adr; did you mean listen.addr?"},
		{name: "unknown section", file: "\nlog: {level: info}\nplaner: {}\n", want: "my.yaml:3: there is no key planer; did you mean planner?"},
		{name: "unlike anything", file: "zzzzzzzzz: 1\n", want: "my.yaml:1: there is no key zzzzzzzzz"},
		{name: "in a server", file: "mcpServers:\n  f:\n    comand: x\n", want: "my.yaml:3: there is no key mcpServers.f.comand; did you mean mcpServers.f.command?"},
		{name: "in a source", file: "data:\n  sources:\n    - pth: x\n", want: "my.yaml:3: there is no key data.sources[0].pth; did you mean data.sources[0].path?"},
		{name: "shorter name", file: "listen:\n  adress: x\n", want: "my.yaml:2: there is no key listen.adress; did you mean listen.addr?"},
		{name: "no section", file: "max_runs: 3\n", want: "my.yaml:1: there is no key max_runs; did you mean listen.max_runs?"},
		{name: "no number", file: "listen:\n  max_runs: many\n", want: `my.yaml:2: listen.max_runs: "many" is no whole number`},
		{name: "no period", file: "llm:\n  timeout: soon\n", want: `my.yaml:2: llm.timeout: "soon" is no duration; write 30s or 5m`},
		{name: "no unit", file: "llm: {timeout: 60}\n", want: `my.yaml:1: llm.timeout: "60" has no unit; write 30s or 5m`},
		{name: "no fraction", file: "llm: {temperature: warm}\n", want: `my.yaml:1: llm.temperature: "warm" is no number`},
		{name: "no boolean", file: "mcpServers: {f: {command: x, disabled: perhaps}}\n", want: `my.yaml:1: mcpServers.f.disabled: "perhaps" is neither true nor false`},
		{name: "no list", file: "data:\n  sources: a.csv\n", want: "my.yaml:2: data.sources: it takes a list, as in [a, b]"},
		{name: "no keys", file: "llm: openai\n", want: "my.yaml:1: llm: it takes keys"},
		{name: "no value", file: "llm:\n  model: [a, b]\n", want: "my.yaml:2: llm.model: it takes one value"},
		{name: "no secret", file: "llm:\n  api_key: {a: b}\n", want: "my.yaml:2: llm.api_key: it takes one value"},
		{name: "all at once", file: "llm: {timeout: soon}\nlog: {levl: x}\n", want: "my.yaml:2: there is no key log.levl"},
		{name: "not YAML", file: "listen: [\n", want: "my.yaml:"},
		{name: "a list", file: "- a\n", want: "my.yaml:1: the file must hold keys"},
		{name: "twice", file: "log: {level: info}\nlog: {level: warn}\n", want: "my.yaml:2:"},
		{name: "two documents", file: "log: {level: info}\n---\nlog: {}\n", want: "more than one document"},
		{name: "bad address", env: []string{"CATENA_LISTEN_ADDR=8765"}, want: `listen.addr is "8765"; write host:port`},
		{name: "bad port", env: []string{"CATENA_LISTEN_ADDR=127.0.0.1:99999"}, want: "a port is a number from 0 to 65535"},
		{name: "bad duration", env: []string{"CATENA_LLM_TIMEOUT=60"}, want: `CATENA_LLM_TIMEOUT: "60" is no duration; write 30s or 5m`},
		{name: "bad number", flags: map[string][]string{"listen.max_runs": {"x"}}, want: `the flag for listen.max_runs: "x" is no whole number`},
		{name: "no such flag", flags: map[string][]string{"listen.adr": {"x"}}, want: "there is no key listen.adr; did you mean listen.addr?"},
		{name: "provider", env: []string{"CATENA_LLM_PROVIDER=gpt"}, want: `llm.provider is "gpt"; it is one of "openai", "anthropic"`},
		{name: "no store", env: []string{"CATENA_STORE_URL=/var/lib/catena.db"}, want: "store.url is no address of a Redis server; write redis://"},
		{name: "a store's password", env: []string{"CATENA_STORE_URL=redis://ann:canary@h"}, want: "store.url holds a password; use store.password"},
		{name: "a password for no store", env: []string{"CATENA_STORE_PASSWORD=canary"}, want: "store.password is set without store.url"},
		{name: "replicas of a folder", env: []string{"CATENA_STORE_REPLICAS=2"}, want: "store.replicas is 2, and a folder cannot be shared; set store.url"},
		{name: "replicas without a key", env: []string{"CATENA_STORE_REPLICAS=2", "CATENA_STORE_URL=redis://h", "CATENA_MEMORY_ENABLED=false"}, want: "access.signing_key is empty with store.replicas 2"},
		{name: "a short key", env: []string{"CATENA_ACCESS_SIGNING_KEY=short"}, want: "access.signing_key is shorter than 32 characters"},
		{name: "memories of replicas", env: []string{"CATENA_STORE_REPLICAS=2", "CATENA_STORE_URL=redis://h"}, want: "memory.enabled is true with store.replicas 2"},
		{
			name: "personas of replicas", env: []string{"CATENA_STORE_REPLICAS=2", "CATENA_STORE_URL=redis://h", "CATENA_MEMORY_ENABLED=false"},
			want: "persona.enabled is true with store.replicas 2",
		},
		{name: "no model", env: []string{"CATENA_LLM_PROVIDER=openai", "OPENAI_API_KEY=k"}, want: "llm.model is needed with llm.provider openai"},
		{name: "no key", env: []string{"CATENA_LLM_PROVIDER=anthropic", "CATENA_LLM_MODEL=m", "OPENAI_API_KEY=k"}, want: "llm.api_key is needed with llm.provider anthropic: set it, or ANTHROPIC_API_KEY"},
		{name: "unset variable", file: "llm: {api_key: \"${NOPE}\"}\n", want: "llm.api_key: the environment variable NOPE is not set"},
		{name: "no secret file", file: "llm: {api_key: \"file:/no/such\"}\n", want: "llm.api_key: the secret's file cannot be read"},
		{name: "server name", file: "mcpServers: {a__b: {command: x}}\n", want: "mcpServers.a__b is no name for a server"},
		{name: "no command", file: "mcpServers: {f: {}}\n", want: "mcpServers.f.command is needed"},
		{name: "program and address", file: "mcpServers: {f: {command: x, url: \"http://h\"}}\n", want: "mcpServers.f.command stands beside url; keep one"},
		{name: "no http address", file: "mcpServers: {f: {url: \"ftp://h\"}}\n", want: "mcpServers.f.url is no http or https address"},
		{name: "password in a server's address", file: "mcpServers: {f: {url: \"http://u:hunter2@h\"}}\n", want: "mcpServers.f.url holds a password; use headers"},
		{name: "headers of a program", file: "mcpServers: {f: {command: x, headers: {A: b}}}\n", want: "mcpServers.f.headers go with url"},
		{name: "transport", file: "mcpServers: {f: {command: x, type: pigeon}}\n", want: `mcpServers.f.type is "pigeon"; it is one of "stdio", "http", "sse"`},
		{name: "time of a tool", file: "mcpServers: {f: {command: x, timeouts: {a: 2h}}}\n", want: "mcpServers.f.timeouts.a is 2h0m0s"},
		{name: "password in address", env: []string{"CATENA_LLM_BASE_URL=http://u:hunter2@h/v1"}, want: "llm.base_url holds a password"},
		{name: "origin", file: "listen: {allowed_origins: [\"*\"]}\n", want: `listen.allowed_origins[0] is "*"; write scheme and host`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			name := ""
			if test.file != "" {
				name = file(t, test.file)
			}
			_, err := Load(t.Context(), defaults(t), name, test.env, test.flags)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Error("the error shows a password:", err)
			}
		})
	}
	if _, err := Load(t.Context(), defaults(t), "/no/such/file.yaml", nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error("a missing file:", err)
	}
	var unknown *UnknownKeyError
	if _, err := Load(t.Context(), defaults(t), file(t, "a: 1\n"), nil, nil); !errors.As(err, &unknown) || unknown.Line != 1 {
		t.Error("an unknown key is no *UnknownKeyError:", err)
	}
}

func TestKeyAloneSwitchesNothingOn(t *testing.T) {
	c, err := Load(t.Context(), defaults(t), "", []string{"OPENAI_API_KEY=k", "OPENAI_BASE_URL=http://x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.LLM.Provider != "" || c.LLM.APIKey.Reveal() != "" || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "CATENA_LLM_PROVIDER=openai") {
		t.Errorf("%+v", c)
	}
	c, err = Load(t.Context(), defaults(t), "", []string{"OPENAI_API_KEY=k", "OPENAI_BASE_URL=http://x", "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=m"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.LLM.APIKey.Reveal() != "k" || c.LLM.BaseURL != "http://x" || len(c.Warnings) != 0 {
		t.Errorf("%+v", c)
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("listen: {addr: x}")
	f.Add("a: &a [*a]")
	f.Add("mcpServers: {x: {env: {A: 1}}}")
	f.Fuzz(func(t *testing.T, text string) {
		var c Config
		if err := c.merge("f", []byte(text)); err != nil && !strings.HasPrefix(err.Error(), "config: f") {
			t.Errorf("an error that does not name the file: %v", err)
		}
	})
}

func ExampleLoad() {
	defaults := []byte("listen: {addr: 127.0.0.1:8765, max_upload_mb: 25, max_runs: 64}\nllm: {timeout: 60s, max_tokens: 4096}\n" +
		"data: {demo: auto}\nexecutor: {parallel: 8, timeout: 30s}\nlog: {level: info, format: text}\n")
	c, err := Load(context.Background(), defaults, "", []string{"CATENA_LISTEN_ADDR=127.0.0.1:9000"}, map[string][]string{"log.level": {"debug"}})
	fmt.Println(c.Listen.Addr, c.Log.Level, err)
	_, err = Load(context.Background(), []byte("listn: {}"), "", nil, nil)
	fmt.Println(err)
	// Output:
	// 127.0.0.1:9000 debug <nil>
	// config: the built-in config.yaml:1: there is no key listn; did you mean listen?
}

// Two configurations have the same hashes but for the sections in which they differ, secrets included.
func TestFingerprints(t *testing.T) {
	load := func(env ...string) map[string]string {
		c, err := Load(t.Context(), defaults(t), "", env, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Fingerprints([]byte("key"))
	}
	for _, test := range []struct{ env, want string }{
		{"CATENA_LISTEN_ADDR=127.0.0.1:1", ""}, {"CATENA_LOG_LEVEL=debug", ""}, {"CATENA_STORE_DIR=/x", ""},
		{"CATENA_ACCESS_KEY=0123456789abcdef0123456789abcdef", "access"}, {"CATENA_DATA_SOURCES=a,b", "data"}, {"CATENA_EXECUTOR_TIMEOUT=31s", "executor"},
	} {
		var differ []string
		one, other := load(), load(test.env)
		for name := range one {
			if one[name] != other[name] {
				differ = append(differ, name)
			}
		}
		if got := strings.Join(differ, " "); got != test.want || len(one) != len(other) {
			t.Errorf("%s: %q differ, want %q", test.env, got, test.want)
		}
	}
	split := func(env string) string { return load(env)["data"] }
	if split("CATENA_DATA_SOURCES=a,b") == split("CATENA_DATA_SOURCES=ab") || split("CATENA_DATA_SOURCES=a,bc") == split("CATENA_DATA_SOURCES=ab,c") {
		t.Error("different lists have the same hash")
	}
}

func TestChanged(t *testing.T) {
	load := func(text string) Config {
		c, err := Load(t.Context(), defaults(t), file(t, text), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	from := load("access: {roles: {clerk: [chat]}, key: " + strings.Repeat("a", 40) + "}")
	for _, c := range []struct {
		name, settings string
		want           []string
	}{
		{"nothing", "access: {roles: {clerk: [chat]}, key: " + strings.Repeat("a", 40) + "}", nil},
		{"a secret, a role, a list and a number", "listen: {allowed_hosts: [x]}\nllm: {max_tokens: 77}\naccess: {roles: {clerk: [metrics]}, key: " + strings.Repeat("b", 40) + "}",
			[]string{"listen.allowed_hosts", "access.key", "access.roles", "llm.max_tokens"}},
	} {
		if diff := cmp.Diff(c.want, Changed(from, load(c.settings))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
