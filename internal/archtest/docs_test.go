package archtest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"catena/internal/app"
	"catena/internal/cli"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/internal/telemetry"
	"catena/tools"
)

var update = flag.Bool("update", false, "rewrite the generated pages of docs/")

const generated = "<!-- Generated from the program by `make docs`; a test keeps it true. -->\n\n"

// TestDocs keeps the reference pages equal to the program: every tool, setting, route, metric and command is on them.
func TestDocs(t *testing.T) {
	pages := map[string]func(*testing.T) string{
		"tools.md": toolsPage, "config.md": configPage, "http.md": httpPage, "cli.md": cliPage,
	}
	for name, make := range pages {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("docs", name)
			want := make(t)
			if *update {
				if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("%s is not what the program says; run make docs (-program +file):\n%s", file, diff)
			}
		})
	}
}

// program is the program with its defaults and nothing kept.
func program(t *testing.T) *app.App {
	t.Helper()
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := app.New(context.Background(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func toolsPage(t *testing.T) string {
	p := program(t)
	var b strings.Builder
	b.WriteString("# Tools\n\n" + generated)
	b.WriteString("What plans and MCP clients can call, with no MCP server configured. A table argument takes a handle, a table as on the wire, a list of\nobjects, or CSV text. `*` marks what is required.\n")
	bySet := map[string][]tools.Tool{}
	for _, tool := range p.Registry.List(app.Local) {
		bySet[tool.Toolset] = append(bySet[tool.Toolset], tool)
	}
	for _, set := range slices.Sorted(maps.Keys(bySet)) {
		fmt.Fprintf(&b, "\n## %s\n", set)
		for _, tool := range bySet[set] {
			fmt.Fprintf(&b, "\n### %s\n\n%s\n", tool.Def.Name, tool.Def.Description)
			writeParameters(t, &b, tool)
		}
	}
	writeReadables(&b, p)
	return b.String()
}

// writeReadables lists what is read in place of called: prompts, resources and live tables.
func writeReadables(b *strings.Builder, p *app.App) {
	cell := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ") }
	b.WriteString("\n# Prompts\n\nWhat MCP clients can get by name.\n\n| prompt | arguments | what it is |\n|---|---|---|\n")
	for _, x := range p.Registry.Prompts(app.Local) {
		var args []string
		for _, a := range x.Def.Arguments {
			star := ""
			if a.Required {
				star = "*"
			}
			args = append(args, "`"+a.Name+"`"+star)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", x.Def.Name, strings.Join(args, " "), cell(x.Def.Description))
	}
	b.WriteString("\n# Resources\n\nWhat MCP clients can read by URI; `{...}` is filled in.\n\n| URI | what it is |\n|---|---|\n")
	for _, x := range p.Registry.Resources(app.Local) {
		if x.Def != nil {
			fmt.Fprintf(b, "| `%s` | %s |\n", x.Def.URI, cell(x.Def.Description))
			continue
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", x.Template.URITemplate.Raw(), cell(x.Template.Description))
	}
	b.WriteString("\n# Live tables\n\nTables that are made when a question needs them; each is there once there is something in it.\n\n| table | columns |\n|---|---|\n")
	for _, x := range p.Registry.Live(app.Local) {
		names := make([]string, len(x.Columns))
		for i, c := range x.Columns {
			names[i] = "`" + c.Name + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", x.Name, strings.Join(names, " "))
	}
}

func writeParameters(t *testing.T, b *strings.Builder, tool tools.Tool) {
	var schema struct {
		Properties map[string]struct {
			Type        any    `json:"type"`
			Description string `json:"description"`
			Default     any    `json:"default"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if err := json.Unmarshal(tool.Def.RawInputSchema, &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Properties) == 0 {
		b.WriteString("\nNo parameters.\n")
		return
	}
	b.WriteString("\n| parameter | type | meaning |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		prop := schema.Properties[name]
		kind := "table"
		if prop.Type != nil {
			kind = strings.Trim(strings.ReplaceAll(fmt.Sprint(prop.Type), " ", " or "), "[]")
		}
		star := ""
		if slices.Contains(schema.Required, name) {
			star = "*"
		}
		meaning := prop.Description
		if prop.Default != nil {
			meaning += fmt.Sprintf(" Default %v.", prop.Default)
		}
		fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", name, star, kind, strings.ReplaceAll(strings.ReplaceAll(meaning, "|", `\|`), "\n", " "))
	}
}

func configPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Settings\n\n" + generated)
	b.WriteString("The built-in settings, with what each one means:\n\n```yaml\n" + string(e2etest.Settings()) + "```\n\n## Environment variables\n\n| variable | setting |\n|---|---|\n")
	for _, k := range config.Keys() {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", k.Env, k.Path)
	}
	return b.String()
}

func httpPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# HTTP\n\n" + generated)
	b.WriteString("Bodies, answers and errors are described in /openapi.json. Errors are problem+json (RFC 9457) with a stable `code`; on /v1/* they have\nOpenAI's shape. Event streams are explained in [sessions.md](sessions.md#events).\n\nA key needs the right in the second column ([keys.md](keys.md#scopes)): `chat`, `metrics`, `admin`; `manage` is `admin` without `read-only`; `edit` is `chat` without `read-only`; `tables` is `chat` or any tool;\n`upload` is `chat` or a tool that changes something, without `read-only`; `target` is that of the tool, prompt or resource that is named.\n\n| route | right | what |\n|---|---|---|\n")
	for _, r := range app.Routes() {
		fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n", r.Method, r.Path, r.Needs, r.Summary)
		for _, ending := range r.Formats {
			fmt.Fprintf(&b, "| `%s %s%s` | %s | the same as a file |\n", r.Method, r.Path, ending, r.Needs)
		}
	}
	b.WriteString("\n## Metrics\n\n`GET /metrics` gives these beside the Go runtime's and the process's own:\n\n| metric | what |\n|---|---|\n")
	for _, m := range metricHelp(t) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", m[1], m[2])
	}
	return b.String()
}

var helpLine = regexp.MustCompile(`(?m)^# HELP ((?:catena|gen_ai|http|mcp)_\S+) (.*)$`)

// metricHelp reads the metrics' own help texts after each was used once.
func metricHelp(t *testing.T) [][]string {
	m, err := telemetry.NewMetrics("test", nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Call("data", "query_table", "ok", time.Millisecond)
	m.Denied("query_table")
	_, requested := m.Request(httptest.NewRequest(http.MethodGet, "/", nil))
	requested("GET", "/", 200)
	_, answered := m.Message(t.Context(), "tools/call", "query_table", func(string) string { return "" })
	answered("")
	_, passedOn := m.Upstream(t.Context(), "files", "tools/call", "read", func(string, string) {})
	passedOn("")
	_, asked := m.Model(t.Context(), "openai", "m")
	asked("m", 1, 1, "")
	m.Running(1)
	m.Step("query_table", "done", time.Millisecond)
	m.Answered("answer", "offline", time.Millisecond)
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	found := helpLine.FindAllStringSubmatch(w.Body.String(), -1)
	if len(found) == 0 {
		t.Fatal("no metric has a help text")
	}
	return found
}

func cliPage(t *testing.T) string {
	var b bytes.Buffer
	b.WriteString("# Commands\n\n" + generated)
	writeCommand(t, &b, cli.RootCommand(e2etest.Settings()))
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// writeCommand writes the help of a command and of those below it. Each has an example.
func writeCommand(t *testing.T, b *bytes.Buffer, cmd *cobra.Command) {
	if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
		return
	}
	if cmd.Example == "" {
		t.Errorf("%s has no example", cmd.CommandPath())
	}
	fmt.Fprintf(b, "## %s\n\n```\n", cmd.CommandPath())
	cmd.SetOut(b)
	if err := cmd.Help(); err != nil {
		t.Fatal(err)
	}
	b.WriteString("```\n\n")
	for _, below := range cmd.Commands() {
		writeCommand(t, b, below)
	}
}

// TestReadme holds the README to what it promises to name.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"go run .", "go test ./...", "docs/tools.md", "docs/config.md", "docs/http.md", "docs/cli.md", "Claude Desktop", "Cursor", "Open WebUI", "mcpServers"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("README.md does not mention %q", want)
		}
	}
}

// TestLinks: each link between the written pages leads to a file, and its anchor to a heading there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]*)(#[^)]*)?\)`)
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range append(pages, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			} else if m[2] != "" && !slices.Contains(anchors(t, to), m[2][1:]) {
				t.Errorf("%s links to %s, which has no heading %s", page, to, m[2])
			}
		}
	}
}

var heading = regexp.MustCompile(`(?m)^#+ (.+)$`)

// anchors are the headings of a page as its links name them: lower case, hyphens for spaces, without punctuation.
func anchors(t *testing.T, page string) (out []string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return out
}
