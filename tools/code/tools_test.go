package code

import (
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/code/codetest"
	"catena/tools/code/workspace"
)

var update = flag.Bool("update", false, "rewrite the golden files and the snapshots of schemas")

// market is a small repository: a package that others import, a function with branches, tests, a document, a secret.
var market = map[string]string{
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	"README.md": "# Shop\n\nThe shop sells things. Refunds are paid within a day.\n",
	"main.go":   "package main\n\nimport \"example.com/shop/server\"\n\nfunc main() { server.Run(\":80\") }\n",
	"payment/ledger.go": `// Package payment keeps accounts.
package payment

import "errors"

// ErrBroke says that an account has too little money.
var ErrBroke = errors.New("too little money")

// Ledger keeps the balance of each account.
type Ledger struct{ balance map[string]int }

// Charge takes money from an account. It fails with ErrBroke when there is too little.
func (l *Ledger) Charge(account string, cents int) error {
	if cents <= 0 {
		return nil
	}
	for try := 0; try < 3; try++ {
		if l.balance[account] >= cents && (account != "" || try > 1) {
			l.balance[account] -= cents
			return nil
		}
	}
	return ErrBroke
}

// Refund gives money back.
func (l *Ledger) Refund(account string, cents int) { l.balance[account] += cents }
`,
	"payment/ledger_test.go": "package payment\n\nimport \"testing\"\n\nfunc TestCharge(t *testing.T) {\n\tvar l Ledger\n\tif l.Charge(\"a\", 1) == nil {\n\t\tt.Fatal(\"paid from nothing\")\n\t}\n}\n",
	"mail/mail.go": `// Package mail writes letters.
package mail

import "example.com/shop/payment"

// Remind writes to those who could not pay.
func Remind(l *payment.Ledger, account string) string {
	if err := l.Charge(account, 1); err != nil {
		return "please pay"
	}
	return ""
}
`,
	"server/server.go": "// Package server answers requests.\npackage server\n\nimport \"example.com/shop/mail\"\n\n// Run answers until it is stopped.\nfunc Run(address string) string { return mail.Remind(nil, address) }\n",
	"server/keys.go":   "package server\n\n// upstreamKey opens the upstream.\nconst upstreamKey = \"AKIAIOSFODNN7EXAMPLQ\"\n",
}

// kitchen is a toolkit over a folder of its own, in a registry.
type kitchen struct {
	t    testing.TB
	kit  *Toolkit
	reg  *tools.Registry
	root string
}

func cook(t testing.TB, files map[string]string, change ...func(*Options)) kitchen {
	t.Helper()
	root := t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	codetest.Put(t, root, files)
	opt := Options{Options: workspace.Options{Roots: []string{root}, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}}
	for _, f := range change {
		f(&opt)
	}
	kit, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kit.Close(); err != nil {
			t.Error(err)
		}
	})
	reg := tools.NewRegistry(tools.Options{Log: slog.New(slog.DiscardHandler)})
	if err := reg.Register(kit.Tools()...); err != nil {
		t.Fatal(err)
	}
	if err := reg.RegisterLive(kit.Live()...); err != nil {
		t.Fatal(err)
	}
	return kitchen{t, kit, reg, root}
}

var ann = access.Caller{ID: "ann"}

// call calls a tool as ann with JSON arguments.
func (k kitchen) call(name, args string) tools.Result {
	k.t.Helper()
	return k.callAs(ann, name, args)
}

func (k kitchen) callAs(c access.Caller, name, args string) tools.Result {
	k.t.Helper()
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		k.t.Fatal(err)
	}
	res, err := k.reg.Call(k.t.Context(), tools.Call{Caller: c, Tool: name, Args: m})
	if err != nil {
		k.t.Fatalf("%s %s: %v", name, args, err)
	}
	return res
}

// index indexes the folder and returns the id.
func (k kitchen) index() string {
	k.t.Helper()
	id, _ := structured(k.t, k.call("ensure_repo_index", `{"path":"."}`))["index_id"].(string)
	if !workspace.IsID(id) {
		k.t.Fatalf("the index id is %q", id)
	}
	return id
}

// structured is a result as an MCP client gets it.
func structured(t testing.TB, res tools.Result) map[string]any {
	t.Helper()
	b, err := json.Marshal(res.Structured)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// rows are a result's table as text.
func rows(res tools.Result) [][]string {
	var out [][]string
	for r := range res.Table.NumRows() {
		var row []string
		for _, v := range res.Table.Row(r) {
			row = append(row, v.Text())
		}
		out = append(out, row)
	}
	return out
}

// column is one column of a result's table.
func column(t testing.TB, res tools.Result, name string) []string {
	t.Helper()
	at := res.Table.Index(name)
	if at < 0 {
		t.Fatalf("no column %s in %v", name, res.Table.Names())
	}
	var out []string
	for _, row := range rows(res) {
		out = append(out, row[at])
	}
	return out
}

// Schemas are what clients are built against: a change must be seen in a diff.
func TestSchemaSnapshots(t *testing.T) {
	k := cook(t, nil)
	for _, tool := range k.kit.Tools() {
		got, err := tool.Describe()
		if err != nil {
			t.Fatal(err)
		}
		compareFile(t, filepath.Join("..", "testdata", "snap", Toolset+"."+tool.Def.Name+".json"), got)
		if tool.Def.Title == "" || !strings.Contains(tool.Def.Description, "Use it to ") || !tool.JSON {
			t.Errorf("%s needs a title, a description that says what it is used for, and JSON", tool.Def.Name)
		}
	}
}

func compareFile(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs; run the test with -update if that is meant:\n%s", name, d)
	}
}

// volatile is what differs from run to run.
var volatile = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{26}`), "<index>"},
	{regexp.MustCompile(`tbl_[a-z0-9]+`), "<handle>"},
	{regexp.MustCompile(`"(indexDate|indexed_at)": "[^"]*"`), `"$1": "<time>"`},
	{regexp.MustCompile(`"(indexVersion|execution_time_ms)": [0-9.e+-]+`), `"$1": 0`},
	{regexp.MustCompile(`"snapshot": "[^"]*"`), `"snapshot": "<snapshot>"`},
	{regexp.MustCompile(`"(score|lexical|symbol|graph|vector)": [0-9.]+`), `"$1": 0`}, // the index's own tests hold these
	{regexp.MustCompile(`\| [01](\.[0-9]+)? \|`), `| <score> |`},
	{regexp.MustCompile(`"sha256": "[^"]*"`), `"sha256": "<hash>"`},
	{regexp.MustCompile(`"bytes": [0-9]+`), `"bytes": 0`},
	{regexp.MustCompile(`zst: [0-9,]+ bytes`), `zst: 0 bytes`},
}

// Each tool's structured output, its sentence and its table, over one repository.
func TestGolden(t *testing.T) {
	k := cook(t, market)
	id := k.index()
	for name, c := range map[string]struct{ tool, args string }{
		"ensure_repo_index":  {"ensure_repo_index", `{"path":"."}`},
		"get_repo_bundle":    {"get_repo_bundle", `{"index_id":"` + id + `"}`},
		"search_repo":        {"search_repo", `{"index_id":"` + id + `","query":"take money from an account","k":2,"context_lines":1}`},
		"semantic_search":    {"semantic_search", `{"query":"give money back","limit":1}`},
		"search_code":        {"search_code", `{"query":"who could not pay","limit":1,"path":"mail"}`},
		"find_similar":       {"find_similar", `{"code":"func (l *Ledger) Refund(name string, cents int) { l.balance[name] += cents }","limit":1}`},
		"get_files_context":  {"get_files_context", `{"filepath":"mail.go"}`},
		"get_files_contexts": {"get_files_context", `{"filepaths":["./mail/mail.go","server"],"includeRelated":false}`},
		"list_functions":     {"list_functions", `{"pattern":"*charge"}`},
		"get_dependents":     {"get_dependents", `{"filepath":"the payment module"}`},
		"get_complexity":     {"get_complexity", `{"files":["payment/ledger.go",{"path":"mail/mail.go"}],"limit":2}`},
		"ask_definition":     {"ask_index", `{"index_id":"` + id + `","question":"Where is Charge defined?","context_lines":0}`},
		"ask_callers":        {"ask_index", `{"index_id":"` + id + `","question":"What calls Ledger.Charge?","context_lines":0}`},
		"ask_dependents":     {"ask_index", `{"index_id":"` + id + `","question":"Which files depend on the payment module?","context_lines":0}`},
		"ask_explanation":    {"ask_index", `{"index_id":"` + id + `","question":"How is money taken from an account?","context_lines":0}`},
		"ask_unknown":        {"ask_index", `{"index_id":"` + id + `","question":"How are satellites launched?","context_lines":0}`},
		"cancel":             {"cancel", `{"operation_id":"` + id + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			k := k
			k.t = t
			res := k.call(c.tool, c.args)
			b, err := json.MarshalIndent(res.Structured, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(res.Text+"\n\n"+string(b)+"\n", k.root, "<root>")
			if res.Table != nil {
				for _, row := range append([][]string{res.Table.Names()}, rows(res)...) {
					text += strings.Join(row, " | ") + "\n"
				}
			}
			for _, v := range volatile {
				text = v.re.ReplaceAllString(text, v.to)
			}
			compareFile(t, filepath.Join("testdata", "golden", name+".txt"), []byte(text))
		})
	}
}

// What is in a file is data; secrets in it do not come out of any tool.
func TestResultsAreUntrustedAndRedacted(t *testing.T) {
	k := cook(t, market)
	id := k.index()
	for tool, args := range map[string]string{
		"search_code": `{"query":"upstreamKey"}`, "search_repo": `{"index_id":"` + id + `","query":"upstreamKey opens"}`, "get_files_context": `{"filepath":"server/keys.go"}`,
		"list_functions": `{"symbolType":"any","pattern":"upstreamKey"}`, "find_similar": `{"code":"const upstreamKey = 1"}`, "ask_index": `{"index_id":"` + id + `","question":"What is upstreamKey?"}`,
		"get_dependents": `{"filepath":"server"}`, "get_complexity": `{}`,
	} {
		res := k.call(tool, args)
		if res.IsError {
			t.Errorf("%s: %s", tool, res.Text)
		}
		if !res.Untrusted {
			t.Errorf("%s: the text of files is not marked as untrusted", tool)
		}
		b, _ := json.Marshal(res.Structured)
		all := string(b) + res.Text
		if res.Table != nil {
			b, _ = json.Marshal(res.Table)
			all += string(b)
		}
		if strings.Contains(all, "AKIA") {
			t.Errorf("%s shows a secret: %s", tool, all)
		}
	}
}

// An owner sees nothing of another's indexes, not even that they are there.
func TestOwnersAreApart(t *testing.T) {
	k := cook(t, market)
	id := k.index()
	bob := access.Caller{ID: "bob"}
	for tool, args := range map[string]string{"search_repo": `{"index_id":"` + id + `","query":"x"}`, "ask_index": `{"index_id":"` + id + `","question":"x?"}`,
		"get_repo_bundle": `{"index_id":"` + id + `"}`, "cancel": `{"operation_id":"` + id + `"}`} {
		res := k.callAs(bob, tool, args)
		unknown := k.callAs(bob, tool, strings.ReplaceAll(args, id, "01ARZ3NDEKTSV4RRFFQ69G5FAV"))
		got, want := structured(t, res), structured(t, unknown)
		if !res.IsError || got["code"] != CodeIndexNotFound || got["hint"] != want["hint"] || got["nearest"] != nil {
			t.Errorf("%s: bob learns of ann's index: %v", tool, got)
		}
	}
	for _, l := range k.kit.Live() {
		if v, err := l.Version(t.Context(), bob); v != "" || err != nil {
			t.Errorf("%s: bob has a version %q, %v", l.Name, v, err)
		}
		if _, err := k.reg.OpenLive(t.Context(), bob, l.Name); err == nil {
			t.Errorf("%s: bob opens ann's table", l.Name)
		}
	}
}

func TestProgressBeginsWithTheIndexID(t *testing.T) {
	k := cook(t, market)
	var seen []tools.Progress
	var uris []string
	call := tools.Call{Caller: ann, Tool: "ensure_repo_index", Args: map[string]any{"path": k.root},
		Progress: func(p tools.Progress) { seen = append(seen, p) }, Updated: func(uri string) { uris = append(uris, uri) }}
	k.t = t
	for _, tool := range k.kit.Tools() {
		if tool.Def.Name != call.Tool {
			continue
		}
		res, err := tool.Handler(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		id := structured(t, res)["index_id"].(string)
		if want := "index_id " + id + ": " + k.root; len(seen) == 0 || seen[0].Message != want {
			t.Fatalf("the first of %v is not %q", seen, want)
		}
		done := map[float64]bool{}
		for i, p := range seen {
			done[p.Done] = true
			if p.Total != 100 || i > 0 && p.Done < seen[i-1].Done {
				t.Errorf("progress %v", seen)
			}
		}
		for _, want := range []float64{16, 33, 50, 66, 83, 100} {
			if !done[want] {
				t.Errorf("no progress of %v %% in %v", want, seen)
			}
		}
		if len(uris) == 0 || !strings.Contains(strings.Join(uris, " "), "mimir://status/"+id) {
			t.Errorf("updated: %v", uris)
		}
	}
}

// An answer shows what people read; the table has the rest, and what was asked for is shown.
func TestComplexityIsNarrow(t *testing.T) {
	k := cook(t, market)
	k.index()
	for args, want := range map[string][]string{
		`{}`:                            {"function", "path", "line", "cyclomatic", "cognitive", "halstead_volume", "lines"},
		`{"sort_by":"halstead_effort"}`: {"function", "path", "line", "cyclomatic", "cognitive", "halstead_volume", "halstead_effort", "lines"},
	} {
		res := k.call("get_complexity", args)
		got := slices.DeleteFunc(res.Table.Names(), func(c string) bool { return slices.Contains(res.Hide, c) })
		if !cmp.Equal(got, want) || res.Table.NumCols() != len(functionColumns) {
			t.Errorf("%s shows %v of %v", args, got, res.Table.Names())
		}
	}
}

// Several workspaces are used at once: by id and by path.
func TestSeveralWorkspaces(t *testing.T) {
	k := cook(t, map[string]string{"a/go.mod": "module a\n", "a/a.go": "package a\n\nfunc Alpha() {}\n", "b/go.mod": "module b\n", "b/b.go": "package b\n\nfunc Beta() {}\n"})
	ids := map[string]string{}
	for _, f := range []string{"a", "b"} {
		ids[f] = structured(t, k.call("ensure_repo_index", `{"path":"`+f+`"}`))["index_id"].(string)
	}
	for args, want := range map[string]string{`{}`: "Beta", `{"workspace":"a"}`: "Alpha", `{"workspace":"` + strings.ToLower(ids["a"]) + `"}`: "Alpha", `{"workspace":"` + ids["b"] + `"}`: "Beta"} {
		if got := column(t, k.call("list_functions", args), "function"); !cmp.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", args, got, want)
		}
	}
}

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func toolCall(tool string, args map[string]any) tools.Call {
	return tools.Call{Caller: ann, Tool: tool, Args: args}
}
