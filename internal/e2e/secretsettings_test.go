package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"go.yaml.in/yaml/v3"

	"catena/internal/access"
	"catena/internal/app"
	"catena/internal/cli"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// besides are settings that a secret is of no use without, or that it may not stand beside; the rest of the test comes from the settings
// themselves. A secret that is added is covered without a line here, unless it needs one.
var besides = map[string]string{
	"llm.provider": "openai", "llm.model": "m", "llm.base_url": "http://127.0.0.1:1/v1", "llm.timeout": "1s",
	"llm.fallback.provider": "openai", "llm.fallback.model": "m", "llm.fallback.base_url": "http://127.0.0.1:1/v1",
	"embeddings.provider": "openai", "embeddings.model": "m", "embeddings.base_url": "http://127.0.0.1:1/v1", "embeddings.timeout": "1s",
	"persona.neo4j_uri": "bolt://127.0.0.1:1", "telemetry.otlp_endpoint": "http://127.0.0.1:1",
	"mcpServers.canary.url": "http://127.0.0.1:1/mcp", "mcpServers.canary.oauth.client_id": "c",
	"mcpServers.second.url": "http://127.0.0.1:1/mcp", "mcpServers.second.oauth.client_id": "c", "mcpServers.second.oauth.grant": "client_credentials",
	"access.keys.canary.owner": "ann", "data.sources[0].kind": "postgres",
	"tools.canary.description": "a canary", "tools.canary.http.url": "http://127.0.0.1:1/",
	"tool_files[0].file": "openapi.yaml",
}

// elsewhere are secrets that another one of the same entry excludes.
var elsewhere = map[string]string{"mcpServers.canary.oauth.private_key": "mcpServers.second.oauth.private_key"}

// needRedis are secrets of a server that has to be there; TestStorePassword looks at them.
var needRedis = []string{"store.password"}

// secretSettings are settings with a value of its own for every secret that there is, and these values by their keys.
func secretSettings(t *testing.T) (document map[string]any, secrets map[string]string) {
	t.Helper()
	values := maps.Clone(besides)
	secrets = map[string]string{}
	for i, path := range config.SecretPaths() {
		if slices.Contains(needRedis, path) {
			continue
		}
		if to := elsewhere[path]; to != "" {
			path = to
		}
		secrets[path] = fmt.Sprintf("canary%02dx%s", i, strings.Repeat("q7", 16))
		values[path] = secrets[path]
	}
	document = map[string]any{}
	for path, value := range values {
		at, parts := document, strings.Split(path, ".")
		for _, name := range parts[:len(parts)-1] {
			key, list := strings.CutSuffix(name, "[0]")
			switch {
			case at[key] != nil:
			case list:
				at[key] = []any{map[string]any{}}
			default:
				at[key] = map[string]any{}
			}
			if list {
				at = at[key].([]any)[0].(map[string]any)
			} else {
				at = at[key].(map[string]any)
			}
		}
		at[parts[len(parts)-1]] = value
	}
	if len(secrets) < 12 {
		t.Fatalf("only %d secrets", len(secrets))
	}
	return document, secrets
}

// leaks names the secrets that a text holds, as they are or in base 64.
func leaks(text string, secrets map[string]string) []string {
	var out []string
	for path, secret := range secrets {
		if strings.Contains(text, secret) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(secret))) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// TestNoSecretSettingLeaves: no value of a secret setting leaves by a tool, a resource, an answer, an error, a log, the index, the store, /health,
// config or doctor, though the folder with the settings and with files that repeat them is indexed and loaded.
func TestNoSecretSettingLeaves(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	document, secrets := secretSettings(t)
	asYAML, err := yaml.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Sorted(maps.Values(secrets))
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("settings.yaml", string(asYAML))
	write("copy/of/it.txt", string(asYAML))
	write("copy/of/it.json", string(asJSON))
	write("data/settings.json", string(asJSON))
	write("data/sales.csv", "region,total\nnorth,1\nsouth,2\n")
	write("openapi.yaml", "openapi: 3.1.0\nservers: [{url: \"http://127.0.0.1:1\"}]\npaths: {/x: {get: {operationId: x}}}\n"+
		"components: {securitySchemes: {canary: {type: apiKey, in: header, name: X-Canary}}}\n")
	write(".env", strings.Join(all, "\n"))
	write("notes.md", "# Notes\n\nThe words of findable notes.\n\n"+strings.Join(all, "\n"))
	write("main.go", "package main\n\n// Findable is where values stand.\nvar findable = []string{\n\t\""+strings.Join(all, "\",\n\t\"")+"\",\n}\n\nfunc Findable() []string { return findable }\n")
	write("ignored/x.md", strings.Join(all, "\n"))
	if err := os.Link("settings.yaml", "linked.md"); err != nil {
		t.Fatal(err)
	}
	commitAll(t, dir, "settings.yaml", "copy/of/it.txt", "notes.md", "main.go")
	write(".gitignore", "ignored/\n")

	cfg, err := config.Load(t.Context(), e2etest.Settings(), "settings.yaml", nil, map[string][]string{
		"store.dir": {filepath.Join(dir, "store")}, "log.level": {"debug"}, "data.demo": {"off"}, "data.sources": {filepath.Join(dir, "data")},
		"code.roots": {dir}, "code.watch": {"false"}, "audit.arguments": {"hash"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var logs e2etest.LogBuffer
	p, err := app.New(t.Context(), cfg, &logs)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{Caller: server.Bearer(access.Identifier{Keys: p.Keys}, true)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	seen := map[string]string{}
	ask := func(method, path, body string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+secrets["access.keys.canary.key"])
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		seen[method+" "+path+" "+body] = fmt.Sprint(res.StatusCode, res.Header, string(text))
		return string(text)
	}
	call := func(tool string, args map[string]any) string {
		t.Helper()
		body, err := json.Marshal(map[string]any{"arguments": args})
		if err != nil {
			t.Fatal(err)
		}
		return ask("POST", "/api/v1/tools/"+tool, string(body))
	}
	call("ensure_repo_index", map[string]any{"path": "."})
	if found := call("search_code", map[string]any{"query": "Findable notes"}); !strings.Contains(found, "findable") && !strings.Contains(found, "Findable") {
		t.Errorf("nothing is indexed, so that nothing is tested: %s", found)
	}
	for _, path := range []string{"copy", "ignored", "copy/of", ".", filepath.Join(dir, "store")} {
		call("ensure_repo_index", map[string]any{"path": path})
	}
	call("ensure_repo_index", map[string]any{"path": ".", "rev": "HEAD"})
	for _, x := range p.Registry.List(app.Local) {
		if x.Toolset == "code" && x.Def.Annotations.ReadOnlyHint != nil && *x.Def.Annotations.ReadOnlyHint {
			for _, word := range []string{"canary00", "findable", "access key", "notes.md", "settings.yaml", "copy/of/it.txt", "linked.md", ".env"} {
				call(x.Def.Name, argumentsFor(t, x.Def.RawInputSchema, word))
			}
		}
	}
	for _, c := range []string{"search_memory", "list_tables", "query_table", "list_personas"} {
		call(c, map[string]any{"query": "canary00", "table": "settings"})
	}
	for _, m := range []string{"list all tables", "where is the access key?", "show settings", "what does Findable return?"} {
		ask("POST", "/api/v1/chat", fmt.Sprintf(`{"message":%q}`, m))
		ask("POST", "/api/v1/plan", fmt.Sprintf(`{"message":%q}`, m))
		ask("POST", "/v1/chat/completions", fmt.Sprintf(`{"messages":[{"role":"user","content":%q}]}`, m))
	}
	for _, path := range []string{"/", "/health", "/readyz", "/metrics", "/openapi.json", "/api/v1/tools", "/api/v1/tables", "/api/v1/tables/settings.json", "/api/v1/sessions"} {
		ask("GET", path, "")
	}
	for _, x := range p.Registry.Resources(app.Local) {
		if x.Template == nil {
			ask("POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":%q,%s}}`, x.Def.URI, e2etest.Modern))
		}
	}
	for _, c := range p.Checks(t.Context()) {
		seen["doctor "+c.Name] += p.Secrets.Hide(c.Say) + "\n"
	}
	web.Close()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	seen["the log"] = logs.String()
	seen["settings as printed"] = fmt.Sprintf("%v %+v %#v", cfg, cfg, cfg)
	seen["catena config"] = commandOutput(t, "config", "--config", "settings.yaml", "--store", filepath.Join(dir, "store"))
	if !strings.Contains(seen["catena config"], "api_key: '***'") {
		t.Errorf("config prints %s", seen["catena config"])
	}
	err = filepath.WalkDir(filepath.Join(dir, "store"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, rerr := os.ReadFile(path)
			seen["the file "+path], err = string(text), rerr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range seen {
		if found := leaks(text, secrets); len(found) > 0 {
			t.Errorf("%s has the values of %v", where, found)
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d places were looked at", len(seen))
	}
}

// commandOutput is what a command prints, to both streams.
func commandOutput(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := cli.RootCommand(e2etest.Settings())
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String()
}

// argumentsFor are arguments that fit a schema, with a word where a text is wanted.
func argumentsFor(t *testing.T, schema json.RawMessage, word string) map[string]any {
	t.Helper()
	var s struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type any `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	args := map[string]any{}
	for _, name := range s.Required {
		switch s.Properties[name].Type {
		case "array":
			args[name] = []string{word}
		case "integer", "number":
			args[name] = 5
		default:
			args[name] = word
		}
	}
	return args
}

// commitAll makes a folder a repository with one commit of some files.
func commitAll(t *testing.T, dir string, names ...string) {
	t.Helper()
	repo, err := git.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if _, err := tree.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tree.Commit("all", &git.CommitOptions{Author: &object.Signature{Name: "T", Email: "t@example.com", When: time.Unix(1, 0)}}); err != nil {
		t.Fatal(err)
	}
}

// TestNoRootWhereOthersAsk: without code.roots the working directory is served to this machine's user alone.
func TestNoRootWhereOthersAsk(t *testing.T) {
	key := strings.Repeat("k", 40)
	for name, c := range map[string]struct {
		settings map[string][]string
		personal bool
		served   bool
	}{
		"alone":            {nil, false, true},
		"a key":            {map[string][]string{"access.key": {key}}, false, false},
		"a key, alone":     {map[string][]string{"access.key": {key}}, true, true},
		"always":           {map[string][]string{"access.require": {"always"}}, false, false},
		"a proxy":          {map[string][]string{"access.require": {"proxy"}}, false, false},
		"another address":  {map[string][]string{"listen.addr": {"0.0.0.0:0"}}, false, false},
		"a named folder":   {map[string][]string{"access.key": {key}, "code.roots": {t.TempDir()}}, false, true},
		"tokens":           {map[string][]string{"access.oidc.issuer": {"https://idp.example"}, "access.oidc.audience": {"a"}}, false, false},
		"a key over stdio": {map[string][]string{"access.stdio_key": {key}, "access.key": {key}}, false, false},
	} {
		settings := map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}, "data.demo": {"off"}}
		maps.Copy(settings, c.settings)
		cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, settings)
		if err != nil {
			t.Fatal(name, err)
		}
		cfg.Personal = c.personal
		p, err := app.New(t.Context(), cfg, io.Discard)
		if err != nil {
			t.Fatal(name, err)
		}
		if served := p.Code != nil; served != c.served {
			t.Errorf("%s: served %v", name, served)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
